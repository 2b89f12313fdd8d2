/** Credential objects of single vendors: which object is whose, and what is inside. */

import { carriedScrypt, joined, openClerkDigest } from "../containers.js";
import { defineFlaw } from "../flaw.js";
import { type Inner, refused } from "../inner.js";
import {
  asFields,
  type Fields,
  fieldOf,
  isBlank,
  isOn,
  objectOf,
  textIn,
  textOf,
} from "./fields.js";
import {
  type CredentialForm,
  holding,
  MALFORMED,
  NO_PASSWORD,
  otherAlgorithm,
  plainAlgorithm,
  refusalsByName,
  refuser,
} from "./form.js";
import { readKeycloak } from "./keycloak.js";

/** Add a reader here. The first that knows the object decides. */
export const VENDOR_FORMS: readonly CredentialForm[] = [
  readDescope,
  readMeteor,
  readNodeBb,
  readKeycloak,
  readFusionAuth,
  readClerk,
  readXenForo,
  readAppwrite,
  readAkamai,
  readAuth0,
  readZitadel,
  readOkta,
];

const OTHER_AKAMAI = otherAlgorithm("akamai", "Akamai Identity Cloud");

/** Akamai Identity Cloud: an encoded text beside its type (techdocs.akamai.com/identity-cloud, "Transform user passwords"). */
function readAkamai(fields: Fields): Inner | null {
  const type = textOf(fields, "type");
  const value = textOf(fields, "value");
  if (type === undefined || value === undefined || !type.startsWith("password-")) return null;
  const algorithm = plainAlgorithm(type);
  return algorithm === null ? OTHER_AKAMAI : holding(value, algorithm, "credential_hash_taken");
}

const APPWRITE = refusalsByName("appwrite", "Appwrite");

/** Appwrite's users: a hash beside the name of its algorithm and, for scrypt, its options (appwrite.io/docs, Users API). */
function readAppwrite(fields: Fields): Inner | null {
  const algorithm = textOf(fields, "hash")?.toLowerCase();
  if (algorithm === undefined || !Object.hasOwn(fields, "password")) return null;
  const isPlain = algorithm === "argon2" || algorithm === "bcrypt";
  const isScrypt = algorithm === "scryptmod";
  if (!isPlain && !isScrypt && !APPWRITE.has(algorithm)) return null;
  const hash = fieldOf(fields, "password");
  if (isBlank(hash)) return NO_PASSWORD;
  if (typeof hash !== "string") return refused(MALFORMED);
  if (isPlain) return holding(hash, algorithm, "appwrite_hash_taken");
  if (!isScrypt) return APPWRITE.get(algorithm) ?? null;
  const options = objectOf(fields, "hashOptions") ?? {};
  const named = {
    hash,
    salt: textOf(options, "salt"),
    saltSeparator: textOf(options, "saltSeparator"),
    signerKey: textOf(options, "signerKey"),
    // Its modified scrypt is Firebase's with these two fixed.
    memCost: "14",
    rounds: "8",
  };
  return carriedScrypt(named, "appwrite_scrypt_rebuilt");
}

const refuseAuth0 = refuser("auth0", "Auth0");
const AUTH0_MORE = defineFlaw(
  "auth0_more",
  "Auth0 changes the password before this hash, or puts a salt to it that bcrypt and argon2 don't have",
);

/**
 * Auth0's `custom_password_hash` (auth0.com/docs/manage-users/user-migration/bulk-user-import-schema).
 * Other vendors put an algorithm beside a hash, too; an object for the hash is Auth0's alone.
 */
function readAuth0(fields: Fields): Inner | null {
  const algorithm = textOf(fields, "algorithm");
  if (algorithm === undefined || objectOf(fields, "hash") === undefined) return null;
  if (algorithm !== "bcrypt" && algorithm !== "argon2") return refuseAuth0(algorithm);
  const value = textOf(fields, "hash") ?? textIn(fields, "hash", "value");
  if (value === undefined) return refused(MALFORMED);
  // The password went in as anything but UTF-8, or with a salt of its own.
  const isEncoded = ["hash", "password"].some(
    (name) => (textIn(fields, name, "encoding") ?? "utf8") !== "utf8",
  );
  const takesMore = isEncoded || !isBlank(fieldOf(fields, "salt"));
  return takesMore ? refused(AUTH0_MORE) : holding(value, algorithm, "credential_hash_taken");
}

const refuseClerk = refuser("clerk", "Clerk");

