/** What reading a user by names decides: who is kept out by what is left behind, and which left-behind values are worth a notice. */

import { FACTOR_NOTICES } from "../../account/factor-notices.js";
import type { RawHash } from "../../hash/hash.js";
import { meansNoPassword } from "../../hash/no-password.js";
import { parseFlag } from "../../account/parse-flag.js";
import type { UserDraft } from "../../account/user-draft.js";
import type { Reason } from "../../account/user-record.js";
import { remembering } from "../remembering.js";
import { exclusionsIn } from "../user-parts.js";
import { isKeptOutRole } from "./account-flags.js";
import { meaningOf } from "./field-names.js";
import { saysNoLogin } from "./said-values.js";
import { isObject } from "../json/json-value.js";
import { holdsFactor, isFactor } from "../fields/factor-values.js";
import { enterpriseOf, namesSocial, providersIn, type Way } from "./other-ways.js";

/** Says that something is there, and not what. */
export const SOMETHING = "?";

/** Lists and objects without anything in them. */
const EMPTY: ReadonlySet<string> = new Set(["", "{}", "[]"]);
const LONGEST_EMPTY = 2;

/** A reason to keep an account out, or to reject it for its second factor, and where it stands. */
export interface KeptOut {
  readonly by: Reason;
  /** The column or property and what it says, for people. */
  readonly why: string;
  /** What the flag is about, where one says it. */
  readonly group?: string;
}

/**
 * The reason to keep out a user without a password who signs in through an organization alone: a
 * code would bypass its sign-in. Empty for any other user.
 */
export function ssoOnly(
  hash: RawHash | null,
  notices: readonly string[],
  ways: readonly Way[],
): readonly KeptOut[] {
  if (!notices.includes("social_identity_dropped")) return NONE;
  if (hasHash(hash) || notices.includes("passkey_not_migrated")) return NONE;
  const way = enterpriseOf(ways);
  return way === null
    ? NONE
    : [{ by: "sso_only", why: `${way.name} names an organization's sign-in.` }];
}

/** Whether a user has a password: not where the hash is a word that says there is none. */
export function hasHash(hash: RawHash | null): boolean {
  return hash !== null && !(hash.kind === "text" && meansNoPassword(hash.text.trim()));
}

const NONE: readonly never[] = [];

/** What a value that {@link leftBehind} has found decides: a role of users who are kept out, a second factor; null for nothing. */
export function decidedBy(code: string, name: string, text: string): KeptOut | null {
  if (FACTOR_NOTICES.has(code)) {
    const why = `${name} says that there is a second factor or a passkey.`;
    return { by: "factor", why, group: code };
  }
  if (code === "social_identity_dropped") {
    const why = `${name} names a sign-in of users who are kept out.`;
    // Moodle's way for users who are kept out.
    const isNoWay = isKeptOutRole(text) || saysNoLogin(text.trim());
    return isNoWay ? { by: "disabled", why } : null;
  }
  if (code !== "roles_not_migrated" || !isKeptOutRole(text)) return null;
  return { by: "disabled", why: `${name} names a role of users who are kept out.` };
}

/** What a draft says about them: each reason once, with what decided it first. */
export function keptOut(reasons: readonly KeptOut[]): Pick<UserDraft, "exclusions" | "because"> {
  const because: Partial<Record<Reason, string>> = {};
  for (const { by, why } of reasons) because[by] ??= why;
  return { exclusions: exclusionsIn(Object.keys(because)), because };
}

/** MySQL's date that is none, and zeros of other databases. */
const NO_DATE = /^[0\s:.TZ/-]*$/;

/** Whether a value that has no place in the core is one at all, given the user's email. */
type LeftBehind = (value: string, email: string) => boolean;

/** By the notice: `false` is no second factor. */
const SAYS: Readonly<Record<string, LeftBehind>> = {
  profile_not_migrated: () => true,
  username_not_migrated: (name, email) => name.trim().toLowerCase() !== email.trim().toLowerCase(),
  mfa_not_migrated: isFactor,
  passkey_not_migrated: isFactor,
  social_identity_dropped: namesSocial,
  joined_not_migrated: (time) => !NO_DATE.test(time) && parseFlag(time) !== false,
};

/** How values of a notice are judged. */
export const leftBehind: (code: string) => LeftBehind = remembering((code: string) => {
  const says = SAYS[code] ?? ((text) => parseFlag(text) !== false);
  return (value: string, email: string) =>
    (value.length > LONGEST_EMPTY || !EMPTY.has(value)) && says(value, email);
}, 100);

/** What an object or a list that isn't read says as a text; empty where it holds nothing of its code. */
export function textWithin(code: string, value: object): string {
  if (code === "social_identity_dropped") return providersIn(value);
  if (code === "roles_not_migrated") return providersIn(value).trim() || SOMETHING;
  const isOfFactor = code === "mfa_not_migrated" || code === "passkey_not_migrated";
  return isOfFactor && !holdsFactor(value) ? "" : SOMETHING;
}

/** Whether an object or list of ways to sign in has a password among them. */
export function hasPassword(value: object): boolean {
  if (Array.isArray(value)) {
    return value.some((one) => isObject(one) && one.type === "password");
  }
  return Object.keys(value).some((name) => {
    const meaning = meaningOf(name);
    return meaning.kind === "text" && meaning.field === "hash";
  });
}
