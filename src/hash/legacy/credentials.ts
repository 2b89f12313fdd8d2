/** Credential objects whose fields are the parameters of a hash that no core takes. */

import { layersOf } from "../credentials/credential.js";
import { iterationsOf, type Fields, fieldOf, objectOf, textOf } from "../credentials/fields.js";
import { changed } from "./changed-password.js";
import { fromBase64, type Parsed } from "./legacy-hash.js";
import { pbkdf2Hash } from "./pbkdf2.js";
import { scryptHash } from "./scrypt.js";

type Reader = (fields: Fields) => Parsed;

const READERS: readonly Reader[] = [readKeycloak, readStytch, readMeteor];

/** The hash of a credential object, as parsed from JSON; null for one of another kind. */
export function parseLegacyCredential(credential: object): Parsed {
  for (const fields of layersOf(credential)) {
    for (const read of READERS) {
      const parsed = read(fields);
      if (parsed !== null) return parsed;
    }
  }
  return null;
}

/** Keycloak's PBKDF2 with its digests (Pbkdf2PasswordHashProviderFactory and its kin). */
const KEYCLOAK = /^pbkdf2(?:-(sha256|sha512))?$/;

/** Keycloak's PasswordCredentialModel: parameters beside value and salt; before version 8 all in one object. */
function readKeycloak(fields: Fields): Parsed {
  const data = objectOf(fields, "credentialData") ?? objectOf(fields, "credential_data") ?? fields;
  const secret = objectOf(fields, "secretData") ?? objectOf(fields, "secret_data") ?? fields;
  const type = textOf(fields, "type") ?? "password";
  const algorithm = textOf(data, "algorithm") ?? "";
  const [known, digest = "sha1"] = KEYCLOAK.exec(algorithm) ?? [];
  const value = textOf(secret, "value") ?? textOf(secret, "hashedSaltedValue");
  const iterations = iterationsOf(data);
  if (known === undefined || value === undefined || type !== "password") return null;
  if (!/^[1-9]\d{0,9}$/.test(iterations)) return null;
  return pbkdf2Hash(`keycloak_${algorithm.replace("-", "_")}`, {
    digest,
    iterations: Number(iterations),
    salt: fromBase64(textOf(secret, "salt") ?? ""),
    hash: fromBase64(value),
  });
}

/** Stytch's hashes beside their `scrypt_config` (stytch.com/docs, Passwords, migrate). */
function readStytch(fields: Fields): Parsed {
  const config = objectOf(fields, "scrypt_config");
  const hash = textOf(fields, "hash");
  if (config === undefined || hash === undefined) return null;
  const number = (name: string): number => {
    const value = fieldOf(config, name);
    return typeof value === "number" && Number.isInteger(value) ? value : 0;
  };
  const bytes = fromBase64(hash);
  if (bytes?.length !== number("key_length")) return null;
  return scryptHash("stytch_scrypt", {
    cost: number("n_parameter"),
    blockSize: number("r_parameter"),
    parallelization: number("p_parameter"),
    salt: fromBase64(textOf(config, "salt") ?? ""),
    hash: bytes,
  });
}

/** Meteor's `services.password`, from the whole user, from `services`, or alone (accounts-password: a SHA-256 in hexadecimal is hashed). */
function readMeteor(fields: Fields): Parsed {
  const services = objectOf(fields, "services") ?? fields;
  const password = objectOf(services, "password") ?? services;
  const text = textOf(password, "bcrypt") ?? textOf(password, "argon2");
  return text === undefined ? null : changed("meteor_bcrypt", text, ["sha256_hex"]);
}
