/** Finds the users of checkpoints by the ids under which a core lists them. No index of a checkpoint leads from there, so one is made in a scratch file; the checkpoints are only read. */

import { hash } from "node:crypto";
import { tmpdir } from "node:os";
import { createSeenKeys, ROLE } from "../keys/seen-keys.js";
import { KEY_BYTES, type Key } from "../plan/digests.js";
import { RANK } from "../plan/rank.js";
import type { FinishedUser } from "./finished-users.js";

/** A finished user whom an id leads to. */
export interface ListedUser {
  /** The number of the checkpoint, as they were given. */
  readonly place: number;
  /** The entry's number in it. */
  readonly entryId: number;
  readonly kind: FinishedUser["kind"];
  /** By the vendor's id, which a core shows in place of its own. */
  readonly byVendorId: boolean;
}

export interface CoreIds {
  /** Adds a user by the core's id or, where the core is to show that, by the vendor's. @throws RunError `disk` */
  add(user: FinishedUser, place: number): void;
  /** The user whom a core shows by this id; undefined for a stranger. @throws RunError `disk` */
  find(shownId: string): ListedUser | undefined;
  close(): void;
}

/** Parts of the scratch file for few and for many users: the more, the shorter is each search, in 8 and in 64 MB of memory. */
const PARTS = { few: 4096, many: 32_768 };
const MANY = 5_000_000;

const KINDS = ["import", "passwordless", "thirdparty", null] as const;

/** @param count of the users, about */
export function createCoreIds(count: number): CoreIds {
  const keys = createSeenKeys(tmpdir(), { parts: count < MANY ? PARTS.few : PARTS.many });
  const add = (id: string, { place, entryId, kind, byVendorId }: ListedUser): void => {
    // The note has one number for both.
    const number = place * KINDS.length + KINDS.indexOf(kind);
    const row = { file: "", number };
    keys.add(coreIdKey(id), ROLE.coreId, {
      id: entryId,
      keyed: byVendorId,
      rank: RANK.verified,
      row,
    });
  };
  return {
    add({ id: entryId, kind, coreId, sourceId, idKept }, place) {
      const byVendorId = idKept && sourceId !== null && sourceId !== coreId;
      const shownId = byVendorId ? sourceId : coreId;
      if (shownId !== null) add(shownId, { place, entryId, kind, byVendorId });
    },
    find(shownId) {
      const first = keys.find(coreIdKey(shownId), ROLE.coreId);
      if (first === undefined) return undefined;
      const { id: entryId, keyed: byVendorId, row } = first;
      const kind = KINDS[row.number % KINDS.length] ?? null;
      return { place: Math.floor(row.number / KINDS.length), entryId, kind, byVendorId };
    },
    close: keys.close,
  };
}

/** A key of random-looking bits, as {@link Key}s of other roles are, whatever a core's ids look like. */
export function coreIdKey(coreId: string): Key {
  return hash("sha256", coreId, "binary").slice(0, KEY_BYTES);
}
