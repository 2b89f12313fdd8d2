/** Auth0's `custom_password_hash`, of its bulk imports (auth0.com/docs/manage-users/user-migration/bulk-user-import-schema, "Supported hashing algorithms"). */

import { defineFlaw } from "../flaw.js";
import { refused } from "../inner.js";
import { type Fields, fieldOf, isBlank, objectOf, textOf } from "./fields.js";
import { type CredentialForm, holding, MALFORMED, otherAlgorithm, refusalsByName } from "./form.js";

/** Algorithms that a core doesn't have. */
export const AUTH0_ALGORITHMS = [
  "hmac",
  "ldap",
  "md4",
  "md5",
  "pbkdf2",
  "scrypt",
  "sha1",
  "sha256",
  "sha512",
];
const REFUSED = refusalsByName("auth0", "Auth0", AUTH0_ALGORITHMS);
const OTHER = otherAlgorithm("auth0", "Auth0");
const MORE = defineFlaw(
  "auth0_more",
  "Auth0 changes the password before this hash, or puts a salt to it that bcrypt and argon2 don't have",
);

export const readAuth0: CredentialForm = (fields) => {
  const algorithm = textOf(fields, "algorithm");
  const value = textOf(fields, "hash") ?? textOf(objectOf(fields, "hash") ?? {}, "value");
  if (algorithm === undefined || !isCustom(fields)) return null;
  if (algorithm !== "bcrypt" && algorithm !== "argon2") {
    return REFUSED.get(algorithm) ?? refused(OTHER);
  }
  if (value === undefined) return refused(MALFORMED);
  return takesMore(fields) ? refused(MORE) : holding(value, algorithm, "credential_hash_taken");
};

/** Other vendors put an algorithm beside a hash, too; an object for the hash is Auth0's alone. */
function isCustom(fields: Fields): boolean {
  return objectOf(fields, "hash") !== undefined;
}

/** Whether the passwords went in as anything but UTF-8, or with a salt of their own. */
function takesMore(fields: Fields): boolean {
  const encodings = ["hash", "password"].map((name) =>
    textOf(objectOf(fields, name) ?? {}, "encoding"),
  );
  return (
    encodings.some((encoding) => encoding !== undefined && encoding !== "utf8") ||
    !isBlank(fieldOf(fields, "salt"))
  );
}
