/** Puts the rows of Firebase's CSV together from lines. A name may hold a line break, and behind it a text that looks like another user's row. Lines in doubt become a user where they make one row in one way; none of them alone is one. */

import { type Lines, readLines } from "../../bytes/lines.js";
import { type RawText, type RowBatch, stateOf, withRaw } from "../../raw/raw-row.js";
import { RowDamage } from "../../row-damage.js";
import type { FileHead } from "../../source.js";
import {
  endOf,
  type FirebaseCsvRow,
  formOf,
  readerOf,
  readRow,
  readStart,
  splitLine,
  startsRow,
  toRow,
} from "./firebase-csv.js";
import {
  type CsvForm,
  formOfRejects,
  opensName,
  originOf,
  rejectsForm,
  rowLine,
  USUAL_FORM,
} from "./firebase-csv-form.js";

/**
 * How far behind a line's end its row may go on, in UTF-16 units. A name has at most 256 characters
 * (Identity Platform, REST accounts.update); what goes on longer than that is no row.
 */
const MAX_RUN = 512;

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

type Row = FirebaseCsvRow | RowDamage;
/** A line with its line end, or damage where it can't be read as text. */
type Line = string | RowDamage;

/** What was made of some lines. */
interface Taken {
  readonly rows: readonly Row[];
  /** The lines of each row: its first one, and the first one behind it. */
  readonly spans: readonly (readonly [from: number, to: number])[];
  /** How many lines that took. */
  readonly lines: number;
  /** How many lines behind them are in doubt: they may be part of a broken row. */
  readonly doubtful: number;
}

/** How a line is judged that may go on in the next ones. */
interface Verdict {
  /** The row that it makes with as many lines as `more` says, or null where they are in doubt. */
  readonly row: FirebaseCsvRow | null;
  readonly more: number;
}

/** Whether a file's first lines are rows of this kind, and of which form; null where not. */
export function recognizeForm(head: FileHead): CsvForm | null {
  const known = formOfRejects(head.text);
  if (known !== null) return known;
  const lines = firstLines(head);
  return startsRow(splitLine(lines[0] ?? "")) ? formOf(lines) : null;
}

