/** What is told of users as small numbers, so that it costs a user's row a byte: there are few different sets of codes. */

import type { Database } from "../sqlite/database.js";
import { NO_NOTICES_YET, type Notices } from "../plan/entry.js";

export interface NoticeSets {
  /** The number of a set, which is given one on first sight; 0 for the empty one. */
  idOf(notices: Notices): number;
  of(id: number): Notices;
}

/** Loads the numbers that earlier runs gave. */
export function createNoticeSets(database: Database): NoticeSets {
  const insert = database.prepare("INSERT INTO notice_sets VALUES (?, ?, ?)");
  const ids = new Map<string, number>();
  const sets = new Map<number, Notices>([[0, NO_NOTICES_YET]]);
  for (const [id, notices] of selectNoticeSets(database)) {
    ids.set(keyOf(notices), id);
    sets.set(id, notices);
  }
  return {
    idOf(notices) {
      if (notices.row.length + notices.calls.length === 0) return 0;
      const key = keyOf(notices);
      const known = ids.get(key);
      if (known !== undefined) return known;
      const id = sets.size;
      insert.run(id, notices.row.join(","), notices.calls.join(","));
      ids.set(key, id);
      sets.set(id, notices);
      return id;
    },
    of: (id) => sets.get(id) ?? NO_NOTICES_YET,
  };
}

/** All sets by their numbers; none in a checkpoint that keeps none. */
export function selectNoticeSets(database: Database): [id: number, notices: Notices][] {
  return database
    .prepare<[number, string, string]>('SELECT id, "row", calls FROM notice_sets ORDER BY id')
    .all()
    .map(([id, row, calls]) => [id, { row: codesOf(row), calls: codesOf(calls) }]);
}

function codesOf(text: string): string[] {
  return text === "" ? [] : text.split(",");
}

function keyOf({ row, calls }: Notices): string {
  return `${row.join(",")};${calls.join(",")}`;
}
