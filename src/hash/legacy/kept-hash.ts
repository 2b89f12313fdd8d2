/** Which hashes the bridge verifies, of those that no core takes: what is kept of them, and what their refusals say. Pure. */

import { type BridgeWay, hintFor } from "../flaw.js";
import type { HashVerdict, NormalizeOptions, RawHash } from "../hash.js";
import { normalizeHash as judge } from "../normalize.js";
import { type LegacyContext, NO_CONTEXT } from "./changed-password.js";
import { findLegacyHash } from "./find-legacy-hash.js";
import type { KeptHash } from "./kept-password.js";

/** Refusals of hashes that another format would read, and that no password would fit: cut ones, and the vendor's scrypt. */
const NOT_BRIDGED: readonly string[] = [
  "column_truncated",
  "scrypt_salt_cut",
  "hash_config_missing",
  "hash_config_invalid",
  "signer_key_length",
];

/**
 * A hash as it is kept for the bridge; null where nothing verifies it.
 *
 * @param code why no core takes it; null where one does, and only a pepper can be in the way
 */
export function keptHash(hash: RawHash, code: string | null, all: LegacyContext): KeptHash | null {
  const { vendor, pepper } = all;
  if (code === null ? pepper === null : NOT_BRIDGED.includes(code)) return null;
  // A text may hold its own key; a column's salt belongs to the account's.
  if (hash.kind === "salted" && code === "signer_key_mismatch") return null;
  const format = formatOf(hash, all);
  if (format === null) return null;
  // Only what takes part is kept: a pepper that doesn't makes the hash no other one.
  const bare = { ...NO_CONTEXT, vendor };
  const fewer = pepper === null ? [bare] : [bare, { ...bare, pepper }];
  const context = fewer.find((one) => formatOf(hash, one) === format) ?? all;
  return code === null && context === bare ? null : { hash, context };
}

function formatOf(hash: RawHash, context: LegacyContext): string | null {
  const parsed = findLegacyHash(hash, context);
  return parsed === null || "outOfBounds" in parsed ? null : parsed.format;
}

/** Any pepper: it shows whether the bridge verifies the hash with one. */
const SOME_PEPPER = "?";
/** A user has a name of some kind, by which the bridge may verify the hash. */
const SOME_NAME = ["?"];

/** How the bridge verifies a hash that no core takes: as it is, or once the site's pepper is given; null for neither. */
export function bridgeWay(hash: RawHash, code: string, context: LegacyContext): BridgeWay | null {
  if (keptHash(hash, code, context) !== null) return "plain";
  return keptHash(hash, code, { ...context, pepper: SOME_PEPPER }) === null ? null : "peppered";
}

/** A verdict on a hash whose user isn't known; where the bridge verifies the hash, its hint names the bridge first. */
export function verdictWithBridge(
  hash: RawHash,
  verdict: HashVerdict,
  vendor: string | null = null,
): HashVerdict {
  if (verdict.verdict !== "refused") return verdict;
  const context = { vendor, pepper: null, userNames: SOME_NAME };
  const way = bridgeWay(hash, verdict.code, context);
  return { ...verdict, hint: hintFor(verdict, way) };
}

/**
 * The verdict on a raw hash. What is accepted verifies in any core that takes such hashes, with the
 * password it was made from and with no other; normalizing it again changes nothing. Never throws,
 * and takes time linear in the text.
 */
export function normalizeHash(raw: RawHash, options: NormalizeOptions = {}): HashVerdict {
  return verdictWithBridge(raw, judge(raw, options), options.vendor);
}
