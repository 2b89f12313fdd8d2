/** The plan: what will be done for one user. Pure; it decides from the record, the verdict on its hash and the policy. */

import type { HashAlgorithm, HashVerdict } from "../hash/hash.js";
import type { Contact, Exclusion, UserRecord } from "../account/user-record.js";
import { type AccountPlan, planAccount, type PlannedAccount } from "./account-plan.js";
import { type Carried, NOTHING_CARRIED } from "./carried.js";
import type { Policy } from "./policy.js";
import { bridgedHash, type BridgedHash, bridgedMark } from "./bridged-hash.js";

/** interface.md 4.4: one call. */
export interface ImportPlan {
  readonly kind: "import";
  readonly email: string;
  readonly passwordHash: string;
  readonly algorithm: HashAlgorithm;
  /** The vendor says that the email isn't verified: its hash replaces no other user's. */
  readonly unverified: boolean;
  /** The vendor's id, to be mapped to the user afterwards; null where it isn't kept. */
  readonly keepId: string | null;
  /** What else is sent of the account; null for nothing. */
  readonly account: AccountPlan | null;
  readonly notices: readonly string[];
  /** Kept in the vault, with a stand-in sent in its place: `passwordHash` only tells it from others. */
  readonly bridged?: BridgedHash;
}

/** interface.md 4.1 and 4.2 for `first`, then 4.3 for `second` where there is one. */
export interface PasswordlessPlan {
  readonly kind: "passwordless";
  readonly first: "email" | "phone";
  readonly email: string | null;
  readonly phone: string | null;
  /** As {@link ImportPlan.keepId}. */
  readonly keepId: string | null;
  /** As {@link ImportPlan.account}. */
  readonly account: AccountPlan | null;
  readonly notices: readonly string[];
}

/** Nothing is sent. */
export interface RefusalPlan {
  readonly kind: "skip" | "reject";
  readonly code: string;
  readonly hint: string;
}

/** What will be done for one user: calls of interface.md 4, or nothing and why. */
export type Plan = ImportPlan | PasswordlessPlan | RefusalPlan;

/** The algorithm of a plan's hash, or that no core takes it and the vault does; null for a plan without one. */
export function passwordOf(plan: Plan): HashAlgorithm | "bridged" | null {
  if (plan.kind !== "import") return null;
  return plan.bridged === undefined ? plan.algorithm : "bridged";
}

/** True for a plan that sends nothing. */
export function isRefusal(plan: Plan): plan is RefusalPlan {
  return plan.kind === "skip" || plan.kind === "reject";
}

const EXCLUSION_HINTS = {
  disabled:
    "The vendor keeps this user out and the core has no such flag; --include-disabled migrates them all the same.",
  deleted:
    "The vendor deleted this user; --include-disabled migrates deleted and disabled users all the same.",
  anonymous: "An anonymous user has nothing to sign in with; nothing is lost at sign-in.",
  sso_only:
    "This user signs in through an identity provider, which a code would bypass; --include-sso migrates them all the same.",
  service_account:
    "This is the account of an application, not of a person; no person signs in with it, and no option migrates it.",
} as const;

/** What is said about a further reason, which another option or none would have to lift. */
const ALSO: Readonly<Record<Exclusion, string>> = {
  disabled: "The vendor keeps them out as well, which takes --include-disabled, too.",
  deleted: "The vendor deleted them as well, which takes --include-disabled, too.",
  anonymous: "They are anonymous as well and have nothing to sign in with.",
  sso_only: "They sign in through an identity provider as well, which takes --include-sso, too.",
  service_account: "It is an application's account as well, which no option migrates.",
};

const FACTOR_HINT =
  "The user has a second factor or a passkey at the vendor, and it isn't carried: at the core the password or a code alone would let them in. --on-lost-factor accept migrates such users without it; have them enroll anew.";

/** What a core takes as an external id, in code points: the counterpart's column ends there. */
const MAX_KEPT_ID = 128;

/**
 * Plans one user by design section 5.
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
  const plan = planCalls(record, verdict, policy, { ...planned, vendor });
  if (isRefusal(plan)) return plan;
  if (policy.onLostFactor === "reject" && planned.losesFactor) {
    const why = record.because?.factor;
    return reject("factor_lost", why === undefined ? FACTOR_HINT : `${why} ${FACTOR_HINT}`);
  }
  return policy.keepIds ? planToKeep(record.sourceId, plan) : plan;
}

/** The plan with the vendor's id; a reject where that can't become one at the core. */
function planToKeep(id: string | null, plan: ImportPlan | PasswordlessPlan): Plan {
  if (id === null) {
    return reject(
      "id_missing",
      "--keep-ids keeps the vendor's id and this row has none; add it in the export (--map id=NAME names its column), or import such rows on their own without --keep-ids.",
    );
  }
  // Code points are never more than UTF-16 units. What else no core keeps as it is, no record's id has.
  if (id.length > MAX_KEPT_ID && [...id].length > MAX_KEPT_ID) {
    return reject(
      "id_not_mappable",
      `--keep-ids keeps the vendor's id, but a core takes ${MAX_KEPT_ID} characters at most and this one is longer; import such rows on their own without --keep-ids, and change their ids in the application.`,
    );
  }
  return { ...plan, keepId: id };
}

