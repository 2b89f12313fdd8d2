/** Recognizes second factors, passkeys and social accounts in applications' own files, by names and values. The application's own sign-in is no social account. */

import { isNoValue } from "../../hash/no-password.js";
import { parseFlag } from "../../account/parse-flag.js";
import { holdsSomething, isFactor } from "../fields/factor-values.js";
import { isObject, isText, objectInText } from "../json/json-value.js";
import { remembering } from "../remembering.js";
import { roleOf, wordsOf } from "./name-words.js";
import { type IdentityKind, identityKind } from "../identity-providers.js";
import { readWords, setOf } from "../word-lists.js";

/** What `words/ways.json` has. */
interface Ways {
  /** With a factor's name: whether one is asked for, the last code, and when. A device's own names aren't among them. */
  readonly asked: string;
  /** With `otp`, which alone may be the last code that was sent: a secret that stays. */
  readonly kept: string;
  /** Applications' names for their own sign-in. */
  readonly applications: string;
  /** Directories and protocols of organizations, as libraries name them. Plain `oidc` isn't among them, because Kratos uses it for social accounts. */
  readonly organizations: string;
  /** Second factors among the credentials of Kratos (its selfservice/strategy) and Keycloak, by their plain names. */
  readonly factors: string;
  readonly passkeys: string;
}

const WAYS = readWords<Ways>("ways");
const ASKED = setOf(WAYS.asked);
const OTP_KEPT = setOf(WAYS.kept);
const OWN_WAYS = setOf(WAYS.applications);
const ENTERPRISE = setOf(WAYS.organizations);
const FACTORS = setOf(WAYS.factors);
const PASSKEYS = setOf(WAYS.passkeys);

/**
 * Whether a name is of a second factor or a passkey that the user has, by its words: `is_2fa_enabled`,
 * `existing_mfa_secret`, `security_key_handle`. `unclear` where a yes may say that there is none, `other`
 * for what is only said of factors.
 *
 * @returns null for a name of anything else
 */
export function factorNamed(
  words: readonly string[],
): "factor" | "passkey" | "unclear" | "other" | null {
  const roles = words.map(roleOf);
  const has = (role: string): boolean => roles.some((one) => one?.role === role);
  const isKept = has("otp") && words.some((word) => OTP_KEPT.has(word));
  if (!has("factor") && !has("passkey") && !isKept) return null;
  if (words.some((word) => ASKED.has(word))) return "other";
  if (roles.some((one) => one?.role === "flag" && one.flag === "yes")) return "unclear";
  return has("passkey") ? "passkey" : "factor";
}

const OF_SWITCH: ReadonlySet<string> = new Set(["factor", "otp", "account", "sort", "flag"]);

/** Whether a name is of the flag or the sort of all second factors by time, and not of one of them: `mfa_enabled`, `active_mfa_type`. */
export const isFactorSwitch = remembering((name: string): boolean => {
  const roles = wordsOf(name).map(roleOf);
  const isOwn = roles.every((one) => OF_SWITCH.has(one?.role ?? ""));
  const isFlag = roles.some((one) => one?.role === "flag" && one.flag === "no");
  return isOwn && isFlag && roles.some((one) => one?.role === "factor" || one?.role === "otp");
}, 1000);

/**
 * Whether flags say that a user's second factor isn't in use: its secret was made and never set up.
 * An empty one says so where it names a sort of factor.
 */
export function factorIsOff(switches: readonly Way[]): boolean {
  const isOff = switches.some(({ name, text }) =>
    text.trim() === ""
      ? wordsOf(name).some((word) => roleOf(word)?.role === "sort")
      : !isFactor(text),
  );
  return isOff && !switches.some(({ text }) => isFactor(text));
}

/** `saml.acme`, `boxyhq-saml`, `sso:acme`, `auth0-adldap`; not an address at `saml.example.com`. */
const ENTERPRISE_PART =
  /^(?:[^@]*[^a-z@])?(?:saml(?:2|20|p)?|sso|(?:ad|open)?ldaps?)(?:$|[^a-z\d])/;
/** Taken out of a name before its lookup, since `google_sso` is a social account. */
const SSO = /(?:^|[-_.:])sso(?=$|[-_.:])/;

/** What stands around a provider in a name: `googleUserId`, `samlNameId`, `ssoIdentities`. */
const AROUND_PROVIDER = /(?:(?:open|user|name)?(?:id|uid|sub|dn)|identities|accounts)$/;

/**
 * Whether a text names a provider, or an id at one: `google`, `credential,github`, `["apple"]`. An
 * unknown name counts as a provider's, because the application's own names are known.
 */
