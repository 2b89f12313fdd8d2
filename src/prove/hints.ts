/** What a failed proof tells the operator: what it is and what to do. No hint holds a contact, a password, a hash or a key. */

import { optionName } from "../errors/option-name.js";
import { sentence } from "../errors/run-error.js";
import type { HashConfig } from "../hash/hash.js";
import type { OutOfBounds } from "../hash/legacy/legacy-hash.js";
import type { PreHashForm } from "../hash/prehash.js";
import { findVendor } from "../hash/vendors.js";
import type { RefusalPlan } from "../plan/plan.js";

const RESET = `move such users with ${optionName("--on-unusable-hash")} passwordless, or send them a password reset`;

/** Hints that are the same for every user. */
export const HINTS = {
  user_not_found:
    "No row of the files has this email, phone or id; write it as the export does, and name all of its files.",
  no_password:
    "The row has no password hash, so there is nothing to prove; take a test user who has one. Where the bridge is to ask the vendor for passwords, a sign-in by the bridge shows that.",
  wrong_password: `The password doesn't fit the hash: neither as it was given, nor changed in any way that is known here. Sign in with it at the vendor; if it works there, the vendor mixes something into passwords (a pepper can be tried with ${optionName("--prehash-salt-file")}), and its hashes can't be moved.`,
  latin1_bcrypt:
    "This password has characters beyond ASCII: a vendor that stores text as Latin-1 can't be told from a wrong password, so prove with a password of plain letters and digits, too.",
  long_bcrypt:
    "This password has more than 72 bytes, which some vendors (Bun) hash in a way that can't be tried here; prove with a shorter one, too.",
  wrong_scrypt_password:
    "Another test user was proved with the same signer key and parameters, so it is this password that is wrong; sign in with it at the vendor.",
  signer_key_missing: `This hash can only be verified with the vendor's signer key: give the parameters with ${optionName("--hash-config")}, or the key as VENDOR_PASSWORD_HASHING_SIGNER_KEY.`,
  signer_key_mistyped:
    "The password is right and the configured signer key isn't: it differs in a few places from the one that made this hash. Copy base64_signer_key again from the vendor's console.",
  password_or_signer_key:
    "Either this password or the configured signer key is wrong, and one user can't tell which. Prove with a second user, too: the hashes of two right passwords show whether the key is.",
  other_signer_key_elsewhere:
    "The passwords of two other test users are right under another key than the configured one, and this one isn't. Mend the signer key first; then sign in with this password at the vendor.",
  password_too_long:
    "The password fits, but bcrypt reads 72 bytes, so it would fit as well with a pepper behind it: it proves nothing. Prove with a password of fewer than 72 bytes.",
  unexplained:
    "The password doesn't verify. Only the first twenty failures are looked into: mend those and prove again.",
  hash_without_email: `The row has a password and no usable email, which a password needs at the core: name its column with ${optionName("--map")} email=COLUMN, or take another test user.`,
  too_costly: `The hash asks for more memory or time than this machine can give at a sign-in; ${RESET}.`,
  core_password_encoding:
    "The password verifies here and not at the core: the core turns characters beyond ASCII into question marks before it verifies vendor scrypt hashes. Users with such passwords need a reset; all others can sign in.",
  sign_in_refused:
    "The password verifies here and the core refuses it: look into the core's log and its password settings.",
  user_existed:
    "This user was at the core before this migration, which left them as they were, so a sign-in says nothing of what is imported. Prove with a user whom this migration brings, or has brought.",
  user_existed_refused:
    "This user was at the core before this migration, which left them as they were, and the core refuses the password: they have another one there, or the core's signer key isn't the one given here. Prove with a user whom this migration brings, or has brought.",
  wrong_password_accepted:
    "The core signs this user in with a wrong password, too. Don't import into it.",
} as const;

/** @param code the refusal's own code */
export function hashRefused(code: string, hint: string): string {
  return `No core takes this hash (${code}): ${hint}`;
}

/** A refused hash whose text alone would verify. */
export function fitsAsTyped(refusal: string): string {
  return `${refusal} The password does fit the hash as it was typed, though: if the other users' do, the salt column or the vendor that ${optionName("--from")} names is what misleads; leave it out.`;
}

/**
 * @param format the hash's format, as docs/hashes.md names it
 * @param isUnnamed the bridge keeps such a hash only where the export says how it was made
 */
