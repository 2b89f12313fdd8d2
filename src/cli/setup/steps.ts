/** What a step of setup is, and what all of them make known. */

import type { Dialect } from "../../core/dialect.js";
import type { HashConfig } from "../../hash/hash.js";
import type { Policy } from "../../plan/policy.js";
import type { FoundUser } from "../../prove/find-users.js";
import type { GivenMap } from "../../source/generic/field-map.js";
import type { Config } from "../config-file.js";
import type { GivenKey } from "../core-config.js";
import type { Talk } from "./asker.js";
import type { DryRun, FirstLook, LookOptions } from "./first-look.js";
import type { SetupValues } from "./setup-options.js";

/** What is known: what the command line says, and what the steps have found out. */
export interface Known {
  readonly values: SetupValues;
  readonly policy: Policy;
  readonly reading: LookOptions & { readonly map: GivenMap };
  readonly files: readonly string[];
  /** The environment's signer key; null where it has none. */
  readonly knownKey: GivenKey | null;
  readonly access: CoreAccess;

  readonly look?: FirstLook;
  readonly parameters?: Parameters;
  readonly core?: ChosenCore;
  /** Whether users get their roles at the core; absent where that wasn't asked. */
  readonly roles?: "none" | "existing" | "create" | undefined;
  readonly proof?: SetupProof;
}

/** A step. To add one, put it into the table where it is asked. */
export interface Step {
  /** What gives it on the command line. */
  readonly option: string;
  /** Whether that is there. */
  isGiven(given: Pick<Known, "files" | "values">): boolean;
  /**
   * Asks what the command line leaves open, and checks all of it.
   *
   * @throws RunError what the command line says and can't be used
   */
  take(known: Known, talk: Talk): Promise<Known>;
  /**
   * What of it goes into the configuration.
   *
   * @param earlier the configuration that is there already; empty where none is
   */
  writes(known: Known, earlier: Config): object;
}

/** All answers of the walk. */
export interface Answers extends Required<Pick<Known, "look" | "parameters" | "core" | "proof">> {
  /** What the steps write into the configuration, by the options' names in camelCase. */
  readonly options: Config;
  /** What an import would do with the rows that were looked at. */
  readonly foreseen: DryRun;
  /** YAML that says what the columns are; null where there is nothing to write. */
  readonly mapping: string | null;
}

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
  /** Whether its API key was typed, so that no file and no variable has it. */
  readonly isKeyTyped: boolean;
  /** Whether the core's queue alone takes a day of joining: from a thousand new users on, these go by it. */
  readonly joinedByQueue: boolean;
}

/** How users who are there already are dealt with. */
type Existing = Partial<Pick<Policy, "onExisting" | "assumeEmpty">>;

/** What the command line says about how a remote core is reached. */
export interface CoreAccess extends Pick<SetupValues, "dialect" | "allowInsecure" | "caFile"> {
  /** Null where none was given; then it is asked for. */
  readonly apiKey: string | null;
  readonly existing: Existing;
}

/** What was proved. */
export interface SetupProof {
  readonly proved: boolean;
  /** One of the users who were proved; null where none was. */
  readonly user: FoundUser | null;
}
