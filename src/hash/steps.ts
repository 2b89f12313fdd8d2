/** Every step that may lead from a raw text to the form a core takes: its name, what it does, and whether it shows that the password was hashed as typed. */

interface StepNote {
  /** What was done, as a clause for the docs. */
  readonly what: string;
  /** True where the undone form is only written around hashes of passwords as typed. */
  readonly plain?: true;
}

/** The steps, by name. A new one goes in here first: its name is a type. */
export const STEPS = {
  trim: { what: "white space, NUL padding and what can't be seen around it are dropped" },
  unquoted: {
    what: "the quotation marks around it are dropped, also Python's `b'…'` and a spreadsheet's `'` before `+` or `-`",
  },
  unescaped: { what: "backslash escapes (`\\$`, `\\/`, `\\u0024`, …) are resolved" },
  percent_decoded: { what: "percent-encoding (`%24`) is resolved" },
  entities_decoded: { what: "HTML entities (`&#36;`, `&amp;`, …) are resolved" },
  dollars_halved: { what: "every `$$` becomes `$` again, as compose files and shells double it" },
  salt_column_redundant: {
    what: "a salt column that only repeats the salt inside the hash is left aside",
  },
  hex_decoded: { what: "hexadecimal, with or without `0x` or `\\x`, is decoded" },
  base64_decoded: { what: "base64 of the whole text is decoded" },
  lines_joined: { what: "line breaks inside base64 are dropped, as encoders fold it" },
  plus_restored: { what: "a blank inside base64 becomes the `+` that it was before form decoding" },

  bcrypt_2b_to_2a: { what: "`$2b$` is written `$2a$`, which is the same algorithm" },
  bcrypt_2y_to_2a: { what: "`$2y$` is written `$2a$`, which is the same algorithm" },
  bcrypt_2x_to_2a: { what: "`$2x$` is written `$2a$`, the same for ASCII passwords alone" },
  bcrypt_salt_bits_cleared: { what: "spare bits of the salt, which take no part, are cleared" },
  argon2_parameters_ordered: { what: "the parameters are written in the order m, t, p" },
  argon2_base64_standard: { what: "salt and hash are written in standard base64 without padding" },
  vendor_scrypt_parameters_ordered: { what: "the parameters are written in the order m, r, s" },
  vendor_scrypt_base64_standard: { what: "hash and salt are written in standard padded base64" },
  vendor_scrypt_separator_unpadded: {
    what: "the separator is written without padding, where a core would misread `s=`",
  },
  vendor_scrypt_built: { what: "hash, salt and the account's parameters are put together" },

  django_bcrypt_stripped: { what: "Django's `bcrypt$` is dropped", plain: true },
  django_argon2_stripped: { what: "Django's `argon2` is dropped", plain: true },
  spring_bcrypt_stripped: { what: "Spring Security's `{bcrypt}` is dropped", plain: true },
  spring_argon2_stripped: { what: "Spring Security's `{argon2…}` is dropped", plain: true },
  ldap_scheme_stripped: { what: "the LDAP or Dovecot scheme in braces is dropped", plain: true },
  ldif_attribute_stripped: { what: "LDIF's `userPassword:` is dropped" },
  nextcloud_version_stripped: { what: "Nextcloud's version and bar are dropped", plain: true },
  jenkins_prefix_stripped: { what: "Jenkins' `#jbcrypt:` is dropped", plain: true },
  woltlab_prefix_stripped: { what: "WoltLab's `Bcrypt:` or `Argon2:` is dropped", plain: true },
  shiro_prefix_stripped: {
    what: "Apache Shiro's `$shiro2` or `$unixcrypt` is dropped",
    plain: true,
  },
  shiro_bcrypt_joined: {
    what: "Apache Shiro's prefix is dropped, and salt and hash are joined",
    plain: true,
  },
  mediawiki_argon2_stripped: { what: "MediaWiki's `:argon2:` is dropped", plain: true },
  mediawiki_bcrypt_rebuilt: {
    what: "MediaWiki's cost, salt and hash are put together",
    plain: true,
  },
  htpasswd_user_stripped: {
    what: "the user's name before the hash is dropped, where `--from` says htpasswd",
    plain: true,
  },
  phc_bcrypt_rebuilt: {
    what: "salt and hash are rewritten from standard base64 into bcrypt's own alphabet",
    plain: true,
  },
  xenforo_unserialized: { what: "the hash is taken out of XenForo's serialized text", plain: true },
  fbscrypt_rebuilt: { what: "Supabase's `$fbscrypt$` fields are put together" },
  firescrypt_rebuilt: { what: "Ory Kratos' `$firescrypt$` fields are put together" },
  authgear_scrypt_rebuilt: { what: "Authgear's `$firebase-scrypt$` fields are put together" },

  okta_joined: { what: "Okta's work factor, salt and value are put together", plain: true },
  fusionauth_joined: { what: "FusionAuth's factor, salt and hash are put together", plain: true },
  keycloak_argon2_built: {
    what: "Keycloak's parameters, salt and value are put together",
    plain: true,
  },
  keycloak_value_taken: { what: "the hash is taken out of Keycloak's secret data", plain: true },
  clerk_digest_taken: { what: "the digest is taken out of Clerk's row", plain: true },
  clerk_scrypt_rebuilt: { what: "the fields of Clerk's scrypt digest are put together" },
  appwrite_hash_taken: { what: "the hash is taken out of Appwrite's user", plain: true },
  appwrite_scrypt_rebuilt: { what: "Appwrite's hash and options are put together" },
  nodebb_hash_taken: {
    what: "the hash is taken out of NodeBB's user, who has no `shaWrapped` mark",
    plain: true,
  },
  bytes_taken: {
    what: "an object of bytes (Node.js' Buffer, MongoDB's `$binary`) is read as the text that they are",
  },
  credential_hash_taken: {
    what: "the hash is taken out of the object's one hash field, or a list of one",
  },
} as const satisfies Record<string, StepNote>;

/** The name of a step. */
export type Step = keyof typeof STEPS;

const PLAIN: ReadonlySet<string> = new Set(
  Object.entries<StepNote>(STEPS).flatMap(([name, { plain }]) => (plain === true ? [name] : [])),
);

/** Whether one of the steps undid a form that is only written around hashes of passwords as typed. */
export function provesPlain(steps: readonly string[]): boolean {
  return steps.some((step) => PLAIN.has(step));
}