/** Clerk's exported rows: a digest beside the name of its hasher (clerk.com/docs, Backend API, createUser). */
function readClerk(fields: Fields): Inner | null {
  const hasher = textOf(fields, "password_hasher");
  if (hasher === undefined) return null;
  const digest = fieldOf(fields, "password_digest");
  // Clerk names a hasher for users with a password alone, so a digest was lost.
  if (isBlank(digest)) return isBlank(hasher) ? NO_PASSWORD : refused(MALFORMED);
  if (typeof digest !== "string") return refused(MALFORMED);
  if (hasher === "scrypt_firebase") return openClerkDigest(digest) ?? refused(MALFORMED);
  const algorithm = plainAlgorithm(hasher);
  return algorithm === null
    ? refuseClerk(hasher)
    : holding(digest, algorithm, "clerk_digest_taken");
}

const refuseFusionAuth = refuser("fusionauth", "FusionAuth");

/** FusionAuth's users, as its import API and its database have them (fusionauth.io/docs, "Password hashes"). */
function readFusionAuth(fields: Fields): Inner | null {
  const scheme = textOf(fields, "encryptionScheme") ?? textOf(fields, "encryption_scheme");
  if (scheme === undefined) return null;
  if (scheme !== "bcrypt") return refuseFusionAuth(scheme);
  const salt = fieldOf(fields, "salt");
  return joined(fieldOf(fields, "factor"), salt, fieldOf(fields, "password"), "fusionauth_joined");
}

const refuseOkta = refuser("okta", "Okta");

/** Okta's objects, as its import API takes them (developer.okta.com, Users API, "Password hash object"). */
function readOkta(fields: Fields): Inner | null {
  const algorithm = textOf(fields, "algorithm")?.toUpperCase();
  const value = textOf(fields, "value");
  if (algorithm === undefined || value === undefined) return null;
  if (algorithm !== "BCRYPT") return refuseOkta(algorithm);
  return joined(fieldOf(fields, "workFactor"), fieldOf(fields, "salt"), value, "okta_joined");
}

/** Zitadel's `hashedPassword` (zitadel.com/docs/guides/migrate/users), the value whole. Okta's parts have the same names, and more. */
function readZitadel(fields: Fields): Inner | null {
  const value = textOf(fields, "value");
  if (value?.startsWith("$") !== true || Object.hasOwn(fields, "workFactor")) return null;
  const algorithm = plainAlgorithm(textOf(fields, "algorithm") ?? "");
  return algorithm === null ? null : holding(value, algorithm, "credential_hash_taken");
}

/** Descope's `hashedPassword`, `{bcrypt: {hash}}` (docs.descope.com, "Create users in batch"). */
function readDescope(fields: Fields): Inner | null {
  const hash = textIn(fields, "bcrypt", "hash");
  return hash === undefined ? null : holding(hash, "bcrypt", "credential_hash_taken");
}

const METEOR_FIELDS = ["bcrypt", "argon2"].flatMap((name) => [
  name,
  `password.${name}`,
  `services.password.${name}`,
]);
const METEOR = refused(
  defineFlaw("prehashed_unmarked", "Meteor hashes a SHA-256 of the password, not the password"),
);

/** Meteor: `services.password.bcrypt`, from the whole user, from `services`, flattened or alone. */
function readMeteor(fields: Fields): Inner | null {
  const services = asFields(fieldOf(fields, "services")) ?? fields;
  const password = asFields(fieldOf(services, "password")) ?? services;
  return METEOR_FIELDS.some((name) => Object.hasOwn(password, name)) ? METEOR : null;
}

const SHA_WRAPPED = defineFlaw(
  "nodebb_sha_wrapped",
  "NodeBB hashed a SHA-512 of the password (password:shaWrapped), not the password",
);

/** NodeBB's user objects, marked where the password went through SHA-512 first. */
function readNodeBb(fields: Fields): Inner | null {
  const text = textOf(fields, "password");
  if (text === undefined || !Object.hasOwn(fields, "password:shaWrapped")) return null;
  if (isOn(fieldOf(fields, "password:shaWrapped"))) return refused(SHA_WRAPPED);
  return { kind: "text", text, steps: ["nodebb_hash_taken"] };
}

const OTHER_SCHEME = defineFlaw(
  "xenforo_scheme",
  "XenForo keeps this hash in an older or another forum's scheme, not as bcrypt of the password",
);

/** XenForo's authentication rows: a scheme's class beside serialized data (XF\Authentication). */
function readXenForo(fields: Fields): Inner | null {
  const scheme = textOf(fields, "scheme_class")?.replaceAll("\\", ":");
  if (scheme === undefined) return null;
  if (scheme.endsWith("NoPassword")) return NO_PASSWORD;
  if (!scheme.endsWith("Core12")) return refused(OTHER_SCHEME);
  const hash = textIn(fields, "data", "hash");
  if (hash !== undefined) return { kind: "text", text: hash, steps: ["xenforo_unserialized"] };
  const data = textOf(fields, "data");
  // Serialized by PHP, a container of its own, which names the step.
  return data === undefined ? refused(MALFORMED) : { kind: "text", text: data, steps: [] };
}
