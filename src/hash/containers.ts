/** Puts a hash together from texts that hold its parts in another arrangement. The whole text must fit the arrangement's shape. */

import { hashAlgorithmOf } from "./grammar.js";
import { isOneCase, toStandardBase64 } from "./base64.js";
import { BCRYPT_CASEFOLD, joinBcrypt, toBcryptBase64 } from "./bcrypt.js";
import { trim } from "./damage.js";
import type { HashConfig } from "./hash.js";
import { type Inner, type Opener, refused } from "./inner.js";
import type { Step } from "./steps.js";
import { FSCRYPT_FLAWS } from "./vendor-scrypt.js";

const PHC_BCRYPT = /^\$bcrypt\$v=98\$r=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{31})$/;
const MEDIAWIKI_BCRYPT = /^:bcrypt:(\d{1,2})\$([^$]{22})\$([^$]{31})$/;
const SHIRO_BCRYPT = /^\$(?:shiro2|unixcrypt)(\$2[aby]\$\d\d\$[^$]{22})\$([^$]{31})$/;
const XENFORO = /^a:1:\{s:4:"hash";s:(\d{1,3}):"([^"]*)";\}$/;
const FBSCRYPT = /^\$fbscrypt\$([^$]*)\$([^$]*)\$([^$]*)$/;
const FIRESCRYPT = /^\$firescrypt\$([^$]*)\$([^$]*)\$([^$]*)\$([^$]*)\$([^$]*)$/;
/** 64 bytes, a salt, 64 bytes, the separator, and two numbers. */
const CLERK_DIGEST =
  /^[A-Za-z0-9+/_-]{86}(?:==)?\$[^$]{1,64}\$[A-Za-z0-9+/_-]{86}(?:==)?\$[^$]{0,16}\$\d{1,2}\$\d{1,2}$/;
const AUTHGEAR = "$firebase-scrypt$";
const NUMBER = /^[1-9]\d{0,8}$/;

/** Add a container here, with where it comes from, and its step in steps.ts. */
export const CONTAINER_OPENERS: readonly Opener[] = [
  openPhcBcrypt,
  openMediaWiki,
  openShiro,
  openXenForo,
  openSupabase,
  openKratos,
  openAuthgear,
  // Without the name of its hasher, scrypt_firebase, beside it.
  (text) => (CLERK_DIGEST.test(text) ? openClerkDigest(text) : null),
];

/** AdonisJS and @phc/bcrypt: PHC's form, in standard base64; v is the letter b's code. */
function openPhcBcrypt(text: string): Inner | null {
  const [, cost, saltText = "", hashText = ""] = PHC_BCRYPT.exec(text) ?? [];
  // bcrypt's own alphabet is shifted against this one, and shows no changed case.
  if (cost !== undefined && isOneCase(saltText + hashText)) return refused(BCRYPT_CASEFOLD);
  const salt = toStandardBase64(saltText);
  const hash = toStandardBase64(hashText);
  if (cost === undefined || salt === null || hash === null) return null;
  return joined(cost, toBcryptBase64(salt), toBcryptBase64(hash), "phc_bcrypt_rebuilt");
}

/** MediaWiki's BcryptPassword: the cost without a leading zero. */
function openMediaWiki(text: string): Inner | null {
  const [, cost, salt, hash] = MEDIAWIKI_BCRYPT.exec(text) ?? [];
  return cost === undefined ? null : joined(cost, salt, hash, "mediawiki_bcrypt_rebuilt");
}

/** Apache Shiro 2 sets salt and hash apart. Without the $ between them it is a wrapper. */
function openShiro(text: string): Inner | null {
  const [, head, hash] = SHIRO_BCRYPT.exec(text) ?? [];
  if (head === undefined || hash === undefined) return null;
  return { kind: "text", text: head + hash, steps: ["shiro_bcrypt_joined"] };
}

/** XenForo 2's XF:Core12, a PHP array of one entry; the length counts. */
function openXenForo(text: string): Inner | null {
  const [, length, hash] = XENFORO.exec(text) ?? [];
  if (hash === undefined || Number(length) !== hash.length) return null;
  return { kind: "text", text: hash, steps: ["xenforo_unserialized"] };
}

