/** Forms that are accepted: hashes as they are, in frameworks' wrappers, in vendors' containers and credentials. */

import { ACCOUNT, type HashForm } from "./form.js";

export const STANDARD_FORMS: readonly HashForm[] = [
  { form: "bcrypt of Java, Ruby, Go and Node.js", example: "$2a$10$<53>", gives: [] },
  {
    form: "bcrypt of OpenBSD, Python and Node.js, Auth0",
    example: "$2b$10$<53>",
    gives: ["bcrypt_2b_to_2a"],
  },
  {
    form: "bcrypt of PHP (Laravel, Symfony, Joomla, Drupal, Flarum)",
    example: "$2y$10$<53>",
    gives: ["bcrypt_2y_to_2a"],
  },
  {
    form: "bcrypt of PHP before 5.3.7, with `--allow-hash 2x`",
    example: "$2x$10$<53>",
    allowHash: ["2x"],
    gives: ["bcrypt_2x_to_2a"],
  },
  {
    form: "bcrypt whose salt has spare bits set (passlib before 1.5.3, salts made by hand)",
    example: "$2a$10$kWru01o9W3Sr.n9VuWmdDP<31>",
    gives: ["bcrypt_salt_bits_cleared"],
  },
  { form: "argon2", example: "$argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash>", gives: [] },
  {
    form: "argon2 of version 1.0, which has none written",
    example: "$argon2i$m=65536,t=3,p=4$<salt>$<hash>",
    gives: [],
  },
  {
    form: "argon2 of npm's argon2 since 0.45, of @phc/argon2 and AdonisJS",
    example: "$argon2id$v=19$m=65536,p=4,t=3$<salt>$<hash>",
    gives: ["argon2_parameters_ordered"],
  },
  {
    form: "argon2 in padded or url-safe base64",
    example: "$argon2id$v=19$m=65536,t=3,p=4$<salt>$<url-safe>",
    gives: ["argon2_base64_standard"],
  },
  {
    form: "vendor scrypt",
    example: "$f_scrypt$<f-hash>$<f-salt>$m=14$r=8$s=Bw==",
    gives: [],
  },
  {
    form: "vendor scrypt with its parameters in another order",
    example: "$f_scrypt$<f-hash>$<f-salt>$s=Bw==$r=8$m=14",
    gives: ["vendor_scrypt_parameters_ordered"],
  },
  {
    form: "vendor scrypt whose separator's padding a core would misread",
    example: "$f_scrypt$<f-hash>$<f-salt>$m=14$r=8$s=AAs=",
    gives: ["vendor_scrypt_separator_unpadded"],
  },
  {
    form: "Firebase `auth:export`, with `--hash-config`",
    example: "<f-hash>",
    salt: "<f-salt>",
    hashConfig: ACCOUNT,
    gives: ["vendor_scrypt_built"],
  },
  {
    form: "Firebase's hash in base64 that PostgreSQL or MySQL folded, with `--hash-config`",
    example: "<f-folded>",
    salt: "<f-salt>",
    hashConfig: ACCOUNT,
    gives: ["lines_joined", "vendor_scrypt_built"],
  },
  {
    form: "a salt column that repeats bcrypt's own salt (`genSalt()` kept beside the hash)",
    example: "$2b$10$<53>",
    salt: "$2b$10$<22>",
    gives: ["salt_column_redundant", "bcrypt_2b_to_2a"],
  },
  {
    form: "Firebase Admin SDK (url-safe), with `--hash-config`",
    example: '{"passwordHash":"<f-url-safe>","passwordSalt":"<f-salt>"}',
    hashConfig: ACCOUNT,
    gives: ["vendor_scrypt_base64_standard", "vendor_scrypt_built"],
  },
];

