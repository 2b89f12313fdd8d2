/** The plan: what will be done for one user. Pure; it decides from the record, the verdict on its hash and the policy. */

import { optionName } from "../errors/option-name.js";
import type { AcceptedHash, HashAlgorithm, HashVerdict } from "../hash/hash.js";
import type { KeptPassword } from "../hash/legacy/kept-password.js";
import type { Contact, UserRecord } from "../account/user-record.js";
import type { ThirdPartyIdentity } from "../core/account-import.js";
import {
  accountOfSocial,
  type AccountPlan,
  leftBehind,
  planAccount,
  type PlannedAccount,
  SOCIAL_LEFT,
  type SocialPlan,
} from "./account-plan.js";
import { type Carried, NOTHING_CARRIED } from "./carried.js";
import { joined, NONE } from "./codes.js";
import { exclusionHint, leftOutFor, letInBy, refusedBeside } from "./left-out.js";
import { DEFAULT_POLICY, type Included, KEEPS_HASHES, type Policy } from "./policy.js";
import { bridgedMark, keptPassword, shownRefusal, withoutHash } from "./bridged-hash.js";

interface Sent {
  /** The vendor's id, to be mapped to the user afterwards; null where it isn't kept. */
  readonly keepId: string | null;
  /** What else is sent of the account; null for nothing. */
  readonly account: AccountPlan | null;
  readonly notices: readonly string[];
  /** The options that let the user in whom the vendor keeps out; absent for others. */
  readonly letIn?: readonly Included[];
}

/** interface.md 4.4: one call. */
export interface ImportPlan extends Sent {
  readonly kind: "import";
  readonly email: string;
  readonly passwordHash: string;
  readonly algorithm: HashAlgorithm;
  /** The vendor says that the email isn't verified: its hash replaces no other user's. */
  readonly unverified: boolean;
  /** Kept in the vault, with a stand-in sent in its place: `passwordHash` only tells it from others. */
  readonly bridged?: KeptPassword;
}

/** interface.md 4.1 and 4.2 for `first`, then 4.3 for `second` where there is one. */
export interface PasswordlessPlan extends Sent {
  readonly kind: "passwordless";
  readonly first: "email" | "phone";
  readonly email: string | null;
  readonly phone: string | null;
}

/** `POST /recipe/signinup`: one call. */
export interface ThirdPartyPlan extends Sent {
  readonly kind: "thirdparty";
  readonly identity: ThirdPartyIdentity;
  /** The provider's; it is no way in. */
  readonly email: string;
}

/** A plan that sends something. */
export type SentPlan = ImportPlan | PasswordlessPlan | ThirdPartyPlan;

/** Nothing is sent. */
export interface RefusalPlan {
  readonly kind: "skip" | "reject";
  readonly code: string;
  readonly hint: string;
  /** Under `--on-unusable-hash bridge` the refused hash is kept. */
  readonly bridge?: true;
  /** The row was mended before it brought its user, and stands here as it was. */
  readonly mended?: true;
}

/** What will be done for one user: calls, or nothing and why. */
export type Plan = SentPlan | RefusalPlan;

/** The algorithm of a plan's hash, or that no core takes it and the vault does; null for a plan without one. */
export function passwordOf(plan: Plan): HashAlgorithm | "bridged" | null {
  if (plan.kind !== "import") return null;
  return plan.bridged === undefined ? plan.algorithm : "bridged";
}

/** By what a plan's user signs in, as {@link passwordOf} says, or by a social account; null by a code. */
export function signInOf(plan: Plan): ReturnType<typeof passwordOf> | "social" {
  return plan.kind === "thirdparty" ? "social" : passwordOf(plan);
}

/** The kind of a plan's hash, of which one known password speaks for all: its algorithm, or of one that no core takes why; null for a plan without one. */
export function hashKind(plan: Plan, verdict: HashVerdict): string | null {
  if (plan.kind !== "import" || verdict.verdict === "none") return null;
  if (plan.bridged === undefined) return plan.algorithm;
  return verdict.verdict === "refused" ? verdict.code : "peppered";
}

