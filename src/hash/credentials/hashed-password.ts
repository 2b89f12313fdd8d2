/** What stands in a property `hashedPassword`: Zitadel's hash beside its algorithm (zitadel.com/docs/guides/migrate/users) and Descope's under the algorithm's name (docs.descope.com, "Create users in batch"). */

import { objectOf, textOf } from "./fields.js";
import { type CredentialForm, holding, plainAlgorithm } from "./form.js";

/** Zitadel: `{value, algorithm}`, the value whole. Okta's parts have the same names, and more. */
export const readZitadel: CredentialForm = (fields) => {
  const [value, name] = [textOf(fields, "value"), textOf(fields, "algorithm")];
  const isWhole = value?.startsWith("$") === true && !Object.hasOwn(fields, "workFactor");
  const algorithm = name === undefined ? null : plainAlgorithm(name);
  if (!isWhole || algorithm === null) return null;
  return holding(value, algorithm, "credential_hash_taken");
};

/** Descope: `{bcrypt: {hash}}`. */
export const readDescope: CredentialForm = (fields) => {
  const hash = textOf(objectOf(fields, "bcrypt") ?? {}, "hash");
  return hash === undefined ? null : holding(hash, "bcrypt", "credential_hash_taken");
};
