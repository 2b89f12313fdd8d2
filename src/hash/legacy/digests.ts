/** Digests of the password and a salt, as LDAP servers, shops and forums write them down; quick to guess, and quick to verify. */

import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { escapeHtml } from "../php-text.js";
import { parseArgon2 } from "../argon2.js";
import { hashPassword } from "../verify.js";
import {
  BOUNDS,
  derived,
  fromBase64,
  fromHex,
  outOfBounds,
  type Parsed,
  verified,
} from "./legacy-hash.js";

const DIGESTS_BY_BYTES: ReadonlyMap<number, string> = new Map([
  [16, "md5"],
  [20, "sha1"],
  [28, "sha224"],
  [32, "sha256"],
  [48, "sha384"],
  [64, "sha512"],
]);

/** One way of mixing password and salt: the bytes that are compared. */
type Recipe = (password: string, salt: Buffer, digest: string) => Buffer;

const joined = (digest: string, ...parts: readonly (string | Buffer)[]): Buffer =>
  hash(digest, Buffer.concat(parts.map((part) => Buffer.from(part))), "buffer");
const hex = (bytes: Buffer): string => bytes.toString("hex");

const saltFirst: Recipe = (password, salt, digest) => joined(digest, salt, password);
const saltLast: Recipe = (password, salt, digest) => joined(digest, password, salt);
const keyed: Recipe = (password, salt, digest) =>
  createHmac(digest, salt).update(password).digest();

function openCart(typed: (password: string) => string): Recipe {
  return (password, salt, digest) =>
    joined(digest, salt, hex(joined(digest, salt, hex(joined(digest, typed(password))))));
}

/** What forums and shops do to a digest and the salt column beside it; each costs next to nothing to try. */
const COLUMN_RECIPES: readonly Recipe[] = [
  saltFirst,
  saltLast,
  keyed,
  // vBulletin 3 and 4; XenForo 1 and SilverStripe with other digests.
  (password, salt, digest) => joined(digest, hex(joined(digest, password)), salt),
  // IP.Board 3 and MyBB (datahandlers/login.php).
  (password, salt, digest) =>
    joined(digest, hex(joined(digest, salt)), hex(joined(digest, password))),
  // OpenCart before 4 (catalog/model/account/customer.php), which escapes what is typed (system/library/request.php).
  openCart((password) => password),
  openCart((password) => escapeHtml(password)[0]),
  openCart((password) => escapeHtml(password)[1]),
];

/** A hash that one of several recipes makes. */
function digestHash(
  format: string,
  bytes: Buffer,
  salt: Buffer,
  recipes: readonly Recipe[],
): Parsed {
  const digest = DIGESTS_BY_BYTES.get(bytes.length);
  if (digest === undefined) return null;
  return verified(format, 0, async (password) =>
    recipes.some((recipe) => timingSafeEqual(recipe(password, salt, digest), bytes)),
  );
}

const LDAP = /^\{(S?)(MD5|SHA|SHA256|SHA384|SHA512)\}([A-Za-z0-9+/]+={0,2})$/i;
const LDAP_BYTES: Readonly<Record<string, number>> = {
  MD5: 16,
  SHA: 20,
  SHA256: 32,
  SHA384: 48,
  SHA512: 64,
};
const LONGEST_LDAP_SALT = 64;

/** `{SSHA}` and its like (RFC 2307; OpenLDAP's pw-sha2, Dovecot, 389 DS): the digest and behind it the salt, in base64. */
export function parseLdap(text: string): Parsed {
  const [, salted = "", scheme = "", encoded = ""] = LDAP.exec(text) ?? [];
  const length = LDAP_BYTES[scheme.toUpperCase()];
  const bytes = fromBase64(encoded);
  if (length === undefined || bytes === null) return null;
  const salt = bytes.subarray(length);
  const hasSalt = salt.length > 0 && salt.length <= LONGEST_LDAP_SALT;
  if (bytes.length < length || (salted === "" ? salt.length > 0 : !hasSalt)) return null;
  const name = DIGESTS_BY_BYTES.get(length);
  const format = salted === "" ? `ldap_${name}` : `ldap_salted_${name}`;
  return digestHash(format, bytes.subarray(0, length), salt, [saltLast]);
}

const NAMED = /^(md5|sha1|sha224|sha256|sha384|sha512)\$([^$]{1,128})\$([0-9a-f]{32,128})$/;

/** Django's MD5PasswordHasher and SHA1PasswordHasher, salt first, and Werkzeug before 2.3, keyed with the salt; the names are the same. */
export function parseNamedDigest(text: string): Parsed {
  const [, digest, salt = "", encoded = ""] = NAMED.exec(text) ?? [];
  const bytes = fromHex(encoded);
  if (encoded === "" || DIGESTS_BY_BYTES.get(bytes.length) !== digest) return null;
  return digestHash("django_digest", bytes, Buffer.from(salt), [saltFirst, keyed]);
}

const KRATOS =
  /^\$(md5|sha1|sha256|sha512)\$pf=([A-Za-z0-9+/]{2,256}=*)\$([A-Za-z0-9+/]{2,256}=*)\$([A-Za-z0-9+/]+=*)$/;
const KRATOS_PLAIN = /^\$md5\$([A-Za-z0-9+/]{22}==)$/;

