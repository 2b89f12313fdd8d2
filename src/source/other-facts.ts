/** What an object that is no user says of one, by the name of its kind and its own fields: a second factor, a contact that was never verified, a social account. */

import { parseFlag } from "../account/parse-flag.js";
import { leftBehind } from "./generic/generic-draft.js";
import { readVerified } from "./generic/account-flags.js";
import { meaningOf, plainName } from "./generic/field-names.js";
import { isObject, textOf } from "./json/json-value.js";

export interface Fact {
  /** For people. */
  readonly what: string;
  /** The field in which it names the user. */
  readonly user: string;
  /** The field of a user that would say the same, where one can; `isNo` where it says that by a no. */
  readonly mark?: string;
  readonly isNo?: boolean;
  /** The field that says no, where others of the kind say yes. */
  readonly where?: string;
}

const USER =
  /^(?:auth|custom|app)?(?:user|owner|account|member|customer|person|identity|principal|subject)(?:id|pk|uid|uuid|ref)?$/;
/** Of an application, or of one sign-in. */
const NO_FACT =
  /(?:app|application|client|config|settings?|policy|attempts?|throttle|challenges?|nonces?|sessions?|logs?|templates?|permissions?|tokens?)$/;
const FACTOR =
  /otp|mfa|2fa|(?:two|multi|second)(?:factor|step)|webauthn|passkey|fido|u2f|authenticator|yubi|securitykey|(?:backup|recovery)code/;
const SOCIAL =
  /social(?:account|auth|identit|login|user|connection)|(?:external|linked|oauth|openid|federated|saml)(?:account|login|identit|user|connection)|^identities$/;
const CONTACT = /mail|phone|mobile|contact|verif|confirm|profile/;
/** What says that a factor was begun and isn't in use. */
const IN_USE = /^(?:is)?(?:confirmed|verified|active|activated|enabled)$/;
const FACTOR_CODES: ReadonlySet<string> = new Set(["mfa_not_migrated", "passkey_not_migrated"]);

/** The one object within another that has little else than its kind and its id; else the object itself. */
export function innerOf(object: object): object {
  const held = Object.values(object);
  const inner = held.filter((value): value is object => isObject(value));
  return inner.length === 1 && held.length <= 4 ? (inner[0] ?? object) : object;
}

/** @param kind as the file names it: a model, a type, a list's name */
export function factOf(kind: string, object: object): Fact | null {
  const plain = plainName(kind);
  const fields = Object.entries(innerOf(object)) as [string, unknown][];
  const user = fields.find(([name]) => USER.test(plainName(name)))?.[0];
  if (user === undefined || NO_FACT.test(plain)) return null;
  const factor: Fact = { what: "second factors", user, mark: "mfa_enabled" };
  if (FACTOR.test(plain)) {
    const isBegun = fields.some(
      ([name, value]) => IN_USE.test(plainName(name)) && parseFlag(textOf(value) ?? "") === false,
    );
    return isBegun ? null : factor;
  }
  if (SOCIAL.test(plain)) return { what: "social accounts", user };
  for (const [name, value] of fields) {
    const meaning = meaningOf(name);
    const text = (textOf(value) ?? "").trim();
    const isFactor = meaning.kind === "notice" && FACTOR_CODES.has(meaning.code);
    if (isFactor && text !== "" && leftBehind(meaning.code)(text, "")) return factor;
    const isNo = meaning.kind === "verified" && readVerified(text, meaning.flag) === false;
    if (isNo && CONTACT.test(plain)) {
      const mark = { mark: "email_verified", isNo: true, where: name };
      return { what: "contacts that were never verified", user, ...mark };
    }
  }
  return null;
}
