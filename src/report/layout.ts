/** How text is laid out: the width and length that it is written for, and measuring, cutting and wrapping by the columns that it takes on a terminal. */

import measure from "fast-string-truncated-width";
import { wrapAnsi } from "fast-wrap-ansi";
import { grouped } from "./text.js";

export interface Layout {
  /** No line is wider. */
  readonly columns: number;
  /** The screen's lines; infinite where there is no screen. A text that is cut to them says so. */
  readonly lines: number;
  /** Whether it can show block characters and ellipses. */
  readonly unicode: boolean;
  /** Makes a text stand out; its width stays. */
  strong(text: string): string;
  faint(text: string): string;
}

/** The layout where no screen is known. */
export const PLAIN_LAYOUT: Layout = {
  columns: 80,
  lines: Number.POSITIVE_INFINITY,
  unicode: true,
  strong: (text) => text,
  faint: (text) => text,
};

const ASCII = /^[\x20-\x7e]*$/;

/** The columns of a printable text. */
export function columnsOf(text: string): number {
  return ASCII.test(text) ? text.length : measure(text).width;
}

/** The longest beginning of a text that fits. */
export function beginningOf(text: string, columns: number): string {
  return text.slice(0, measure(text, { limit: columns }).index);
}

/** A text that fits, with an ellipsis in place of what doesn't. */
export function cutTo(text: string, columns: number): string {
  return columnsOf(text) <= columns ? text : `${beginningOf(text, columns - 1).trimEnd()}…`;
}

const MIN_WIDTH = 20;
/** Text goes on beside the beginning of a line only if it has room for a few whole words. */
const LEAST_BESIDE = 24;
/** Otherwise it goes on below, with this indent. */
const BELOW = 6;

/**
 * The lines of a text, none wider than `width` but a word alone; what continues a line is indented
 * as its start. No word is cut: half of an address or a path can't be followed.
 *
 * @param width columns; as 20 where fewer
 */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(MIN_WIDTH, width)));
}

/** A command at the end of a sentence. */
const WITH_COMMAND = /^(\S.*:) ((?:npx )?auth-migrate .*[^.])$/;

/** A line that fits keeps its columns; a longer one is wrapped, and a command at its end stands apart, to be copied. */
export function fitted(line: string, width: number): string[] {
  if (columnsOf(line) <= width) return [line];
  const [, text, command] = WITH_COMMAND.exec(line) ?? [];
  return text === undefined || command === undefined
    ? wrap(line, width)
    : [...wrap(text, width), ...commandLines(command, width)];
}

/** A text beside what begins its first line, all its lines below one another; below that where there is no room. */
export function hanging(head: string, text: string, width: number): string[] {
  if (text === "") return fitted(head.trimEnd(), width);
  const indent = columnsOf(head);
  if (indent + columnsOf(text) <= width) return [head + text];
  const longest = Math.max(
    ...bound(text, width - BELOW)
      .split(" ")
      .map(columnsOf),
  );
  if (width - indent < Math.max(LEAST_BESIDE, longest)) {
    return [...fitted(head.trimEnd(), width), ...wrap(" ".repeat(BELOW) + text, width)];
  }
  const lines = wrap(text, width - indent);
  return lines.map((line, at) => (at === 0 ? head : " ".repeat(indent)) + line);
}

/** A list behind its head, broken only between its items; what continues it is indented. */
export function listed(head: string, items: readonly string[], width: number): string[] {
  const whole = items.map((item) => item.replaceAll(" ", UNBROKEN)).join(", ");
  const line = head + whole;
  const lines = columnsOf(line) <= width ? [line] : wrap(" ".repeat(BELOW) + line.trim(), width);
  return lines.map((each, at) =>
    (at === 0 ? each.replace(/^ +/, /^ */.exec(head)?.[0] ?? "") : each).replaceAll(UNBROKEN, " "),
  );
}

/** A space at which nothing is broken, while lines are made. */
const UNBROKEN = "\u00a0";

/**
 * A command's lines. All but the last end in the shell's mark of a line that goes on, so that they
 * are one command when they are copied. An option stays with its value.
 *
 * @param command its words quoted as a shell wants them
 * @param columns no line is wider, unless one word is; null leaves the command in one line
 */
export function commandLines(command: string, columns: number | null): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of unbroken(command)) {
    const longer = line === "" ? `  ${word}` : `${line} ${word}`;
    // Behind every line but the last one stands a mark.
    if (line === "" || columns === null || columnsOf(longer) + 2 <= columns) {
      line = longer;
      continue;
    }
    lines.push(`${line} \\`);
    line = `    ${word}`;
  }
  return [...lines, line];
}

/** A command's words, an option with its value as one. */
function unbroken(command: string): string[] {
  const words = command.match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? [];
  const parts: string[] = [];
  for (const word of words) {
    const last = parts.at(-1);
    const isValue = last !== undefined && /^--[^\s=]+$/.test(last) && !word.startsWith("-");
    if (isValue) parts[parts.length - 1] = `${last} ${word}`;
    else parts.push(word);
  }
  return parts;
}

/** What is typed or copied as one: a quotation, an option with what stands for its value, a short command in a sentence. */
const AS_ONE =
  /`[^`]+`|(?<=^|[\s(])'[^']+'|(?:npx )?auth-migrate [a-z][a-z-]*(?: (?:--[\w-]+|[A-Z]{2,}|'[^']*'|[^\s'`]*[./=][^\s'`]*))*|--[\w-]+ (?:[A-Z]{2,}|'[^']*'|\S+=\S+)/g;

/** A text with no break in what is typed as one, where that has room on a line. */
function bound(text: string, width: number): string {
  return text.replace(AS_ONE, (one) =>
    columnsOf(one) > width ? one : one.replaceAll(" ", UNBROKEN),
  );
}

function wrapLine(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0].slice(0, width / 2) ?? "";
  const room = width - indent.length;
  const words = bound(line.trim().replace(/ +/g, " "), room);
  const lines = wrapAnsi(words, room).replaceAll(UNBROKEN, " ").split("\n");
  return lines.map((each) => indent + each);
}

/** A table stands closer on a screen with fewer columns. */
const NARROW = 70;

/** A table of names, numbers and meanings, without those that are 0. */
export function tableLines(
  table: readonly (readonly [string, number, string])[],
  layout: Layout = PLAIN_LAYOUT,
): string[] {
  const rows = table.filter(([, number]) => number > 0);
  const shown = rows.map(([, number]) => grouped(number));
  const isNarrow = layout.columns < NARROW;
  const nameWidth = isNarrow ? Math.max(0, ...rows.map(([name]) => name.length)) : 13;
  const numberWidth = isNarrow ? Math.max(0, ...shown.map((text) => text.length)) + 2 : 11;
  return rows.flatMap(([name, , meaning], at) => {
    const number = (shown[at] ?? "").padStart(numberWidth);
    return hanging(`  ${name.padEnd(nameWidth)}${number}   `, meaning, layout.columns);
  });
}

/** Counts by code, the most frequent first. */
export function mostFirst(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
}
