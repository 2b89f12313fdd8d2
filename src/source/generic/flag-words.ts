/** What the words of `words/flags.json` do to a name of which they are a part. flag-names.ts puts them together. */

import type { Exclusion } from "../../account/user-record.js";
import { listed, readWords, type Topics, topicsAs, type Words, wordsAs } from "../word-lists.js";

/** A word that says by itself whether an account is kept out. */
export interface FlagWord {
  readonly role: "flag";
  /** Whether a yes keeps the account out. */
  readonly flag: "yes" | "no";
  readonly exclusion: Exclusion;
  /** Flags about one thing: `lockout` and `locked_until`. */
  readonly group: string;
  /** `deletion` alone may be a request or a token. */
  readonly noun: boolean;
  /** It may keep out, and a run asks. */
  readonly isUnsure?: boolean;
}

/** What one word does to a name. */
export type WordRole =
  | FlagWord
  | { readonly role: "verified"; readonly noun: boolean; readonly negated: boolean }
  | { readonly role: PlainRole };

type PlainRole =
  /** The value is a word: `status`. */
  | "state"
  | "email"
  | "phone"
  /** A filled one says yes: `locked_at`, `date_deleted`. */
  | "time"
  /** It may be over: `banned_until`, `lockout_end`. */
  | "until"
  | "not"
  /** The account itself, or nothing at all. */
  | "account"
  /** People whose state may be something else: `customer_status`. */
  | "person"
  /** Of the contact beside it, as in `phone_number_verified`; else of something else. */
  | "part"
  /** About a flag that should stand elsewhere as well: `ban_reason`. */
  | "companion"
  /** Of something else, or no flag at all: `lock_version`, `newsletter_enabled`. */
  | "other"
  /** Of the application: it may be enabled, but a ban from it is one. */
  | "feature"
  /** The sign-in itself, of an account: `prohibit_login`, `access_revoked`. */
  | "entry"
  /** It may not have begun: `valid_from`, `start_date`. */
  | "from"
  /** Ends what keeps out, at a time that may be still to come: `unlock_time`. */
  | "lifts"
  /** Not let in yet, in a name as in a value: `staged`, `is_pending`. */
  | "waiting"
  /** May or may not: of the sign-in, whether an account is kept out. */
  | "may"
  | "maynot"
  /** Person or program: its value is a word, as a state's is. */
  | "sort"
  /** Second factors, and what some of them are named by; `otp` may be any code. */
  | "factor"
  | "passkey"
  | "otp"
  /** Takes part in a hash. */
  | "salt";

/** `unbanned_at` is about a ban that was. */
export const LIFTED = "lifted";

/** What `words/flags.json` has: topics of flags are what they are about, as `lockout` and `locked_until` are about one thing. */
interface Flags {
  /** They keep an account out by themselves. */
  readonly out: Topics;
  /** They may keep an account out, or be said of something else. */
  readonly maybe: Words;
  readonly program: Words;
  readonly deleted: Words;
  readonly in: Words;
  readonly lifted: Words;
  readonly verified: Words;
  readonly unverified: Words;
  /** Nouns alone may be of something else: `deletion` of a request or a token. */
  readonly outNouns: Topics;
  readonly deletedNouns: Words;
  readonly inNouns: Words;
  readonly verifiedNouns: Words;
  /** What is asked for beside a password, in two words that are said together. */
  readonly second: { readonly counts: Words; readonly of: Words };
  readonly plain: Topics<PlainRole>;
}

const FLAGS = readWords<Flags>("flags");

/** Each word once, beside what it does. */
export const WORDS: readonly (readonly [string, WordRole])[] = [
  ...flags(FLAGS.out, { flag: "yes", exclusion: "disabled", noun: false }),
  ...flags(FLAGS.outNouns, { flag: "yes", exclusion: "disabled", noun: true }),
  ...flags(
    { maybe: FLAGS.maybe },
    { flag: "yes", exclusion: "disabled", noun: false, isUnsure: true },
  ),
  ...flags({ machine: FLAGS.program }, { flag: "yes", exclusion: "service_account", noun: false }),
  ...flags({ delete: FLAGS.deleted }, { flag: "yes", exclusion: "deleted", noun: false }),
  ...flags({ delete: FLAGS.deletedNouns }, { flag: "yes", exclusion: "deleted", noun: true }),
  ...flags({ active: FLAGS.in }, { flag: "no", exclusion: "disabled", noun: false }),
  ...flags({ active: FLAGS.inNouns }, { flag: "no", exclusion: "disabled", noun: true }),
  ...flags({ [LIFTED]: FLAGS.lifted }, { flag: "no", exclusion: "disabled", noun: false }),
  ...wordsAs<WordRole>(FLAGS.verified, { role: "verified", noun: false, negated: false }),
  ...wordsAs<WordRole>(FLAGS.verifiedNouns, { role: "verified", noun: true, negated: false }),
  ...wordsAs<WordRole>(FLAGS.unverified, { role: "verified", noun: false, negated: true }),
  ...topicsAs(FLAGS.plain, (role): WordRole => ({ role })),
  ...listed(FLAGS.second.counts).flatMap((count) =>
    listed(FLAGS.second.of).map((of): [string, WordRole] => [count + of, { role: "factor" }]),
  ),
];

function flags(topics: Topics, flag: Omit<FlagWord, "role" | "group">) {
  return topicsAs(topics, (group): WordRole => ({ role: "flag", group, ...flag }));
}
