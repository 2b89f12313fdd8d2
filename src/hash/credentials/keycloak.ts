/** Keycloak's password credentials, as a realm export has them: two JSON texts inside JSON, or objects (org.keycloak.models.credential.PasswordCredentialModel). */

import { hashAlgorithmOf } from "../grammar.js";
import { decodedLength, toStandardBase64 } from "../base64.js";
import { defineFlaw } from "../flaw.js";
import { type Inner, refused } from "../inner.js";
import { iterationsOf, type Fields, objectOf, textOf, fieldOf } from "./fields.js";
import { holding, MALFORMED, refuser } from "./form.js";

const refuse = refuser("keycloak", "Keycloak");
const OTHER_KIND = defineFlaw(
  "keycloak_not_password",
  "this credential of Keycloak's is no password of today: a one-time password, a key, or one from the history",
  "hand over the credential of type password",
);

const PLAIN = defineFlaw(
  "keycloak_plain_password",
  "this was written for an import into Keycloak, and holds the password itself and no hash of it",
  () =>
    "export the users that Keycloak has, with kc.sh export, and delete this file where it isn't needed",
);

/** Argon2Parameters of Keycloak's Argon2PasswordHashProvider, as the encoded form names them. */
const VARIANTS = new Map([
  ["id", "argon2id"],
  ["i", "argon2i"],
  ["d", "argon2d"],
]);
const VERSIONS = new Map([
  ["1.3", "19"],
  ["1.0", "16"],
]);

/** What is inside; null for an object that isn't Keycloak's. */
export function readKeycloak(fields: Fields): Inner | null {
  // As the API and the realm's export name them, and as the database does.
  const data = objectOf(fields, "credentialData") ?? objectOf(fields, "credential_data");
  const secret = objectOf(fields, "secretData") ?? objectOf(fields, "secret_data");
  if (data === undefined || secret === undefined) return readOldForm(fields);
  const type = textOf(fields, "type");
  if (type !== undefined && type !== "password") return refused(OTHER_KIND);
  const algorithm = textOf(data, "algorithm") ?? "";
  if (algorithm === "argon2") return buildArgon2(data, secret);
  const value = textOf(secret, "value");
  // Extensions keep the encoded text whole; the server's own algorithms never start with a $.
  if (algorithm.startsWith("bcrypt") && value !== undefined) {
    return holding(value, "bcrypt", "keycloak_value_taken");
  }
  return refuse(algorithm);
}

/** Before version 8, all fields in one object; in a file for an import the password alone (CredentialRepresentation.value). */
function readOldForm(fields: Fields): Inner | null {
  const hash = textOf(fields, "hashedSaltedValue");
  if (hash === undefined) {
    const value = textOf(fields, "type") === "password" ? textOf(fields, "value") : undefined;
    return value === undefined || hashAlgorithmOf(value) !== null ? null : refused(PLAIN);
  }
  const algorithm = textOf(fields, "algorithm") ?? "";
  // An extension's bcrypt holds its own salt: the one beside it takes no part (keycloak-bcrypt).
  if (algorithm.startsWith("bcrypt") && hashAlgorithmOf(hash) === "bcrypt") {
    return holding(hash, "bcrypt", "keycloak_value_taken");
  }
  return refuse(algorithm);
}

function buildArgon2(data: Fields, secret: Fields): Inner {
  const parameters = objectOf(data, "additionalParameters") ?? {};
  const variant = VARIANTS.get(parameter(parameters, "type"));
  const version = VERSIONS.get(parameter(parameters, "version"));
  const salt = textOf(secret, "salt");
  const hash = textOf(secret, "value");
  if (variant === undefined || version === undefined) return refused(MALFORMED);
  if (salt === undefined || hash === undefined) return refused(MALFORMED);
  if (`${decodedLength(hash) ?? ""}` !== parameter(parameters, "hashLength"))
    return refused(MALFORMED);
  const memory = parameter(parameters, "memory");
  const parallelism = parameter(parameters, "parallelism");
  const iterations = iterationsOf(data);
  const settings = `$${variant}$v=${version}$m=${memory},t=${iterations},p=${parallelism}`;
  const text = `${settings}$${toStandardBase64(salt) ?? salt}$${toStandardBase64(hash) ?? hash}`;
  return { kind: "text", text, steps: ["keycloak_argon2_built"], isWhole: true };
}

/** A parameter's one value: Keycloak writes each as a list of texts. */
function parameter(parameters: Fields, name: string): string {
  const value = fieldOf(parameters, name);
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof only === "string" || typeof only === "number" ? String(only) : "";
}
