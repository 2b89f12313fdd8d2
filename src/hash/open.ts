/** Opens what stands around a hash on purpose: prefixes of frameworks, schemes in braces, containers, credentials as JSON, names of htpasswd. The lists are all that may be dropped (interface.md 2.4, rule 4): any other text may mark a pre-hash. */

import { hashAlgorithmOf, opensAs } from "./grammar.js";
import { CONTAINER_OPENERS } from "./containers.js";
import { openCredential, openJson } from "./credentials/credential.js";
import { decodeBase64, decodeHex, trim, undoDamage } from "./damage.js";
import type { HashAlgorithm, RawHash } from "./hash.js";
import type { Inner, Opener } from "./inner.js";
import type { Step } from "./steps.js";
import { findVendor } from "./vendors.js";

interface Wrapper {
  readonly prefix: string;
  /** What must follow the prefix, or else it isn't this wrapper. */
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
  // WoltLab's PasswordAlgorithmManager; "wcf1:", "wcf2:" and "Vb5argon2:" are something else.
  { prefix: "Bcrypt:", algorithms: BCRYPT, steps: ["woltlab_prefix_stripped"] },
  { prefix: "Argon2:", algorithms: ARGON2, steps: ["woltlab_prefix_stripped"] },
  // Apache Shiro 2's Shiro2CryptFormat and UnixCryptFormat.
  { prefix: "$shiro2", algorithms: EITHER, steps: ["shiro_prefix_stripped"] },
  { prefix: "$unixcrypt", algorithms: BCRYPT, steps: ["shiro_prefix_stripped"] },
  // MediaWiki's Argon2Password; its bcrypt is rebuilt in containers.ts.
  { prefix: ":argon2:", algorithms: ARGON2, steps: ["mediawiki_argon2_stripped"] },
];

/** `{scheme}` and an encoding of what follows, as Dovecot names it: `{BLF-CRYPT.b64}`. */
const SCHEME = /^\{([A-Za-z0-9@_-]{1,40})(?:\.(b64|base64|hex))?\}/i;

/** Spring Security's ids are lower case (DelegatingPasswordEncoder). */
const SPRING_SCHEMES = new Map<string, Omit<Wrapper, "prefix">>([
  ["bcrypt", { algorithms: BCRYPT, steps: ["spring_bcrypt_stripped"] }],
  ["argon2", { algorithms: ARGON2, steps: ["spring_argon2_stripped"] }],
  ["argon2@SpringSecurity_v5_8", { algorithms: ARGON2, steps: ["spring_argon2_stripped"] }],
]);
/** LDAP servers (RFC 2307) and Dovecot take schemes in any case. */
const LDAP_SCHEMES = new Map<string, readonly HashAlgorithm[]>([
  ["CRYPT", EITHER],
  ["BCRYPT", BCRYPT],
  ["BLF-CRYPT", BCRYPT],
  ["ARGON2", ARGON2],
  ["ARGON2I", ARGON2],
  ["ARGON2ID", ARGON2],
  ["ARGON2D", ARGON2],
]);
const LDAP_STEPS: readonly Step[] = ["ldap_scheme_stripped"];

/** LDIF (RFC 2849): one colon before a text, two before base64. Attributes' names have no case (RFC 4512). */
const LDIF_ATTRIBUTE = /^userpassword:\s*/i;

