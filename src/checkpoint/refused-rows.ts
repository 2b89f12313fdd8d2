/** The rows that were refused, left out or failed, as the checkpoint knows them now, one after the other: memory stays flat. It decides nothing. */

import type { Database } from "../sqlite/database.js";
import type { RowEvent, RowRef } from "../events/events.js";
import { EXAMPLES } from "../errors/first-rows.js";
import { rowOf } from "../errors/place.js";
import { FileIds, NoticeSets } from "./numbered.js";
import { toldOfUser } from "../plan/notices.js";
import { STATE } from "../plan/states.js";

const PAGE = 500;

/** Tells as a run did; of a run that was killed the hint may be of another row with the same code. */
export type RefusedRow = RowEvent;

type Row = [
  at: number,
  beside: number,
  file: number,
  number: number,
  line: number | null,
  type: RowEvent["type"],
  code: string,
  hint: string | null,
  sourceId: string | null,
];

/** Of every user as they stand, then of rows beside: duplicates, unreadable ones, refused changes of finished users. */
export function* refusedRows(database: Database): Iterable<RefusedRow> {
  const files = new FileIds(database);
  for (const rowsAfter of [USERS, OTHERS]) {
    const page = database.prepare<Row>(`${rowsAfter} LIMIT ${PAGE}`);
    let rows: Row[];
    let last: readonly [number, number] = [0, 0];
    do {
      rows = page.all(...last);
      for (const [at, beside, file, number, line, type, code, hint, sourceId] of rows) {
        last = [at, beside];
        const row = rowOf(files.pathOf(file), { number, line: line ?? undefined });
        yield { type, row, sourceId, code, hint: hint ?? "" };
      }
    } while (rows.length === PAGE);
  }
}

/** The first rows of users who are counted with a notice. */
export function examplesOf(database: Database, notice: string): RowRef[] {
  const files = new FileIds(database);
  const sets = new NoticeSets(database).all().flatMap(([id, notices]) => {
    const states = Object.values(STATE).filter((state) => toldOfUser(state, notices).has(notice));
    return states.map((state) => [state, id]);
  });
  const rows = database.prepare<[file: number, number: number, line: number | null]>(
    `SELECT file, number, ${toldOf("u", "line")} FROM users u
     WHERE (state, notices) IN (SELECT value->>0, value->>1 FROM json_each(?))
     ORDER BY (SELECT value FROM files WHERE id = u.file), number LIMIT ${EXAMPLES}`,
  );
  return rows
    .all(JSON.stringify(sets))
    .map(([file, number, line]) => rowOf(files.pathOf(file), { number, line: line ?? undefined }));
}

/** What is kept of a row that was told, as a column. */
function toldOf(of: string, column: "line" | "hint"): string {
  return `(SELECT ${column} FROM told_rows t
    WHERE t.file = ${of}.file AND t.number = ${of}.number AND t.plan = '')`;
}

// A finished user has a code only where the vendor's id couldn't be mapped to them.
const { skipped, rejected, failed, imported, created, existed } = STATE;
const TYPE = `CASE WHEN state = ${skipped} THEN 'skip' WHEN state = ${rejected} THEN 'reject'
  WHEN state IN (${failed}, ${imported}, ${created}, ${existed}) THEN 'failure' END`;

const USERS = `
  SELECT id, 0, file, number, ${toldOf("u", "line")}, type, code, coalesce(
    ${toldOf("u", "hint")}, (SELECT hint FROM hints h WHERE h.type = u.type AND h.code = u.code)), source_id
  FROM (SELECT *, ${TYPE} AS type FROM users) u
  WHERE id > ? AND ? = 0 AND code IS NOT NULL AND type IS NOT NULL ORDER BY id`;

/**
 * The rows beside that stand, as `o`, for a `SELECT`: those of a user whose latest row is another
 * one don't, nor does what the user's entry says itself.
 */
export const STANDING_ROWS = `other_rows o LEFT JOIN users u ON u.id = o.user
     WHERE (u.id IS NULL OR (u.file = o.file AND u.number = o.number
       AND NOT (o.type = 'failure' AND u.code IS NOT NULL)))`;

const OTHERS = `
  SELECT o.file, o.number, o.file, o.number, ${toldOf("o", "line")}, type, o.code, hint, o.source_id
  FROM ${STANDING_ROWS} AND (o.file, o.number) > (?, ?) ORDER BY o.file, o.number`;
