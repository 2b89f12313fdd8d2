/** Makes the parts of a draft that all sources make alike: the reasons to keep a user out, the notices, and what a username means for a core that knows people by their email and phone alone. */

import { parseFlag } from "../account/parse-flag.js";
import { readUserName } from "../account/user-name.js";
import type { Exclusion } from "../account/user-record.js";
import type { RawHash } from "../hash/hash.js";
import { remembering } from "./remembering.js";

/** The one that no flag lifts comes first. */
export const EXCLUSIONS = [
  "service_account",
  "deleted",
  "disabled",
  "anonymous",
  "sso_only",
] as const satisfies readonly Exclusion[];

/** Reasons in the order in which they are told, each once. */
export function exclusionsIn(reasons: readonly string[]): readonly Exclusion[] {
  return EXCLUSIONS.filter((one) => reasons.includes(one));
}

/**
 * All reasons for which a vendor keeps a user out, since to let disabled users in is not to let in
 * users of an identity provider alone.
 *
 * @param found whether the user is kept out, by reason; the first is the one that is told
 */
export function exclusionsWhere(
  found: Readonly<Partial<Record<Exclusion, boolean>>>,
): readonly Exclusion[] {
  return EXCLUSIONS.filter((reason) => found[reason]);
}

/**
 * The notices of a user, in the order of their codes.
 *
 * @param decided what the source decides itself, by code
 * @param told codes of the user's filled fields; those that are decided don't count
 */
export function noticed(
  decided: Readonly<Record<string, boolean>>,
  told: ReadonlySet<string>,
): readonly string[] {
  const codes: string[] = [];
  for (const code of Object.keys(decided)) if (decided[code]) codes.push(code);
  for (const code of told) if (!Object.hasOwn(decided, code)) codes.push(code);
  return codes.length > 1 ? codes.sort() : codes;
}

/**
 * True for a name, email or phone that differs from all known ones, whatever its case and the white
 * space around it. It earns a notice: the core has no second place for it.
 *
 * @param known the user's email, phone and id, in the export's own words
 */
export function isExtra(text: string, ...known: readonly string[]): boolean {
  if (known.includes(text)) return false;
  const name = text.trim().toLowerCase();
  return name !== "" && !known.some((other) => other.trim().toLowerCase() === name);
}

/** The user's email: the one that the vendor has, else a username that is an address, else empty. */
export function emailOr(email: string, username: string): string {
  if (email.trim() !== "" || !username.includes("@")) return email;
  return readUserName(username).email === null ? email : username;
}

/** Where Meteor keeps hashes of a SHA-256 of the password (accounts-password: password_server.js). */
const METEOR = /(?:^|[^a-z])services[^a-z]{0,2}password[^a-z]{0,2}(bcrypt|argon2)$/i;

/** What may stand around a password's name. */
const AROUND =
  "(?:user|usr|account|login|member|customer|legacy|old|original|initial|default|current|as|in|is)*";
const PASSWORD =
  "(?:pass(?:wor[dt]|wd|phrase)?|pwd?|mdp|kennwort|senha|contrasena|motdepasse|wachtwoord|haslo|heslo|parola|losenord|salasana)";
const PLAINLY =
  "(?:plain(?:text)?|clear(?:text)?|klartext|unhashed|unencrypted|decrypted|unverschlusselt|textoplano|textoclaro|enclair|clair|inchiaro)";
const PLAIN_PASSWORD = new RegExp(
  `^${AROUND}(?:${PLAINLY}${AROUND}${PASSWORD}|${PASSWORD}${AROUND}${PLAINLY})${AROUND}$`,
);

/** Whether a name says that a password stands there in plain text: `plainTextPassword`, `passwort_klartext`. */
export function saysPlainText(name: string): boolean {
  const last = lastNameOf(name);
  return last.length <= MAX_PLAIN_NAME && PLAIN_PASSWORD.test(last);
}

/** A path's last name without what people vary in it. */
function lastNameOf(path: string): string {
  const [last = ""] = path.match(/[\p{L}_][\p{L}\p{N}_ -]*(?=[^\p{L}]*$)/u) ?? [];
  return last
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^a-z]/g, "");
}

const RAW =
  "(?:raw|text|txt|visible|readable|entered|typed|initial|inicial|iniziale|default|temp(?:orary|oral|oraire|oranea)?|tmp|provisional|provisoire|vorlaufig(?:es)?|start|generated|preset|issued|assigned|tijdelijk|tymczasowe|tillfalligt)";
const RAW_PASSWORD = new RegExp(
  `^${AROUND}(?:${RAW}${AROUND}${PASSWORD}|${PASSWORD}${AROUND}${RAW})${AROUND}$`,
);

/** Whether a name says that what stands there is a password before it is hashed, unless it looks like a hash: `temp_password`, `password_raw`. */
export function mayBePlainText(name: string): boolean {
  const last = lastNameOf(name);
  return last.length <= MAX_PLAIN_NAME && RAW_PASSWORD.test(last);
}

/** A password in plain text, where its column's name says so; null where none is there. */
export function plainPassword(name: string, text: string): RawHash | null {
  // `default_password` may be the answer to a question.
  const isFlag = !saysPlainText(name) && parseFlag(text.trim()) !== null;
  return text.trim() === "" || isFlag
    ? null
    : { kind: "credential", credential: { plain_text: text } };
}

/** Longer names are sentences. */
const MAX_PLAIN_NAME = 60;

/** A hash that the name of its place says how it was made, or a password that it says is none; null under any other name. */
export function hashByName(name: string, text: string): RawHash | null {
  const as = madeAs(name);
  if (as === null || text.trim() === "") return null;
  const credential =
    as === PLAIN ? { plain_text: text } : { services: { password: { [as]: text } } };
  return { kind: "credential", credential };
}

const PLAIN = "plain text";

const madeAs = remembering((name: string) => {
  if (saysPlainText(name)) return PLAIN;
  return METEOR.exec(name.trim())?.[1]?.toLowerCase() ?? null;
}, 100);

/** A hash as exported, or the vendor's object around it, or several; null for a user without a password. */
export function rawHashOf(hash: string | object): RawHash | null {
  if (typeof hash === "object") return { kind: "credential", credential: hash };
  return hash.trim() === "" ? null : { kind: "text", text: hash };
}

/** What says more of a hash: an algorithm, FusionAuth's scheme and its bcrypt factor, a pepper. */
export const BESIDE = ["algorithm", "hash_type", "pepper", "encryptionScheme", "factor"] as const;
export type BesideField = (typeof BESIDE)[number];
/** Null for nothing. */
type Beside = Readonly<Partial<Record<BesideField, string>>> | null;

/** A hash that is a text, with what stands beside it. Normalization decides what that means. */
export function hashOfText(text: string, salt: string, beside: Beside): RawHash {
  const salted = salt.trim() === "" ? null : { salt };
  if (beside === null) {
    return salted === null ? { kind: "text", text } : { kind: "salted", hash: text, salt };
  }
  // FusionAuth's form has the names of its API.
  const own = beside.encryptionScheme === undefined ? { password_hash: text } : { password: text };
  return { kind: "credential", credential: { ...own, ...salted, ...beside } };
}

/** A credential. With more beside it than its own form has, no form fits: normalization refuses it. */
export function hashOfObject(credential: object, salt: string, beside: Beside): RawHash {
  const isAlone = salt.trim() === "" && beside === null;
  return {
    kind: "credential",
    credential: isAlone ? credential : { password: credential, salt, ...beside },
  };
}
