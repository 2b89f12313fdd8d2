/** Reads from an application's own columns whether a contact is verified and whether an account is kept out. An unclear value is read as the one that lets no user in. */

import { parseFlag } from "../../account/parse-flag.js";
import type { Exclusion } from "../../account/user-record.js";
import { optionName } from "../../errors/option-name.js";
import { RowDamage } from "../row-damage.js";
import { awaitsConfirmation, folded, isProgram, roleOf } from "./name-words.js";
import { readWords, setOf, type Topics, topicsAs } from "../word-lists.js";
import type { FlagKind, UnclearName } from "./flag-names.js";
import { remembering } from "../remembering.js";
import { isPointInTime, isZeroDate, timesOf } from "../point-in-time.js";

/** What a column says: why the account is kept out, `over` for an expired lock, or null for an account that is let in. */
export type Standing = Exclusion | "over" | "unreadable" | null;

/** ADS_UF_ACCOUNTDISABLE and ADS_UF_LOCKOUT; Microsoft Learn, "UserAccountControl property flags". */
const KEPT_OUT_BITS = 0x2 | 0x10;

/** What `words/values.json` has. */
interface Values {
  /** Words for a state that flags.json doesn't have. Its own words mean the same in a value as in a name. */
  readonly states: Topics<Exclusion | "active">;
  /** Verbs that name a permission, such as a moderator's. They say what the account may do to others. */
  readonly deeds: string;
  /** Words for a verified contact, in addition to those for an active account. */
  readonly verified: string;
  /** Words for an active account that say nothing about its contact. */
  readonly unsaid: string;
  readonly forever: string;
  readonly never: string;
  /** Groups of words that keep out everywhere. */
  readonly out: string;
}

const VALUES = readWords<Values>("values");
const WORDS = new Map(topicsAs(VALUES.states, (state) => state));
const DEEDS = setOf(VALUES.deeds);
const VERIFIED = setOf(VALUES.verified);
const NOT_VERIFIED = setOf(VALUES.unsaid);
const FOREVER = setOf(VALUES.forever);
const NEVER = setOf(VALUES.never);
const KEEPING_OUT = setOf(VALUES.out);

/** Words before one that counts: `USER_STATE_LOCKED` of Zitadel, `ACCOUNT_DISABLED`. */
const LEADING = /^(?:user|account|member|state|status)+(?=[a-z])/;

/**
 * Whether a contact is verified.
 *
 * @returns null only where the export doesn't say. `unread` counts as no, because a contact becomes a
 *   way in unless it is known to be unverified, and is told
 */
export function readVerified(text: string, kind: FlagKind): Verification {
  if (text === "") return kind === "time" ? false : null;
  const flag = parseFlag(text);
  if (flag !== null) return flag === (kind !== "no");
  if (isZeroDate(text)) return false;
  if (isPointInTime(text)) return kind !== "no";
  const word = plain(text);
  const isYes = VERIFIED.has(word) || (meaningOfWord(word) === "active" && !NOT_VERIFIED.has(word));
  if (isYes) return kind !== "no";
  return wordFor(text) !== null || NEVER.has(text.toLowerCase()) ? false : "unread";
}

/** What is said of a contact: whether it is verified, null for nothing. */
export type Verification = boolean | null | "unread";

/** What a flag's text may be. The first that its kind has in {@link SAYS} counts. */
const FORMS = [
  { form: "empty", has: (text: string) => text === "" },
  { form: "yes", has: (text: string) => parseFlag(text) === true },
  { form: "no", has: (text: string) => parseFlag(text) === false },
  { form: "zero", has: isZeroDate },
  { form: "forever", has: (text: string) => FOREVER.has(text.toLowerCase()) },
  { form: "never", has: (text: string) => NEVER.has(text.toLowerCase()) },
  { form: "time", has: isPointInTime },
] as const;

type Form = (typeof FORMS)[number]["form"] | "other";

/**
 * What a text says of its account. A `ban` is a word that keeps out: in a column of bans, "active"
 * may mean an active ban or an active account, so it decides nothing.
 */
type Says =
  | "in"
  | "out"
  | "unclear"
  | "in from"
  | "in until"
  | "out until"
  | "word"
  | "ban"
  | "bits";

const BANS = {
  empty: "in",
  yes: "out",
  no: "in",
  zero: "in",
  forever: "out",
  never: "in",
  time: "out",
  other: "ban",
} as const;

const SAYS: Readonly<Record<FlagKind, Partial<Record<Form, Says>>>> = {
  yes: BANS,
  time: BANS,
  until: { ...BANS, time: "out until" },
  no: {
    empty: "unclear",
    yes: "in",
    no: "out",
    zero: "in",
    forever: "in",
    time: "unclear",
    other: "word",
  },
  since: {
    empty: "out",
    yes: "in",
    no: "out",
    zero: "out",
    forever: "in",
    never: "out",
    time: "in",
    other: "word",
  },
  from: { empty: "in", zero: "in", never: "in", forever: "in", time: "in from", other: "word" },
  expiry: { empty: "in", zero: "in", forever: "in", never: "in", time: "in until", other: "word" },
  word: { empty: "in", other: "word" },
  bits: { empty: "in", other: "bits" },
};

/**
 * Whether an account is kept out.
 *
 * @param exclusion the reason that a yes stands for
 * @param now epoch milliseconds; a lock that ends by then no longer keeps the account out
 */
