/** What is kept of a password that no core can take over yet. Types, and the vendors' names. */

import type { RawHash } from "../hash.js";
import type { LegacyContext } from "./changed-password.js";

/** A hash that no core takes, with all that verifying it takes. */
export interface KeptHash {
  /** As the export holds it. */
  readonly hash: RawHash;
  readonly context: LegacyContext;
}

/** Vendors that hand out no hash, or not to all, and can be asked by their sign-in call. */
export const UPSTREAMS = ["cognito", "okta", "auth0", "firebase", "keycloak"] as const;
export type UpstreamName = (typeof UPSTREAMS)[number];

/** No hash: the vendor is asked. */
export interface AskedUpstream {
  readonly upstream: UpstreamName;
  /** The user's second factor is at the core, or the operator accepts its loss: a right password is enough. */
  readonly factorIsSettled: boolean;
  /** By which it is asked, as the vendor writes it; left out where the core writes it alike. Some vendors tell capitals apart. */
  readonly email?: string;
}

export type KeptPassword = (KeptHash | AskedUpstream) & {
  /** The user's at the vendor, where there is one that may be told: it tells who is left. */
  readonly id?: string;
};
