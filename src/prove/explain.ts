/** Why a password doesn't fit a hash that is sound: it was changed before it was hashed. It tries what is known and guesses no password. */

import { RunError } from "../errors/run-error.js";
import type { HashAlgorithm, HashConfig } from "../hash/hash.js";
import { findLegacyHash } from "../hash/legacy/find-legacy-hash.js";
import type { KeptHash } from "../hash/legacy/kept-password.js";
import type { OutOfBounds } from "../hash/legacy/legacy-hash.js";
import { normalizeHash } from "../hash/normalize.js";
import { preHashCandidates } from "../hash/prehash.js";
import type { SignerKeys } from "../hash/signer-keys.js";
import { verifyPassword } from "../hash/verify.js";
import { userNamesOf } from "../account/user-name.js";
import type { RefusalPlan } from "../plan/plan.js";
import type { Policy } from "../plan/policy.js";
import type { FoundUser } from "./find-users.js";
import {
  beyondBounds,
  fitsAsTyped,
  fitsFormat,
  hashRefused,
  HINTS,
  misfitsFormat,
  preHashed,
} from "./hints.js";
import type { Reason } from "./proof.js";

/** What the hashes are judged by. It is the same as in the import. */
export interface ProofOptions {
  /** As in the import that is to be proved. */
  readonly policy: Policy;
  /** The vendor account's scrypt parameters; null without them. */
  readonly hashConfig: HashConfig | null;
  /** The signer key that is configured, or else that the first hash carries. */
  readonly signerKeys: SignerKeys;
  /** Ends the proof: its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** A row and the password that its user has. */
interface Owner {
  readonly found: FoundUser;
  readonly password: string;
}

const TOO_COSTLY: Reason = { code: "too_costly", hint: HINTS.too_costly };
const BCRYPT_BYTES = 72;

/** Whether a password fits a normalized hash, or why that can't be computed; `argon2Secret` as in {@link verifyPassword}. */
export function fits(
  hash: string,
  password: string | Buffer,
  { signerKeys }: ProofOptions,
  argon2Secret: string | null = null,
): Promise<boolean | Reason> {
  return bearable(verifyPassword(hash, password, { signerKey: signerKeys.key, argon2Secret }));
}

/** What a verification says, or that this machine can't compute it. */
async function bearable(verification: Promise<boolean>): Promise<boolean | Reason> {
  try {
    return await verification;
  } catch (error) {
    if (error instanceof RunError && error.code === "hash_too_costly") return TOO_COSTLY;
    throw error;
  }
}

/** Whether the password fits once it is changed. */
export async function explainByPreHash(
  { found: { record }, password, hash }: Owner & { readonly hash: string },
  options: ProofOptions,
): Promise<Reason | null> {
  const salts = [
    options.policy.pepper ?? "",
    record.hash?.kind === "salted" ? record.hash.salt : "",
  ];
  const context = {
    hash,
    salts: salts.filter((salt) => salt !== ""),
    userNames: userNamesOf(record),
  };
  for await (const { form, ...changed } of preHashCandidates(password, context)) {
    options.signal?.throwIfAborted();
    const fit = await fits(hash, changed.password, options, changed.argon2Secret);
    if (fit === true) return { code: "prehashed", hint: preHashed(form) };
  }
  return null;
}

/** A hash in a format that no core takes, and what the password shows of it. */
interface Tried {
  readonly format: string;
  readonly fit: boolean | Reason;
}

/** Verifies the password as the bridge would; null where no format reads the hash. */
export async function tryFormat(
  { hash, context }: KeptHash,
  password: string,
): Promise<Tried | OutOfBounds | null> {
  const parsed = findLegacyHash(hash, context);
  if (parsed === null || "outOfBounds" in parsed) return parsed;
  return { format: parsed.format, fit: await bearable(parsed.verify(password)) };
}

/**
 * Why a hash isn't sent, and what the password shows of it: refused for what stands beside it, a salt
 * or a vendor's name, it may verify as it is, or once the password is changed.
 *
 * @param tried what {@link tryFormat} said of it, where it was asked
 * @param isTried whether the password is tried
 */
export async function explainRefusal(
  owner: Owner,
  { code, hint, bridge }: Pick<RefusalPlan, "code" | "hint" | "bridge">,
  options: ProofOptions,
  { tried, isTried }: { readonly tried: Tried | OutOfBounds | null; readonly isTried: boolean },
): Promise<Reason> {
  const { record, input } = owner.found;
  const { policy } = options;
  const refused: Reason = { code: "hash_refused", hint: hashRefused(code, hint) };
  if (record.hash === null || !isTried) return refused;
  const shown = await explainByText(owner, refused, options);
  if (shown !== null) return shown;
  const { vendor } = input;
  const context = { vendor, pepper: policy.pepper, userNames: userNamesOf(record) };
  const format = tried ?? (await tryFormat({ hash: record.hash, context }, owner.password));
  const kept = bridge === true ? "kept" : record.email === null ? "no email" : "not kept";
  const byFormat = explainByFormat(format, refused, kept);
  // What may be the vendor's scrypt fits nothing until its parameters are known.
  const isOpen = code === "hash_config_missing" && byFormat?.fitsBridge === false;
  return byFormat === null || isOpen ? refused : byFormat;
}

/** What the password shows of a text that would be sent without what stands beside it. */
async function explainByText(
  owner: Owner,
  refused: Reason,
  options: ProofOptions,
): Promise<Reason | null> {
  const raw = owner.found.record.hash;
  if (raw?.kind !== "text" && raw?.kind !== "salted") return null;
  const text = raw.kind === "text" ? raw.text : raw.hash;
  const { hashConfig } = options;
  const alone = normalizeHash({ kind: "text", text }, { hashConfig, allowHash: ["as-typed"] });
  if (alone.verdict !== "accepted" || alone.algorithm === "vendor_scrypt") return null;
  const { hash } = alone;
  const fit = await fits(hash, owner.password, options);
  if (fit === true && !isBlind(alone.algorithm, owner.password)) {
    return { ...refused, hint: fitsAsTyped(refused.hint) };
  }
  return fit === false ? explainByPreHash({ ...owner, hash }, options) : null;
}

/** What the password shows of a hash in a format that no core takes. */
function explainByFormat(
  tried: Tried | OutOfBounds | null,
  refused: Reason,
  kept: "kept" | "not kept" | "no email",
): Reason | null {
  if (tried === null) return null;
  if ("outOfBounds" in tried) return { ...refused, hint: beyondBounds(refused.hint, tried) };
  const { fit, format } = tried;
  if (typeof fit !== "boolean") return fit;
  if (!fit) return { ...refused, hint: misfitsFormat(refused.hint, format), fitsBridge: false };
  const hint = fitsFormat(refused.hint, format, kept === "not kept");
  return kept === "kept" ? { ...refused, hint, fitsBridge: true } : { ...refused, hint };
}

/**
 * Whether a password is so long that bcrypt sees nothing behind it: it fits a hash of itself and a
 * pepper as well, and proves nothing.
 */
export function isBlind(algorithm: HashAlgorithm, password: string): boolean {
  return algorithm === "bcrypt" && Buffer.byteLength(password) >= BCRYPT_BYTES;
}

/** The password fits in no way that can be tried. */
export function wrongPassword(algorithm: HashAlgorithm, password: string): Reason {
  const hints: string[] = [HINTS.wrong_password];
  // bcrypt's verifier takes text, so these forms can't be tried.
  if (algorithm === "bcrypt" && /[^\0-\x7f]/.test(password)) hints.push(HINTS.latin1_bcrypt);
  if (algorithm === "bcrypt" && Buffer.byteLength(password) > BCRYPT_BYTES) {
    hints.push(HINTS.long_bcrypt);
  }
  return { code: "wrong_password", hint: hints.join(" ") };
}
