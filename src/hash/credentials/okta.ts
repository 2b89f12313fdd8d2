/** Okta's password hash objects, as its import API takes them (developer.okta.com, Users API, "Password hash object"). */

import { joined } from "../containers.js";
import { refused } from "../inner.js";
import { textOf, fieldOf } from "./fields.js";
import { type CredentialForm, otherAlgorithm, refusalsByName } from "./form.js";

/** Algorithms that a core doesn't have. */
export const OKTA_ALGORITHMS = ["SHA-512", "SHA-256", "SHA-1", "MD5", "PBKDF2"];
const REFUSED = refusalsByName("okta", "Okta", OKTA_ALGORITHMS);
const OTHER = otherAlgorithm("okta", "Okta");

export const readOkta: CredentialForm = (fields) => {
  const algorithm = textOf(fields, "algorithm");
  const value = textOf(fields, "value");
  if (algorithm === undefined || value === undefined) return null;
  if (algorithm.toUpperCase() !== "BCRYPT") {
    return REFUSED.get(algorithm.toUpperCase()) ?? refused(OTHER);
  }
  return joined(fieldOf(fields, "workFactor"), fieldOf(fields, "salt"), value, "okta_joined");
};
