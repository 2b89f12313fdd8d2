/** The users who are at the core as far as the checkpoint knows: all of them, or some at random. It reads; who is finished, the ledger writes. */

import type { Database } from "../../sqlite/database.js";
import type { RowRef } from "../events.js";
import { createFileIds } from "./file-ids.js";
import { unpackId } from "./packed-id.js";
import { STATE } from "./schema.js";

/** Users read at once. */
const PAGE = 500;
/** Places to look at for one user before a sample is taken for as large as it gets. */
const TRIES_FOR_ONE = 4;

/** A user who is at the core. */
export interface FinishedUser {
  /** The entry's number. */
  readonly id: number;
  readonly outcome: "imported" | "created" | "existed";
  /** The core's own id; null where none is kept. */
  readonly coreId: string | null;
  /** The row that named this user last. */
  readonly row: RowRef;
  /** The vendor's id, or null where none is kept. */
  readonly sourceId: string | null;
}

export interface FinishedUsers {
  /** Everybody, in the order in which they were first read. */
  all(): Iterable<FinishedUser>;
  /**
   * Up to `limit` of them, each once. Where the checkpoint has hardly more than that, use `all`.
   *
   * @param random from 0 to below 1
   */
  sample(limit: number, random: () => number): FinishedUser[];
  /** One of them; null where the entry isn't finished. */
  find(entryId: number): FinishedUser | null;
}

const OUTCOMES = {
  [STATE.imported]: "imported",
  [STATE.created]: "created",
  [STATE.existed]: "existed",
} as const;

type Row = [
  id: number,
  state: keyof typeof OUTCOMES,
  coreId: Buffer | string | null,
  file: number,
  number: number,
  sourceId: string | null,
];

export function createFinishedUsers(database: Database): FinishedUsers {
  const finished = `SELECT id, state, core_id, file, number, source_id FROM users
    WHERE state IN (${Object.keys(OUTCOMES).join(", ")})`;
  const beyond = database.prepare<Row>(`${finished} AND id > ? ORDER BY id LIMIT ?`);
  const one = database.prepare<Row>(`${finished} AND id = ?`);
  const latest = database.prepare<Row>(`${finished} ORDER BY id DESC LIMIT 1`);
  const files = createFileIds(database);

  const asUser = ([id, state, coreId, file, number, sourceId]: Row): FinishedUser => ({
    id,
    outcome: OUTCOMES[state],
    coreId: coreId === null ? null : unpackId(coreId),
    row: { file: files.pathOf(file), number },
    sourceId,
  });

  return {
    *all() {
      let last = 0;
      for (;;) {
        const page = beyond.all(last, PAGE);
        for (const row of page) yield asUser(row);
        const end = page.at(-1);
        if (end === undefined) return;
        last = end[0];
      }
    },
    sample(limit, random) {
      const [most = 0] = latest.all()[0] ?? [];
      const found = new Map<number, FinishedUser>();
      for (let tries = 0; tries < limit * TRIES_FOR_ONE && found.size < limit; tries += 1) {
        // A random place in the order of ids, and the first finished user from there on.
        const [row] = beyond.all(Math.floor(random() * most), 1);
        if (row !== undefined) found.set(row[0], asUser(row));
      }
      return [...found.values()];
    },
    find(entryId) {
      const [row] = one.all(entryId);
      return row === undefined ? null : asUser(row);
    },
  };
}
