/** What a run knows of its rows' users before it sends any. */

import type { Key } from "../plan/digests.js";
import { type Entry, newEntry, type UserKeys } from "../plan/entry.js";
import type { Scope } from "./numbered.js";

/** It writes nothing. */
export interface Entries {
  /** Prepares for these users of earlier runs, before anything is written. */
  expect(users: readonly number[]): void;
  /**
   * The entry of a row's user, who is met in this run with it. Every one must go into
   * the ledger's `writeIntents`.
   *
   * @param user whom an earlier run knows, as the stage says; null for a new one
   * @throws RunError `disk`
   */
  entryOf(keys: UserKeys, user: number | null, scope: Scope): Entry;
  /** Notes that a row names a user of an earlier run, whom {@link expect} has prepared for, and is none of theirs. */
  meet(user: number): void;
  /**
   * Whether a row says again what was mended of it in a file of rejects, by which an earlier run has
   * brought its user.
   *
   * @param user as of {@link expect}
   * @param plan what would be sent of the row, if no other user had its contact
   */
  isMended(user: number, plan: Key): boolean;
  /** The id at the core of a finished user; null where none is kept. */
  coreIdOf(entryId: number): string | null;
}

/** The entries of a run that knows no users of earlier ones. */
export function createNobodyKnown(): Entries {
  let users = 0;
  return {
    expect() {},
    entryOf() {
      users += 1;
      return newEntry(users, 0);
    },
    meet() {},
    isMended: () => false,
    coreIdOf: () => null,
  };
}
