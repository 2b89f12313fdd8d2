/** Objects that are rows of a users table: a hash, perhaps beside a salt and the name of an algorithm, in fields of common names. A hash is taken only where nothing beside it says that more took part. */

import { defineFlaw, type Refusal } from "../flaw.js";
import { PLAIN_TEXT, recognizeForeign } from "../foreign/foreign.js";
import { type Inner, refused } from "../inner.js";
import type { Step } from "../steps.js";
import { asFields, type Fields, fieldOf, isBlank, isOn, textOf } from "./fields.js";
import { holding, MALFORMED, NO_PASSWORD, plainAlgorithm } from "./form.js";

const AMBIGUOUS = defineFlaw(
  "credential_ambiguous",
  "the credential has more than one field that may be the hash",
  "hand over the one field that holds the hash",
);
const OTHER_ALGORITHM = defineFlaw(
  "credential_algorithm",
  "the credential names an algorithm that a core doesn't import or that isn't known here, or bcrypt or argon2 whose hash isn't whole",
);
const MARKED = defineFlaw(
  "credential_marked",
  "a field of the credential says that the password was peppered or hashed before it was hashed",
);

const HASH_FIELDS: ReadonlySet<string> = new Set([
  // Auth0, Firebase.
  "passwordHash",
  // Supabase, Devise.
  "encrypted_password",
  // Ory Kratos.
  "hashed_password",
  // Parse Server.
  "_hashed_password",
  // Logto.
  "passwordEncrypted",
  "password_encrypted",
  // Sorcery, Authlogic.
  "crypted_password",
  // Clerk, Rails.
  "password_digest",
  "password_hash",
  "passwordDigest",
  "hashedPassword",
  "userPassword",
  "user_pass",
  "hash",
  "password",
]);

/** Names, in any spelling, of what takes part beside the password. */
const SALT = /salt/i;
const MARK = /pepper|pre[_-]?hash|wrapped/i;
const ALGORITHM = /(?:algo|algorithm|hasher|scheme|encoder|digest)$/i;

/** Names that may be of an algorithm; their value decides. */
const MAY_BE_ALGORITHM = /(?:method|type|encoding|function)$/i;
const NAMES_ALGORITHM = /sha\d|md[45]|hmac|crypt|argon|pbkdf|pepper|phpass/i;

/** Names of what isn't a digest of password and salt: a salt's place in it is its own. */
const DERIVED = /crypt|argon|pbkdf|phpass|hmac/i;
/** The vendor's own, whose hash stands beside its salt. Gitea writes standard scrypt's costs behind the name. */
const VENDORS = /scrypt(?!\$)|firebase/i;

/** A name of an algorithm by which the password stands there as it is. */
const NO_ALGORITHM = /^\W*(?:plain|clear)[\s_-]?(?:text)?(?:[\s_-]?password)?(?:encoder)?\W*$/i;

const TAKEN: readonly Step[] = ["credential_hash_taken"];
const BYTES_TAKEN: readonly Step[] = ["credential_hash_taken", "bytes_taken"];

/** What is inside an object with a hash in a field of a common name; null for any other. */
export function readColumns(fields: Fields): Inner | null {
  const names = Object.keys(fields);
  // As sources hand on what its place says is a password in plain text.
  if (!isBlank(fieldOf(fields, "plain_text"))) return refused(PLAIN_TEXT);
  const present = names.filter((name) => HASH_FIELDS.has(name));
  if (present.length === 0) return null;
  const { salt, isMarked, algorithm } = readBeside(fields, names);
  if (isMarked) return refused(MARKED);
  const filled = present.filter((name) => !isBlank(fieldOf(fields, name)));
  const [name] = filled;
  if (name === undefined) return NO_PASSWORD;
  if (filled.length > 1) return refused(AMBIGUOUS);
  const value = onlyOf(fieldOf(fields, name));
  const bytes = textOfBytes(value);
  // An object: the caller looks inside.
  if (bytes === null && typeof value === "object") return null;
  const hash = bytes ?? value;
  const steps = bytes === null ? TAKEN : BYTES_TAKEN;
  if (typeof hash !== "string") return refused(MALFORMED);
  if (salt !== undefined && typeof salt !== "string") return refused(MALFORMED);
  if (salt !== undefined) {
    const named = madeBy(algorithm);
    return { kind: "salted", hash, salt, ...(named && { named, algorithm }) };
  }
  if (algorithm === undefined) return { kind: "text", text: hash, steps };
  if (typeof algorithm === "string" && NO_ALGORITHM.test(algorithm)) return refused(PLAIN_TEXT);
  const plain = typeof algorithm === "string" ? plainAlgorithm(algorithm) : null;
  return plain === null
    ? { kind: "verdict", verdict: refusalBy(algorithm) }
    : holding(hash, plain, "credential_hash_taken");
}