/** Ory Kratos' imported digests (hash/hash_comparator.go): a template, the salt and the digest, each in base64; an MD5 alone is of the password. */
export function parseKratosDigest(text: string): Parsed {
  const alone = fromBase64(KRATOS_PLAIN.exec(text)?.[1] ?? "");
  if (alone !== null) return digestHash("kratos_digest", alone, Buffer.alloc(0), [saltLast]);
  const [, digest, format = "", salt = "", encoded = ""] = KRATOS.exec(text) ?? [];
  const [template, saltBytes, bytes] = [format, salt, encoded].map(fromBase64);
  if (!template || !saltBytes || !bytes || DIGESTS_BY_BYTES.get(bytes.length) !== digest)
    return null;
  // A password may hold what looks like a placeholder: each is replaced once, and what replaced it isn't read again.
  const parts = template.toString().split(/(\{SALT\}|\{PASSWORD\})/);
  if (!parts.includes("{PASSWORD}")) return null;
  return digestHash("kratos_digest", bytes, saltBytes, [
    (password, own, name) =>
      joined(
        name,
        ...parts.map((part) => (part === "{SALT}" ? own : part === "{PASSWORD}" ? password : part)),
      ),
  ]);
}

const COLON = /^([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128}):([^:\s]{1,64})$/i;

/** `digest:salt`: Joomla before 3.2 (salt last), osCommerce, Zen Cart and Magento 1 (salt first). */
export function parseColonDigest(text: string): Parsed {
  const [, encoded, salt = ""] = COLON.exec(text) ?? [];
  if (encoded === undefined) return null;
  return digestHash("salted_digest", fromHex(encoded), Buffer.from(salt), [saltFirst, saltLast]);
}

const MAGENTO =
  /^([0-9a-f]{32}|[0-9a-f]{64}):([^:\s]{1,64}):((?:[0-2]|3_32_\d{1,2}_\d{4,10})(?::(?:[0-2]|3_32_\d{1,2}_\d{4,10})){0,3})$/i;
const MAGENTO_DIGESTS = ["md5", "sha256"];
/** sodium_crypto_pwhash with its interactive limits: bytes, passes and memory of version 2, which version 3 writes behind itself. */
const MAGENTO_ARGON2 = "2_32_2_67108864";
const SODIUM_SALT = 16;

/** Magento 2 (Framework/Encryption/Encryptor.php, isValidHash): each version in turn hashes what the one before left, in hexadecimal. */
export function parseMagento(text: string): Parsed {
  const [, encoded, salt = "", chain = ""] = MAGENTO.exec(text) ?? [];
  if (encoded === undefined) return null;
  const versions = chain.split(":");
  const costs = versions.flatMap((version) => magentoCost(version) ?? []);
  const expected = fromHex(encoded);
  if (expected.length !== (versions.at(-1) === "0" ? 16 : 32)) return null;
  const work = costs.map(({ memoryCost, timeCost }) => memoryCost * timeCost);
  if (work.reduce((sum, one) => sum + one, 0) > BOUNDS.argon2) {
    return outOfBounds("magento_2", "iterations");
  }
  const memory = Math.max(0, ...costs.map(({ memoryCost }) => memoryCost * 1024));
  if (memory > BOUNDS.memory) return outOfBounds("magento_2", "memory");
  const derive = async (password: string): Promise<Buffer> => {
    let typed = password;
    for (const version of versions) typed = hex(await magentoStep(typed, salt, version));
    return fromHex(typed);
  };
  return derived("magento_2", { memory, expected, derive });
}

/** What a version's argon2id costs; null for a digest. */
function magentoCost(version: string) {
  const [name, , passes, bytes] = (version === "2" ? MAGENTO_ARGON2 : version).split("_");
  if (passes === undefined || name === undefined) return null;
  return { memoryCost: Math.floor(Number(bytes) / 1024), timeCost: Number(passes), parallelism: 1 };
}

async function magentoStep(typed: string, salt: string, version: string): Promise<Buffer> {
  const cost = magentoCost(version);
  if (cost === null) return joined(MAGENTO_DIGESTS[Number(version)] ?? "", salt, typed);
  const bytes = Buffer.alloc(SODIUM_SALT, salt);
  const { hash: made = "" } = parseArgon2(await hashPassword(typed, { salt: bytes, cost })) ?? {};
  return Buffer.from(made, "base64");
}

const RAW = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;

/** A digest in hexadecimal of the password alone. */
export function parseRawDigest(text: string): Parsed {
  if (!RAW.test(text)) return null;
  const bytes = fromHex(text);
  const format = `raw_${DIGESTS_BY_BYTES.get(bytes.length)}`;
  return digestHash(format, bytes, Buffer.alloc(0), [saltLast]);
}

/** A digest in hexadecimal or base64 beside a salt column; how the two are mixed isn't written anywhere, so what is known is tried. */
export function parseColumnDigest(text: string, salt: string): Parsed {
  const bytes = RAW.test(text) ? fromHex(text) : fromBase64(text);
  if (bytes === null || salt === "" || salt.length > 256) return null;
  const digest = DIGESTS_BY_BYTES.get(bytes.length);
  if (digest === undefined) return null;
  return digestHash(`column_salted_${digest}`, bytes, Buffer.from(salt), COLUMN_RECIPES);
}