export function fitsFormat(refusal: string, format: string, isUnnamed: boolean): string {
  const next = isUnnamed
    ? ": where a mapping names its algorithm beside it (docs/mappings.md), the bridge keeps it"
    : ", so the export is whole";
  return `${refusal} The password fits it (${format})${next}.`;
}

/** @param format as in {@link fitsFormat} */
export function misfitsFormat(refusal: string, format: string): string {
  return `${refusal} The password doesn't fit the hash, either (${format}): sign in with it at the vendor.`;
}

/** A hash that isn't computed here. */
export function beyondBounds(refusal: string, { format, outOfBounds }: OutOfBounds): string {
  return `${refusal} Whether the password fits wasn't tried: the ${outOfBounds} of this hash (${format}) is beyond what a sign-in can bear, or below what any software writes.`;
}

/** @param plan the skip or reject; who is skipped proves nothing, and there is nothing to mend */
export function notImported({ kind, code, hint }: RefusalPlan): string {
  const another = kind === "skip" ? " Else take another test user." : "";
  return `The import leaves this row out as ${code}: ${hint}${another}`;
}

/** @param code the row's own code in the import */
export function importFailed(code: string, hint: string): string {
  return `The import of this user ended as ${code}: ${hint}`;
}

/** @param message what the core said, or what kept it from answering */
export function signInFailed(message: string): string {
  return `${sentence(`The password verifies here and the sign-in got no answer: ${message}`)} Look into the core's log, then run the same command again.`;
}

/** @param field the core's own name for the signer key's field; in upper case the variable */
export function coreSignerKey(field: string): string {
  return `The password verifies here and not at the core, so the core's signer key isn't the one given here: compare the core's ${field} (in a container the variable ${field.toUpperCase()}, or what auth-migrate serve was given) with base64_signer_key of the vendor's console.`;
}

/** The password fits once it is changed. */
export function preHashed({ who, what, vendors, needs }: PreHashForm): string {
  const refusing = vendors.filter((name) => findVendor(name)?.preHash === "always");
  const byPepper =
    needs === "salt"
      ? `where it is one pepper for all users, keep the hashes for the bridge (${optionName("--on-unusable-hash")} bridge with ${optionName("--prehash-salt-file")}); else `
      : "";
  const remedy =
    refusing.length === 0
      ? `${byPepper}take such hashes out of the export, which makes their users passwordless, or send a password reset`
      : `name the vendor with ${optionName("--from")} (${refusing.join(", ")}), so that such hashes are refused; then keep them for the bridge with ${optionName("--on-unusable-hash")} bridge, ${RESET}`;
  return `The hash was made from ${what}: the way of ${who}. A core hashes passwords as they are typed, so every user whose password this changes is locked out: ${remedy}.`;
}

/** Two users prove that another key made their hashes. */
export function otherSignerKey(one: number, other: number): string {
  return `The passwords of ${pair(one, other)} are right and the configured signer key isn't: their hashes were both made with one other key. Copy base64_signer_key from the console of the very project that this export is from.`;
}

/** Two users agree, and there is no key to compare with. */
export function signerKeyMissing(one: number, other: number): string {
  return `The passwords of ${pair(one, other)} are right: their hashes were made with one key. ${HINTS.signer_key_missing}`;
}

/** Several users, none proved, and no two of their hashes lead to one key. */
export function noTwoRight(users: number): string {
  return `None of ${users} test users is proved, and no two of their hashes lead to one signer key: so at most one of these passwords is right, or the account's rounds, mem_cost or separator aren't. Sign in with each at the vendor, and compare the hash parameters with its console.`;
}

/** The password fits with other parameters. */
export function otherParameters(configured: Parameters, right: Parameters): string {
  const changes = [
    change("rounds", configured.rounds, right.rounds),
    change("mem_cost", configured.memCost, right.memCost),
    change("base64_salt_separator", configured.saltSeparator, right.saltSeparator),
  ].filter((text) => text !== null);
  return `The password and the signer key are right, and the parameters aren't: ${changes.join(", ")}. Compare the hash parameters with the vendor's console.`;
}

/** What of an account's parameters is no secret. */
export type Parameters = Pick<HashConfig, "memCost" | "rounds" | "saltSeparator">;

function pair(one: number, other: number): string {
  return `users ${Math.min(one, other)} and ${Math.max(one, other)}`;
}

function change(name: string, configured: number | string, right: number | string): string | null {
  return configured === right ? null : `${name} must be ${right}, not ${configured}`;
}
