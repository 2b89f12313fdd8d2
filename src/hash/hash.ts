/** The words of the hash room: what goes into normalization and what comes out of it. Types only. */

/** The three kinds that a core imports (interface.md 2.4). */
export type HashAlgorithm = "bcrypt" | "argon2" | "vendor_scrypt";

/**
 * The account-level scrypt parameters of the exporting vendor (interface.md 4.5), as its console
 * shows them. The signer key stays on this machine: it configures the embedded core and local
 * proofs, and is never sent.
 */
export interface HashConfig {
  /** `base64_signer_key`, standard or url-safe base64. */
  readonly signerKey: string;
  /** `base64_salt_separator`, as given (may be empty; such accounts can't be migrated). */
  readonly saltSeparator: string;
  /** `rounds`, scrypt's r: 8 in nearly every account, 1 to 16. */
  readonly rounds: number;
  /** `mem_cost`, log2 of scrypt's N: 14 in nearly every account, 1 to 14. */
  readonly memCost: number;
}

/** A hash as an export holds it: one encoded text, or the vendor's scrypt hash and salt apart. */
export type RawHash =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "vendor_scrypt"; readonly hash: string; readonly salt: string };

/** What normalization says of a raw hash. Never holds the raw text of a refused hash. */
export type HashVerdict =
  | {
      readonly verdict: "accepted";
      readonly algorithm: HashAlgorithm;
      /** The exact form of interface.md 2.4 that is sent. */
      readonly hash: string;
      /** The named steps that led there, in order; empty where the text was sent as it was. */
      readonly steps: readonly string[];
    }
  | { readonly verdict: "refused"; readonly code: string; readonly hint: string }
  | { readonly verdict: "none" };
