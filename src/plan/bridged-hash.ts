/** A hash that no core takes and that the bridge verifies: what is kept of it, and what tells it from others. Pure. */

import { createHash } from "node:crypto";
import type { UserRecord } from "../account/user-record.js";
import { userNamesOf } from "../account/user-name.js";
import type { RawHash } from "../hash/hash.js";
import { type LegacyContext, NO_CONTEXT } from "../hash/legacy/changed-password.js";
import { findLegacyHash, type KeptHash } from "../hash/legacy/find-legacy-hash.js";

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
 * @param code why no core takes it; null where one does, and only a pepper can be in the way
 * @param known whose hashes they are, and what the site mixes into passwords, as far as it is known
 */
export function bridgedHash(
  { hash, ...names }: Pick<UserRecord, "hash" | "email" | "sourceId">,
  code: string | null,
  { vendor, pepper }: Pick<LegacyContext, "vendor" | "pepper">,
): KeptHash | null {
  if (hash === null || (code === null ? pepper === null : NOT_BRIDGED.includes(code))) return null;
  // A text may hold its own key; a column's salt belongs to the account's.
  if (hash.kind === "salted" && code === "signer_key_mismatch") return null;
  const all = { vendor, pepper, userNames: userNamesOf(names) };
  const format = formatOf(hash, all);
  if (format === null) return null;
  // Only what takes part is kept: a pepper that doesn't makes the hash no other one.
  const bare = { ...NO_CONTEXT, vendor };
  const contexts = [bare, { ...bare, pepper }, all];
  const context = contexts.find((one) => formatOf(hash, one) === format) ?? all;
  return code === null && context === bare ? null : { hash, context };
}

function formatOf(hash: RawHash, context: LegacyContext): string | null {
  const parsed = findLegacyHash(hash, context);
  return parsed === null || "outOfBounds" in parsed ? null : parsed.format;
}

/** What a plan holds in the place of the hash that is sent. No core takes it. */
export function bridgedMark(bridged: KeptHash): string {
  return `bridged:${createHash("sha256").update(JSON.stringify(bridged)).digest("hex")}`;
}
