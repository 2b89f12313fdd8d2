/** Reads what a flag or a verification says, of which single values may be listed: these as they are said, and all others as the flag is read. */

import { parseFlag } from "../../account/parse-flag.js";
import type { Exclusion } from "../../account/user-record.js";
import {
  isKeptOutRole,
  isKeptOutWord,
  knownValue,
  readStanding,
  readVerified,
  type Verification,
} from "./account-flags.js";
import type { FlagName, FlagValues } from "./flag-names.js";
import { isName } from "../show-name.js";

type Verified = Extract<FlagName, { readonly kind: "verified" }>;

/** Whether a contact is verified by a text of a column of which `--map` may name values. */
export function readSaidVerified(
  text: string,
  { flag, only, isKnown }: Pick<Verified, "flag" | "only" | "isKnown">,
): Verification {
  const said = text.trim();
  if (only === undefined) return readVerified(said, flag);
  if (only.includes(said.toLowerCase())) return true;
  return isKnown === true ? readVerified(said, flag) : false;
}

const LETS_IN: readonly never[] = [];

/** What a flag's text says of its account: nothing where it lets in. */
export function readFlag<Says extends string>(
  text: string,
  { flag, exclusion, values, numbers, rest }: FlagValues<Says>,
  now: number,
): readonly (Says | Exclusion)[] | "over" | "unreadable" {
  const listed = values === undefined ? undefined : listedIn(values, text);
  if (listed !== undefined) return listed;
  if (rest !== undefined && text !== "") {
    const isIn = rest.length === 0 || rest === "asked";
    const isAsked = (rest === "asked" && isKeptOutWord(text)) || (isIn && saysNoLogin(text));
    return isAsked ? "unreadable" : rest === "asked" ? LETS_IN : rest;
  }
  if (flag === undefined) return "unreadable";
  const standing = readStanding(text, flag, exclusion, now);
  if (standing === null) return LETS_IN;
  if (standing === "over") return standing;
  if (standing !== "unreadable") return [standing];
  return numbers !== undefined && /^\d+$/.test(text) ? numbers : standing;
}

/**
 * What keeps a user out, for people.
 *
 * @param isNamed whether the mapping or `--map` names this value, so that it is no user's own
 */
export function whatSays(name: string, text: string, as: Exclusion, isNamed: boolean): string {
  const own = isNamed && isName(text) ? text : `what is taken for ${as}`;
  return `${name} says ${knownValue(text) ?? own}.`;
}

/** `"true"` and `"false"` stand for yes and no however a file writes them. */
function listedIn<Said>(values: ReadonlyMap<string, Said>, text: string): Said | undefined {
  const known = values.get(text) ?? values.get(text.toLowerCase());
  if (known !== undefined) return known;
  const flag = parseFlag(text);
  return flag === null ? undefined : values.get(String(flag));
}

const NO_LOGIN =
  /^(?:\W?(?:no[\s_-]?(?:log[\s_-]?in|sign[\s_-]?in|access)|login[\s_-]?(?:disabled|forbidden|denied)|reject|deny)\W?|\/(?:usr\/)?s?bin\/(?:nologin|false))$/i;
const LONGEST_NO_LOGIN = 17;

/** Whether a text says whatever its column's name that a user may not sign in: Moodle's `nologin`, a shell that is none. */
export function saysNoLogin(text: string): boolean {
  return text.length <= LONGEST_NO_LOGIN && NO_LOGIN.test(text);
}

/** How most words that keep out begin: asking of each text what it means would take as long as reading it. */
const MAY_KEEP_OUT =
  /^\W*(?:ban|blo[ckq]|susp|lock|dis|des|deact|ina[ck]|froz|forb|proh|term|delet|remov|revok|ges|verb|zabl)/i;
const LONGEST_STATE = 40;

/** Whether a text of a column that is told by a notice keeps out, whatever its name. */
export function keepsOut(code: string, text: string): boolean {
  return saysNoLogin(text) || (code === "profile_not_migrated" && saysKeptOut(text));
}

/** Whether a text is a word for users who are kept out: `suspended`, `DisabledUser`. */
function saysKeptOut(text: string): boolean {
  if (text.length < 6 || text.length > LONGEST_STATE || !MAY_KEEP_OUT.test(text)) return false;
  return isKeptOutRole(text);
}

const FACTOR =
  /^(?:[th]otp|[2tm]fa|u2f|webauthn|fido2?|passkeys?|yubikey|(?:(?:google|microsoft|ms)[\s_-]?)?authenticator(?:[\s_-]?(?:app|push|otp))*|two[\s_-]?factor)$/i;
const LONGEST_FACTOR = 27;
/** The two letters, small, with which such a text begins: asking the expression of each name took a tenth of reading it. */
const FACTOR_STARTS: ReadonlySet<number> = new Set(
  "to ho 2f tf mf u2 we fi pa yu go mi ms au tw".split(" ").map(startOf),
);

function startOf(text: string): number {
  return ((text.charCodeAt(0) | 0x20) << 8) | text.charCodeAt(1) | 0x20;
}
/** Of 10, 16, 20, 32 or 40 bytes in base32. */
const SECRET = /^(?:[A-Z2-7]{16}|[A-Z2-7]{26}|[A-Z2-7]{32}|[A-Z2-7]{52}|[A-Z2-7]{64})=*$/;
const OF_SECRET = /secret|seed|otp|google|g_?auth|^ga$/i;
const OF_PROGRAM = /api|client|hook|oauth|token|access|consumer|app_/i;

/** Whether a text says whatever its column's name that a user has a second factor: a way's word, the address of a secret, or a secret by time under a name of secrets. */
export function saysFactor(name: string, text: string): boolean {
  const { length } = text;
  if (length < 3) return false;
  if (length <= LONGEST_FACTOR && FACTOR_STARTS.has(startOf(text)) && FACTOR.test(text))
    return true;
  if (length < 16) return false;
  if (text.startsWith("otpauth://")) return true;
  return SECRET.test(text) && OF_SECRET.test(name) && !OF_PROGRAM.test(name);
}
