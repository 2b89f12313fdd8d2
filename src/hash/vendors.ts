/** Whose hashes were made of a changed password, as far as no text can show it: settled by the vendor's name alone. It names vendors; it recognizes no text. */

import { defineFlaw, type Flaw } from "./flaw.js";
import type { Step } from "./steps.js";

/** Whether a vendor changes the password before it hashes it. */
export type PreHash = "never" | "possible" | "always";

/** One vendor by whose name a bare bcrypt or argon2 hash is judged. */
export interface Vendor {
  /** What `--from` takes, kebab-case. */
  readonly name: string;
  /** Other names that `--from` takes for it. */
  readonly aliases: readonly string[];
  /** For people. */
  readonly label: string;
  readonly preHash: PreHash;
  /** What it does to the password, as a clause; empty where it does nothing. */
  readonly what: string;
  /** The refusal of its hashes, where it always changes the password; else null. */
  readonly flaw: Flaw | null;
  /** The form of its own that shows a hash of the password as typed, by the step that undoes it. */
  readonly plainStep: Step | null;
}

/** Name, label and aliases of vendors that hash the password as typed. */
const NEVER: readonly (readonly [name: string, label: string, ...aliases: string[]])[] = [
  ["firebase", "Firebase Authentication"],
  ["auth0", "Auth0"],
  ["supabase", "Supabase Auth", "gotrue"],
  ["clerk", "Clerk"],
  ["cognito", "Amazon Cognito"],
  ["keycloak", "Keycloak"],
  ["okta", "Okta"],
  ["fusionauth", "FusionAuth"],
  ["kratos", "Ory Kratos", "ory"],
  ["appwrite", "Appwrite"],
  ["authgear", "Authgear"],
  ["workos", "WorkOS"],
  ["stytch", "Stytch"],
  ["nhost", "Nhost"],
  ["supertokens", "SuperTokens"],
  ["django", "Django"],
  ["spring", "Spring Security", "spring-security"],
  ["laravel", "Laravel"],
  ["rails", "Rails' has_secure_password", "has-secure-password"],
  ["adonisjs", "AdonisJS", "adonis"],
  ["shiro", "Apache Shiro"],
  ["htpasswd", "Apache's htpasswd", "apache"],
  ["dovecot", "Dovecot"],
  ["openldap", "OpenLDAP", "ldap"],
  ["jenkins", "Jenkins"],
  ["mediawiki", "MediaWiki"],
  ["xenforo", "XenForo"],
  ["woltlab", "WoltLab Suite"],
  ["phpbb", "phpBB"],
  ["joomla", "Joomla"],
  ["drupal", "Drupal"],
  ["typo3", "TYPO3"],
  ["flarum", "Flarum"],
  ["craft", "Craft CMS", "craft-cms"],
  ["moodle", "Moodle"],
  ["ghost", "Ghost"],
  ["strapi", "Strapi"],
  ["directus", "Directus"],
  ["parse-server", "Parse Server", "parse"],
  ["mattermost", "Mattermost"],
];

