/** Tells second factors, passkeys and social accounts in files of anybody's making: by names, and by what stands there. A factor that is switched off is none, and the application's own sign-in is no social account. */

import { isNoValue } from "../../account/no-value.js";
import { parseFlag } from "../../account/parse-flag.js";
import { isObject } from "../json/json-value.js";
import { identityKind } from "../vendors/identity-providers.js";

/**
 * Plain names of a second factor that the user has: `is_2fa_enabled`, `TwoFactorSecret`, `mfaMethods`.
 * Not of one that somebody demands (`mfa_required`), of the last code (`two_factor_code`), or of
 * when it was asked for.
 */
const FACTOR_NAME = new RegExp(
  [
    "^(?:is|has|uses?|using|user|account|enabled?|encrypted|preferred)*",
    "(?:mfa|2fa|tfa|twofa|totps?|hotp|u2f|yubikey|google2fa|googleauthenticator|authenticator",
    "|(?:two|multi)(?:factor|step)(?:auth(?:entication)?|verification)?)",
    "(?:is)?(?:enabled|active|activated|on|configured|setup|enrolled|registered|confirmed|verified)?",
    "(?:at|secret|key|seed|methods?|types?|status|state|settings?|settinglist|options|phone",
    "|phonenumber|factors?|devices?|verifications?|registrations?|backupcodes|recoverycodes)?$",
  ].join(""),
);

/** @param plain without case, spaces and punctuation */
export function isFactorName(plain: string): boolean {
  return FACTOR_NAME.test(plain);
}

/** What says that there is no factor, or (Kratos' `available_aal`) that the password is all. */
const NO_FACTOR: ReadonlySet<string> = new Set([
  ...["off", "disabled", "inactive", "unverified", "unconfigured", "notconfigured", "notset"],
  ...["notenrolled", "notenabled", "never", "skipped", "optional", "aal0", "aal1"],
]);

/** Whether a value says that the user has a factor. */
export function isFactor(text: string): boolean {
  const value = text.trim();
  const held = objectOf(value);
  if (held !== null) return holdsFactor(held);
  if (isNoValue(value) || parseFlag(value) === false) return false;
  return !NO_FACTOR.has(value.toLowerCase().replace(/[-_ ]/g, ""));
}

/** Properties that say of an object whether it is in force. */
const SWITCHES = ["enabled", "isEnabled", "is_enabled", "active", "status", "verified"];

/** Properties of a credential that are there without one: Kratos makes such of its schema alone. */
const ABOUT = new Set("id type version user_handle created_at updated_at createdDate".split(" "));

/** Whether an object or a list holds a factor. */
export function holdsFactor(value: object): boolean {
  if (!Array.isArray(value)) return isInForce(value) ?? holdsSomething(value);
  return value.some((one) => (isObject(one) ? (isInForce(one) ?? true) : isFactor(String(one))));
}

/** What an object says of itself; null where it doesn't. */
function isInForce(value: object): boolean | null {
  if (!isObject(value)) return null;
  const name = SWITCHES.find((one) => typeof value[one] === "boolean" || isText(value[one]));
  return name === undefined ? null : isFactor(String(value[name]));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function holdsSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSomething);
  if (!isObject(value)) return isFactor(String(value ?? ""));
  return Object.entries(value).some(([name, held]) => !ABOUT.has(name) && holdsSomething(held));
}

/** What applications call their own sign-in, beside the names that vendors have for theirs. */
const OWN_WAYS = new Set(
  "credential credentials local database db native internal default username usernamepassword emailpassword emailandpassword passwordless magic magiclink otp code manual form basic standard self site app".split(
    " ",
  ),
);

/**
 * Whether a text names a provider, or an id at one: `google`, `credential,github`, `["apple"]`. What
 * isn't known is one; the application's own names are known.
 */
export function namesSocial(text: string): boolean {
  const held = objectOf(text.trim());
  if (held !== null) return namesSocial(providersIn(held));
  return text.split(/[\s,;|{}[\]"']+/).some((name) => {
    if (isNoValue(name) || parseFlag(name) === false) return false;
    return identityKind(name) !== "own" && !OWN_WAYS.has(name.toLowerCase().replace(/[-_]/g, ""));
  });
}

/** Where an object says whose account it is, the surest first. */
const PROVIDER_KEYS = [
  ...["provider", "providerId", "provider_id", "providerType", "providerName", "provider_name"],
  ...[
    "identityProvider",
    "loginProvider",
    "thirdPartyId",
    "issuer",
    "network",
    "type",
    "name",
    "id",
  ],
];

/** The providers of an object or list of accounts, as one text: those named in it, else its keys (`{"google": {…}}`). */
export function providersIn(value: object): string {
  if (Array.isArray(value)) {
    return value.map((one) => (isObject(one) ? (providerOf(one) ?? "") : String(one))).join(" ");
  }
  return isObject(value) ? (providerOf(value) ?? Object.keys(value).join(" ")) : "";
}

function providerOf(account: Readonly<Record<string, unknown>>): string | null {
  const name = PROVIDER_KEYS.find((key) => isText(account[key]));
  return name === undefined ? null : String(account[name]);
}

/** Kinds of credentials: Kratos' (its selfservice/strategy) and Keycloak's, plain. */
const FACTORS = new Set("totp otp hotp webauthn lookupsecret recoveryauthncodes mfa".split(" "));
const PASSKEYS = new Set(["passkey", "webauthnpasswordless"]);

/** Notices of what an object or a list of ways to sign in has beside a password. */
export function waysBeside(value: object): readonly string[] {
  const ways: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.filter(isObject).map((way) => [String(way.type ?? ""), way])
    : Object.entries(value);
  const codes = ways.map(([name, way]) => {
    const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
    if (PASSKEYS.has(plain)) return isHeld(way) ? "passkey_not_migrated" : null;
    if (FACTORS.has(plain)) return isHeld(way) ? "mfa_not_migrated" : null;
    const isSocial = plain === "oidc" || identityKind(name) === "social";
    const isThere = isObject(way) && Object.keys(way).length > 0;
    return isSocial && isThere ? "social_identity_dropped" : null;
  });
  return codes.filter((code) => code !== null);
}

/** Kratos names a user's kinds of credentials also where `config` has nothing of them; an answer without any `config` says nothing of what it holds. */
function isHeld(way: unknown): boolean {
  const isKratos = isObject(way) && "identifiers" in way && "config" in way;
  return holdsSomething(isKratos ? way.config : way);
}

/** A cell that holds JSON. */
function objectOf(text: string): object | null {
  if (!/^[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
