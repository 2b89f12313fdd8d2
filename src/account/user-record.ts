/** One user in our vendor-neutral form. Types only: what a source hands on and what a plan is made from. */

import type { RawHash } from "../hash/hash.js";

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

/** What decides what becomes of a user, and is told with where it stands. */
export type Reason = Exclusion | "factor";

/** One user of an export, vendor-neutral. Contacts are normalized; the hash is still as exported. */
export interface UserRecord {
  /** The vendor's id, or null where the export has none. */
  readonly sourceId: string | null;
  readonly email: Contact | null;
  readonly phone: Contact | null;
  /** The hash as exported, or null for a user without a password. */
  readonly hash: RawHash | null;
  /** Why the vendor keeps this user out, by each reason that there is; empty for a user who may sign in. */
  readonly exclusions: readonly Exclusion[];
  /** Where the export says so, a sentence a reason; absent where it goes without saying. */
  readonly because?: Readonly<Partial<Record<Reason, string>>>;
  /** Codes of what is true of this user and has no place in the core (`profile_not_migrated`, …), and of what was mended or unusable (`phone_unescaped`, `email_invalid`, …). Each at most once; docs/json.md lists them. */
  readonly notices: readonly string[];
  /**
   * Under which names a separate password export may hold this user's hash, the surest first.
   * Absent where the vendor has no such export.
   */
  readonly passwordKeys?: readonly string[];
  /**
   * The email as the vendor has it, where that has capitals or letters in parts: two users at the
   * vendor can be one contact at the core. For the census alone; nothing is sent or told of it.
   */
  readonly emailAsWritten?: string;
}
