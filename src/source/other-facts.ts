/** What an object that is no user says of one, by the name of its kind and its own fields: a second factor, a ban, a contact that was never verified, a social account. */

import { FACTOR_NOTICES } from "../account/factor-notices.js";
import { parseFlag } from "../account/parse-flag.js";
import { leftBehind } from "./generic/generic-draft.js";
import { readStanding, readVerified } from "./generic/account-flags.js";
import { meaningOf, plainName } from "./generic/field-names.js";
import { LIFTED } from "./generic/flag-words.js";
import { roleOf, wordsOf } from "./generic/name-words.js";
import { isObject, textOf } from "./json/json-value.js";

const USER =
  /^(?:auth|custom|app)?(?:user|owner|account|member|customer|person|identity|principal|subject)(?:id|pk|uid|uuid|ref)?$/;
/** Names a user where an object is of nothing else: of a factor, of a ban. */
const NAMED = /^(?:user|login|account)?(?:name|login|e?mail(?:address)?)$/;
/** Of an application, or of one sign-in. */
const NO_FACT =
  /(?:app|application|client|config|policy|attempts?|throttle|challenges?|nonces?|sessions?|logs?|templates?|permissions?|tokens?)$/;
const FACTOR =
  /otp|mfa|2fa|(?:two|multi|second)(?:factor|step)|webauthn|passkey|fido|u2f|authenticator|yubi|securitykey|(?:backup|recovery)code/;
const SOCIAL =
  /social(?:account|auth|identit|login|user|connection)|(?:external|linked|oauth|openid|federated|saml)(?:account|login|identit|user|connection)|^identities$/;
const CONTACT = /mail|phone|mobile|contact|verif|confirm|profile/;
/** What says that a factor was begun and isn't in use, or that a ban isn't. */
const IN_USE = /^(?:is)?(?:confirmed|verified|active|activated|enabled)$/;

/** Whether a field's name says that it names a user: `user_id`. */
export function namesUser(name: string): boolean {
  return USER.test(plainName(name));
}

/** The one object within another that has little else than its kind and its id; else the object itself. */
function innerOf(object: object): object {
  const held = Object.values(object);
  const inner = held.filter((value): value is object => isObject(value));
  return inner.length === 1 && held.length <= 4 ? (inner[0] ?? object) : object;
}

/**
 * @param kind as the file names it: a model, a type, a list's name
 * @param now epoch milliseconds; a ban that was over by then is none
 * @returns what it says, for people; null where it says nothing of a user
 */
export function factOf(kind: string, object: object, now: number): string | null {
  const plain = plainName(kind);
  const fields = Object.entries(innerOf(object)) as [string, unknown][];
  const isOfOne = FACTOR.test(plain) || isBan(kind);
  const [user] =
    fields.find(([name]) => namesUser(name)) ??
    fields.find(([name]) => namesBanned(name)) ??
    fields.find(([name]) => isOfOne && NAMED.test(plainName(name))) ??
    [];
  if (user === undefined || NO_FACT.test(plain)) return null;
  if (FACTOR.test(plain) && !SETTINGS.test(plain)) {
    const isBegun = fields.some(
      ([name, value]) => IN_USE.test(plainName(name)) && parseFlag(textOf(value) ?? "") === false,
    );
    return isBegun ? null : FACTORS;
  }
  if (SOCIAL.test(plain)) return "social accounts";
  const isBlocked = fields.some(([name]) => name !== user && namesBanned(name));
  if (isBan(kind)) return isBlocked || isOver(fields, now) ? null : BANS;
  for (const [name, value] of fields) {
    const meaning = meaningOf(name);
    const text = (textOf(value) ?? "").trim();
    const isFactor = meaning.kind === "notice" && FACTOR_NOTICES.has(meaning.code);
    if (isFactor && text !== "" && leftBehind(meaning.code)(text, "")) return FACTORS;
    const said = meaning.kind === "verified" ? readVerified(text, meaning.flag) : null;
    const isNo = said === false || said === "unread";
    if (isNo && CONTACT.test(plain)) return "contacts that were never verified";
    if (meaning.kind === "exclusion" && text !== "" && OF_PERSON.test(plain)) {
      const standing = readStanding(text, meaning.flag, meaning.exclusion, now);
      if (standing !== null && standing !== "over" && standing !== "unreadable") return BANS;
    }
  }
  return null;
}

const FACTORS = "second factors";
const BANS = "bans";

/** What a user has set, and not what they have. */
const SETTINGS = /settings?$/;
/** A kind that is about one person alone, and not about what they belong to. */
const OF_PERSON =
  /(?:profile|employee|staff|student|teacher|(?:user|account|member|customer|person)(?:info|data|details?|ext(?:ra|ension)?|meta|status|state|flags?|security|settings?)?)s?$/;

/** A kind of which each object keeps a user out: `UserBan`, `suspensions`, `accounts.blockedaccount`. */
function isBan(kind: string): boolean {
  const words = wordsOf(kind.split(/[.:/]/).at(-1) ?? "");
  const roles = words.map((word) => roleOf(word.replace(/s$/, "")) ?? roleOf(word));
  const isOut = roles.some(
    (one) => one?.role === "flag" && one.flag === "yes" && one.exclusion === "disabled",
  );
  return (
    isOut && roles.every((one) => ["flag", "account", "person", "entry"].includes(one?.role ?? ""))
  );
}

/** A field that names whom a ban is of: `banned_user`. */
function namesBanned(name: string): boolean {
  const plain = name.replace(/[_-]?(?:id|pk|uuid)$|Id$/, "");
  const roles = wordsOf(plain).map((word) => roleOf(word)?.role);
  return roles.includes("flag") && /user|account|member|person/i.test(plain) && isBan(plain);
}

/** Whether a ban is one no longer. */
function isOver(fields: readonly (readonly [string, unknown])[], now: number): boolean {
  return fields.some(([name, value]) => {
    const text = (textOf(value) ?? "").trim();
    const roles = wordsOf(name).map(roleOf);
    if (IN_USE.test(plainName(name))) return parseFlag(text) === false;
    const isLifted = roles.some((one) => one?.role === "flag" && one.group === LIFTED);
    if (isLifted) return text !== "" && parseFlag(text) !== false;
    const isEnd = roles.some((one) => one?.role === "until");
    return isEnd && readStanding(text, "until", "disabled", now) === "over";
  });
}
