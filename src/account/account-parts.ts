/** The parts of an account beyond contacts and hash, as a record carries them. Types only. */

/** A user's account at a social provider. */
export interface SocialAccount {
  /** As cores name it (`google`, `apple`, `github`); null for one that isn't known. */
  readonly provider: string | null;
  /** As the vendor names it, for the providers of a mapping. */
  readonly vendorProvider: string;
  /** The user's id there. */
  readonly id: string;
  /** Empty where the export has none. */
  readonly email: string;
  /** Whether the provider verified that email; null where the export doesn't say. */
  readonly verified: boolean | null;
}

/** A second factor by time (RFC 6238). Its secret is a hash's equal: it is never told. */
export interface TotpDevice {
  /** Base32 in capitals, without padding. */
  readonly secret: string;
  /** Seconds. */
  readonly period: number;
  readonly digits: number;
  readonly algorithm: "SHA1" | "SHA256" | "SHA512";
}

/** What a reading keeps of accounts: all parts, or those that decide who is left out, by what users are brought and which roles a core has to have. */
export type KeptParts = "all" | "deciding";

/** What a core may keep of a user beside contacts and hash. */
export interface AccountParts {
  /** When the user joined, in epoch milliseconds, never in the future; null where it isn't known. */
  readonly joined: number | null;
  /** Only what the source's table names; empty where there is nothing. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The names of roles, each once. */
  readonly roles: readonly string[];
  readonly social: readonly SocialAccount[];
  readonly totp: readonly TotpDevice[];
  /** The user has a second factor or a passkey that isn't in {@link AccountParts.totp}. */
  readonly losesFactor: boolean;
  /** The parts that hold something that can't be carried. */
  readonly unreadable: readonly ("joined" | "metadata" | "roles" | "social" | "totp")[];
  /** The notices that tell filled fields which belong to no part, and so stay behind at every core. */
  readonly stays: readonly string[];
}
