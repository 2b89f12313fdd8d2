/** Reads a column of which `--map` may name values: each named one as it says, and all others as the column is read. */

import { isKeptOutWord, readStanding, readVerified, type Standing } from "./account-flags.js";
import type { FlagName, KeepsOut } from "./flag-names.js";

/** Whether a contact is verified by a text of a column of which `--map` may name values. */
export function readSaidVerified(
  text: string,
  { flag, only, isKnown }: Extract<FlagName, { readonly kind: "verified" }>,
): boolean | null {
  const said = text.trim();
  if (only === undefined) return readVerified(said, flag);
  if (only.includes(said.toLowerCase())) return true;
  return isKnown === true && readVerified(said, flag) === true;
}

/** What a text says of its account, of which `--map` may name values. */
export function readSaidStanding(text: string, meaning: KeepsOut, now: number): Standing {
  const { flag, exclusion, named, values, rest } = meaning;
  const said = named?.get(text.toLowerCase());
  if (said !== undefined) return said ? exclusion : null;
  const known = values?.get(text);
  if (known !== undefined) return known;
  if (rest === undefined) {
    const standing = readStanding(text, flag, exclusion, now);
    if (standing !== "unreadable" || named === undefined || !/^\d+$/.test(text)) return standing;
    // A number says nothing by itself, so the named ones are all that is known of them.
    return [...named.values()].includes(false) ? exclusion : null;
  }
  if (rest === "out") return exclusion;
  const isAsked = (rest === "asked" && isKeptOutWord(text)) || saysNoLogin(text);
  return isAsked ? "unreadable" : null;
}

const NO_LOGIN =
  /^(?:\W?(?:no[\s_-]?(?:log[\s_-]?in|sign[\s_-]?in|access)|login[\s_-]?(?:disabled|forbidden|denied))\W?|\/(?:usr\/)?s?bin\/(?:nologin|false))$/i;
const LONGEST_NO_LOGIN = 17;

/** Whether a text says whatever its column's name that a user may not sign in: Moodle's `nologin`, a shell that is none. */
export function saysNoLogin(text: string): boolean {
  return text.length <= LONGEST_NO_LOGIN && NO_LOGIN.test(text);
}

const FACTOR =
  /^(?:[th]otp|[2tm]fa|u2f|webauthn|fido2?|passkeys?|yubikey|(?:(?:google|microsoft|ms)[\s_-]?)?authenticator(?:[\s_-]?app)?|two[\s_-]?factor)$/i;
const LONGEST_FACTOR = 27;
/** Of 10, 16, 20, 32 or 40 bytes in base32. */
const SECRET = /^(?:[A-Z2-7]{16}|[A-Z2-7]{26}|[A-Z2-7]{32}|[A-Z2-7]{52}|[A-Z2-7]{64})=*$/;
const OF_SECRET = /secret|seed|otp|google|g_?auth/i;
const OF_PROGRAM = /api|client|hook|oauth|token|access|consumer|app_/i;

/** Whether a text says whatever its column's name that a user has a second factor: a way's word, the address of a secret, or a secret by time under a name of secrets. */
export function saysFactor(name: string, text: string): boolean {
  const { length } = text;
  if (length < 3) return false;
  if (length <= LONGEST_FACTOR && FACTOR.test(text)) return true;
  if (length < 16) return false;
  if (text.startsWith("otpauth://")) return true;
  return SECRET.test(text) && OF_SECRET.test(name) && !OF_PROGRAM.test(name);
}