/** A name has no colon (httpd.apache.org/docs/2.4/programs/htpasswd.html), and no hash of the file holds one. `htpasswd -d` writes thirteen signs of DES. */
const HTPASSWD_LINE = /^([^:$\0\r\n]{1,255}):(?=[${]|[./\dA-Za-z]{13}$)/;

/** How many layers (damage, wrappers, credentials) may lie around a hash: more than real files have. */
export const MAX_LAYERS = 6;

/** The order matters: Shiro's container starts as its wrapper does. */
const OPENERS: readonly Opener[] = [
  ...CONTAINER_OPENERS,
  openWrapper,
  openLdifAttribute,
  openScheme,
  openJson,
];

/**
 * What stands inside a text of a known form, or null.
 * @param text without white space around it
 * @param vendor whose hash it is, as `--from` names it, or null
 */
export function openText(text: string, vendor: string | null): Inner | null {
  for (const open of OPENERS) {
    const inner = open(text);
    if (inner !== null) return inner;
  }
  return openHtpasswdLine(text, vendor);
}

/** A hash without what stands around it, whole or not; empty where its parts stand apart. */
export function bareText(raw: RawHash): string {
  if (raw.kind === "vendor_scrypt" || raw.kind === "salted") return raw.hash;
  let text = raw.kind === "text" ? raw.text : textIn(openCredential(raw.credential));
  for (let depth = 0; depth < MAX_LAYERS; depth++) {
    const isOpened = hashAlgorithmOf(text) === null && trim(text) === text;
    const inner = isOpened ? openText(text, null) : null;
    const next = inner === null ? undoDamage(text)?.text : textIn(inner);
    if (next === undefined) break;
    text = next;
  }
  return text;
}

function textIn(inner: Inner): string {
  if (inner.kind === "text") return inner.text;
  return inner.kind === "salted" ? inner.hash : "";
}

/**
 * The rest of a text is known only to open as a listed algorithm. The caller accepts it where the
 * whole of it passes the strict grammar.
 */
function openWrapper(text: string): Inner | null {
  for (const { prefix, algorithms, steps } of WRAPPERS) {
    if (!text.startsWith(prefix)) continue;
    const rest = text.slice(prefix.length);
    if (opensAs(rest, algorithms)) return { kind: "text", text: rest, steps };
  }
  return null;
}

function openLdifAttribute(text: string): Inner | null {
  const attribute = LDIF_ATTRIBUTE.exec(text)?.[0];
  if (attribute === undefined) return null;
  const value = text.slice(attribute.length);
  if (!value.startsWith(":")) {
    return { kind: "text", text: value, steps: ["ldif_attribute_stripped"] };
  }
  const decoded = decodeBase64(value.slice(1).trimStart());
  if (decoded === null) return null;
  return { kind: "text", text: decoded, steps: ["ldif_attribute_stripped", "base64_decoded"] };
}

function openScheme(text: string): Inner | null {
  const [opening, scheme = "", encoding] = SCHEME.exec(text) ?? [];
  if (opening === undefined) return null;
  const spring = SPRING_SCHEMES.get(scheme);
  const algorithms = spring?.algorithms ?? LDAP_SCHEMES.get(scheme.toUpperCase());
  if (algorithms === undefined) return null;
  const steps = spring?.steps ?? LDAP_STEPS;
  const encoded = text.slice(opening.length);
  if (encoding === undefined && opensAs(encoded, algorithms)) {
    return { kind: "text", text: encoded, steps };
  }
  const rest = decode(encoded, encoding);
  if (rest === null || !opensAs(rest.text, algorithms)) return null;
  return { kind: "text", text: rest.text, steps: [...steps, rest.step] };
}

function decode(text: string, encoding: string | undefined): ReturnType<typeof undoDamage> {
  if (encoding === undefined) return undoDamage(text);
  const isHex = encoding.toLowerCase() === "hex";
  const decoded = isHex ? decodeHex(text) : decodeBase64(text);
  if (decoded === null) return null;
  return { text: decoded, step: isHex ? "hex_decoded" : "base64_decoded" };
}

/**
 * The hash of a line of Apache's htpasswd: a user's name and a colon stand before it. Only the
 * operator can say that a file holds such lines, since a name may as well be the mark of a scheme.
 */
function openHtpasswdLine(text: string, vendor: string | null): Inner | null {
  if (vendor === null || findVendor(vendor)?.name !== "htpasswd") return null;
  const [opening] = HTPASSWD_LINE.exec(text) ?? [];
  if (opening === undefined) return null;
  return { kind: "text", text: text.slice(opening.length), steps: ["htpasswd_user_stripped"] };
}
