/** A password that no core can take over yet and that the bridge verifies: what is kept of it, and what tells it from others. Pure. */

import { hash as digest } from "node:crypto";
import type { UserRecord } from "../account/user-record.js";
import { tellableId } from "../account/tellable-id.js";
import { userNamesOf } from "../account/user-name.js";
import type { HashVerdict, RawHash } from "../hash/hash.js";
import { type LegacyContext, NO_CONTEXT } from "../hash/legacy/changed-password.js";
import { findLegacyHash } from "../hash/legacy/find-legacy-hash.js";
import type { KeptHash, KeptPassword } from "../hash/legacy/kept-password.js";
import { isSocialOnly, type PlannedAccount } from "./account-plan.js";
import type { Policy } from "./policy.js";

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
  const fewer = pepper === null ? [bare] : [bare, { ...bare, pepper }];
  const context = fewer.find((one) => formatOf(hash, one) === format) ?? all;
  return code === null && context === bare ? null : { hash, context };
}

function formatOf(hash: RawHash, context: LegacyContext): string | null {
  const parsed = findLegacyHash(hash, context);
  return parsed === null || "outOfBounds" in parsed ? null : parsed.format;
}

/**
 * What is kept for the bridge; null for a user who goes another way. A user without a hash and
 * without a social account has a password at the vendor, as far as exports say.
 */
export function keptPassword(
  record: UserRecord,
  verdict: HashVerdict,
  policy: Policy,
  known: Known,
): KeptPassword | null {
  if (policy.onUnusableHash !== "bridge") return null;
  const kept = keptOf(record, verdict, policy, known);
  if (kept === null) return null;
  const id = tellableId(record);
  return id === null ? kept : { ...kept, id };
}

type Known = Pick<PlannedAccount, "account" | "social"> & Pick<LegacyContext, "vendor">;

function keptOf(
  record: UserRecord,
  verdict: HashVerdict,
  { upstream, onLostFactor, pepper }: Policy,
  { vendor, account, social }: Known,
): KeptPassword | null {
  if (verdict.verdict !== "none") {
    const code = verdict.verdict === "refused" ? verdict.code : null;
    return bridgedHash(record, code, { vendor, pepper });
  }
  if (upstream === null || social.length > 0 || isSocialOnly(record.notices)) return null;
  const factorIsSettled = onLostFactor === "accept" || (account?.totp.length ?? 0) > 0;
  const { emailAsWritten: email } = record;
  return { upstream, factorIsSettled, ...(email === undefined ? {} : { email }) };
}

/** What a plan holds in the place of the hash that is sent. No core takes it. */
export function bridgedMark(bridged: KeptPassword): string {
  return `bridged:${digest("sha256", JSON.stringify(bridged))}`;
}
