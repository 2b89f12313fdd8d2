/** Forums, content management and other applications that sites run themselves. Each row tells what the source does to a password before it is hashed. */

import type { Step } from "../steps.js";
import { asTyped, type PlainForm, type VendorRow } from "./vendor.js";

/** Add an application here, with its source: how a form is read counts as well as how it is hashed. */
export const APPLICATIONS: readonly VendorRow[] = [
  asTyped("jenkins", "Jenkins", "jenkinsci/jenkins: HudsonPrivateSecurityRealm.java"),
  asTyped("joomla", "Joomla", "joomla/joomla-cms: UserHelper.php"),
  asTyped("flarum", "Flarum", "flarum/framework: src/User/User.php"),
  asTyped("craft", "Craft CMS", "craftcms/cms: src/services/Security.php", "craft-cms"),
  asTyped("moodle", "Moodle", "moodle/moodle: moodlelib.php (hash_internal_user_password)"),
  asTyped("ghost", "Ghost", "TryGhost/framework: packages/security/lib/password.js"),
  asTyped("strapi", "Strapi", "strapi/strapi: services/auth.ts"),
  asTyped("directus", "Directus", "directus/directus: generate-hash.ts"),
  asTyped("parse-server", "Parse Server", "parse-community/parse-server: src/password.js", "parse"),
  asTyped("mattermost", "Mattermost", "mattermost/mattermost: password/hashers/bcrypt.go"),
  {
    name: "drupal",
    label: "Drupal",
    preHash: "never",
    what: "white space around a password is dropped first",
    source: "drupal/drupal: PhpPassword.php, UserLoginForm.php",
  },
  {
    name: "xenforo",
    label: "XenForo",
    preHash: "never",
    what: "white space around a password and control characters are dropped first, on older forums emoji, too",
    source: "XenForo 2: Core12.php, InputFilterer.php",
  },
  {
    name: "mediawiki",
    label: "MediaWiki",
    preHash: "possible",
    what: "MediaWiki marks its hashes, and one whose mark is gone may be of an older hash; passwords are brought into Unicode's form NFC first",
    source: "wikimedia/mediawiki: BcryptPassword.php, WebRequest.php (normalizeUnicode)",
  },
  {
    name: "phpbb",
    label: "phpBB",
    preHash: "possible",
    what: "phpBB writes &, <, > and \" in a password as HTML does (&amp;), and in Unicode's form NFC, before it hashes it",
    source: "phpbb/phpbb: type_cast_helper.php (set_var)",
  },
  {
    name: "wordpress",
    label: "WordPress",
    preHash: "possible",
    what: "WordPress itself marks its bcrypt hashes with $wp; unmarked ones are a plugin's",
    source: "WordPress/wordpress-develop: pluggable.php (wp_hash_password)",
  },
  {
    name: "synapse",
    aliases: ["matrix-synapse", "matrix"],
    label: "Matrix Synapse",
    preHash: "possible",
    what: "with password_config.pepper Synapse hashes the password and the pepper together",
    source: "element-hq/synapse: handlers/auth.py",
  },
  {
    name: "woltlab",
    label: "WoltLab Suite",
    preHash: "always",
    what: "a WoltLab hash without a name before it is bcrypt of a bcrypt hash of the password, not of the password",
    plain: { what: "behind Bcrypt: or Argon2:", shows: undone("woltlab_prefix_stripped") },
    source:
      "WoltLab/WCF: DoubleBcrypt.class.php (isLegacyDoubleBcrypt), Bcrypt.class.php, Argon2.class.php",
  },
  {
    name: "typo3",
    label: "TYPO3",
    preHash: "always",
    what: "since version 9 TYPO3's bcrypt hashes are of a SHA-384 of the password, not of the password",
    plain: {
      what: "argon2, and $2a$ of a cost below 10, as older versions wrote it",
      // BcryptPasswordHash writes $2y$ and takes no cost below 10; BlowfishPasswordHash wrote $2a$07$.
      shows: ({ algorithm, hash, steps }) =>
        algorithm === "argon2" ||
        (!steps.some((step) => step.startsWith("bcrypt_2")) && /^\$2a\$0/.test(hash)),
    },
    source:
      "TYPO3/typo3: BcryptPasswordHash.php, AbstractArgon2PasswordHash.php, BlowfishPasswordHash.php",
  },
  {
    name: "rocketchat",
    aliases: ["rocket-chat", "rocket.chat"],
    label: "Rocket.Chat",
    preHash: "always",
    what: "Rocket.Chat, a Meteor application, hashes a SHA-256 of the password, not the password",
    source: "meteor/meteor: password_server.js",
  },
  {
    name: "vbulletin",
    aliases: ["vbulletin-5"],
    label: "vBulletin 5",
    preHash: "always",
    what: "vBulletin hashes an MD5 of the password, not the password",
    source: "WoltLab/WCF, which imports them: Vb5Bcrypt.class.php, Vb5Argon2.class.php",
  },
  {
    name: "smf",
    aliases: ["smf-2.1", "simple-machines"],
    label: "SMF 2.1",
    preHash: "always",
    what: "SMF hashes the user's name and the password together",
    source: "SimpleMachines/SMF: Subs-Auth.php (hash_password)",
  },
  {
    name: "nodebb",
    label: "NodeBB",
    preHash: "always",
    what: "NodeBB hashes a SHA-512 of the password wherever password:shaWrapped is set, which the hash alone doesn't show",
    plain: { what: "a user object without that mark", shows: undone("nodebb_hash_taken") },
    source: "NodeBB/NodeBB: src/password.js, src/user/password.js",
  },
  {
    name: "nextcloud",
    aliases: ["owncloud"],
    label: "Nextcloud",
    preHash: "always",
    what: "a Nextcloud hash without a version before it was made of the password and the site's passwordsalt",
    plain: { what: "behind 1|, 2| or 3|", shows: undone("nextcloud_version_stripped") },
    source: "nextcloud/server: lib/private/Security/Hasher.php",
  },
];

/** Whether a step took off a form that only hashes of the password as typed have. */
function undone(step: Step): PlainForm["shows"] {
  return ({ steps }) => steps.includes(step);
}