/** Vendors that do, or may do, more. Add one here, with where it is known from. */
const CHANGING: readonly (Pick<Vendor, "name" | "label" | "preHash" | "what"> &
  Partial<Pick<Vendor, "aliases" | "plainStep">>)[] = [
  // accounts-password hashes on the client already.
  {
    name: "meteor",
    label: "Meteor",
    preHash: "always",
    what: "Meteor hashes a SHA-256 of the password, not the password",
  },
  {
    name: "rocketchat",
    aliases: ["rocket-chat", "rocket.chat"],
    label: "Rocket.Chat",
    preHash: "always",
    what: "Rocket.Chat, a Meteor application, hashes a SHA-256 of the password, not the password",
  },
  // Authentication/Passwords.php before 1.0.0-beta.4.
  {
    name: "codeigniter-shield",
    aliases: ["shield"],
    label: "CodeIgniter Shield",
    preHash: "always",
    what: "CodeIgniter Shield before 1.0.0-beta.4 hashed a SHA-384 of the password, and its hashes don't tell by which version they were made",
  },
  {
    name: "myth-auth",
    aliases: ["myth"],
    label: "Myth:Auth",
    preHash: "always",
    what: "Myth:Auth hashes a SHA-384 of the password, not the password",
  },
  {
    name: "bcrypt-net-enhanced",
    aliases: ["bcrypt.net-enhanced"],
    label: "BCrypt.Net's EnhancedHashPassword",
    preHash: "always",
    what: "BCrypt.Net's EnhancedHashPassword hashes a SHA-384 of the password, not the password",
  },
  // SECURITY_PASSWORD_SINGLE_HASH is false by default.
  {
    name: "flask-security",
    aliases: ["flask-security-too"],
    label: "Flask-Security",
    preHash: "always",
    what: "Flask-Security hashes an HMAC of the password under SECURITY_PASSWORD_SALT, not the password",
  },
  {
    name: "flask-bcrypt-long",
    label: "Flask-Bcrypt with BCRYPT_HANDLE_LONG_PASSWORDS",
    preHash: "always",
    what: "with BCRYPT_HANDLE_LONG_PASSWORDS Flask-Bcrypt hashes a SHA-256 of the password, not the password",
  },
  {
    name: "laminas-bcryptsha",
    aliases: ["zend-bcryptsha"],
    label: "Laminas' BcryptSha",
    preHash: "always",
    what: "Laminas' BcryptSha hashes a SHA-256 of the password, not the password",
  },
  {
    name: "vbulletin",
    aliases: ["vbulletin-5"],
    label: "vBulletin 5",
    preHash: "always",
    what: "vBulletin hashes an MD5 of the password, not the password",
  },
  {
    name: "smf",
    aliases: ["smf-2.1", "simple-machines"],
    label: "SMF 2.1",
    preHash: "always",
    what: "SMF hashes the user's name and the password together",
  },
  // user/password.js: sha512 since 1.13; the mark stands in a field of its own.
  {
    name: "nodebb",
    label: "NodeBB",
    preHash: "always",
    what: "NodeBB hashes a SHA-512 of the password wherever password:shaWrapped is set, which the hash alone doesn't show",
    plainStep: "nodebb_hash_taken",
  },
  // Without a version a hash is of the time of passwordsalt (lib/private/Security/Hasher.php).
  {
    name: "nextcloud",
    aliases: ["owncloud"],
    label: "Nextcloud",
    preHash: "always",
    what: "a Nextcloud hash without a version before it was made of the password and the site's passwordsalt",
    plainStep: "nextcloud_version_stripped",
  },
  {
    name: "devise",
    label: "Devise",
    preHash: "possible",
    what: "with config.pepper Devise hashes the password and the pepper together",
  },
  {
    name: "sorcery",
    label: "Sorcery",
    preHash: "possible",
    what: "with a salt column Sorcery hashes the password and the salt together",
  },
  {
    name: "authlogic",
    label: "Authlogic",
    preHash: "possible",
    what: "with a salt column Authlogic hashes the password and the salt together",
  },
  {
    name: "flask",
    label: "Flask",
    preHash: "possible",
    what: "Flask-Security hashes an HMAC of the password; other extensions hash the password",
  },
  {
    name: "flask-bcrypt",
    label: "Flask-Bcrypt",
    preHash: "possible",
    what: "with BCRYPT_HANDLE_LONG_PASSWORDS Flask-Bcrypt hashes a SHA-256 of the password",
  },
  {
    name: "codeigniter",
    label: "CodeIgniter",
    preHash: "possible",
    what: "Myth:Auth and early versions of Shield hash a SHA-384 of the password",
  },
  {
    name: "bcrypt-net",
    aliases: ["bcrypt.net"],
    label: "BCrypt.Net",
    preHash: "possible",
    what: "EnhancedHashPassword hashes a SHA-384 of the password, HashPassword the password",
  },
  {
    name: "synapse",
    aliases: ["matrix-synapse", "matrix"],
    label: "Matrix Synapse",
    preHash: "possible",
    what: "with password_config.pepper Synapse hashes the password and the pepper together",
  },
  {
    name: "wordpress",
    label: "WordPress",
    preHash: "possible",
    what: "WordPress itself marks its bcrypt hashes with $wp; unmarked ones are a plugin's",
  },
  // NativePasswordHasher: only what bcrypt would cut off is hashed with SHA-512 first.
  {
    name: "symfony",
    label: "Symfony",
    preHash: "never",
    what: "only passwords of more than 72 bytes are hashed with SHA-512 first",
  },
  {
    name: "bun",
    label: "Bun's Bun.password",
    preHash: "never",
    what: "only passwords of more than 72 bytes are hashed with SHA-512 first",
  },
  {
    name: "lucia",
    label: "Lucia",
    preHash: "never",
    what: "passwords are brought into Unicode's form NFKC first, which changes few of them",
  },
];

/** All vendors that `--from` knows beside the sources, in the order of the docs. */
export const VENDORS: readonly Vendor[] = [
  ...NEVER.map(
    ([name, label, ...aliases]): Vendor => ({
      name,
      label,
      aliases,
      preHash: "never",
      what: "",
      flaw: null,
      plainStep: null,
    }),
  ),
  ...CHANGING.map((vendor): Vendor => {
    const { aliases = [], plainStep = null, preHash, what } = vendor;
    return { ...vendor, aliases, plainStep, flaw: preHash === "always" ? unmarked(what) : null };
  }),
];

const BY_NAME = new Map(
  VENDORS.flatMap((vendor) => [vendor.name, ...vendor.aliases].map((name) => [name, vendor])),
);

/** @returns the vendor of that name or alias, or null */
export function findVendor(name: string): Vendor | null {
  return BY_NAME.get(name) ?? null;
}

function unmarked(what: string): Flaw {
  return defineFlaw("prehashed_unmarked", what);
}
