/** The allow-list of texts that frameworks put before a standard hash and that may be dropped (interface.md 2.4, rule 4). What isn't listed stays: it may mark a pre-hash. */

import { hashAlgorithmOf } from "./algorithm.js";
import { byOpening, openingOf } from "./by-opening.js";
import { decodeBase64, decodeHex } from "./damage.js";
import type { HashAlgorithm } from "./hash.js";
import type { Inner } from "./inner.js";
import type { Step } from "./steps.js";
import { findVendor } from "./vendors.js";

interface Wrapper {
  readonly prefix: string;
  /** What must follow; anything else, and the prefix isn't this wrapper. */
  readonly algorithms: readonly HashAlgorithm[];
  /** The step's name, one list for all rows. */
  readonly steps: readonly Step[];
}

const BCRYPT = ["bcrypt"] as const;
const ARGON2 = ["argon2"] as const;
const EITHER = ["bcrypt", "argon2"] as const;

/** Add a wrapper here, with where it comes from, and its step in steps.ts. */
const WRAPPERS: readonly Wrapper[] = [
  // Django's hashers write "<algorithm>$<hash>" (docs.djangoproject.com, "How Django stores passwords").
  { prefix: "bcrypt$", algorithms: BCRYPT, steps: ["django_bcrypt_stripped"] },
  { prefix: "argon2", algorithms: ARGON2, steps: ["django_argon2_stripped"] },
  // Nextcloud's Hasher: 1 is bcrypt, 2 argon2i, 3 argon2id (lib/private/Security/Hasher.php).
  { prefix: "1|", algorithms: BCRYPT, steps: ["nextcloud_version_stripped"] },
  { prefix: "2|", algorithms: ARGON2, steps: ["nextcloud_version_stripped"] },
  { prefix: "3|", algorithms: ARGON2, steps: ["nextcloud_version_stripped"] },
  // Jenkins' HudsonPrivateSecurityRealm.
  { prefix: "#jbcrypt:", algorithms: BCRYPT, steps: ["jenkins_prefix_stripped"] },
  // WoltLab's PasswordAlgorithmManager; "wcf1:" and "wcf2:" are something else.
  { prefix: "Bcrypt:", algorithms: BCRYPT, steps: ["woltlab_prefix_stripped"] },
  // Apache Shiro 2's Shiro2CryptFormat and UnixCryptFormat.
  { prefix: "$shiro2", algorithms: EITHER, steps: ["shiro_prefix_stripped"] },
  { prefix: "$unixcrypt", algorithms: BCRYPT, steps: ["shiro_prefix_stripped"] },
  // MediaWiki's Argon2Password; its bcrypt is rebuilt in containers.ts.
  { prefix: ":argon2:", algorithms: ARGON2, steps: ["mediawiki_argon2_stripped"] },
];

const NONE: readonly Wrapper[] = [];
const BY_OPENING = byOpening(WRAPPERS, ({ prefix }) => [prefix]);

/** `{scheme}` and an encoding of what follows, as Dovecot names it: `{BLF-CRYPT.b64}`. */
const SCHEME = /^\{([A-Za-z0-9@_-]{1,40})(?:\.(b64|base64|hex))?\}/i;

/**
 * Spring Security's ids are lower case (DelegatingPasswordEncoder); LDAP servers (RFC 2307) and
 * Dovecot take schemes in any case.
 */
const SPRING_SCHEMES = new Map<string, Omit<Wrapper, "prefix">>([
  ["bcrypt", { algorithms: BCRYPT, steps: ["spring_bcrypt_stripped"] }],
  ["argon2", { algorithms: ARGON2, steps: ["spring_argon2_stripped"] }],
  ["argon2@SpringSecurity_v5_8", { algorithms: ARGON2, steps: ["spring_argon2_stripped"] }],
]);
const LDAP_SCHEMES = new Map<string, readonly HashAlgorithm[]>([
  ["CRYPT", EITHER],
  ["BCRYPT", BCRYPT],
  ["BLF-CRYPT", BCRYPT],
  ["ARGON2", ARGON2],
  ["ARGON2I", ARGON2],
  ["ARGON2ID", ARGON2],
]);
const LDAP_STEPS: readonly Step[] = ["ldap_scheme_stripped"];
const DECODERS = new Map<string, { decode: (text: string) => string | null; step: Step }>([
  ["b64", { decode: decodeBase64, step: "base64_decoded" }],
  ["base64", { decode: decodeBase64, step: "base64_decoded" }],
  ["hex", { decode: decodeHex, step: "hex_decoded" }],
]);

