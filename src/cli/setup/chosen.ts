/** What was chosen: the core that users go into, and the parameters of their hashes. */

import type { Dialect, DialectName } from "../../core/dialect.js";
import type { EndpointOptions } from "../../core/http/endpoint.js";
import type { HashConfig } from "../../hash/hash.js";
import type { Policy } from "../../plan/policy.js";

/** What scrypt hashes are verified with. */
export interface Parameters {
  /** Null where no hash needs them. */
  readonly hashConfig: HashConfig | null;
  /** Null where no hash needs it. */
  readonly signerKey: string | null;
}

/** A core that was asked and can be imported into. */
export type ChosenCore = EmbeddedChoice | RemoteChoice;

export interface EmbeddedChoice {
  readonly kind: "embedded";
  readonly data: string;
  /** Users who are there already; null where the data file isn't there yet. */
  readonly users: number | null;
  readonly carried: readonly string[];
}

export interface RemoteChoice {
  readonly kind: "remote";
  readonly url: string;
  /** As it was named, or as the core itself says. */
  readonly dialect: Dialect;
  /** What the import has to be told of this core. */
  readonly existing: Existing;
  /** The parts of accounts for which the core has a place. */
  readonly carried: readonly string[];
  /** From a thousand new users on, these go by the core's queue. */
  readonly hasQueue: boolean;
}

/** How users who are there already are dealt with. */
type Existing = Partial<Pick<Policy, "onExisting" | "assumeEmpty">>;

/** What the command line says about how a remote core is reached. */
export interface CoreAccess extends EndpointOptions {
  /** Null where none was given; then it is asked for. */
  readonly apiKey: string | null;
  readonly dialect: DialectName | undefined;
  readonly allowInsecure: boolean;
  readonly caFile: string | undefined;
  readonly existing: Existing;
}
