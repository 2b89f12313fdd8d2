/** The rows that were refused, left out or failed, as the checkpoint knows them now, one after the other: memory stays flat. It decides nothing. */

import type { Database } from "../sqlite/database.js";
import type { RowEvent } from "../events/events.js";
import { rowOf } from "../errors/place.js";
import { FileIds } from "./numbered.js";
import { isFinished, STATE, type State } from "../plan/states.js";

/** Rows read at once. */
const PAGE = 500;

/** Tells as a run did; the hint may be of another row with the same code. */
export type RefusedRow = RowEvent;

const TYPES: Partial<Readonly<Record<State, RowEvent["type"]>>> = {
  [STATE.skipped]: "skip",
  [STATE.rejected]: "reject",
  [STATE.failed]: "failure",
};

type UserRow = [
  id: number,
  state: State,
  file: number,
  number: number,
  sourceId: string | null,
  code: string | null,
  line: number | null,
];

type OtherRow = [
  file: number,
  number: number,
  line: number | null,
  type: RowEvent["type"],
  code: string,
  hint: string,
  sourceId: string | null,
];

/** Of every user as they stand, then of rows beside: duplicates, unreadable ones, refused changes of finished users. */
export function* refusedRows(database: Database): Iterable<RefusedRow> {
  yield* usersOf(database, hintsOf(database));
  yield* othersOf(database);
}

function* usersOf(database: Database, hints: ReadonlyMap<string, string>): Iterable<RefusedRow> {
  const files = new FileIds(database);
  // A finished user has a code only where the vendor's id couldn't be mapped to them.
  const page = database.prepare<UserRow>(
    `SELECT id, state, file, number, source_id, code, ${lineOf("users")} FROM users
     WHERE id > ? AND code IS NOT NULL ORDER BY id LIMIT ${PAGE}`,
  );
  for (let last = 0; ; ) {
    const rows = page.all(last);
    for (const [id, state, file, number, sourceId, code, line] of rows) {
      last = id;
      const type = isFinished(state) ? "failure" : TYPES[state];
      if (type === undefined || code === null) continue;
      const row = rowOf(files.pathOf(file), { number, line: line ?? undefined });
      yield { type, row, sourceId, code, hint: hints.get(keyOf(type, code)) ?? "" };
    }
    if (rows.length < PAGE) return;
  }
}

function* othersOf(database: Database): Iterable<RefusedRow> {
  const files = new FileIds(database);
  const page = database.prepare<OtherRow>(
    `SELECT o.file, o.number, ${lineOf("o")}, type, o.code, hint, o.source_id FROM ${STANDING_ROWS}
     AND (o.file, o.number) > (?, ?) ORDER BY o.file, o.number LIMIT ${PAGE}`,
  );
  for (let last: readonly [number, number] = [0, 0]; ; ) {
    const rows = page.all(...last);
    for (const [file, number, line, type, code, hint, sourceId] of rows) {
      last = [file, number];
      const row = rowOf(files.pathOf(file), { number, line: line ?? undefined });
      yield { type, row, sourceId, code, hint };
    }
    if (rows.length < PAGE) return;
  }
}

/** The line of a row, as a column. */
function lineOf(of: string): string {
  return `(SELECT line FROM row_lines l WHERE l.file = ${of}.file AND l.number = ${of}.number)`;
}

/**
 * The rows beside that stand, as `o`, for a `SELECT`: those of a user whose latest row is another
 * one don't, nor does what the user's entry says itself.
 */
export const STANDING_ROWS = `other_rows o LEFT JOIN users u ON u.id = o.user
     WHERE (u.id IS NULL OR (u.file = o.file AND u.number = o.number
       AND NOT (o.type = 'failure' AND u.code IS NOT NULL)))`;

/** By type and code. */
function hintsOf(database: Database): Map<string, string> {
  const rows = database
    .prepare<[RowEvent["type"], string, string]>("SELECT type, code, hint FROM hints")
    .all();
  return new Map(rows.map(([type, code, hint]) => [keyOf(type, code), hint]));
}

function keyOf(type: RowEvent["type"], code: string): string {
  return `${type} ${code}`;
}
