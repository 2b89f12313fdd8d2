/** The ids that finished users have at the core, as the checkpoint keeps them. It reads; who is finished, the ledger writes. */

import type { Database } from "../sqlite/database.js";
import { createFinishedUsers } from "./finished-users.js";
import { unpackId } from "./packed-id.js";

interface CoreIds {
  /** One user's; null where none is kept. */
  of(entryId: number): string | null;
  /** Those of up to `limit` randomly chosen finished users. */
  sample(limit: number): string[];
}

export function createCoreIds(database: Database): CoreIds {
  const one = database.prepare<[Buffer | string | null]>("SELECT core_id FROM users WHERE id = ?");
  return {
    of(entryId) {
      const packed = one.get(entryId)?.[0] ?? null;
      return packed === null ? null : unpackId(packed);
    },
    sample: (limit) =>
      createFinishedUsers(database)
        .sample(limit, Math.random)
        .flatMap(({ coreId }) => coreId ?? []),
  };
}
