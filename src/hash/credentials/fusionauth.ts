/** FusionAuth's users, as its import API and its database have them (fusionauth.io/docs, "Password hashes"). */

import { joined } from "../containers.js";
import { refused } from "../inner.js";
import { textOf, fieldOf } from "./fields.js";
import { type CredentialForm, otherAlgorithm, refusalsByName } from "./form.js";

/** Schemes that a core doesn't have. */
export const FUSIONAUTH_SCHEMES = [
  "salted-md5",
  "salted-sha256",
  "salted-hmac-sha256",
  "salted-pbkdf2-hmac-sha256",
  "salted-pbkdf2-hmac-sha256-512",
  "salted-pbkdf2-hmac-sha512-512",
  "phpass-md5",
  "phpass-sha512",
];
const REFUSED = refusalsByName("fusionauth", "FusionAuth", FUSIONAUTH_SCHEMES);
const OTHER = otherAlgorithm("fusionauth", "FusionAuth");

export const readFusionAuth: CredentialForm = (fields) => {
  const scheme = textOf(fields, "encryptionScheme") ?? textOf(fields, "encryption_scheme");
  if (scheme === undefined) return null;
  const refusal = REFUSED.get(scheme);
  if (scheme !== "bcrypt") return refusal ?? refused(OTHER);
  const [factor, salt] = [fieldOf(fields, "factor"), fieldOf(fields, "salt")];
  return joined(factor, salt, fieldOf(fields, "password"), "fusionauth_joined");
};
