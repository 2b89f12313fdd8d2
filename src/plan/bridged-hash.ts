/** A hash that no core takes and that the bridge verifies: what is kept of it, and what tells it from others. Pure. */

import { createHash } from "node:crypto";
import type { UserRecord } from "../account/user-record.js";
import type { RawHash } from "../hash/hash.js";
import type { LegacyContext } from "../hash/legacy/changed-password.js";
import { findLegacyHash } from "../hash/legacy/find-legacy-hash.js";

/** All that verifying it takes. */
export interface BridgedHash {
  readonly hash: RawHash;
  readonly context: LegacyContext;
}

/** Refusals of hashes that another format would read, and that no password would fit: cut ones, and the vendor's scrypt. */
const NOT_BRIDGED: readonly string[] = [
  "column_truncated",
  "scrypt_salt_cut",
  "hash_config_missing",
  "hash_config_invalid",
  "signer_key_length",
];

/**
 * The hash of a record where it can be verified; else null.
 *
 * @param code why no core takes it
 * @param vendor whose hashes they are, as far as it is known
 */
export function bridgedHash(
  { hash }: Pick<UserRecord, "hash">,
  code: string,
  vendor: string | null,
): BridgedHash | null {
  if (hash === null || NOT_BRIDGED.includes(code)) return null;
  // A text may hold its own key; a column's salt belongs to the account's.
  if (hash.kind === "salted" && code === "signer_key_mismatch") return null;
  const context: LegacyContext = { vendor, pepper: null, userNames: [] };
  const parsed = findLegacyHash(hash, context);
  return parsed === null || "outOfBounds" in parsed ? null : { hash, context };
}

/** What a plan holds in the place of the hash that is sent. No core takes it. */
export function bridgedMark(bridged: BridgedHash): string {
  return `bridged:${createHash("sha256").update(JSON.stringify(bridged)).digest("hex")}`;
}