/** Supabase Auth keeps Firebase's hashes so (internal/crypto/password.go). */
function openSupabase(text: string): Inner | null {
  if (!text.startsWith("$fbscrypt$")) return null;
  const [, list = "", salt, hash] = FBSCRYPT.exec(text) ?? [];
  const values = parameters(list);
  if (values?.get("v") !== "1" || values.get("p") !== "1") return refused(FSCRYPT_FLAWS.format);
  const named = {
    hash,
    salt,
    memCost: values.get("n"),
    rounds: values.get("r"),
    saltSeparator: values.get("ss"),
    signerKey: values.get("sk"),
  };
  return carriedScrypt(named, "fbscrypt_rebuilt");
}

/** Ory Kratos keeps them so (hash/hash_comparator.go). */
function openKratos(text: string): Inner | null {
  if (!text.startsWith("$firescrypt$")) return null;
  const [, list = "", salt, hash, saltSeparator, signerKey] = FIRESCRYPT.exec(text) ?? [];
  const values = parameters(list);
  if (values?.get("p") !== "1") return refused(FSCRYPT_FLAWS.format);
  const named = {
    hash,
    salt,
    memCost: values.get("ln"),
    rounds: values.get("r"),
    saltSeparator,
    signerKey,
  };
  return carriedScrypt(named, "firescrypt_rebuilt");
}

/** Authgear keeps them so: every field with its name. */
function openAuthgear(text: string): Inner | null {
  if (!text.startsWith(AUTHGEAR)) return null;
  const values = parameters(text.slice(AUTHGEAR.length), "$");
  if (values === null) return refused(FSCRYPT_FLAWS.format);
  const named = {
    hash: values.get("hash"),
    salt: values.get("salt"),
    memCost: values.get("m"),
    rounds: values.get("r"),
    saltSeparator: values.get("ss"),
    signerKey: values.get("sk"),
  };
  return carriedScrypt(named, "authgear_scrypt_rebuilt");
}

/** The fields of a vendor scrypt hash that carries its account's parameters, as found; base64 and digits. */
type ScryptFields = Readonly<Record<keyof HashConfig | "hash" | "salt", string | undefined>>;

/** The vendor's scrypt from fields that carry the account's parameters; a missing separator is an empty one. */
export function carriedScrypt(fields: ScryptFields, step: Step): Inner {
  const { hash, salt, memCost = "", rounds = "", saltSeparator = "", signerKey } = fields;
  if (hash === undefined || salt === undefined || signerKey === undefined) {
    return refused(FSCRYPT_FLAWS.format);
  }
  if (!NUMBER.test(memCost) || !NUMBER.test(rounds)) return refused(FSCRYPT_FLAWS.parameters);
  const account = { signerKey, saltSeparator, memCost: Number(memCost), rounds: Number(rounds) };
  return { kind: "scrypt", carried: { hash, salt, account }, steps: [step] };
}

/** Clerk's digest of six fields (clerk.com/docs, createUser, `scrypt_firebase`), or null for another number of them. */
export function openClerkDigest(digest: string): Inner | null {
  const fields = digest.split("$");
  if (fields.length !== 6) return null;
  const [hash, salt, signerKey, saltSeparator, rounds, memCost] = fields;
  const named = { hash, salt, signerKey, saltSeparator, rounds, memCost };
  return carriedScrypt(named, "clerk_scrypt_rebuilt");
}

/** A bcrypt text from its parts, or the refusal of parts that can't be one. */
export function joined(cost: unknown, salt: unknown, hash: unknown, step: Step): Inner {
  const [own, rest] = [salt, hash].map((part) => (typeof part === "string" ? trim(part) : part));
  // A whole text in the place of a part says itself what it is.
  if (typeof rest === "string" && hashAlgorithmOf(rest) === "bcrypt") {
    return typeof own === "string" && own !== ""
      ? { kind: "salted", hash: rest, salt: own }
      : { kind: "text", text: rest, steps: ["credential_hash_taken"] };
  }
  const text = joinBcrypt(cost, own, rest);
  return typeof text === "string" ? { kind: "text", text, steps: [step] } : refused(text);
}

/** `name=value` fields, each once, or null. */
function parameters(list: string, delimiter = ","): ReadonlyMap<string, string> | null {
  const values = new Map<string, string>();
  for (const field of list.split(delimiter)) {
    const equals = field.indexOf("=");
    const name = field.slice(0, Math.max(equals, 0));
    if (name === "" || values.has(name)) return null;
    values.set(name, field.slice(equals + 1));
  }
  return values;
}
