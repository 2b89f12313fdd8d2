/** The allow-list of texts that frameworks put before a standard hash and that may be dropped (interface.md 2.4, rule 4). What isn't listed stays: it may mark a pre-hash. */

import { opensAs } from "./algorithm.js";
import { decodeBase64 } from "./damage.js";
import type { HashAlgorithm } from "./hash.js";
import type { Opener } from "./inner.js";
import type { Step } from "./steps.js";

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

/** LDIF (RFC 2849): one colon before a text, two before base64. Attributes' names have no case (RFC 4512). */
const LDIF_ATTRIBUTE = /^userpassword:/i;

/**
 * The wrappers. The rest of a text is known only to open as a listed algorithm. The caller accepts
 * it where the whole of it passes the strict grammar.
 */
export const WRAPPER_OPENERS: readonly Opener[] = [
  ...WRAPPERS.map(
    ({ prefix, algorithms, steps }): Opener => ({
      opens: [prefix],
      open(text) {
        const rest = text.startsWith(prefix) ? text.slice(prefix.length) : "";
        return opensAs(rest, algorithms) ? { kind: "text", text: rest, steps } : null;
      },
    }),
  ),
  {
    opens: ["u", "U"],
    open(text) {
      const attribute = LDIF_ATTRIBUTE.exec(text)?.[0];
      if (attribute === undefined) return null;
      const value = text.slice(attribute.length).trimStart();
      const stripped = ["ldif_attribute_stripped"] as const;
      if (!value.startsWith(":")) return { kind: "text", text: value, steps: stripped };
      const decoded = decodeBase64(value.slice(1).trimStart());
      if (decoded === null) return null;
      return { kind: "text", text: decoded, steps: [...stripped, "base64_decoded"] };
    },
  },
];
