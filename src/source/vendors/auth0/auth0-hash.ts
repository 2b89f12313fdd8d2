/** The hashes of Auth0's bulk import files, which tools write for Auth0 and people keep. Only what is a whole encoded text is taken out; the rest is handed on as it is, to be refused by name. */

import type { RawHash } from "../../../hash/hash.js";
import { RowDamage } from "../../row-damage.js";

/**
 * How the texts begin, by algorithm, that Auth0 takes whole with their salt
 * (auth0.com/docs/manage-users/user-migration/bulk-user-import-schema, "Supported hashing
 * algorithms"). Others keep the salt and more beside the hash.
 */
const WHOLE: ReadonlyMap<string, RegExp> = new Map([
  ["bcrypt", /^\$2/],
  ["argon2", /^\$argon2/],
  ["pbkdf2", /^\$pbkdf2/],
  ["ldap", /^\{/],
]);

/** What may stand beside a whole text: nothing else takes part in it. */
const NAMES = new Set(["algorithm", "hash"]);
const HASH_NAMES = new Set(["value", "encoding"]);

const TWO_HASHES = new RowDamage(
  "row_malformed",
  "The user has more than one password hash where Auth0 takes one; leave the right one and import the user again.",
);

/**
 * @param whole the values of `password_hash`, and of the names that it goes by elsewhere
 * @param custom the value of `custom_password_hash`
 */
export function hashOf(
  whole: readonly (string | null | undefined)[],
  custom: object | null | undefined,
): RawHash | RowDamage | null {
  const texts = whole.filter((text) => typeof text === "string" && text.trim() !== "");
  const [text] = texts;
  if (texts.length > 1 || (text !== undefined && custom)) return TWO_HASHES;
  if (text) return { kind: "text", text };
  return custom ? customHash(custom) : null;
}

function customHash(custom: object): RawHash {
  const text = textOf(custom);
  return text === null ? { kind: "credential", credential: custom } : { kind: "text", text };
}

/** The encoded text of a hash that is nothing but that text; null for any other. */
function textOf(custom: object): string | null {
  if (!("algorithm" in custom && "hash" in custom) || !hasOnly(custom, NAMES)) return null;
  const { algorithm, hash } = custom;
  const opening = typeof algorithm === "string" ? WHOLE.get(algorithm) : undefined;
  const value = typeof hash === "string" ? hash : plainValue(hash);
  return opening !== undefined && value !== null && opening.test(value) ? value : null;
}

function plainValue(hash: unknown): string | null {
  if (typeof hash !== "object" || hash === null || !hasOnly(hash, HASH_NAMES)) return null;
  if ("encoding" in hash && hash.encoding !== "utf8") return null;
  return "value" in hash && typeof hash.value === "string" ? hash.value : null;
}

function hasOnly(value: object, names: ReadonlySet<string>): boolean {
  return Object.keys(value).every((name) => names.has(name));
}
