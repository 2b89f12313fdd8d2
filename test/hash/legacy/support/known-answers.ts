/** Hashes with their passwords, made by the formats' own libraries; each says by which call. */

import type { RawHash } from "../../../../src/hash/hash.js";
import type { LegacyContext } from "../../../../src/hash/legacy/changed-password.js";
import { findLegacyHash } from "../../../../src/hash/legacy/find-legacy-hash.js";
import type { LegacyHash } from "../../../../src/hash/legacy/legacy-hash.js";
import changedPassword from "../fixtures/changed-password.json" with { type: "json" };
import crypt from "../fixtures/crypt.json" with { type: "json" };
import digests from "../fixtures/digests.json" with { type: "json" };
import pbkdf2 from "../fixtures/pbkdf2.json" with { type: "json" };
import scrypt from "../fixtures/scrypt.json" with { type: "json" };

/** One hash and its password. */
export interface KnownAnswer {
  /** The name of its format. */
  readonly format: string;
  /** By which library and call, or where it was published. */
  readonly made: string;
  readonly hash?: string;
  /** In a column beside the hash. */
  readonly salt?: string;
  readonly credential?: object;
  readonly context?: Partial<LegacyContext>;
  readonly password: string;
}

export const ANSWERS: readonly KnownAnswer[] = [
  ...pbkdf2,
  ...scrypt,
  ...crypt,
  ...changedPassword,
  ...digests,
];

/** The names of all formats, once each. */
export const FORMATS: readonly string[] = [...new Set(ANSWERS.map(({ format }) => format))];

export function contextOf({ context }: Partial<KnownAnswer> = {}): LegacyContext {
  return { vendor: null, pepper: null, userNames: [], ...context };
}

/** The hash as an export holds it. */
export function rawOf({ hash = "", salt, credential }: KnownAnswer): RawHash {
  if (credential !== undefined) return { kind: "credential", credential };
  return salt === undefined ? { kind: "text", text: hash } : { kind: "salted", hash, salt };
}

/** What is read of a hash, which must be of this format and within bounds. */
export function readAs(format: string, raw: RawHash, context = contextOf()): LegacyHash {
  const parsed = findLegacyHash(raw, context);
  if (parsed?.format !== format || "outOfBounds" in parsed) {
    throw new Error(`read as ${JSON.stringify(parsed)}, not as ${format}`);
  }
  return parsed;
}
