/** One user in our vendor-neutral form. Types only: what a source hands on and what a plan is made from. */

import type { RawHash } from "../hash/hash.js";
import type { AccountParts } from "./account-parts.js";

/**
 * A contact in the form the core stores: an email trimmed and lower-cased, a phone in E.164.
 * `verified` is null where the export doesn't say.
 */
export interface Contact {
  readonly value: string;
  readonly verified: boolean | null;
}

/** Why the vendor itself keeps a user out; each is a `skip` reason. */
export type Exclusion = "disabled" | "deleted" | "anonymous" | "sso_only" | "service_account";

/** A reason that decides about a user. It is told together with its place in the export. */
export type Reason = Exclusion | "factor";

/** One user of an export, vendor-neutral. Contacts are normalized; the hash is still as exported. */
export interface UserRecord {
  /** The vendor's id, or null where the export has none. */
  readonly sourceId: string | null;
  readonly email: Contact | null;
  readonly phone: Contact | null;
  /** The hash as exported, or null for a user without a password. */
  readonly hash: RawHash | null;
  /** Every reason for which the vendor keeps this user out; empty for a user who may sign in. */
  readonly exclusions: readonly Exclusion[];
  /**
   * For each reason a sentence on where the export says so; absent where that goes without saying.
   */
  readonly because?: Readonly<Partial<Record<Reason, string>>>;
  /**
   * Codes of what the core has no place for (`profile_not_migrated`, …), and of what was mended or
   * unusable (`contact_mended`, `contact_unusable`, …). Each stands at most once; docs/json.md lists
   * them.
   */
  readonly notices: readonly string[];
  /**
   * The names under which a separate password export may hold this user's hash, the surest first.
   * Empty where the user has no password at the vendor, absent where that isn't known.
   */
  readonly passwordKeys?: readonly string[];
  /**
   * The email as the vendor writes it, where that has capitals or letters in parts. With it the
   * inspection counts users who are two at the vendor and one contact at the core, and the bridge
   * asks a vendor. It is neither sent to the core nor told.
   */
  readonly emailAsWritten?: string;
  /** Reads the account's other parts anew; absent unless the reading was asked to keep them. */
  readonly account?: () => AccountParts;
}
