/** Where the CLI writes: stdout for the result, stderr for everything else. The only place that knows streams, colors, how large a screen is and whether a person is watching. */

import { styleText } from "node:util";
import type { MachineEvent } from "../events/lines/lines.js";
import { fitted, type Layout, PLAIN_LAYOUT } from "../report/layout.js";
import { printable, printableStyled } from "../report/text.js";
import { asStarted, type Io, type Output, startedAs } from "./io.js";

/** What the operator wants to read, and whether questions may be asked. */
interface OutputMode {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly input: boolean;
}

/** For what is told where no command has taken its options. */
export const PLAINLY: OutputMode = { json: false, quiet: false, input: false };

export type Terminal = ReturnType<typeof createTerminal>;

/** What is drawn at the end of an error stream at the moment. */
const drawings = new WeakMap<Output, () => void>();

/** Says that something is drawn at the end of the error stream, and how it is erased before anything else is written. */
export function drawn(stderr: Output, erase: () => void): void {
  drawings.set(stderr, erase);
}

/** Erases what is drawn, so that what follows stands on a clean line. */
export function eraseDrawing(stderr: Output): void {
  const erase = drawings.get(stderr);
  drawings.delete(stderr);
  erase?.();
}

export function createTerminal(outputMode: OutputMode, io: Io) {
  const { stdin, stdout, stderr } = io;
  const { env } = process;
  const isWatched = stderr.isTTY === true && !outputMode.json && env.CI === undefined;
  const write = (stream: Output, line: string, columns: number | null): void => {
    eraseDrawing(stderr);
    const text = asStarted(line);
    stream.write(`${columns === null ? text : fitted(text, columns).join("\n")}\n`);
  };
  const result = (line: string): void =>
    write(stdout, printableStyled(line), screenColumns(stdout));
  // Names of files, too, are what others wrote: a folder may come out of an archive.
  const problem = (line: string): void => write(stderr, printable(line), screenColumns(stderr));
  const writeEvent = ({ type, ...rest }: MachineEvent): void =>
    void stdout.write(`${JSON.stringify({ type, v: 1, ...rest })}\n`);
  return {
    io,
    outputMode,
    /** True when a person sits at the error stream, and progress may be drawn there. */
    interactive: isWatched && !outputMode.quiet && env.TERM !== "dumb",
    /** True when questions may be asked. */
    canPrompt: isWatched && stdin.isTTY === true && outputMode.input,
    /** The layout of the result, as large as the screen is now. */
    get layout() {
      return layoutOf(stdout);
    },
    /** The columns of the result, where there is a screen or COLUMNS says it; else null, and lines have no width to fit. */
    get resultColumns() {
      return screenColumns(stdout);
    },
    /** The columns of messages; null where their lines have no width to fit. */
    get messageColumns() {
      return screenColumns(stderr);
    },
    /** A line of the result, on stdout, safe to print: on a screen that is narrower it is broken between words. */
    result,
    /** A line of the result that is laid out already, or is to be copied: a command, a query. */
    verbatim: (line: string): void => write(stdout, line, null),
    /** One JSON line on stdout; every line has a `type` and `v: 1`. */
    event: writeEvent,
    /** The result of a command: under `--json` as an event, else as the lines for people. */
    answer(event: MachineEvent, lines: () => readonly string[]): void {
      if (outputMode.json) writeEvent(event);
      else for (const line of lines()) result(line);
    },
    /** Resolves once stdout has taken everything; false where its reader has gone away. */
    delivered: () =>
      new Promise<boolean>((resolve) => {
        stdout.write("", (error) => resolve(error === null || error === undefined));
      }),
    /** A message for people, on stderr; nothing under `--quiet`. */
    note: (line: string): void => {
      if (!outputMode.quiet) problem(line);
    },
    /** What went wrong, on stderr, under `--quiet` too. */
    problem,
  };
}

function layoutOf(stdout: Output): Layout {
  const { env } = process;
  const isDumb = env.TERM === "dumb";
  // What npx has started is named by a longer name when it is written.
  const longer = startedAs().length - "auth-migrate".length;
  const colors = stdout.isTTY === true && !env.NO_COLOR && !isDumb;
  const style = (format: "bold" | "dim") => (text: string) =>
    colors ? styleText(format, text, { validateStream: false }) : text;
  return {
    columns: (screenColumns(stdout) ?? PLAIN_LAYOUT.columns) - longer,
    lines: screenLines(stdout) ?? PLAIN_LAYOUT.lines,
    unicode: !isDumb && isUnicode(env),
    strong: style("bold"),
    faint: style("dim"),
  };
}

const LEAST_COLUMNS = 20;
/** The prompt and what stands above a result. */
const LINES_AROUND = 4;
const LEAST_LINES = 20;

/** Null where there is none: a file, a pipe, a log. Some terminals say 0. */
function screenColumns({ isTTY, columns = 0 }: Output): number | null {
  const known = isTTY && columns > 0 ? columns : Number(process.env.COLUMNS ?? 0);
  return Number.isInteger(known) && known > 0 ? Math.max(LEAST_COLUMNS, known) : null;
}

function screenLines({ isTTY, rows = 0 }: Output): number | null {
  const known = isTTY && rows > 0 ? rows : Number(process.env.LINES ?? 0);
  return Number.isInteger(known) && known > 0 ? Math.max(LEAST_LINES, known - LINES_AROUND) : null;
}

/** As the locale's variables say, the first one that is set. Without any, as in most containers and CI jobs, the program that shows the output takes it for UTF-8. */
function isUnicode({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  return locale === "" || /utf-?8/i.test(locale);
}
