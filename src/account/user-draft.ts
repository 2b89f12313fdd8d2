/** What a source fills in for one row before anything is judged: the export's own texts. Types only. */

import type { RawHash } from "../hash/hash.js";
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
  readonly because?: UserRecord["because"];
  /** Notice codes that the source itself knows, each at most once. */
  readonly notices: readonly string[];
  /** As {@link UserRecord.passwordKeys}. */
  readonly passwordKeys?: readonly string[];
}

/** Why a row can't become a user record; the rest of the file goes on. */
export interface RecordReject {
  readonly code: "id_invalid" | ContactDamage;
  /** What is wrong and what to do about it, without the value itself. */
  readonly hint: string;
  /** The vendor's id; null where there is none or it is what is wrong. */
  readonly sourceId: string | null;
}
