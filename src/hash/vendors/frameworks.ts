/** Frameworks and libraries for applications of one's own. Each row tells what the source does to a password before it is hashed. */

import { asTyped, type VendorRow } from "./vendor.js";

const BCRYPT_NET = "BcryptNet/bcrypt.net: BCrypt.cs";
const FLASK_BCRYPT = "maxcountryman/flask-bcrypt: flask_bcrypt.py";
const FLASK_SECURITY = "pallets-eco/flask-security: flask_security/utils.py (get_hmac)";
const MYTH_AUTH = "lonnieezell/myth-auth: src/Password.php";
const SHIELD = "codeigniter4/shield: UPGRADING.md (1.0.0-beta.3 to 1.0.0-beta.4)";
const SHA512_FIRST = "only passwords of more than 72 bytes are hashed with SHA-512 first";

/** Add a framework here, with its source. */
export const FRAMEWORKS: readonly VendorRow[] = [
  asTyped(
    "spring",
    "Spring Security",
    "spring-projects/spring-security: BCryptPasswordEncoder.java",
    "spring-security",
  ),
  asTyped("laravel", "Laravel", "laravel/framework: BcryptHasher.php"),
  asTyped(
    "rails",
    "Rails' has_secure_password",
    "rails/rails: secure_password.rb",
    "has-secure-password",
  ),
  asTyped("adonisjs", "AdonisJS", "adonisjs/hash: src/drivers/bcrypt.ts", "adonis"),
  asTyped("shiro", "Apache Shiro", "apache/shiro: BCryptHash.java"),
  {
    name: "symfony",
    label: "Symfony",
    preHash: "never",
    what: SHA512_FIRST,
    source: "symfony/symfony: NativePasswordHasher.php",
  },
  {
    name: "bun",
    label: "Bun's Bun.password",
    preHash: "never",
    what: SHA512_FIRST,
    source: "oven-sh/bun: PasswordObject.zig",
  },
  {
    name: "lucia",
    label: "Lucia",
    preHash: "never",
    what: "passwords are brought into Unicode's form NFKC first, which changes few of them",
    source: "pilcrowonpaper/oslo: src/password/bcrypt.ts",
  },
  {
    name: "django",
    label: "Django",
    preHash: "possible",
    what: "Django marks its hashes, and one whose mark is gone may be of a SHA-256 of the password (bcrypt_sha256)",
    source: "django/django: docs/topics/auth/passwords.txt",
  },
  {
    name: "meteor",
    label: "Meteor",
    preHash: "always",
    what: "Meteor hashes a SHA-256 of the password, not the password",
    source: "meteor/meteor: password_server.js",
  },
  {
    name: "codeigniter-shield",
    aliases: ["shield"],
    label: "CodeIgniter Shield",
    preHash: "possible",
    what: "before 1.0.0-beta.4 Shield hashed a SHA-384 of the password, and its hashes don't tell by which version they were made",
    source: SHIELD,
  },
  {
    name: "myth-auth",
    aliases: ["myth"],
    label: "Myth:Auth",
    preHash: "always",
    what: "Myth:Auth hashes a SHA-384 of the password, not the password",
    source: MYTH_AUTH,
  },
  {
    name: "codeigniter",
    label: "CodeIgniter",
    preHash: "possible",
    what: "Myth:Auth and early versions of Shield hash a SHA-384 of the password",
    source: `${MYTH_AUTH}; ${SHIELD}`,
  },
  {
    name: "bcrypt-net-enhanced",
    aliases: ["bcrypt.net-enhanced"],
    label: "BCrypt.Net's EnhancedHashPassword",
    preHash: "always",
    what: "BCrypt.Net's EnhancedHashPassword hashes a SHA-384 of the password, not the password",
    source: BCRYPT_NET,
  },
  {
    name: "bcrypt-net",
    aliases: ["bcrypt.net"],
    label: "BCrypt.Net",
    preHash: "possible",
    what: "EnhancedHashPassword hashes a SHA-384 of the password, HashPassword the password",
    source: BCRYPT_NET,
  },
  {
    name: "flask-security",
    aliases: ["flask-security-too"],
    label: "Flask-Security",
    preHash: "always",
    what: "Flask-Security hashes an HMAC of the password under SECURITY_PASSWORD_SALT, not the password",
    source: FLASK_SECURITY,
  },
  {
    name: "flask-bcrypt-long",
    label: "Flask-Bcrypt with BCRYPT_HANDLE_LONG_PASSWORDS",
    preHash: "always",
    what: "with BCRYPT_HANDLE_LONG_PASSWORDS Flask-Bcrypt hashes a SHA-256 of the password, not the password",
    source: FLASK_BCRYPT,
  },
  {
    name: "flask-bcrypt",
    label: "Flask-Bcrypt",
    preHash: "possible",
    what: "with BCRYPT_HANDLE_LONG_PASSWORDS Flask-Bcrypt hashes a SHA-256 of the password",
    source: FLASK_BCRYPT,
  },
  {
    name: "flask",
    label: "Flask",
    preHash: "possible",
    what: "Flask-Security hashes an HMAC of the password; other extensions hash the password",
    source: `${FLASK_SECURITY}; ${FLASK_BCRYPT}`,
  },
  {
    name: "laminas-bcryptsha",
    aliases: ["zend-bcryptsha"],
    label: "Laminas' BcryptSha",
    preHash: "always",
    what: "Laminas' BcryptSha hashes a SHA-256 of the password, not the password",
    source: "laminas/laminas-crypt: BcryptSha.php",
  },
  {
    name: "devise",
    label: "Devise",
    preHash: "possible",
    what: "with config.pepper Devise hashes the password and the pepper together",
    source: "heartcombo/devise: encryptor.rb",
  },
  {
    name: "sorcery",
    label: "Sorcery",
    preHash: "possible",
    what: "with a salt column Sorcery hashes the password and the salt together",
    source: "Sorcery/sorcery: crypto_providers/bcrypt.rb",
  },
  {
    name: "authlogic",
    label: "Authlogic",
    preHash: "possible",
    what: "with a salt column Authlogic hashes the password and the salt together",
    source: "binarylogic/authlogic: acts_as_authentic/password.rb",
  },
];
