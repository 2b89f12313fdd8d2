/** One row as a source fills it in, in the export's own texts and not judged yet. Types only. */

import type { RawHash } from "../hash/hash.js";
import type { AccountParts } from "./account-parts.js";
import type { ContactDamage } from "./contact-hints.js";
import type { Exclusion, UserRecord } from "./user-record.js";

/** One row in the export's own words. An empty text means that the row has no such value. */
export interface UserDraft {
  /** The vendor's id. */
  readonly sourceId: string;
  readonly email: string;
  /** Null where the export doesn't say. */
  readonly emailVerified: boolean | null;
  readonly phone: string;
  /** Null where the export doesn't say. */
  readonly phoneVerified: boolean | null;
  /** The hash as exported, or null for a user without a password. */
  readonly hash: RawHash | null;
  /** As {@link UserRecord.exclusions}. */
  readonly exclusions: readonly Exclusion[];
  /** As {@link UserRecord.because}. */
  readonly because?: UserRecord["because"] | undefined;
  /** Notice codes that the source itself knows, each at most once. */
  readonly notices: readonly string[];
  /** As {@link UserRecord.passwordKeys}. */
  readonly passwordKeys?: readonly string[] | undefined;
  /** The user's keys, by which other objects of the file name them. */
  readonly seeks?: readonly string[];
  /** Keys of other objects of the file that the user names. */
  readonly listed?: readonly string[];
  /** As {@link UserRecord.account}. */
  readonly account?: () => AccountParts;
}

/** Why a row can't become a user record; the rest of the file goes on. */
export interface RecordReject {
  readonly code: "id_invalid" | "id_imprecise" | ContactDamage;
  /** What is wrong and what to do about it, without the value itself. */
  readonly hint: string;
  /** The vendor's id; null where the row has none, and where the id itself is wrong. */
  readonly sourceId: string | null;
}
