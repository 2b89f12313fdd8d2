/** Recognizes password hashes, and users' emails, in columns and properties that aren't read. Of hashes it knows less than `src/hash` and is much quicker: the first character decides for nearly every cell. */

import { DOLLAR, OPEN_OBJECT } from "../bytes/ascii.js";
import { isObject, parseJson, textOf, unwrap } from "../json/json-value.js";
import { folded } from "./name-words.js";

/** In characters: no encoding that names its algorithm is shorter, and longer texts are documents. */
const SHORTEST = 13;
const LONGEST = 2000;

/** Modular crypt and similar forms, with at most one word before them: `bcrypt_sha256$$2b$12$…`, `{CRYPT}$6$…`. */
const CRYPT =
  /^(?:\{[\w.-]{2,20}\}|[\w:-]{0,24}\$?)\$(?:2[abxy]?\$\d\d\$|argon2(?:id|i|d)\$|[156y]\$|sha1\$|md5[$,]|apr1\$|gy\$|7\$|scrypt\$|f_scrypt\$|pbkdf2|bcrypt|wp\$2y\$|[PHS]\$[\w./]{20,}|B\$)/;
const SCHEME =
  /^\{(?:S?SHA(?:-?\d{1,3})?|S?MD[45]|PBKDF2[\w-]*|PKCS5S2|BCRYPT|ARGON2\w*|CRYPT|SCRAM-SHA-\d+|scrypt|[\w-]{2,20}-CRYPT|x-is[\w, -]{2,20})\}\S{10,}/i;
/** Django, Werkzeug, passlib and others: a name, a count, a salt, a digest. */
const NAMED =
  /^(?:pbkdf2|scrypt|argon2|bcrypt|sha(?:1|224|256|384|512)|md5|fbscrypt|phpass|crypt)[\w-]*[$:]\S{12,}$/i;

/** The base64 of `scrypt` and of version 0, with which scrypt-kdf's hashes begin, as Medusa keeps them. */
const SCRYPT_KDF = "c2NyeXB0AA";

/** How deep an object is searched, and how many of its values. */
const MAX_DEPTH = 5;
const MAX_VALUES = 200;

/** With which letters {@link NAMED} and what {@link CRYPT} has before its first dollar may begin, in lower case. */
const NAMED_STARTS: ReadonlySet<number> = new Set(Buffer.from("abcfmps"));

/** True for a password's hash that names its algorithm. */
function isPasswordHash(text: string): boolean {
  if (text.length < SHORTEST || text.length > LONGEST) return false;
  const first = text.charCodeAt(0);
  if (first === DOLLAR || first === OPEN_OBJECT) return CRYPT.test(text) || SCHEME.test(text);
  if (!NAMED_STARTS.has(first | 0x20)) return false;
  if (!/[$:]/.test(text)) return text.startsWith(SCRYPT_KDF);
  return NAMED.test(text) || CRYPT.test(text);
}

/** A text, number or flag inside an object or a list that isn't read. */
interface Inner {
  /** An element of a list has the list's path. */
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

/** The texts inside an object or a list, within the limits of the search. */
export function textsWithin(value: object, path: string): readonly Inner[] {
  const found: Inner[] = [];
  let left = MAX_VALUES;
  const search = (within: object, at: string, depth: number): void => {
    const isList = Array.isArray(within);
    for (const [name, wrapped] of Object.entries(within)) {
      left -= 1;
      if (left < 0) return;
      const held = unwrap(wrapped);
      const path = isList ? `${at}[]` : `${at}.${name}`;
      const text = textOf(held);
      if (text !== null && text !== "") found.push({ path, name, text });
      else if (depth < MAX_DEPTH && (isObject(held) || Array.isArray(held))) {
        search(held, path, depth + 1);
      }
    }
  };
  search(value, path, 1);
  return found;
}

/** Names of other secrets that may be hashed as a password is: Rails' `remember_digest`. */
const NO_PASSWORD =
  /remember|reset|activation|confirm|token|otp|backup|recovery|refresh|session|api|previous|old|history|answer|pin/i;

/** MD5 and NTLM, SHA-1 and SHA-2 in hexadecimal. */
const DIGEST =
  /^(?:0x)?(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{56}|[\da-f]{64}|[\da-f]{96}|[\da-f]{128})$/i;
const LONGEST_NAME = 60;
/** A password in the common languages. */
const PASSWORD =
  "pass(?:wor[dt]|wd)?|pwd|pw|mdp|kennwort|senha|contrasena|motdepasse|wachtwoord|haslo";
/** Names that mark such a digest as a password's: `legacy_md5`, `old_password`, `sha1Hash`. */
const DIGEST_NAME = new RegExp(
  [
    `^(?=.*(?:md5|sha\\d|ntlm|${PASSWORD}|(?:legacy|old|prev(?:ious)?).*(?:hash|digest)))`,
    `(?:legacy|old|prev(?:ious)?|former|user|account|login|raw|hex|(?:un)?salted|${PASSWORD}`,
    "|hash(?:ed)?|digest|md5|sha(?:1|2|224|256|384|512)?|ntlm|nt|crypt(?:ed)?|encrypted)+$",
  ].join(""),
);

/**
 * Whether a value that isn't read is a password's hash.
 *
 * @param path of the column or property
 * @returns `always` for a hash that matters in any case, `alone` for one that matters only where the
 *   user has no other, null for no hash
 */
export function unreadHash(path: string, text: string): "always" | "alone" | null {
  if (isPasswordHash(text)) return NO_PASSWORD.test(path) ? "alone" : "always";
  if (PHP_WITH_DOLLAR.test(text)) {
    const held = [...text.matchAll(PHP_TEXT)].map(([, one = ""]) => one);
    return held.some(isPasswordHash) ? "always" : null;
  }
  if (JSON_WITH_DOLLAR.test(text)) return hashWithin(path, Object(parseJson(text)));
  if (text.length < 32 || !DIGEST.test(text)) return null;
  const name = folded(path.slice(path.lastIndexOf(".") + 1));
  return name.length <= LONGEST_NAME && DIGEST_NAME.test(name.replace(/[^a-z0-9]/g, ""))
    ? "alone"
    : null;
}

/** Whether these texts of a column, the empty ones left out, are emails, each of a user of their own. */
export function areOwnEmails(texts: readonly string[]): boolean {
  const filled = texts.map((text) => text.trim()).filter((text) => text !== "");
  const areOwn = filled.length > 0 && new Set(filled).size === filled.length;
  return areOwn && filled.every((text) => EMAIL.test(text));
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** A list or an object as a text, as databases write it into a column, in which a hash may stand. */
const JSON_WITH_DOLLAR = /^\s*[[{][^$]*"[^"$]*\$/;

/** The same in PHP's serialization, as XenForo and others keep it. */
const PHP_WITH_DOLLAR = /^[aO]:\d+:[^$]*"[^"$]*\$/;
const PHP_TEXT = /s:\d+:"([^"]*)"/g;

function hashWithin(path: string, held: object): ReturnType<typeof unreadHash> {
  const found = textsWithin(held, path).map((inner) => unreadHash(inner.path, inner.text));
  return found.find((one) => one === "always") ?? found.find(Boolean) ?? null;
}
