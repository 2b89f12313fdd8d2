/** The steps from a raw text to the form that a core takes, and what each does. Some of them show that the password was hashed as typed. */

/** Those that undo a form that is only written around hashes of passwords as typed. */
export const PLAIN = {
  django_bcrypt_stripped: "Django's bcrypt$ is taken off",
  django_argon2_stripped: "Django's argon2 before the hash is taken off",
  spring_bcrypt_stripped: "Spring Security's {bcrypt} is taken off",
  spring_argon2_stripped: "Spring Security's {argon2} is taken off",
  ldap_scheme_stripped: "the scheme in braces, such as {CRYPT}, is taken off",
  nextcloud_version_stripped: "Nextcloud's version, such as 3|, is taken off",
  jenkins_prefix_stripped: "Jenkins' #jbcrypt: is taken off",
  woltlab_prefix_stripped: "WoltLab's Bcrypt: or Argon2: is taken off",
  shiro_prefix_stripped: "Apache Shiro's $shiro2 or $unixcrypt is taken off",
  shiro_bcrypt_joined: "Apache Shiro's $shiro2 is taken off, and salt and hash are joined",
  mediawiki_argon2_stripped: "MediaWiki's :argon2: is taken off",
  mediawiki_bcrypt_rebuilt: "MediaWiki's cost, salt and hash are joined",
  htpasswd_user_stripped: "the user's name before the hash is taken off",
  phc_bcrypt_rebuilt: "cost, salt and hash of a PHC string are written as bcrypt writes them",
  xenforo_unserialized: "the hash is taken out of XenForo's data",
  okta_joined: "Okta's cost, salt and hash are joined",
  fusionauth_joined: "FusionAuth's cost, salt and hash are joined",
  keycloak_argon2_built: "Keycloak's parameters, salt and hash are joined",
  keycloak_value_taken: "the hash is taken out of Keycloak's credential",
  clerk_digest_taken: "the hash is taken out of Clerk's object",
  appwrite_hash_taken: "the hash is taken out of Appwrite's object",
  nodebb_hash_taken: "the hash is taken out of NodeBB's object",
} as const;

/** The steps. Each keeps the hash verifying with its password. A new one goes in here first: its name is a type. */
export const STEPS = {
  trim: "blanks, line ends and NULs around the hash are taken off",
  unquoted: "quotation marks or a spreadsheet's formula around the hash are taken off",
  unescaped: "backslash escapes are resolved",
  percent_decoded: "percent-encoding is resolved",
  entities_decoded: "HTML entities are resolved",
  dollars_halved: "doubled dollar signs become single ones",
  salt_column_redundant: "the salt beside the hash is left out, which has the same one inside",
  hex_decoded: "hexadecimal is decoded",
  base64_decoded: "base64 around the whole hash is decoded",
  lines_joined: "the lines into which a database folded the hash are joined",
  plus_restored: "blanks that form decoding made of + become + again",
  bcrypt_2b_to_2a: "$2b$ at its start becomes $2a$, another name of the same algorithm",
  bcrypt_2y_to_2a: "$2y$ at its start becomes $2a$, another name of the same algorithm",
  bcrypt_2x_to_2a: "$2x$ at its start, the mark of a faulty bcrypt, becomes $2a$",
  bcrypt_salt_bits_cleared: "spare bits of the salt, which take no part in hashing, are cleared",
  argon2_parameters_ordered: "the parameters are put in the usual order",
  argon2_base64_standard: "salt and hash are written in the usual base64, without padding",
  vendor_scrypt_parameters_ordered: "the parameters are put in the usual order",
  vendor_scrypt_base64_standard: "salt and hash are written in the usual base64",
  vendor_scrypt_separator_unpadded: "the separator's padding, which a core misreads, is taken off",
  vendor_scrypt_built: "the hash, its salt and the account's parameters are written as one text",
  ldif_attribute_stripped: "LDIF's userPassword: is taken off",
  fbscrypt_rebuilt: "Supabase's parts of a Firebase hash are written as a core takes them",
  firescrypt_rebuilt: "Ory's parts of a Firebase hash are written as a core takes them",
  authgear_scrypt_rebuilt: "Authgear's parts of a Firebase hash are written as a core takes them",
  clerk_scrypt_rebuilt: "Clerk's parts of a Firebase hash are written as a core takes them",
  appwrite_scrypt_rebuilt: "Appwrite's parts of a Firebase hash are written as a core takes them",
  bytes_taken: "the hash is read out of bytes",
  credential_hash_taken: "the hash is taken out of the object around it",
  ...PLAIN,
} as const;

/** The name of a step. */
export type Step = keyof typeof STEPS;

/** In a sentence what a step does, and which passwords the hash verifies then; empty for what is no step. */
export function stepText(name: string): string {
  const step = (Object.keys(STEPS) as Step[]).find((one) => one === name);
  if (step === undefined) return "";
  const same =
    name === "bcrypt_2x_to_2a" ? "the passwords that are pure ASCII" : "the same passwords";
  return `A step that changes how a hash is written: ${STEPS[step]}. It verifies ${same}.`;
}
