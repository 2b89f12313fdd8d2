/** The few facts that a checkpoint holds of itself, by name. What they mean is their readers' business. */

import type { Database } from "../sqlite/database.js";

/**
 * `salt`: of the keys. `core_kind`, `core`: whom the checkpoint is bound to. `begun_at`: when it was
 * made; `cutover_at`: when people began to sign in at the core; both in epoch milliseconds, absent
 * where it wasn't noted. `cut_over_once`: there was such a moment, also where it was revoked. `part`:
 * of a split export, which one was imported last. `proof`: by what the core is proved to hold the
 * vendor's signer key (`key`), and of which sources' hashes known passwords fitted as they were typed.
 * `vault`: which vault holds the old hashes of bridged users. `queue_written`: of the users in the
 * core's queue, how many it had written when a run asked it last.
 */
type MetaName =
  | "salt"
  | "core_kind"
  | "core"
  | "begun_at"
  | "cutover_at"
  | "cut_over_once"
  | "part"
  | "proof"
  | "vault"
  | "queue_written";

export function getMeta(database: Database, name: MetaName): string | undefined {
  // `all` leaves no read lock behind, as `get` does.
  return database.prepare<[string]>("SELECT value FROM meta WHERE name = ?").all(name)[0]?.[0];
}

/** @param value null for none */
export function setMeta(database: Database, name: MetaName, value: string | null): void {
  if (value === null) database.prepare("DELETE FROM meta WHERE name = ?").run(name);
  else database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(name, value);
}

/** Epoch milliseconds; null where they weren't noted. */
export function getTime(database: Database, name: "begun_at" | "cutover_at"): number | null {
  const text = getMeta(database, name);
  return text === undefined ? null : Number(text);
}