export function readStanding(
  text: string,
  kind: FlagKind,
  exclusion: Exclusion,
  now: number,
): Standing {
  const says = SAYS[kind];
  const found = FORMS.find(({ form, has }) => says[form] !== undefined && has(text));
  switch (says[found?.form ?? "other"]) {
    case "in":
      return null;
    case "out":
      return exclusion;
    case "word":
      return readWord(text);
    case "ban":
      return readWord(text) ?? "unreadable";
    case "bits":
      if (!/^\d{1,10}$/.test(text)) return "unreadable";
      return (Number(text) & KEPT_OUT_BITS) === 0 ? null : exclusion;
    case "out until": {
      const ends = timesOf(text);
      return ends.length > 0 && ends.every((end) => end <= now) ? "over" : exclusion;
    }
    case "in until": {
      const ends = timesOf(text);
      if (ends.length === 0) return "unreadable";
      return ends.every((end) => end > now) ? null : exclusion;
    }
    case "in from":
      return timesOf(text).every((start) => start <= now) ? null : exclusion;
    default:
      return "unreadable";
  }
}

/** A flag's value or a known word, for a message; null for any other, which may be personal. */
export function knownValue(text: string): string | null {
  if (text === "") return "nothing";
  if (isPointInTime(text)) return "a date";
  if (parseFlag(text) !== null || wordFor(text) !== null) {
    const word = text.trim().toLowerCase();
    // A bit of MySQL's is a sign that no terminal should get.
    return word.replace(/^\p{Cc}$/u, (bit) => String(bit.charCodeAt(0)));
  }
  return null;
}

/** True for a word that keeps an account out, whatever the column. */
export function isKeptOutWord(text: string): boolean {
  const word = wordFor(text);
  return word !== null && word !== "active" && parseFlag(text) === null;
}

/** Whether this text matters in a column that may be a flag. */
export function matters({ about, inner }: UnclearName, text: string, now: number): boolean {
  if (text === "") return false;
  if (about === "code" && /^(?:-?\d{1,3}|[BDIL-NSTX])$/.test(text)) return true;
  if (about === "state" || about === "code" || inner?.flag === "word") return isKeptOutWord(text);
  if (inner === undefined) return true;
  if (inner.exclusion === "service_account") return parseFlag(text) === true;
  const standing = readStanding(text, inner.flag, inner.exclusion, now);
  return standing !== null && standing !== "over";
}

/** Words before and after a role's own word: `bbp_blocked`, `Suspended users`. */
const AROUND_ROLE =
  /^(?:role|group|bbp|user|account|member)+(?=[a-z])|(?:users?|members?|accounts?)$/g;

/** True where one of a user's roles or groups is for users who are kept out: `banned`. Judging a list anew took a twentieth of reading it. */
export const isKeptOutRole = remembering(namesKeptOut, 1000);

function namesKeptOut(text: string): boolean {
  return text.split(/[,;|{}[\]"']+/).some((role) => {
    if (role.length > 40) return false;
    const word = plain(role).replace(AROUND_ROLE, "");
    const meaning = DEEDS.has(word) ? null : roleOf(word);
    return meaning?.role === "flag" && !meaning.noun && KEEPING_OUT.has(meaning.group);
  });
}

/** @param name of the column or property, as people may see it */
export function unclearFlag(name: string, text: string): RowDamage {
  const value = knownValue(text) ?? (/^\d{1,8}$/.test(text) ? "a number" : "a word");
  return new RowDamage(
    "flag_invalid",
    `${name} holds ${value}, which doesn't say clearly whether the account is active or disabled. Say which of its values stands for active with ${optionName("--map")} active=NAME=VALUE or for disabled with ${optionName("--map")} disabled=NAME=VALUE, each repeated for more values; or say that it is no flag with ${optionName("--map")} ignore=NAME.`,
  );
}

/** @param name of a flag that holds an object or a list, as people may see it */
export function nestedFlag(name: string): RowDamage {
  return new RowDamage(
    "flag_invalid",
    `${name} holds an object or a list, which doesn't say clearly whether the account is active or disabled. Say which property of the object does with ${optionName("--map")} disabled=NAME.PROPERTY or ${optionName("--map")} active=NAME.PROPERTY, and =VALUE behind it where it holds words; export one flag in place of a list; or say that it is no flag with ${optionName("--map")} ignore=NAME.`,
  );
}

/** Lower case, without accents and without what stands between words. */
function plain(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]/gu, "");
}

/** The same few words stand in all rows. */
const wordFor = remembering(wordIn, 1000);

function wordIn(text: string): Exclusion | "active" | null {
  if (text.length > 40) return null;
  const word = plain(text);
  const known = meaningOfWord(word) ?? meaningOfWord(word.replace(LEADING, ""));
  if (known !== null) return known;
  if (isProgram(text)) return "service_account";
  if (/^(?:pending|awaiting)./.test(word)) return "disabled";
  return awaitsConfirmation(text) ? "disabled" : null;
}

function meaningOfWord(word: string): Exclusion | "active" | null {
  const own = WORDS.get(word);
  if (own !== undefined) return own;
  const role = DEEDS.has(word) ? null : roleOf(word);
  if (role?.role === "waiting") return "disabled";
  if (role?.role === "verified" && !role.noun) return role.negated ? "disabled" : "active";
  if (role?.role !== "flag" || role.noun || role.isUnsure) return null;
  return role.flag === "yes" ? role.exclusion : "active";
}

function readWord(text: string): Exclusion | "unreadable" | null {
  const word = wordFor(text);
  if (word === null) return "unreadable";
  return word === "active" ? null : word;
}