/** Reads a file's rows, whatever the size of the pieces in which the bytes come. */
export async function* readRows(
  head: FileHead,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<RowBatch<FirebaseCsvRow>> {
  const known = formOfRejects(head.text);
  if (known !== null) yield* readRejects(bytes, known);
  else yield* readExport(bytes, formOf(firstLines(head)) ?? USUAL_FORM);
}

async function* readExport(
  bytes: AsyncIterable<Buffer>,
  form: CsvForm,
): AsyncGenerator<RowBatch<FirebaseCsvRow>> {
  const raw = rejectsForm(form, false);
  const batchOf = ({ rows, spans }: Taken, lines: Lines): RowBatch<FirebaseCsvRow> => {
    const at = (index: number): RawText => {
      const text = lines
        .slice(...(spans[index] ?? [0, 0]))
        .map(textOf)
        .join("");
      return { text, state: stateOf(rows[index]) };
    };
    const line = (index: number): number | undefined => lines.numbers[spans[index]?.[0] ?? -1];
    return withRaw(rows, { form: raw, at, line });
  };
  let waiting: Lines = Object.assign([], { numbers: [] });
  let doubtful = 0;
  for await (const batch of readLines(bytes)) {
    const lines = waiting.length === 0 ? batch : chained(waiting, batch);
    const taken = takeRows(lines, form, doubtful, false);
    yield batchOf(taken, lines);
    const numbers = lines.numbers.slice(taken.lines);
    waiting = Object.assign(lines.slice(taken.lines), { numbers });
    doubtful = taken.doubtful;
  }
  yield batchOf(takeRows(waiting, form, doubtful, true), waiting);
}

function chained(before: Lines, after: Lines): Lines {
  const numbers = [...before.numbers, ...after.numbers];
  return Object.assign([...before, ...after], { numbers });
}

/** Reads a row a line: a row of several lines was put on one when it was written here. */
async function* readRejects(
  bytes: AsyncIterable<Buffer>,
  form: CsvForm,
): AsyncGenerator<RowBatch<FirebaseCsvRow>> {
  const raw = rejectsForm(form, true);
  for await (const batch of readLines(bytes)) {
    const isRow = (line: Line): boolean => line instanceof RowDamage || rowLine(line) !== null;
    const lines = batch.filter(isRow);
    const numbers = batch.numbers.filter((_number, index) => isRow(batch[index] ?? ""));
    const rows = lines.map((line) => readReject(line, form));
    const textAt = (index: number): string => textOf(lines[index] ?? "");
    const at = (index: number): RawText => ({ text: textAt(index), state: stateOf(rows[index]) });
    const origin = (index: number): string | undefined => originOf(textAt(index));
    yield withRaw(rows, { form: raw, at, line: (index) => numbers[index], origin });
  }
}

function readReject(line: Line, form: CsvForm): Row {
  const bare = line instanceof RowDamage ? line : rowLine(line);
  if (bare === null || bare instanceof RowDamage) return bare ?? UNREADABLE;
  return readRow(bare, form) ?? (isCut(bare, null) ? CUT_OFF : UNREADABLE);
}

function textOf(line: Line): string {
  return line instanceof RowDamage ? line.text : line;
}

function firstLines(head: FileHead): string[] {
  const lines = head.text.split("\n", FIRST_LINES + 1);
  // The head may end within its last line.
  if (!head.complete || lines.length > FIRST_LINES) lines.pop();
  return lines.filter((line) => line.trim() !== "");
}

/**
 * @param before how many of the lines are in doubt because of what was before them: they are no
 * user's, however they look
 * @param ended true where no more lines follow
 */
function takeRows(lines: readonly Line[], form: CsvForm, before: number, ended: boolean): Taken {
  const rows: Row[] = [];
  const spans: [number, number][] = [];
  const push = (row: Row, from: number, to: number): void => {
    rows.push(row);
    spans.push([from, to]);
  };
  let doubtful = before;
  let at = 0;
  for (let line = lines[at]; line !== undefined; line = lines[at]) {
    const row = line instanceof RowDamage ? line : readRow(line, form);
    if (line instanceof RowDamage || !mayGoOn(line, row)) {
      // A half in doubt belongs to a row that is rejected already.
      if (doubtful === 0 || row !== null || isCut(line, row)) {
        push(doubtful === 0 && row !== null ? row : refusal(line, row), at, at + 1);
      }
      doubtful = Math.max(0, doubtful - 1);
      at++;
      continue;
    }
    const following = linesBehind(lines, at, ended);
    if (following === null) break;
    const atEnd = ended && at + 1 + following.length === lines.length;
    const verdict = judge(line, row instanceof RowDamage ? null : row, { following, atEnd }, form);
    if (verdict.row !== null && doubtful === 0) {
      push(verdict.row, at, at + 1 + verdict.more);
      at += 1 + verdict.more;
      continue;
    }
    const last = following[verdict.more - 1] ?? line;
    if (isCut(last, readRow(last, form))) {
      push(CUT_OFF, at, lines.length);
      return { rows, spans, lines: lines.length, doubtful: 0 };
    }
    // With the lines in doubt, so that the operator who mends the row has all of it.
    push(UNREADABLE, at, at + 1 + verdict.more);
    doubtful = Math.max(doubtful - 1, verdict.more);
    at++;
  }
  return { rows, spans, lines: at, doubtful };
}

/** Whether a line starts a row that isn't sure to end with it. */
function mayGoOn(line: string, row: Row | null): boolean {
  if (row === null) return startsRow(splitLine(line));
  return !(row instanceof RowDamage) && row.isOpen;
}

/** Only a file's last line can lack its end. */
function isCut(line: Line, row: Row | null): boolean {
  return row === null && typeof line === "string" && !line.endsWith("\n");
}

function refusal(line: Line, row: Row | null): RowDamage {
  if (row instanceof RowDamage) return row;
  return isCut(line, row) ? CUT_OFF : UNREADABLE;
}

/** The lines that the row at `at` may reach, or null where they aren't all there yet. */
function linesBehind(lines: readonly Line[], at: number, ended: boolean): string[] | null {
  const following: string[] = [];
  let length = 0;
  for (let index = at + 1; length < MAX_RUN; index++) {
    const line = lines[index];
    if (line === undefined) return ended ? following : null;
    if (line instanceof RowDamage) break;
    following.push(line);
    length += line.length;
  }
  return following;
}

/**
 * Judges a line by those that its row may reach.
 *
 * @param row what the line says alone, or null where it is no whole row
 */
function judge(
  line: string,
  row: FirebaseCsvRow | null,
  { following, atEnd }: { readonly following: readonly string[]; readonly atEnd: boolean },
  form: CsvForm,
): Verdict {
  const { joined, ends } = joinLines(splitLine(line), following, form);
  const more = ends.at(-1);
  if (more !== undefined) {
    const hidesRow = following.slice(0, more).some((other) => readRow(other, form) !== null);
    const isSure = row === null && ends.length === 1 && !hidesRow;
    return { row: isSure ? joined : null, more };
  }
  // In a file that was cut off, all that is left may be inside the name.
  if (atEnd && opensQuote(splitLine(line))) return { row: null, more: following.length };
  const last = following.at(-1);
  if (row !== null) {
    const isWhole = last === undefined || !isCut(last, readRow(last, form));
    return isWhole ? { row, more: 0 } : { row: null, more: following.length };
  }
  // Its other half may be there in a shape that the vendor doesn't write.
  const half = following.findLastIndex(
    (other) => readRow(other, form) === null && !startsRow(splitLine(other)),
  );
  return { row: null, more: half + 1 };
}

/** Whether a line's last quotation mark opens a text that ends in another line. */
function opensQuote(pieces: readonly string[]): boolean {
  let open = false;
  for (const piece of pieces) {
    if (open) open = !piece.endsWith('"');
    else open = opensName(piece);
  }
  return open;
}

/**
 * The lines behind at which a row that starts with `pieces` may end, and the row that ends at the
 * last of them.
 */
function joinLines(
  pieces: readonly string[],
  following: readonly string[],
  form: CsvForm,
): { readonly joined: FirebaseCsvRow | null; readonly ends: readonly number[] } {
  const read = readerOf(form);
  const ends: number[] = [];
  let joined: FirebaseCsvRow | null = null;
  let readings = readStart(pieces, form);
  let open = pieces.at(-1) ?? "";
  for (const [index, line] of following.entries()) {
    const [first = "", ...more] = splitLine(line);
    const whole = [`${open}\n${first}`, ...more];
    open = whole.pop() ?? "";
    readings = whole.reduce(read, readings);
    if (readings.size === 0) break;
    const found = endOf(read(readings, open, 0), form);
    if (found === null) continue;
    ends.push(index + 1);
    joined = toRow(pieces, found);
  }
  return { joined, ends };
}
