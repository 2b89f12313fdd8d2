/** Plans what is to be at the core of one user beside contact and hash. Pure. */

import { FACTOR_NOTICES } from "../account/factor-notices.js";
import type {
  AccountParts,
  KeptParts,
  SocialAccount,
  TotpDevice,
} from "../account/account-parts.js";
import type { Contact, UserRecord } from "../account/user-record.js";
import type { ThirdPartyIdentity } from "../core/account-import.js";
import { normalizeEmail } from "../contact/email.js";
import type { Carried } from "./carried.js";
import { NONE } from "./codes.js";
import { isWithin, planRoles } from "./role-lists.js";

/** A social account as a core takes it. */
export interface SocialPlan extends ThirdPartyIdentity {
  readonly email: string;
  /** By the vendor's word where it is the user's own email, else by the provider's; false where verification isn't carried. */
  readonly isEmailVerified: boolean;
}

/** What is to be at the core of one user beside contact and hash. */
export interface AccountPlan {
  /**
   * Whether the email is to read as verified, by the vendor's word alone; null where verification
   * isn't carried, and where there is no email.
   */
  readonly verified: boolean | null;
  /** Epoch milliseconds; null where it isn't carried. */
  readonly joined: number | null;
  readonly metadata: AccountParts["metadata"] | null;
  /** The core's names, sorted, each once. */
  readonly roles: readonly string[];
  /** Those that a core can keep: SHA-1, six digits. */
  readonly totp: readonly TotpDevice[];
}

/** What planning the account of one user came to. */
export interface PlannedAccount {
  /** Null where nothing of it is to be sent. */
  readonly account: AccountPlan | null;
  /** The social accounts that a core can keep, each once, in the export's order. */
  readonly social: readonly SocialPlan[];
  /** The record's, without those of what is carried, and with those that say why a part isn't. */
  readonly notices: readonly string[];
  /** The user has a second factor or a passkey that the core won't ask for. */
  readonly losesFactor: boolean;
}

type Part = AccountParts["unreadable"][number];

/** Says why a part that is carried doesn't arrive whole: the export has no value of it that could be sent. */
const PART_UNREADABLE = "part_unreadable";

/** Says that a social account doesn't lead to the user at the core. */
export const SOCIAL_LEFT = "social_identity_dropped";

/**
 * The notices that tell a part's fields where they aren't carried. A name to sign in by becomes
 * metadata, but opens nothing: `username_not_migrated` stays.
 */
const TOLD_BY: Readonly<Record<Part, readonly string[]>> = {
  joined: ["joined_not_migrated"],
  metadata: ["profile_not_migrated", "metadata_not_migrated"],
  roles: ["roles_not_migrated"],
  social: [SOCIAL_LEFT],
  totp: [...FACTOR_NOTICES],
};

const PART_OF: ReadonlyMap<string, Part> = new Map(
  (Object.keys(TOLD_BY) as Part[]).flatMap((part) => TOLD_BY[part].map((code) => [code, part])),
);

/** What SuperTokens' columns take, in characters. */
const MOST = { provider: 28, socialId: 256 } as const;

/** The longest period of a device that a core takes, in seconds. */
const MAX_PERIOD = 86_400;

const NO_ACCOUNT: AccountPlan = {
  verified: null,
  joined: null,
  metadata: null,
  roles: [],
  totp: [],
};

// Made once: most users of an import that carries nothing else have one of them.
const ONLY_VERIFIED: AccountPlan = { ...NO_ACCOUNT, verified: true };
const ONLY_UNVERIFIED: AccountPlan = { ...NO_ACCOUNT, verified: false };

interface PlannedSocial {
  readonly kept: readonly SocialPlan[];
  /** Why others aren't; a notice each. */
  readonly lost: readonly string[];
}

const NO_SOCIAL: PlannedSocial = { kept: [], lost: [] };

/** Plans the account of a record whose reading kept what is carried. */
export function planAccount(record: UserRecord, carried: Carried): PlannedAccount {
  const { email, notices } = record;
  const verified = carried.verified && email !== null ? email.verified === true : null;
  const parts = record.account?.();
  if (parts === undefined) {
    const account = verified === null ? null : verified ? ONLY_VERIFIED : ONLY_UNVERIFIED;
    const told = carried.metadata ? [...new Set(notices.map(asUntaken))] : notices;
    return { account, social: [], notices: told, losesFactor: notices.some(tellsFactor) };
  }
  const social = carried.social ? planSocial(parts.social, email, carried) : NO_SOCIAL;
  const { roles, areAll } = planRoles(parts.roles, carried.roles);
  const totp = carried.totp ? parts.totp.filter(isTaken) : NO_ACCOUNT.totp;
  const account: AccountPlan = {
    verified,
    joined: carried.joined ? parts.joined : null,
    metadata: carried.metadata && isFilled(parts.metadata) ? parts.metadata : null,
    roles,
    totp,
  };
  const losesFactor =
    (totp.length === 0 && notices.some(tellsFactor)) ||
    parts.losesFactor ||
    totp.length < parts.totp.length;
  const arrived: Readonly<Record<Part, boolean>> = {
    joined: account.joined !== null,
    metadata: carried.metadata,
    roles: areAll,
    // Some exports name the provider of an account, and not the account.
    social: social.kept.length > 0 && social.lost.length === 0,
    totp: !losesFactor,
  };
  const left = notices.filter((code) => isLeft(code, parts, arrived));
  const told = carried.metadata ? left.map(asUntaken) : left;
  const isUnreadable = parts.unreadable.some((part) => carried[part]);
  const lost = isUnreadable ? [PART_UNREADABLE, ...social.lost] : social.lost;
  return {
    account: isNothing(account) ? null : account,
    social: social.kept,
    notices: [...new Set([...told, ...lost])],
    losesFactor,
  };
}