/** LDIF (RFC 2849): one colon before a text, two before base64. */
const LDIF_ATTRIBUTE = "userPassword:";

/** Apache's htpasswd lines: `user:` before what `htpasswd -B` and its default write, and no other. */
const HTPASSWD = /^([^\s:$\0]{1,255}):(?=\$(?:2y|apr1)\$)/;

/** What is surely a person's name: no version (`v2`, `type1`), no initial. */
const PERSON = /^[a-z][\w.@+'-]*[a-z]$/i;

/** Words that mark a scheme and not a person; `sha1`, `wcf2` and `v1` are split at their digits. */
const SCHEME_WORDS = new Set(
  (
    "md sha ssha hmac pbkdf argon scrypt bcrypt crypt cryptmd blowfish bf nt ntlm lm ripemd whirlpool blake keccak " +
    "hash hashed rehash rehashed prehash prehashed pre wrapped layered double pepper peppered salt salted plain raw " +
    "password pass pw pwd legacy old migrated imported upgraded v ver version type base hex utf ascii nfkc trim lower " +
    "wcf wbb wp wordpress vb vbulletin ipb mybb smf phpbb joomla xf xenforo drupal typo phpass php phpfox django ldap " +
    "cake encrypted enc aes"
  ).split(" "),
);

/**
 * What stands inside a listed wrapper, or null. The rest is known to open as a listed algorithm
 * only; the caller accepts it when the whole of it passes the strict grammar, and not otherwise.
 * @param vendor whose hash it is, as `--from` names it: a name before htpasswd's needs no guess then
 */
export function unwrap(text: string, vendor: string | null): Inner | null {
  if (text.charAt(0) === "{") return unwrapScheme(text);
  return unwrapPrefix(text) ?? unwrapLdif(text) ?? unwrapHtpasswd(text, vendor);
}

function unwrapPrefix(text: string): Inner | null {
  for (const { prefix, algorithms, steps } of BY_OPENING.get(openingOf(text)) ?? NONE) {
    if (!text.startsWith(prefix)) continue;
    const rest = text.slice(prefix.length);
    if (opensAs(rest, algorithms)) return { kind: "text", text: rest, steps };
  }
  return null;
}

function unwrapScheme(text: string): Inner | null {
  const [opening, scheme, encoding] = SCHEME.exec(text) ?? [];
  if (opening === undefined || scheme === undefined) return null;
  const ldap = LDAP_SCHEMES.get(scheme.toUpperCase());
  const known =
    SPRING_SCHEMES.get(scheme) ?? (ldap && { algorithms: ldap, steps: LDAP_STEPS }) ?? null;
  if (known === null) return null;
  const encoded = text.slice(opening.length);
  const decoder = DECODERS.get((encoding ?? "").toLowerCase());
  const rest = decoder === undefined ? encoded : decoder.decode(encoded);
  if (rest === null || !opensAs(rest, known.algorithms)) return null;
  const steps = decoder === undefined ? known.steps : [...known.steps, decoder.step];
  return { kind: "text", text: rest, steps };
}

function unwrapLdif(text: string): Inner | null {
  if (!text.startsWith(LDIF_ATTRIBUTE)) return null;
  const isEncoded = text.charAt(LDIF_ATTRIBUTE.length) === ":";
  const value = text.slice(LDIF_ATTRIBUTE.length + (isEncoded ? 1 : 0)).trimStart();
  if (!isEncoded) return { kind: "text", text: value, steps: ["ldif_attribute_stripped"] };
  const decoded = decodeBase64(value);
  if (decoded === null) return null;
  return { kind: "text", text: decoded, steps: ["ldif_attribute_stripped", "base64_decoded"] };
}

function unwrapHtpasswd(text: string, vendor: string | null): Inner | null {
  if (text.charAt(text.indexOf(":") + 1) !== "$") return null;
  const [opening, user] = HTPASSWD.exec(text) ?? [];
  if (opening === undefined || user === undefined) return null;
  const isNamed = vendor !== null && findVendor(vendor)?.name === "htpasswd";
  if (!isNamed && !isPerson(user)) return null;
  return { kind: "text", text: text.slice(opening.length), steps: ["htpasswd_user_stripped"] };
}

function isPerson(user: string): boolean {
  const words = user.toLowerCase().split(/[^a-z]+/);
  return PERSON.test(user) && !words.some((word) => SCHEME_WORDS.has(word));
}

function opensAs(text: string, algorithms: readonly HashAlgorithm[]): boolean {
  const algorithm = hashAlgorithmOf(text);
  return algorithm !== null && algorithms.includes(algorithm);
}
