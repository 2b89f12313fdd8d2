/** The known ways in which vendors change a password before they hash it, for a proof to try them on a given password. */

import { createHmac, hash as digest } from "node:crypto";
import { hashAlgorithmOf } from "./grammar.js";
import { BCRYPT_SALT } from "./bcrypt.js";
import { addSlashes, escapeHtml, trimAsPhp } from "./php-text.js";
import { bcryptUnder } from "./verify.js";

/** What a pre-hash may mix into the password. */
export interface PreHashContext {
  /** The normalized hash: one form takes bcrypt's own salt as a key. */
  readonly hash: string;
  /** Names under which the user may have signed in at the vendor: email, its local part, id. */
  readonly userNames: readonly string[];
  /** What the site or the row adds: a pepper, `SECURITY_PASSWORD_SALT`, a salt column. */
  readonly salts: readonly string[];
}

/** What is hashed in the password's place; beside it argon2's secret key where it has one. */
type Changed =
  | string
  | Buffer
  | { readonly password: string | Buffer; readonly argon2Secret: string };

/** One way of changing a password. */
export interface PreHashForm {
  /** Stable, snake_case: what is done to the password. */
  readonly name: string;
  /** Who does it, for people; several where they do the same. */
  readonly who: string;
  /** Those of them that `--from` knows. */
  readonly vendors: readonly string[];
  /** What it can't be tried without, beside the password; left out where nothing is needed. */
  readonly needs?: "salt" | "user_name";
  /** How many hashes trying it costs at most, for each user name where it needs one; 1 by default. */
  readonly tries?: number;
  /** What it is, as a clause about the password ("a SHA-256 of the password"). */
  readonly what: string;
  /** What is hashed in the password's place; several where one is as likely as the other. */
  readonly candidates: (
    password: string,
    context: PreHashContext,
  ) => readonly Changed[] | Promise<readonly Changed[]>;
}

/** A changed password to try, and the form that made it. */
export interface PreHashCandidate {
  readonly form: PreHashForm;
  readonly password: string | Buffer;
  /** Null without one. */
  readonly argon2Secret: string | null;
}

const BCRYPT_BYTES = 72;
const HMACS = ["sha384", "sha256", "sha512"];

