/** What can be wrong with a hash, worded once for the core's answer and for the operator's hint. */

import { optionName } from "../errors/option-name.js";
import type { HashAlgorithm, HashVerdict } from "./hash.js";
import type { Step } from "./steps.js";

/** What brings a user without the hash. */
export const WITHOUT = `${optionName("--on-unusable-hash")} passwordless`;

/** What the operator does about a hash, before its user goes without it; or all that can be done, by the options for a user without it. */
export type Remedy = string | ((without: string) => string);

/** About one that can't be moved. */
export const move = (without: string): string =>
  `move these users with ${without}, or send them a password reset`;

/** About one that was damaged on its way here. */
export const EXPORT_AGAIN = "export the hashes again whole and unchanged";

/** What is wrong with a hash of a column whose case was changed. */
export const ONE_CASE_ONLY =
  "has letters of one case only, so the file was changed to upper or lower case";

/**
 * The longest raw text that is read, in UTF-16 units. Longer text is refused unread, so that
 * hostile input costs a bounded scan. The longest padded columns stay far below.
 */
export const MAX_RAW_LENGTH = 1024;

/** The longest credential as JSON text that is read: Keycloak's, JSON inside JSON, stays below 1 000. */
export const MAX_CREDENTIAL_LENGTH = 4096;

/**
 * The longest hash that is sent. SuperTokens keeps hashes in a column of
 * 256 characters, and every known encoder stays below 230.
 */
export const MAX_HASH_LENGTH = 256;

/** A refusal for the operator. */
export type Refusal = Extract<HashVerdict, { verdict: "refused" }>;

/** One thing that can be wrong with a hash. */
export interface Flaw {
  /** What is wrong, as a clause without a full stop; fits a core's 400. */
  readonly what: string;
  /** The verdict for the operator, made once and shared by all rows. */
  readonly refusal: Refusal;
}

/** What the operator does about a hash that no core takes and the bridge verifies. */
const BRIDGE = `keep these passwords with ${optionName("--on-unusable-hash")} bridge`;

const codes = new Map<string, readonly Refusal[]>();
/** How the bridge verifies a hash: as it is, or with the site's pepper, which isn't given yet. */
export type BridgeWay = "plain" | "peppered";
type HintBy = (way: BridgeWay | null, without: string) => string;
/** By each refusal's hint what else it may say. */
const hints = new Map<string, HintBy>();

/** The codes of all flaws that were defined: what the docs must name. */
export function definedCodes(): readonly string[] {
  return [...codes.keys()].sort();
}

/** What is said of a code's hashes: one refusal for each flaw that has it. */
export function refusalsOf(code: string): readonly Refusal[] {
  return codes.get(code) ?? [];
}

/** A product's name that begins in lower case stays as it is: vBulletin. */
const OWN_CASE = /^[a-z]+[A-Z]/;

/** Defines a flaw; its hint is `what`, then what to do. */
export function defineFlaw(code: string, what: string, remedy: Remedy = move): Flaw {
  const begun = OWN_CASE.test(what) ? what : `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  const hintBy: HintBy = (way, without) => {
    const pepper = way === "peppered" ? ` and ${optionName("--prehash-salt-file")}` : "";
    const bridge = way === null ? "" : `${BRIDGE}${pepper} (docs/bridge.md), or `;
    const ways = typeof remedy === "string" ? `${remedy}, or use ${without}` : remedy(without);
    return `${begun}; ${bridge}${ways}.`;
  };
  const refusal: Refusal = { verdict: "refused", code, hint: hintBy(null, WITHOUT) };
  codes.set(code, [...refusalsOf(code), refusal]);
  hints.set(refusal.hint, hintBy);
  return { what, refusal };
}

/** The hint of a refusal for a user: the bridge is named first where it verifies the hash. */
export function hintFor({ hint }: Refusal, way: BridgeWay | null, without = WITHOUT): string {
  return hints.get(hint)?.(way, without) ?? hint;
}

/** The code of a name that a vendor writes: `okta` and `SHA-512` give `okta_sha_512`. */
export function codeOf(vendor: string, name: string): string {
  return `${vendor}_${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_")}`;
}

/** No steps, no notices: shared by nearly every verdict, so that nothing is made for it. */
export const NOTHING: readonly never[] = [];

/** The verdict for a hash that will verify in the core as `hash`, after `steps`. */
export function accept(
  algorithm: HashAlgorithm,
  hash: string,
  steps: readonly Step[],
  notices: readonly string[] = NOTHING,
): HashVerdict {
  return { verdict: "accepted", algorithm, hash, steps, notices };
}

/** The hash is longer than any encoder writes and a core keeps. */
export const TOO_LONG = defineFlaw(
  "too_long",
  "the hash is longer than any bcrypt, argon2 or vendor scrypt hash",
  "check that the right column is read as the hash",
);
