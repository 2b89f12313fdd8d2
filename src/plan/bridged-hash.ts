/** Passwords that the bridge verifies, since no core can take them yet: what is kept of each. Pure. */

import { hash as digest } from "node:crypto";
import type { UserRecord } from "../account/user-record.js";
import { tellableId } from "../account/tellable-id.js";
import { userNamesOf } from "../account/user-name.js";
import { optionName } from "../errors/option-name.js";
import { hintFor, type Refusal, WITHOUT } from "../hash/flaw.js";
import type { HashVerdict } from "../hash/hash.js";
import type { LegacyContext } from "../hash/legacy/changed-password.js";
import { bridgeWay, keptHash } from "../hash/legacy/kept-hash.js";
import type { KeptHash, KeptPassword } from "../hash/legacy/kept-password.js";
import { isSocialOnly, type PlannedAccount } from "./account-plan.js";
import { KEEPS_HASHES, type Policy } from "./policy.js";

/**
 * The hash of a record where it can be verified; else null.
 *
 * @param code why no core takes it; null where one does, and only a pepper can be in the way
 * @param known whose hashes they are, and what the site mixes into passwords, as far as it is known
 */
export function bridgedHash(
  { hash, ...names }: Pick<UserRecord, "hash" | "email" | "sourceId">,
  code: string | null,
  known: Pick<LegacyContext, "vendor" | "pepper">,
): KeptHash | null {
  return hash === null ? null : keptHash(hash, code, { ...known, userNames: userNamesOf(names) });
}

/** What brings a user without a hash: beside the bridge no option, as an import with that takes no vault. */
export function withoutHash({ onUnusableHash }: Policy): string {
  return KEEPS_HASHES[onUnusableHash]
    ? `a file without these hashes (as that of ${optionName("--rejects-out")}, mended)`
    : WITHOUT;
}

/** A refused hash as its user's row shows it: where the bridge could keep the password, the hint names the bridge first. */
export function shownRefusal(
  { hash, ...names }: UserRecord,
  refusal: Refusal,
  policy: Policy,
  vendor: string | null,
  isUnverified: boolean,
): Pick<Refusal, "code" | "hint"> & { readonly bridge?: true } {
  const { code } = refusal;
  const couldKeep = hash !== null && names.email !== null && !KEEPS_HASHES[policy.onUnusableHash];
  const context = { vendor, pepper: policy.pepper, userNames: userNamesOf(names) };
  const way = couldKeep ? bridgeWay(hash, code, context) : null;
  const unverified = isUnverified ? ` and ${optionName("--include")} unverified` : "";
  const hint = hintFor(refusal, way, `${withoutHash(policy)}${unverified}`);
  return way === "plain" ? { code, hint, bridge: true } : { code, hint };
}

/**
 * What is kept for the bridge; null for a user who goes another way. Of exports without
 * hashes few say who has a password: the vendor is asked about them, and about each user without a
 * social account of whom the export doesn't say that they have none.
 */
export function keptPassword(
  record: UserRecord,
  verdict: HashVerdict,
  policy: Policy,
  known: Known,
): KeptPassword | null {
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
  const hasNone = isSocialOnly(record.notices) || record.passwordKeys?.length === 0;
  if (upstream === null || hasNone) return null;
  // With a hash, too, a password goes before a social account.
  const hasPassword = record.notices.includes("password_not_exported");
  if (social.length > 0 && !hasPassword) return null;
  const factorIsSettled = onLostFactor === "accept" || (account?.totp.length ?? 0) > 0;
  const { emailAsWritten: email } = record;
  return { upstream, factorIsSettled, ...(email === undefined ? {} : { email }) };
}

/** What a plan holds in place of a hash that no core takes. It differs where what is kept differs. */
export function bridgedMark(bridged: KeptPassword): string {
  return `bridged:${digest("sha256", JSON.stringify(bridged))}`;
}