/** True for a plan that sends nothing. */
export function isRefusal(plan: Plan): plan is RefusalPlan {
  return plan.kind === "skip" || plan.kind === "reject";
}

/**
 * Plans one user: what is sent, or why nothing is.
 *
 * @param verdict what normalization says about `record.hash`; `none` where there is no hash
 * @param carried what is sent beside contact and hash; nothing by default
 * @param vendor whose hashes they are, as far as it is known; for a hash that is bridged
 * @returns a plan of interface calls, or a skip or reject with a stable code and a hint
 */
export function planUser(
  record: UserRecord,
  verdict: HashVerdict,
  policy: Policy,
  carried: Carried = NOTHING_CARRIED,
  vendor: string | null = null,
): Plan {
  const planned = planAccount(record, carried);
  const plan = planCalls(record, verdict, policy, planned, carried, vendor);
  const refusal = refusedBeside(record, policy, planned);
  if (isRefusal(plan)) {
    const { bridge: _, ...alone } = plan;
    return refusal === null ? plan : alone;
  }
  if (refusal !== null) return { kind: "reject", ...refusal };
  const kept = policy.keepIds ? { ...plan, keepId: record.sourceId } : plan;
  return record.exclusions.length === 0 ? kept : { ...kept, letIn: letInBy(record) };
}

function planCalls(
  record: UserRecord,
  verdict: HashVerdict,
  policy: Policy,
  planned: PlannedAccount,
  carried: Carried,
  vendor: string | null,
): Plan {
  const { email, phone } = record;
  const { account, social, notices } = planned;
  const exclusion = record.exclusions.length === 0 ? null : leftOutFor(record, policy);
  if (exclusion !== null) {
    return { kind: "skip", code: exclusion, hint: exclusionHint(exclusion, record, policy) };
  }
  if (email === null && phone === null && social.length === 0) {
    return reject("no_contact");
  }
  if (email !== null && KEEPS_HASHES[policy.onUnusableHash]) {
    const kept = keptPassword(record, verdict, policy, { vendor, account, social });
    if (kept !== null) return planBridge(record, email, planned, kept);
  }
  if (verdict.verdict === "none") return planWithoutPassword(record, policy, planned, carried);
  if (verdict.verdict === "accepted" && email !== null) {
    return planImport(record, email, planned, verdict);
  }
  if (policy.onUnusableHash === "passwordless") {
    const all = [...notices, "password_not_migrated"];
    return planWithoutPassword(record, policy, { ...planned, notices: all }, carried);
  }
  if (verdict.verdict !== "refused") {
    const hint = hashWithoutEmail(policy);
    return { kind: "reject", code: "hash_without_email", hint };
  }
  const isUnverified = isRefusal(planWithoutPassword(record, policy, planned, carried));
  return { kind: "reject", ...shownRefusal(record, verdict, policy, vendor, isUnverified) };
}

/** An import of a hash, or of what stands in for one. */
function planImport(
  { phone }: UserRecord,
  email: Contact,
  { account, social, notices }: PlannedAccount,
  { hash, algorithm, notices: hashNotices }: Pick<AcceptedHash, "hash" | "algorithm" | "notices">,
): ImportPlan {
  return {
    kind: "import",
    email: email.value,
    passwordHash: hash,
    algorithm,
    unverified: email.verified === false,
    keepId: null,
    account,
    notices: joined(
      notices,
      email.verified === false ? UNVERIFIED : NONE,
      hashNotices,
      social.length > 0 ? SOCIAL_LOST : NONE,
      leftBehind(email, phone, account),
    ),
  };
}