/** Add a form here, with where it comes from. The likelier ones first: each costs one hash to try. */
export const PRE_HASH_FORMS: readonly PreHashForm[] = [
  {
    // Meteor's accounts-password, Laminas\Crypt\Password\BcryptSha, Flask-Bcrypt's
    // BCRYPT_HANDLE_LONG_PASSWORDS, Django's BCryptSHA256PasswordHasher.
    name: "sha256_hex",
    who: "Meteor and Rocket.Chat, Flask-Bcrypt with BCRYPT_HANDLE_LONG_PASSWORDS, Laminas BcryptSha, Django's bcrypt_sha256",
    vendors: [
      "meteor",
      "rocketchat",
      "flask-bcrypt-long",
      "laminas-bcryptsha",
      "flask-bcrypt",
      "django",
    ],
    what: "a SHA-256 of the password, in hex",
    candidates: (password) => [digest("sha256", password, "hex")],
  },
  {
    // BCrypt.Net's EnhancedHashPassword, CodeIgniter's Myth:Auth and Shield before 1.0.0-beta.4,
    // TYPO3's BcryptPasswordHash.
    name: "sha384_base64",
    who: "TYPO3, BCrypt.Net's EnhancedHashPassword, CodeIgniter Shield (early) and Myth:Auth",
    vendors: [
      "typo3",
      "bcrypt-net-enhanced",
      "codeigniter-shield",
      "myth-auth",
      "codeigniter",
      "bcrypt-net",
    ],
    what: "a SHA-384 of the password, in base64",
    candidates: (password) => [digest("sha384", password, "base64")],
  },
  {
    // vBulletin 5's "blowfish" tokens; TYPO3's M$ and Drupal's U$ wrap old hashes the same way.
    name: "md5_hex",
    who: "vBulletin 5, and TYPO3 and Drupal for accounts from before their upgrade",
    vendors: ["vbulletin"],
    what: "an MD5 of the password, in hex",
    candidates: (password) => [digest("md5", password, "hex")],
  },
  {
    // flask_security.utils.get_hmac, on by default (SECURITY_PASSWORD_SINGLE_HASH).
    name: "hmac_sha512_base64",
    needs: "salt",
    who: "Flask-Security",
    vendors: ["flask-security", "flask"],
    what: "an HMAC-SHA-512 of the password under SECURITY_PASSWORD_SALT, in base64",
    candidates: (password, { salts }) =>
      salts.map((salt) => createHmac("sha512", salt).update(password).digest("base64")),
  },
  {
    name: "user_name_before",
    needs: "user_name",
    who: "SMF 2.1",
    vendors: ["smf"],
    what: "the password behind the user's name in lower case",
    candidates: (password, { userNames }) => userNames.map((name) => name.toLowerCase() + password),
  },
  {
    // wp_hash_password since 6.8; its own hashes carry $wp, which was taken off here.
    name: "wordpress_hmac_sha384",
    who: "WordPress 6.8 and later",
    vendors: ["wordpress"],
    what: "an HMAC-SHA-384 of the password under a fixed key, in base64",
    tries: 2,
    candidates: (password) =>
      [...new Set([password, addSlashes(password)])].map((one) =>
        createHmac("sha384", "wp-sha384").update(trimAsPhp(one)).digest("base64"),
      ),
  },
  {
    // wp_signon takes the password as wp_magic_quotes left it, and so do the forms that set one.
    name: "slashed",
    who: "WordPress, also by plugins that hash otherwise",
    vendors: ["wordpress"],
    what: "the password with a backslash before each quotation mark and backslash",
    candidates: (password) => [addSlashes(password)],
  },
  {
    // passlib.hash.bcrypt_sha256: version 1 a bare digest, version 2 keyed with bcrypt's salt.
    name: "passlib_sha256_base64",
    tries: 2,
    who: "passlib's bcrypt_sha256",
    vendors: [],
    what: "a SHA-256 of the password, in base64",
    candidates: (password, { hash }) => [
      ...(hashAlgorithmOf(hash) === "bcrypt"
        ? [
            createHmac("sha256", hash.slice(BCRYPT_SALT.start, BCRYPT_SALT.end))
              .update(password)
              .digest("base64"),
          ]
        : []),
      digest("sha256", password, "base64"),
    ],
  },
  {
    name: "sha512_hex",
    who: "NodeBB",
    vendors: ["nodebb"],
    what: "a SHA-512 of the password, in hex",
    candidates: (password) => [digest("sha512", password, "hex")],
  },
  {
    name: "salt_joined",
    tries: 2,
    needs: "salt",
    who: "Devise and Synapse with a pepper, Sorcery and Authlogic with a salt column, old Nextcloud",
    vendors: ["devise", "synapse", "sorcery", "authlogic", "nextcloud"],
    what: "the password joined with a pepper or a salt",
    candidates: (password, { salts }) =>
      salts.flatMap((salt) => [password + salt, salt + password]),
  },
  {
    // OWASP's Password Storage Cheat Sheet, "Peppering": bcrypt(base64(hmac-sha384(password, pepper))).
    name: "hmac_pepper",
    tries: 9,
    needs: "salt",
    who: "an application with a pepper, as OWASP advises",
    vendors: [],
    what: "an HMAC of the password under a pepper",
    candidates: (password, { salts }) =>
      salts.flatMap((salt) =>
        HMACS.flatMap((algorithm) => {
          const bytes = createHmac(algorithm, salt).update(password).digest();
          return [bytes.toString("base64"), bytes.toString("hex"), bytes];
        }),
      ),
  },
  {
    name: "argon2_secret",
    needs: "salt",
    who: "an application that gives argon2 a secret key",
    vendors: [],
    what: "the password and argon2's secret key",
    candidates: (password, { hash, salts }) =>
      hashAlgorithmOf(hash) === "argon2"
        ? salts.map((argon2Secret) => ({ password, argon2Secret }))
        : [],
  },
  {
    // type_cast_helper::set_var: htmlspecialchars, then NFC.
    name: "html_escaped",
    tries: 2,
    who: "phpBB, and applications that escape HTML before they hash",
    vendors: ["phpbb"],
    what: "the password with its &, <, > and quotation marks written as HTML does",
    candidates: (password) =>
      escapeHtml(password)
        .filter((escaped) => escaped !== password)
        .map((escaped) => escaped.normalize("NFC")),
  },
  {
    // WoltLab's DoubleBcrypt, under the salt of the stored hash; crypt writes its identifier inside, too.
    name: "bcrypt_twice",
    tries: 3,
    who: "WoltLab Suite before 5.4",
    vendors: ["woltlab"],
    what: "a bcrypt hash of the password under the same salt",
    async candidates(password, { hash }) {
      if (hashAlgorithmOf(hash) !== "bcrypt" || password.includes("\0")) return [];
      const inner = await bcryptUnder(hash, password);
      return [inner, inner.replace("$2a$", "$2y$")];
    },
  },
  {
    // Symfony's NativePasswordHasher; a password that fits bcrypt is hashed as it is.
    name: "long_sha512_base64",
    who: "Symfony, for passwords of more than 72 bytes",
    vendors: ["symfony"],
    what: "a SHA-512 of the password, in base64",
    candidates: (password) => (isLong(password) ? [digest("sha512", password, "base64")] : []),
  },
  {
    // Bun.password hashes such a password's digest as raw bytes.
    name: "long_sha512_bytes",
    who: "Bun, for passwords of more than 72 bytes",
    vendors: ["bun"],
    what: "the bytes of a SHA-512 of the password",
    candidates: (password) => (isLong(password) ? [digest("sha512", password, "buffer")] : []),
  },
  {
    name: "trimmed",
    tries: 2,
    who: "Drupal, XenForo, and applications that cut off white space around passwords",
    vendors: ["drupal", "xenforo"],
    what: "the password without the white space around it",
    candidates: (password) => [trimAsPhp(password), password.trim()],
  },
  {
    // Synapse and Lucia use NFKC, MediaWiki and phpBB NFC.
    name: "unicode_normalized",
    tries: 3,
    who: "MediaWiki, phpBB, Lucia, Synapse, and applications that bring passwords into a Unicode normalization form",
    vendors: ["synapse", "lucia", "mediawiki", "phpbb"],
    what: "the password in another Unicode normalization form",
    candidates: (password) => [
      password.normalize("NFC"),
      password.normalize("NFKC"),
      password.normalize("NFD"),
    ],
  },
  {
    name: "latin1_bytes",
    who: "an application that stores text as Latin-1",
    vendors: [],
    what: "the password's Latin-1 bytes",
    candidates: (password) =>
      /^[\0-\xff]*$/.test(password) ? [Buffer.from(password, "latin1")] : [],
  },
];

/**
 * Everything that may have been hashed in a password's place by these forms, or any, the likelier
 * first. What came before, or was `tried`, isn't tried again.
 */
export async function* preHashCandidates(
  password: string,
  context: PreHashContext,
  forms: readonly PreHashForm[] = PRE_HASH_FORMS,
  tried: readonly string[] = [password],
): AsyncGenerator<PreHashCandidate> {
  const seen = new Set(tried.map((one) => keyOf(one, null)));
  for (const form of forms) {
    for (const changed of await form.candidates(password, context)) {
      const isKeyed = typeof changed === "object" && "argon2Secret" in changed;
      const candidate = isKeyed ? changed : { password: changed, argon2Secret: null };
      const key = keyOf(candidate.password, candidate.argon2Secret);
      if (seen.has(key)) continue;
      seen.add(key);
      yield { form, ...candidate };
    }
  }
}

function keyOf(password: string | Buffer, secret: string | null): string {
  return JSON.stringify([Buffer.from(password).toString("latin1"), secret]);
}

function isLong(password: string): boolean {
  return Buffer.byteLength(password) > BCRYPT_BYTES;
}