const NAMED_FOREIGN = /^(?:pbkdf2|scrypt)(?=$|[-_$])/i;

/** The refusal of a hash by the name of its algorithm: `pbkdf2$50000$50` of Gitea's column says what it is. */
export function refusalBy(algorithm: unknown): Refusal {
  const [name] = typeof algorithm === "string" ? (NAMED_FOREIGN.exec(algorithm) ?? []) : [];
  return (name && recognizeForeign(`${name}$`)) || OTHER_ALGORITHM.refusal;
}

/** What a salted hash is by the name of its algorithm; undefined where that may be the vendor's scrypt. */
function madeBy(algorithm: unknown): "digest" | "derived" | undefined {
  if (typeof algorithm !== "string" || VENDORS.test(algorithm)) return undefined;
  if (!NAMES_ALGORITHM.test(algorithm)) return undefined;
  return DERIVED.test(algorithm) ? "derived" : "digest";
}

/** What a list of one holds: LDAP's tools write each attribute as a list (RFC 4512, 2.2). */
export function onlyOf(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/**
 * Whether fields beside a nested object name a salt or an algorithm, so that more than the object
 * took part.
 */
export function saysMore(fields: Fields): boolean {
  const { salt, isMarked, algorithm } = readBeside(fields, Object.keys(fields));
  return salt !== undefined || isMarked || algorithm !== undefined;
}

/** What the fields beside a hash say about it; of salt and algorithm undefined for none. */
function readBeside(fields: Fields, names: readonly string[]) {
  let salt: unknown;
  let isMarked = false;
  let algorithm: unknown;
  for (const name of names) {
    const value = fieldOf(fields, name);
    if (HASH_FIELDS.has(name) || isBlank(value)) continue;
    if (MARK.test(name)) isMarked ||= isOn(value);
    else if (SALT.test(name)) salt ??= value;
    else if (ALGORITHM.test(name)) algorithm ??= value;
    else if (
      MAY_BE_ALGORITHM.test(name) &&
      typeof value === "string" &&
      NAMES_ALGORITHM.test(value)
    )
      algorithm ??= value;
  }
  return { salt, isMarked, algorithm };
}

/** More than any hash takes with its padding. */
const MAX_BYTES = 1024;

/** Bytes as JSON tools write them where a database keeps a hash as bytes, alone and not in a field. They are read as text; what isn't text is no hash. */
export function readBytes(fields: Fields): Inner | null {
  const text = textOfBytes(fields);
  if (text === null) return null;
  return text === undefined ? refused(MALFORMED) : { kind: "text", text, steps: ["bytes_taken"] };
}

/**
 * The text of `{"type":"Buffer","data":[…]}` (Buffer.toJSON), `{"$binary":{"base64":…}}` or
 * `{"$binary":…,"$type":…}` (MongoDB Extended JSON, version 2 and 1). Null for a value that is no
 * bytes, undefined for bytes that are no text.
 */
function textOfBytes(value: unknown): string | null | undefined {
  const fields = asFields(value);
  if (fields === undefined) return null;
  const [type, data] = [fieldOf(fields, "type"), fieldOf(fields, "data")];
  const isBuffer = type === "Buffer" && Array.isArray(data) && data.length <= MAX_BYTES;
  if (isBuffer) return decode(Buffer.from(data.map(Number)));
  const binary = fieldOf(fields, "$binary");
  const base64 = typeof binary === "string" ? binary : textOf(asFields(binary) ?? {}, "base64");
  return base64 === undefined ? null : decode(Buffer.from(base64, "base64"));
}

function decode(bytes: Buffer): string | undefined {
  const text = bytes.toString("latin1");
  return /^[\0\t\n\r\x20-\x7e]+$/.test(text) ? text : undefined;
}