export const WRAPPED_FORMS: readonly HashForm[] = [
  {
    form: "Django's BCryptPasswordHasher",
    example: "bcrypt$$2b$12$<53>",
    gives: ["django_bcrypt_stripped", "bcrypt_2b_to_2a"],
  },
  {
    form: "Django's Argon2PasswordHasher",
    example: "argon2$argon2id$v=19$m=102400,t=2,p=8$<salt>$<hash>",
    gives: ["django_argon2_stripped"],
  },
  {
    form: "Spring Security's DelegatingPasswordEncoder, bcrypt",
    example: "{bcrypt}$2a$10$<53>",
    gives: ["spring_bcrypt_stripped"],
  },
  {
    form: "Spring Security's DelegatingPasswordEncoder, argon2",
    example: "{argon2@SpringSecurity_v5_8}$argon2id$v=19$m=16384,t=2,p=1$<salt>$<hash>",
    gives: ["spring_argon2_stripped"],
  },
  {
    form: "LDAP's `{CRYPT}`, passlib",
    example: "{CRYPT}$2a$12$<53>",
    gives: ["ldap_scheme_stripped"],
  },
  {
    form: "OpenLDAP's `{ARGON2}`",
    example: "{ARGON2}$argon2id$v=19$m=7168,t=5,p=1$<salt>$<hash>",
    gives: ["ldap_scheme_stripped"],
  },
  {
    form: "Dovecot's `{BLF-CRYPT}`",
    example: "{BLF-CRYPT}$2a$05$<53>",
    gives: ["ldap_scheme_stripped"],
  },
  {
    form: "Dovecot's schemes with an encoding (`.b64`, `.base64`, `.hex`)",
    example: "{BLF-CRYPT.b64}<base64>",
    gives: ["ldap_scheme_stripped", "base64_decoded", "bcrypt_2b_to_2a"],
  },
  {
    form: "LDIF",
    example: "userPassword: {CRYPT}$2a$12$<53>",
    gives: ["ldif_attribute_stripped", "ldap_scheme_stripped"],
  },
  {
    form: "Nextcloud (`1|` bcrypt, `2|` argon2i, `3|` argon2id)",
    example: "3|$argon2id$v=19$m=65536,t=4,p=1$<salt>$<hash>",
    gives: ["nextcloud_version_stripped"],
  },
  { form: "Jenkins", example: "#jbcrypt:$2a$10$<53>", gives: ["jenkins_prefix_stripped"] },
  { form: "WoltLab Suite", example: "Bcrypt:$2a$12$<53>", gives: ["woltlab_prefix_stripped"] },
  {
    form: "WoltLab Suite, argon2",
    example: "Argon2:$argon2i$v=19$m=65536,t=4,p=1$<salt>$<hash>",
    vendor: "woltlab",
    gives: ["woltlab_prefix_stripped"],
  },
  {
    form: "Apache Shiro 2, argon2",
    example: "$shiro2$argon2id$v=19$t=1,m=65536,p=4$<salt>$<hash>",
    gives: ["shiro_prefix_stripped", "argon2_parameters_ordered"],
  },
  {
    form: "Apache Shiro 2, bcrypt",
    example: "$shiro2$2y$10$<22>$<31>",
    gives: ["shiro_bcrypt_joined", "bcrypt_2y_to_2a"],
  },
  {
    form: "MediaWiki, bcrypt",
    example: ":bcrypt:9$<22>$<31>",
    gives: ["mediawiki_bcrypt_rebuilt"],
  },
  {
    form: "MediaWiki, argon2",
    example: ":argon2:$argon2i$v=19$m=65536,t=2,p=1$<salt>$<hash>",
    gives: ["mediawiki_argon2_stripped"],
  },
  {
    form: "AdonisJS, @phc/bcrypt",
    example: "$bcrypt$v=98$r=10$<phc-22>$<phc-31>",
    gives: ["phc_bcrypt_rebuilt"],
  },
  {
    form: "Apache's htpasswd, with `--from htpasswd` alone",
    example: "alice:$2y$05$<53>",
    vendor: "htpasswd",
    gives: ["htpasswd_user_stripped", "bcrypt_2y_to_2a"],
  },
  {
    form: "Supabase, a hash from Firebase",
    example: "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=<key>$<f-salt>$<f-hash>",
    gives: ["fbscrypt_rebuilt"],
  },
  {
    form: "Ory Kratos, a hash from Firebase",
    example: "$firescrypt$ln=14,r=8,p=1$<f-salt>$<f-hash>$Bw==$<key>",
    gives: ["firescrypt_rebuilt"],
  },
  {
    form: "Clerk's digest `scrypt_firebase`, a hash from Firebase",
    example: "<f-hash>$<f-salt>$<key>$Bw==$8$14",
    gives: ["clerk_scrypt_rebuilt"],
  },
  {
    form: "Authgear, a hash from Firebase",
    example: "$firebase-scrypt$hash=<f-hash>$salt=<f-salt>$sk=<key>$ss=Bw==$r=8$m=14",
    gives: ["authgear_scrypt_rebuilt"],
  },
];

