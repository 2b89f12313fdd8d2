/** The ids that finished users have at the core, as the checkpoint keeps them. It reads; who is finished, the ledger writes. */

import type { Database } from "../../sqlite/database.js";
import { unpackId } from "./packed-id.js";
import { STATE } from "./schema.js";

export interface CoreIds {
  /** One user's; null where none is kept. */
  of(entryId: number): string | null;
  /** Those of up to `limit` randomly chosen finished users. */
  sample(limit: number): string[];
}

export function createCoreIds(database: Database): CoreIds {
  const one = database.prepare<[Buffer | string | null]>("SELECT core_id FROM users WHERE id = ?");
  const finished = `SELECT core_id FROM users WHERE core_id IS NOT NULL AND state IN (?, ?, ?)`;
  // A random place in the order of ids, and the first finished user from there on, or of all.
  const sampleOne = database.prepare<[Buffer | string]>(
    `${finished} AND id > abs(random() % (SELECT max(id) FROM users)) LIMIT 1`,
  );
  const firstOne = database.prepare<[Buffer | string]>(`${finished} LIMIT 1`);
  return {
    of(entryId) {
      const packed = one.get(entryId)?.[0] ?? null;
      return packed === null ? null : unpackId(packed);
    },
    sample(limit) {
      const ids = new Set<string>();
      const states = [STATE.imported, STATE.created, STATE.existed];
      for (let tries = 0; tries < limit; tries += 1) {
        const row = sampleOne.get(...states) ?? firstOne.get(...states);
        if (row !== undefined) ids.add(unpackId(row[0]));
      }
      return [...ids];
    },
  };
}
