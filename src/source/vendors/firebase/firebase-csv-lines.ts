/** Reads Firebase's CSV, a row a line. A name may hold a line break, and behind it a text that looks like another user's row: lines that may be parts of one name are refused, all of them. */

import { readLines } from "../../bytes/lines.js";
import { jsonForm } from "../../raw/json-form.js";
import { type RowBatch, withRaw } from "../../raw/raw-row.js";
import { RowDamage } from "../../row-damage.js";
import type { FileHead } from "../../source.js";
import { type CsvLine, readLine, startsRow, USUAL_WIDTH, widthOf } from "./firebase-csv.js";

/** The most characters of a name (Identity Platform, REST accounts.update) with its quotation marks. */
const NAME_CHARACTERS = 256 + 2;
/** The UTF-16 units of these at most; so far behind a half line rows are in doubt, too. */
const MAX_RUN = 2 * NAME_CHARACTERS;

/** Lines among which a file's form is looked for. */
const FIRST_LINES = 20;

const UNREADABLE = new RowDamage(
  "row_malformed",
  "The row does not have the columns of a Firebase export, or can be read in two ways; a line break or quotation marks in a name can do that. Export as JSON, which has no such trouble.",
);
const CUT_OFF = new RowDamage(
  "truncated",
  "The file ends inside its last row; export the users again.",
);

/** A line of an export that those behind it may still put in doubt. */
interface HeldLine extends Pick<CsvLine, "opens" | "closes"> {
  readonly text: string;
  readonly number: number;
  row: object | RowDamage;
}

/** How wide a file's rows of this kind are, by its first lines; null where there are none. */
export function recognizeWidth(head: FileHead): number | null {
  const lines = firstLines(head);
  return startsRow(lines[0] ?? "") ? widthOf(lines) : null;
}

/** Reads a file's rows in the shape of JSON, whatever the size of the pieces in which the bytes come. */
export async function* readRows(
  head: FileHead,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<RowBatch<object>> {
  const width = widthOf(firstLines(head)) ?? USUAL_WIDTH;
  const held: HeldLine[] = [];
  let doubtful = 0;
  for await (const batch of readLines(bytes)) {
    for (const [index, line] of batch.entries()) {
      const text = line instanceof RowDamage ? line.text : line;
      const { user, isHalf, ...marks } = readLine(text, width);
      // Only a file's last line can lack its end.
      const row =
        line instanceof RowDamage ? line : (user ?? (text.endsWith("\n") ? UNREADABLE : CUT_OFF));
      const name = text.slice(0, Math.max(marks.closes, 0));
      const from = name === "" ? held.length : nameStart(held, name, (before) => before.opens);
      held.push({ text, number: batch.numbers[index] ?? 0, row, ...marks });
      if (doubtful > 0 || from < held.length - 1) doubt(held, from);
      doubtful = Math.max(doubtful - text.length, isHalf ? MAX_RUN : 0);
    }
    yield batchOf(held.splice(0, settled(held)));
  }
  // The file may be cut off inside of a name.
  doubt(
    held,
    nameStart(held, "", ({ opens, closes }) => (closes > opens ? -1 : opens)),
  );
  yield batchOf(held);
}

/** Rejects are written as JSON, since a line alone can't be told from a part of a name. */
function batchOf(lines: readonly HeldLine[]): RowBatch<object> {
  const rows = lines.map(({ row }) => row);
  return withRaw(rows, {
    form: jsonForm(),
    at(index) {
      const { text = "", row } = lines[index] ?? {};
      return row instanceof RowDamage
        ? { text, state: "broken" }
        : { text: JSON.stringify(row), state: "whole" };
    },
    line: (index) => lines[index]?.number,
  });
}

/** How many of the lines have so much behind them that no name of theirs goes on to what comes next. */
function settled(lines: readonly HeldLine[]): number {
  let behind = 0;
  return (
    lines.findLastIndex(({ text }) => {
      const isSettled = behind > MAX_RUN;
      behind += text.length;
      return isSettled;
    }) + 1
  );
}

/**
 * The first of the lines in which a name may begin that goes on through all of them.
 *
 * @param behind what follows of the name
 * @param opens where it may begin in a line; -1 where it can't
 * @returns the number of lines where none may
 */
function nameStart(
  lines: readonly HeldLine[],
  behind: string,
  opens: (line: HeldLine) => number,
): number {
  let first = lines.length;
  let characters = charactersIn(behind);
  for (let at = lines.length - 1; characters <= NAME_CHARACTERS; at--) {
    const line = lines[at];
    if (line === undefined) break;
    const from = opens(line);
    const inLine = charactersIn(line.text.slice(Math.max(from, 0)));
    if (from !== -1 && characters + inLine <= NAME_CHARACTERS) first = at;
    characters += charactersIn(line.text);
  }
  return first;
}

function charactersIn(text: string): number {
  return Array.from(text).length;
}

/** Refuses the lines from that one on. */
function doubt(lines: readonly HeldLine[], from: number): void {
  for (const line of lines.slice(from)) {
    if (!(line.row instanceof RowDamage)) line.row = UNREADABLE;
  }
}

function firstLines(head: FileHead): string[] {
  const lines = head.text.split("\n", FIRST_LINES + 1);
  // The head, or the file, may end within its last line.
  if (!head.complete || lines.length > 1) lines.pop();
  return lines.filter((line) => line.trim() !== "");
}