export const CREDENTIAL_FORMS: readonly HashForm[] = [
  {
    form: "Okta's password hash object",
    example: '{"algorithm":"BCRYPT","workFactor":10,"salt":"<22>","value":"<31>"}',
    gives: ["okta_joined"],
  },
  {
    form: "FusionAuth",
    example: '{"encryptionScheme":"bcrypt","factor":10,"salt":"<22>","password":"<31>"}',
    gives: ["fusionauth_joined"],
  },
  {
    form: "Keycloak, argon2",
    example:
      '{"type":"password","credentialData":{"algorithm":"argon2","hashIterations":5,"additionalParameters":{"type":["id"],"version":["1.3"],"memory":["7168"],"parallelism":["1"],"hashLength":["32"]}},"secretData":{"value":"<hash>=","salt":"<salt>=="}}',
    gives: ["keycloak_argon2_built"],
  },
  {
    form: "Keycloak, columns of its database",
    example:
      '{"type":"password","credential_data":"{\\"algorithm\\":\\"bcrypt\\"}","secret_data":"{\\"value\\":\\"$2a$10$<53>\\"}"}',
    gives: ["keycloak_value_taken"],
  },
  {
    form: "Keycloak, the bcrypt extension",
    example:
      '{"type":"password","credentialData":{"algorithm":"bcrypt"},"secretData":{"value":"$2a$10$<53>"}}',
    gives: ["keycloak_value_taken"],
  },
  {
    form: "Clerk (`bcrypt`, `argon2`, `argon2i`, `argon2id`)",
    example: '{"password_digest":"$2a$10$<53>","password_hasher":"bcrypt"}',
    gives: ["clerk_digest_taken"],
  },
  {
    form: "Clerk, a hash from Firebase",
    example:
      '{"password_digest":"<f-hash>$<f-salt>$<key>$Bw==$8$14","password_hasher":"scrypt_firebase"}',
    gives: ["clerk_scrypt_rebuilt"],
  },
  {
    form: "Appwrite (`argon2`, `bcrypt`)",
    example: '{"hash":"bcrypt","password":"$2a$10$<53>"}',
    gives: ["appwrite_hash_taken"],
  },
  {
    form: "Appwrite, a hash from Firebase",
    example:
      '{"hash":"scryptMod","password":"<f-hash>","hashOptions":{"salt":"<f-salt>","saltSeparator":"Bw==","signerKey":"<key>"}}',
    gives: ["appwrite_scrypt_rebuilt"],
  },
  {
    form: "XenForo 2",
    example: '{"scheme_class":"XF:Core12","data":"a:1:{s:4:\\"hash\\";s:60:\\"$2a$10$<53>\\";}"}',
    gives: ["xenforo_unserialized"],
  },
  {
    form: "NodeBB without `password:shaWrapped`",
    example: '{"password":"$2a$12$<53>","password:shaWrapped":0}',
    gives: ["nodebb_hash_taken"],
  },
  {
    form: "Auth0's `custom_password_hash` (`bcrypt`, `argon2`)",
    example: '{"custom_password_hash":{"algorithm":"bcrypt","hash":{"value":"$2a$10$<53>"}}}',
    gives: ["credential_hash_taken"],
  },
  {
    form: "Akamai Identity Cloud (`password-bcrypt`)",
    example: '{"password":{"type":"password-bcrypt","value":"$2a$10$<53>"}}',
    gives: ["credential_hash_taken"],
  },
  {
    form: "Zitadel",
    example: '{"hashedPassword":{"value":"$2a$10$<53>","algorithm":"bcrypt"}}',
    gives: ["credential_hash_taken"],
  },
  {
    form: "Descope",
    example: '{"hashedPassword":{"bcrypt":{"hash":"$2a$10$<53>"}}}',
    gives: ["credential_hash_taken"],
  },
  {
    form: "Logto (`Argon2i`, `Argon2id`, `Argon2d`, `Bcrypt`)",
    example: '{"passwordEncrypted":"$2a$10$<53>","passwordEncryptionMethod":"Bcrypt"}',
    gives: ["credential_hash_taken"],
  },
  {
    form: "bytes, as Node.js writes a Buffer into JSON",
    example: '{"type":"Buffer","data":[<bytes>]}',
    gives: ["bytes_taken", "bcrypt_2b_to_2a"],
  },
  {
    form: "bytes, in MongoDB's extended JSON",
    example: '{"password":{"$binary":{"base64":"<base64>","subType":"00"}}}',
    gives: ["credential_hash_taken", "bytes_taken", "bcrypt_2b_to_2a"],
  },
  {
    form: "LDAP's tools, each attribute a list",
    example: '{"userPassword":["{CRYPT}$2b$10$<53>"]}',
    gives: ["credential_hash_taken", "ldap_scheme_stripped", "bcrypt_2b_to_2a"],
  },
  {
    form: "Auth0, Ory Kratos, Supabase and others: one field of a known name",
    example: '{"passwordHash":"$2a$10$<53>"}',
    gives: ["credential_hash_taken"],
  },
  {
    form: "any of these without a password",
    example: '{"password_digest":"","password_hasher":""}',
    gives: null,
  },
];
