/** Rows of Firebase's `auth:export --format=csv`, which only looks like CSV: names are quoted where they hold a comma, but quotes in them aren't doubled, and claims keep their `\"`. A row is taken only if it can be read in exactly one way. */

import { RowDamage } from "./row-damage.js";

/**
 * Values in a line by firebase-tools' src/accountExporter.ts: of 52 columns, or 28 in older
 * versions, and the empty one that the comma at each line's end makes, unless somebody took it off.
 */
const WIDTHS = [53, 52, 29, 28] as const;

/** Names: the only columns but the claims that may hold commas, and then they are quoted. */
const NAMES: ReadonlySet<number> = new Set([5, 9, 13, 17, 21, 30, 34, 38, 42, 46, 50]);
const CLAIMS = 27;

const FLAG = /^(?:true|false|)$/;
const MILLISECONDS = /^\d*$/;

/** What some columns hold; it tells a row from somebody else's CSV and one reading from another. */
const PATTERNS: ReadonlyMap<number, RegExp> = new Map([
  [2, FLAG],
  [23, MILLISECONDS],
  [24, MILLISECONDS],
  [25, /^(?:\+\d+)?$/],
  [26, FLAG],
  [CLAIMS, /^(?:"\{.*\}")?$/],
]);

/** More commas than the vendor lets names and claims hold (claims: 1000 bytes). */
const MAX_SURPLUS = 400;

const UNREADABLE = new RowDamage(
  "row_malformed",
  "The row does not have the columns of a Firebase export, or can be read in two ways; a line break or quotation marks in a name can do that. Export as JSON, which has no such trouble.",
);
const CUT_OFF = new RowDamage(
  "truncated",
  "The file ends inside its last row; export the users again.",
);

/** A way to read the pieces before `end` as columns, the last of which starts at `start`. */
interface Reading {
  readonly before: Reading | null;
  readonly start: number;
  readonly end: number;
  readonly ambiguous: boolean;
}

/**
 * Makes the parser of one file's lines. The first line that can be read settles whether the file
 * has 28 or 52 columns.
 *
 * @returns takes a line with its line end, if it has one; gives its columns, quotes around free
 *   text left as they are, or damage
 */
export function createLineParser(): (line: string) => readonly string[] | RowDamage {
  let width: number | null = null;
  return (line) => {
    const pieces = line.trimEnd().split(",");
    for (const candidate of width === null ? WIDTHS : [width]) {
      const columns = readOneWay(pieces, candidate);
      if (columns === null) continue;
      width = candidate;
      return columns;
    }
    return line.endsWith("\n") ? UNREADABLE : CUT_OFF;
  };
}

/**
 * Joins the pieces between commas to `width` columns. More pieces than columns means that names or
 * claims hold commas. Somebody can choose a name that looks like the rest of a row; then there are
 * two readings, and none is trusted.
 */
function readOneWay(pieces: readonly string[], width: number): readonly string[] | null {
  const surplus = pieces.length - width;
  if (surplus < 0 || surplus > MAX_SURPLUS) return null;
  if (surplus === 0) return matches(pieces) ? pieces : null;
  let readings = new Map<number, Reading>([
    [0, { before: null, start: 0, end: 0, ambiguous: false }],
  ]);
  for (let column = 0; column < width && readings.size > 0; column++) {
    readings = addColumn(readings, pieces, column, surplus);
  }
  const reading = readings.get(pieces.length);
  return reading === undefined || reading.ambiguous ? null : toColumns(reading, pieces);
}

function matches(columns: readonly string[]): boolean {
  for (const [column, pattern] of PATTERNS) if (!pattern.test(columns[column] ?? "")) return false;
  return true;
}

function addColumn(
  readings: ReadonlyMap<number, Reading>,
  pieces: readonly string[],
  column: number,
  surplus: number,
): Map<number, Reading> {
  const longer = new Map<number, Reading>();
  for (const [start, before] of readings) {
    const most = mayHoldCommas(column) ? start + 1 + surplus - (start - column) : start + 1;
    for (let end = start + 1; end <= most; end++) {
      if (!fits(pieces, column, start, end)) continue;
      const ambiguous = before.ambiguous || longer.has(end);
      longer.set(end, { before, start, end, ambiguous });
    }
  }
  return longer;
}

function mayHoldCommas(column: number): boolean {
  return column === CLAIMS || NAMES.has(column);
}

function fits(pieces: readonly string[], column: number, start: number, end: number): boolean {
  const first = pieces[start] ?? "";
  if (end === start + 1) return PATTERNS.get(column)?.test(first) ?? true;
  const last = pieces[end - 1] ?? "";
  return column === CLAIMS
    ? first.startsWith('"{') && last.endsWith('}"')
    : first.startsWith('"') && last.endsWith('"');
}

function toColumns(reading: Reading, pieces: readonly string[]): readonly string[] {
  const columns: string[] = [];
  for (let at: Reading | null = reading; at !== null && at.end > 0; at = at.before) {
    columns.push(pieces.slice(at.start, at.end).join(","));
  }
  return columns.reverse();
}
