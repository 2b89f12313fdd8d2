/** The steps from a raw text to the form that a core takes. Some of them show that the password was hashed as typed. */

/** Those that undo a form that is only written around hashes of passwords as typed. */
export const PLAIN = [
  "django_bcrypt_stripped",
  "django_argon2_stripped",
  "spring_bcrypt_stripped",
  "spring_argon2_stripped",
  "ldap_scheme_stripped",
  "nextcloud_version_stripped",
  "jenkins_prefix_stripped",
  "woltlab_prefix_stripped",
  "shiro_prefix_stripped",
  "shiro_bcrypt_joined",
  "mediawiki_argon2_stripped",
  "mediawiki_bcrypt_rebuilt",
  "htpasswd_user_stripped",
  "phc_bcrypt_rebuilt",
  "xenforo_unserialized",
  "okta_joined",
  "fusionauth_joined",
  "keycloak_argon2_built",
  "keycloak_value_taken",
  "clerk_digest_taken",
  "appwrite_hash_taken",
  "nodebb_hash_taken",
] as const;

/** The steps. Each keeps the hash verifying with its password. A new one goes in here first: its name is a type. */
export const STEPS = [
  "trim",
  "unquoted",
  "unescaped",
  "percent_decoded",
  "entities_decoded",
  "dollars_halved",
  "salt_column_redundant",
  "hex_decoded",
  "base64_decoded",
  "lines_joined",
  "plus_restored",
  "bcrypt_2b_to_2a",
  "bcrypt_2y_to_2a",
  "bcrypt_2x_to_2a",
  "bcrypt_salt_bits_cleared",
  "argon2_parameters_ordered",
  "argon2_base64_standard",
  "vendor_scrypt_parameters_ordered",
  "vendor_scrypt_base64_standard",
  "vendor_scrypt_separator_unpadded",
  "vendor_scrypt_built",
  "ldif_attribute_stripped",
  "fbscrypt_rebuilt",
  "firescrypt_rebuilt",
  "authgear_scrypt_rebuilt",
  "clerk_scrypt_rebuilt",
  "appwrite_scrypt_rebuilt",
  "bytes_taken",
  "credential_hash_taken",
  ...PLAIN,
] as const;

/** The name of a step. */
export type Step = (typeof STEPS)[number];