export function namesSocial(text: string): boolean {
  return providerNames(text).some((name) => kindOfWay(name) !== "own");
}

/** What one column or property says about how a user signs in. */
export interface Way {
  /** The name for messages; it ends with the name in the export. */
  readonly name: string;
  readonly text: string;
}

/**
 * The first of a user's ways in that is an organization's. Null where there is none, or where
 * another way is known to be a social account or the application's own sign-in. A bare id at a
 * provider shows neither, so it decides nothing.
 */
export function enterpriseOf(ways: readonly Way[]): Way | null {
  const kinds = ways.map(({ name, text }) => {
    const names = providerNames(text);
    if (names.length === 0) return [];
    const last = name.split(/[\s.]/).at(-1) ?? "";
    const provider = last
      .toLowerCase()
      .replace(/[^a-z0-9]/g, "")
      .replace(AROUND_PROVIDER, "");
    const kind = kindOfWay(provider);
    return [kind === "own" ? null : kind, ...names.map(kindOfWay)];
  });
  if (kinds.flat().some((kind) => kind === "own" || kind === "social")) return null;
  return ways.find((_, index) => kinds[index]?.includes("enterprise")) ?? null;
}

function providerNames(text: string): readonly string[] {
  const held = objectInText(text.trim());
  if (held !== null) return providerNames(providersIn(held));
  const names = text.split(/[\s,;|{}[\]"']+/);
  return names.filter((name) => !isNoValue(name) && parseFlag(name) !== false);
}

/** Null for an unknown name. */
function kindOfWay(name: string): IdentityKind | null {
  const lower = name.toLowerCase();
  const plain = lower.replace(/[-_]/g, "");
  const kind = OWN_WAYS.has(plain) ? "own" : identityKind(lower.replace(SSO, ""));
  if (kind !== "enterprise") return kind;
  return ENTERPRISE.has(plain) || ENTERPRISE_PART.test(lower) ? kind : null;
}

const ACCOUNT_KEYS = ["provider", "providerId", "provider_id"];

/** Where an object says whose account it is, the surest first. */
const PROVIDER_KEYS = [
  ...ACCOUNT_KEYS,
  ...`providerType providerName provider_name identityProvider loginProvider thirdPartyId issuer
  network type name id`.split(/\s+/),
];

/** The providers of an object or list of accounts, as one text: those named in it, else its keys (`{"google": {…}}`). */
export function providersIn(value: object): string {
  if (Array.isArray(value)) {
    return value.map((one) => (isObject(one) ? (providerOf(one) ?? "") : String(one))).join(",");
  }
  return isObject(value) ? (providerOf(value) ?? Object.keys(value).join(" ")) : "";
}

/**
 * Whether a value is a list of accounts at providers, as better-auth and NextAuth nest them. The
 * name isn't enough: `accounts` may be a user's customers or bank accounts.
 */
export function isAccounts(path: string, value: object): boolean {
  if (!/(?:^|\.)accounts$/i.test(path) || !Array.isArray(value)) return false;
  return value.some((one) => isObject(one) && ACCOUNT_KEYS.some((key) => isText(one[key])));
}

function providerOf(account: Readonly<Record<string, unknown>>): string | null {
  const name = PROVIDER_KEYS.find((key) => isText(account[key]));
  return name === undefined ? null : String(account[name]);
}

/**
 * The ways to sign in that an object or a list holds.
 *
 * @returns notices for those other than a password, and the names of all as one text
 */
export function waysBeside(value: object) {
  const ways: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.filter(isObject).map((way) => [String(way.type ?? ""), way])
    : Object.entries(value);
  const isThere = (way: unknown): boolean => isObject(way) && Object.keys(way).length > 0;
  const codes = ways.map(([name, way]) => {
    const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
    if (PASSKEYS.has(plain)) return isHeld(way) ? "passkey_not_migrated" : null;
    if (FACTORS.has(plain)) return isHeld(way) ? "mfa_not_migrated" : null;
    const kind = plain === "oidc" ? "social" : kindOfWay(name);
    const isOther = kind !== null && kind !== "own";
    return isOther && isThere(way) ? "social_identity_dropped" : null;
  });
  return {
    codes: codes.filter((code) => code !== null),
    names: ways.flatMap(([name, way]) => (isThere(way) ? [name] : [])).join(" "),
  };
}

/** Whether the user has this credential. Kratos also lists kinds that the user lacks, with an empty `config`. An answer without `config` doesn't show what a credential holds. */
function isHeld(way: unknown): boolean {
  const isKratos = isObject(way) && "identifiers" in way && "config" in way;
  return holdsSomething(isKratos ? way.config : way);
}
