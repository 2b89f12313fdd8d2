/** The words of the hash room: what goes into normalization and what comes out of it. Types only. */

import type { SignerKeys } from "./signer-keys.js";

/** The three kinds that a core imports (interface.md 2.4). */
export type HashAlgorithm = "bcrypt" | "argon2" | "vendor_scrypt";

/**
 * The account-level scrypt parameters of the exporting vendor (interface.md 4.5), as its console
 * shows them. The signer key stays on this machine: it configures the embedded core and local
 * proofs, and is never sent.
 */
export interface HashConfig {
  /** `base64_signer_key`, standard or url-safe base64; null where only the core holds it. */
  readonly signerKey: string | null;
  /** `base64_salt_separator`, as given (may be empty; such accounts can't be migrated). */
  readonly saltSeparator: string;
  /** `rounds`, scrypt's r: 8 in nearly every account, 1 to 16. */
  readonly rounds: number;
  /** `mem_cost`, log2 of scrypt's N: 14 in nearly every account, 1 to 15. */
  readonly memCost: number;
}

/**
 * A hash as an export holds it: one encoded text; the vendor's scrypt hash and salt apart; a hash
 * beside a filled salt column of unknown meaning; or a vendor's credential object (Okta,
 * FusionAuth, Keycloak, …), as parsed from JSON.
 */
export type RawHash =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "vendor_scrypt"; readonly hash: string; readonly salt: string }
  | { readonly kind: "salted"; readonly hash: string; readonly salt: string }
  | { readonly kind: "credential"; readonly credential: object };

/**
 * Hashes that are taken only where an operator says so: `2x` takes `$2x$` for `$2a$`, which locks out
 * passwords beyond ASCII; `as-typed` vouches that bare bcrypt and argon2 hashes are of passwords as
 * they were typed; `argon2-20` takes argon2 outputs of 20 bytes beside those of 16, 32 and 64.
 */
export type AllowedHash = "2x" | "as-typed" | `argon2-${number}`;

/** What normalization is told beside the hash itself. */
export interface NormalizeOptions {
  /** The vendor account's scrypt parameters; null (the default) where none were given. */
  readonly hashConfig?: HashConfig | null;
  /**
   * The signer key of the run that the hash is a part of, for hashes that carry theirs; by default
   * a hash is compared with the key of `hashConfig` and with no other hash.
   */
  readonly signerKeys?: SignerKeys;
  /**
   * Whose hash it is, as `--from` names it (`django`, `meteor`, …): settles what no text can show.
   * Null (the default) where none is named.
   */
  readonly vendor?: string | null;
  /** Nothing shows that it is this vendor's hash: that it hashes passwords as typed settles no doubt then. */
  readonly onWord?: boolean | undefined;
  /** None by default; `argon2-any` takes outputs of any length, where the column shows whole ones. */
  readonly allowHash?: readonly (AllowedHash | "argon2-any")[];
}

/** A hash that a core takes. */
export interface AcceptedHash {
  readonly verdict: "accepted";
  readonly algorithm: HashAlgorithm;
  /** The exact form of interface.md 2.4 that is sent. */
  readonly hash: string;
  /** The named steps that led there, in order; empty where the text was sent as it was. */
  readonly steps: readonly string[];
  /** Codes of doubts that no text can rule out (`prehash_possible`), each at most once. */
  readonly notices: readonly string[];
}

/** What normalization says about a raw hash. Never holds the raw text of a refused hash. */
export type HashVerdict =
  | AcceptedHash
  | { readonly verdict: "refused"; readonly code: string; readonly hint: string }
  | { readonly verdict: "none" };