function planCalls(
  record: UserRecord,
  verdict: HashVerdict,
  policy: Policy,
  { vendor, ...planned }: Rest & { readonly vendor: string | null },
): Plan {
  const { email, phone } = record;
  const { account, notices } = planned;
  const exclusion = leftOutFor(record, policy);
  if (exclusion !== null) {
    return { kind: "skip", code: exclusion, hint: exclusionHint(exclusion, record, policy) };
  }
  if (email === null && phone === null) {
    return reject(
      "no_contact",
      "The user has neither an email nor a phone to sign in with; add one in the export and import it again.",
    );
  }
  if (verdict.verdict === "none") return planPasswordless(email, phone, policy, planned);
  if (verdict.verdict === "accepted" && email !== null) {
    const { hash: passwordHash, algorithm } = verdict;
    return planImport(record, email, planned, {
      passwordHash,
      algorithm,
      hashNotices: verdict.notices,
    });
  }
  if (policy.onUnusableHash === "bridge" && verdict.verdict === "refused" && email !== null) {
    const bridged = bridgedHash(record, verdict.code, vendor);
    if (bridged !== null) return planBridge(record, email, planned, bridged);
  }
  if (policy.onUnusableHash === "passwordless") {
    const told = [...notices, "password_not_migrated"];
    return planPasswordless(email, phone, policy, { account, notices: told });
  }
  return verdict.verdict === "refused"
    ? reject(verdict.code, verdict.hint)
    : reject(
        "hash_without_email",
        "A password needs an email at the core and this user has only a phone; --on-unusable-hash passwordless creates the user without the password.",
      );
}

/** What a plan has beside its way in. */
type Rest = Pick<PlannedAccount, "account" | "notices">;

/** An import of a hash, or of what stands in for one. */
function planImport(
  { phone }: UserRecord,
  email: Contact,
  { account, notices }: Rest,
  {
    hashNotices,
    ...hash
  }: Pick<ImportPlan, "passwordHash" | "algorithm"> & { readonly hashNotices: readonly string[] },
): ImportPlan {
  return {
    kind: "import",
    email: email.value,
    ...hash,
    unverified: email.verified === false,
    keepId: null,
    account,
    notices: joined(
      joined(notices, email.verified === false ? UNVERIFIED : NONE),
      joined(hashNotices, leftBehind(email, phone, account)),
    ),
  };
}

function planBridge(
  record: UserRecord,
  email: Contact,
  planned: Rest,
  bridged: BridgedHash,
): ImportPlan {
  const passwordHash = bridgedMark(bridged);
  const plan = { passwordHash, algorithm: "argon2", hashNotices: BRIDGED } as const;
  return { ...planImport(record, email, planned, plan), bridged };
}

const NONE: readonly string[] = [];
const BRIDGED: readonly string[] = ["bridged"];
const PHONE_LOST: readonly string[] = ["phone_not_migrated"];
const UNVERIFIED: readonly string[] = ["unverified_email_with_password"];
const VERIFICATION_LOST: readonly string[] = ["verification_not_migrated"];
const BOTH_LOST: readonly string[] = [...PHONE_LOST, ...VERIFICATION_LOST];

/** What an email-password user has no place for; and the core takes the imported email for unverified, unless it is told otherwise. */
function leftBehind(
  email: Contact,
  phone: Contact | null,
  account: AccountPlan | null,
): readonly string[] {
  const isTold = account !== null && account.verified !== null;
  if (email.verified !== true || isTold) return phone === null ? NONE : PHONE_LOST;
  return phone === null ? VERIFICATION_LOST : BOTH_LOST;
}

/** Most users have no notice, and most others the same ones: nothing new is made for them. */
function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}

/** The first reason for which the import leaves out whom the vendor itself keeps out, or null. */
export function leftOutFor({ exclusions }: UserRecord, policy: Policy): Exclusion | null {
  return exclusions.find((exclusion) => leavesOut(exclusion, policy)) ?? null;
}

/** Names every option that it takes: with one of two the user would be left out all the same. */
function exclusionHint(
  first: Exclusion,
  { exclusions, because }: UserRecord,
  policy: Policy,
): string {
  const lifted = LIFTED_BY[first];
  const others =
    lifted === null
      ? []
      : exclusions.filter((other) => leavesOut(other, { ...policy, [lifted]: true }));
  const why = because?.[first];
  return [
    ...(why === undefined ? [] : [why]),
    EXCLUSION_HINTS[first],
    ...others.map((other) => ALSO[other]),
  ].join(" ");
}

/** Which decision lifts a reason; null where none does. */
const LIFTED_BY = {
  disabled: "includeDisabled",
  deleted: "includeDisabled",
  anonymous: "includeDisabled",
  sso_only: "includeSso",
  service_account: null,
} as const satisfies Record<Exclusion, keyof Policy | null>;

function leavesOut(exclusion: Exclusion, policy: Policy): boolean {
  const lifted = LIFTED_BY[exclusion];
  return lifted === null || !policy[lifted];
}

/**
 * Consuming a code, and adding a contact, makes that address a way in; so a contact that the
 * vendor knows to be unverified is neither used nor added unless the operator asks for it.
 */
function planPasswordless(
  email: Contact | null,
  phone: Contact | null,
  policy: Policy,
  { account, notices }: Rest,
): Plan {
  const usable = (contact: Contact | null): contact is Contact =>
    contact !== null && (contact.verified !== false || policy.includeUnverified);
  const usableEmail = usable(email) ? email : null;
  const usablePhone = usable(phone) ? phone : null;
  if (usableEmail === null && usablePhone === null) {
    return reject(
      "contact_unverified",
      "The vendor never verified this user's contact, so it must not become a way in; --include-unverified takes it all the same.",
    );
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
    notices: dropped ? [...notices, "unverified_contact_not_migrated"] : notices,
  };
}

function reject(code: string, hint: string): RefusalPlan {
  return { kind: "reject", code, hint };
}