/** Whether a notice tells a part that stays behind, whole or to some extent, or a field that no part has. */
function isLeft(
  code: string,
  { unreadable, stays }: AccountParts,
  arrived: Readonly<Record<Part, boolean>>,
): boolean {
  const part = PART_OF.get(code);
  if (part === undefined || !arrived[part]) return true;
  // Metadata that can't be read is told as that alone.
  return stays.includes(code) || (part !== "metadata" && unreadable.includes(part));
}

/** By what a field is told, where metadata is carried: what stays behind of it is what nothing takes along. */
export function asUntaken(code: string): string {
  return PART_OF.get(code) === "metadata" ? "fields_not_migrated" : code;
}

/** Whether a notice says that there is a second factor or a passkey. */
function tellsFactor(code: string): boolean {
  return PART_OF.get(code) === "totp";
}

function isFilled(metadata: AccountParts["metadata"]): boolean {
  for (const _name in metadata) return true;
  return false;
}

/** What records have to be read for beside contacts and hashes. */
export function keptParts({ joined, metadata, roles, social, totp }: Carried): KeptParts | null {
  return joined || metadata || roles !== null || social || totp ? "all" : null;
}

function isNothing({ verified, joined, metadata, roles, totp }: AccountPlan): boolean {
  const isBare = verified === null && joined === null && metadata === null;
  return isBare && roles.length + totp.length === 0;
}

/** The account of a user who is brought by a social account: what is said of its email, and not of the user's other one. */
export function accountOfSocial(
  account: AccountPlan | null,
  { isEmailVerified }: SocialPlan,
  { verified }: Carried,
): AccountPlan | null {
  return verified ? { ...(account ?? NO_ACCOUNT), verified: isEmailVerified } : account;
}

const PHONE_LOST: readonly string[] = ["phone_not_migrated"];
const VERIFICATION_LOST: readonly string[] = ["verification_not_migrated"];
const BOTH_LOST: readonly string[] = [...PHONE_LOST, ...VERIFICATION_LOST];

/** What a user who isn't passwordless has no place for; and the core takes the email for unverified, unless it is told otherwise. */
export function leftBehind(
  email: Contact | null,
  phone: Contact | null,
  account: AccountPlan | null,
): readonly string[] {
  const isTold = account !== null && account.verified !== null;
  if (email?.verified !== true || isTold) return phone === null ? NONE : PHONE_LOST;
  return phone === null ? VERIFICATION_LOST : BOTH_LOST;
}

function planSocial(
  accounts: readonly SocialAccount[],
  contact: Contact | null,
  { providers, verified: vouches }: Carried,
): PlannedSocial {
  const kept = new Map<string, SocialPlan>();
  const lost: string[] = [];
  for (const { vendorProvider, provider, id, email: given, verified } of accounts) {
    const thirdPartyId = providers.get(vendorProvider) ?? provider;
    // Cores want an email of each account. The user's own one stands for one that the export lacks.
    const email = normalizeEmail(given) ?? contact?.value ?? null;
    if (thirdPartyId === null) lost.push(SOCIAL_LEFT);
    else if (
      email === null ||
      !isWithin(id, MOST.socialId) ||
      !isWithin(thirdPartyId, MOST.provider)
    ) {
      lost.push(PART_UNREADABLE);
    } else {
      // Of the user's own email the provider's word counts no more than the vendor's.
      const isVerified = email === contact?.value ? contact.verified : verified;
      const isEmailVerified = vouches && isVerified === true;
      const plan = { thirdPartyId, thirdPartyUserId: id, email, isEmailVerified };
      const key = `${thirdPartyId}\n${id}`;
      if (!kept.has(key)) kept.set(key, plan);
    }
  }
  return { kept: [...kept.values()], lost };
}

/** Whether a core takes it: SuperTokens' devices are all of SHA-1 and six digits. */
function isTaken({ algorithm, digits, period }: TotpDevice): boolean {
  const isPeriod = Number.isInteger(period) && period >= 1 && period <= MAX_PERIOD;
  return algorithm === "SHA1" && digits === 6 && isPeriod;
}

/** Whether what is told of a user says that their only way in at the vendor is a social account. */
export function isSocialOnly(notices: readonly string[]): boolean {
  return notices.includes(SOCIAL_LEFT) && !notices.includes("password_not_exported");
}
