/** Objects of vendors that hash the password before they hash it: their bcrypt text looks like any other. */

import { defineFlaw } from "../flaw.js";
import { refused } from "../inner.js";
import { asFields, fieldOf, isOn, textOf } from "./fields.js";
import type { CredentialForm } from "./form.js";

const METEOR = defineFlaw(
  "prehashed_unmarked",
  "Meteor hashes a SHA-256 of the password, not the password",
);
const SHA_WRAPPED = defineFlaw(
  "nodebb_sha_wrapped",
  "NodeBB hashed a SHA-512 of the password (password:shaWrapped), not the password",
);

const METEOR_FIELDS = ["bcrypt", "argon2"].flatMap((name) => [
  name,
  `password.${name}`,
  `services.password.${name}`,
]);
const NODEBB_MARK = "password:shaWrapped";

/** Meteor: `services.password.bcrypt`, from the whole user, from `services`, flattened or alone. */
export const readMeteor: CredentialForm = (fields) => {
  const services = asFields(fieldOf(fields, "services")) ?? fields;
  const password = asFields(fieldOf(services, "password")) ?? services;
  return METEOR_FIELDS.some((name) => Object.hasOwn(password, name)) ? refused(METEOR) : null;
};

/** NodeBB's user objects, marked where the password went through SHA-512 first. */
export const readNodeBb: CredentialForm = (fields) => {
  const text = textOf(fields, "password");
  if (text === undefined || !Object.hasOwn(fields, NODEBB_MARK)) return null;
  const mark = fieldOf(fields, NODEBB_MARK);
  if (isOn(mark)) return refused(SHA_WRAPPED);
  return { kind: "text", text, steps: ["nodebb_hash_taken"] };
};