function planBridge(
  record: UserRecord,
  email: Contact,
  planned: PlannedAccount,
  bridged: KeptPassword,
): ImportPlan {
  const plan = { hash: bridgedMark(bridged), algorithm: "argon2", notices: BRIDGED } as const;
  const notices = planned.notices.filter((notice) => notice !== "password_not_exported");
  return { ...planImport(record, email, { ...planned, notices }, plan), bridged };
}

const BRIDGED: readonly string[] = ["bridged"];
const OTHER_CONTACT_LEFT: readonly string[] = ["other_contacts_not_migrated"];
const SOCIAL_LOST: readonly string[] = [SOCIAL_LEFT];
const UNVERIFIED: readonly string[] = ["unverified_email_with_password"];

/** By the first social account where there is one that the core can keep, as the user signs in at the vendor; else by a code. */
function planWithoutPassword(
  record: UserRecord,
  policy: Policy,
  planned: PlannedAccount,
  carried: Carried,
): Plan {
  const [first, ...others] = planned.social;
  return first === undefined
    ? planPasswordless(record.email, record.phone, policy, planned)
    : planThirdParty(record, first, others, planned, carried);
}

/** The provider vouches for who signs in, so that the user's contacts needn't be verified; neither becomes a way in. */
function planThirdParty(
  { email, phone }: UserRecord,
  first: SocialPlan,
  others: readonly SocialPlan[],
  { account: given, notices }: PlannedAccount,
  carried: Carried,
): ThirdPartyPlan {
  const { email: theirs, thirdPartyId, thirdPartyUserId } = first;
  const account = accountOfSocial(given, first, carried);
  const isOther = email !== null && email.value !== theirs;
  return {
    kind: "thirdparty",
    identity: { thirdPartyId, thirdPartyUserId },
    email: theirs,
    keepId: null,
    account,
    notices: joined(
      notices,
      others.length > 0 ? SOCIAL_LOST : NONE,
      isOther ? OTHER_CONTACT_LEFT : NONE,
      leftBehind(isOther ? null : email, phone, account),
    ),
  };
}

/**
 * Consuming a code, and adding a contact, makes that address a way in; so a contact that the
 * vendor knows to be unverified is neither used nor added unless the operator asks for it.
 */
function planPasswordless(
  email: Contact | null,
  phone: Contact | null,
  policy: Policy,
  { account, notices }: PlannedAccount,
): Plan {
  const usable = (contact: Contact | null): contact is Contact =>
    contact !== null && (contact.verified !== false || policy.include.includes("unverified"));
  const usableEmail = usable(email) ? email : null;
  const usablePhone = usable(phone) ? phone : null;
  if (usableEmail === null && usablePhone === null) {
    return reject("contact_unverified");
  }
  const dropped = usableEmail !== email || usablePhone !== phone;
  // A verified email always comes by the code, which verifies it at the core; phones have no mark there.
  const phoneFirst =
    usableEmail === null || (usableEmail.verified !== true && usablePhone?.verified === true);
  return {
    kind: "passwordless",
    first: phoneFirst ? "phone" : "email",
    email: usableEmail?.value ?? null,
    phone: usablePhone?.value ?? null,
    keepId: null,
    account,
    notices: joined(notices, dropped ? OTHER_CONTACT_LEFT : NONE),
  };
}

/** Why a user has no way in at the core, in words. */
export const NO_WAY_IN = {
  no_contact:
    "The user has neither an email nor a phone to sign in with; add one in the export and import it again.",
  hash_without_email: hashWithoutEmail(DEFAULT_POLICY),
  contact_unverified: `The vendor never verified this user's contact, so it must not become a way in; ${optionName("--include")} unverified takes it all the same.`,
} as const;

function hashWithoutEmail(policy: Policy): string {
  return `A password needs an email at the core and this user has only a phone. Where a column has it, name that with ${optionName("--map")} email=NAME; ${withoutHash(policy)} creates the user without the password.`;
}

function reject(code: keyof typeof NO_WAY_IN): RefusalPlan {
  return { kind: "reject", code, hint: NO_WAY_IN[code] };
}
