/** Finds the users of checkpoints by the ids under which a core lists them. No index of a checkpoint leads from there, so one is made in a scratch file; the checkpoints are only read. */

import { hash } from "node:crypto";
import { tmpdir } from "node:os";
import { KEY_BYTES, type Key } from "../plan/digests.js";
import { KeyMap } from "../sqlite/key-map.js";
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

const KINDS = ["import", "passwordless", "thirdparty", null] as const;

/** Places of checkpoints, beside which a number has room for each user's. */
const PLACES = 4096;

export function createCoreIds(): CoreIds {
  const ids = new KeyMap(tmpdir());
  return {
    add({ id: entryId, kind, coreId, sourceId, idKept }, place) {
      const byVendorId = idKept && sourceId !== null && sourceId !== coreId;
      const shownId = byVendorId ? sourceId : coreId;
      if (shownId === null) return;
      const bits = KINDS.indexOf(kind) * 2 + (byVendorId ? 1 : 0);
      ids.set(coreIdKey(shownId), (entryId * PLACES + place) * 8 + bits);
    },
    find(shownId) {
      const number = ids.get(coreIdKey(shownId));
      if (number === undefined) return undefined;
      const user = Math.floor(number / 8);
      const kind = KINDS[Math.floor((number % 8) / 2)] ?? null;
      const entryId = Math.floor(user / PLACES);
      return { place: user % PLACES, entryId, kind, byVendorId: number % 2 === 1 };
    },
    close: () => ids.close(),
  };
}

/** A key of random-looking bits, as {@link Key}s of other roles are, whatever a core's ids look like. */
export function coreIdKey(coreId: string): Key {
  return hash("sha256", coreId, "binary").slice(0, KEY_BYTES);
}
