/** What the operator decided about users that could go either way. */

import type { AllowedHash } from "../hash/hash.js";
import type { UpstreamName } from "../hash/legacy/kept-password.js";

/** The parts of accounts that an operator names; roles have an option of their own. */
export const CARRIED_PARTS = ["verified", "joined", "metadata", "social", "totp"] as const;
export type CarriedPart = (typeof CARRIED_PARTS)[number];

/** Whom an operator may let in beside the others: users whom the vendor keeps out, contacts that it never verified, users who have only an enterprise identity. */
export const INCLUDED = ["disabled", "unverified", "sso"] as const;
export type Included = (typeof INCLUDED)[number];

/** Decisions about the parts of accounts beside contact and hash. */
export interface CarryPolicy {
  /** The parts that are to be at the core; null for all that it offers. */
  readonly carry: readonly CarriedPart[] | null;
  /** Which roles users keep by their own names: those that the core has, or all, which are made there; null for none. */
  readonly roles: "existing" | "create" | null;
  /** Roles that users get at the core, by the vendor's names. */
  readonly mapRole: ReadonlyMap<string, string>;
  /** The core's names of providers of social accounts, by the vendor's. */
  readonly mapProvider: ReadonlyMap<string, string>;
}

/** The operator's decisions; each has a harmless default. */
export interface Policy extends CarryPolicy {
  /**
   * Users whose hash can't be used: rejected, or created without a password. `bridge` keeps a hash that
   * can be verified in the vault for the user's first sign-in, and rejects the others; `reseal` keeps
   * it again where that vault is lost.
   */
  readonly onUnusableHash: "reject" | "passwordless" | "bridge" | "reseal";
  /**
   * A pepper or a salt that the site mixed into passwords; null without one. A proof tries it, and the
   * vault keeps it with the hashes that it may have changed.
   */
  readonly pepper: string | null;
  /**
   * Under `bridge`, the vendor that is asked at the first sign-in of a user without a hash; null for
   * none.
   */
  readonly upstream: UpstreamName | null;
  /** Users with a second factor or a passkey, which isn't carried: rejected, or migrated without it. */
  readonly onLostFactor: "reject" | "accept";
  /** Take them as well: users who are disabled, blocked or deleted, unverified contacts as a way in, users with only an enterprise identity. */
  readonly include: readonly Included[];
  /** Map the vendor's id to each user whom this migration brings, so that the application's foreign keys stay valid. */
  readonly keepIds: boolean;
  /** What to do with users who are at the core already and whom this checkpoint didn't bring. */
  readonly onExisting: "skip" | "update" | "fail";
  /** Bring users with their password whom an earlier run brought without it and who have never signed in. */
  readonly changeKind: boolean;
  /** Vouch that none of these users has signed in, for a core that doesn't say. */
  readonly assumeNeverSignedIn: boolean;
  /** Spare the lookups: the operator says that the core is empty. */
  readonly assumeEmpty: boolean;
  /** Hashes that are taken by the operator's word alone. */
  readonly allowHash: readonly AllowedHash[];
}

/** The policy where the operator decides nothing. */
export const DEFAULT_POLICY: Policy = {
  onUnusableHash: "reject",
  pepper: null,
  upstream: null,
  onLostFactor: "reject",
  include: [],
  keepIds: false,
  carry: null,
  roles: null,
  mapRole: new Map(),
  mapProvider: new Map(),
  onExisting: "skip",
  changeKind: false,
  assumeNeverSignedIn: false,
  assumeEmpty: false,
  allowHash: [],
};

/** Whether hashes that can't be used are kept in the vault, by {@link Policy.onUnusableHash}. */
export const KEEPS_HASHES = {
  reject: false,
  passwordless: false,
  bridge: true,
  reseal: true,
} as const satisfies Record<Policy["onUnusableHash"], boolean>;
