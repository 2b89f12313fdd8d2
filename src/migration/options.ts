/** What a dry run and an import are given. Types only. */

import type { Core } from "../core/core.js";
import type { HashConfig } from "../hash/hash.js";
import type { Census } from "./census/census.js";
import type { CoreBinding } from "./checkpoint/checkpoint.js";
import type { MigrationEvent } from "./events.js";
import type { Input } from "./inputs.js";
import type { PasswordCoverage } from "./password-export/coverage.js";
import type { Policy } from "./policy.js";
import type { Timing } from "./timing.js";

/** What a proof brought. */
export interface ProofResult {
  /** Known passwords verified against the hashes. */
  readonly proved: boolean;
  /** They did so for bare bcrypt and argon2 hashes as well: no notice `prehash_possible`. */
  readonly assumePlain: boolean;
}

/**
 * Asked once before the bulk; may throw a `RunError` to stop the run before anything is sent.
 *
 * @param census null where an input can't be read twice: it is taken on the way then
 */
export type BeforeBulk = (census: Census | null) => Promise<ProofResult>;

/** What a dry run and an import both need. */
export interface ReadingOptions {
  /** The files in the order in which they are read, from `openInputs`. */
  readonly inputs: readonly Input[];
  readonly policy: Policy;
  /** The vendor account's scrypt parameters, where the export needs them. */
  readonly hashConfig: HashConfig | null;
  /** Keeps equal ids of two databases apart; `""` by default. */
  readonly namespace: string;
  /** The coverage of the password export that `inputs` are joined with; asked once, at the end. */
  readonly passwordCoverage?: (() => PasswordCoverage) | undefined;
  /** Stops the run softly: calls in flight end, progress is saved, the summary says `interrupted`. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: MigrationEvent) => void;
  readonly timing?: Timing;
}

export interface ImportOptions extends ReadingOptions {
  /** The core; it stays open. */
  readonly core: Core;
  /** What the checkpoint knows the core by. */
  readonly binding: CoreBinding;
  /** The checkpoint's path; created where it isn't there. */
  readonly checkpoint: string;
  /** Most users in flight at once. */
  readonly concurrency: number;
  /** The core that the checkpoint knows is at another URL now. */
  readonly targetMoved: boolean;
  /** Asked once, after the census and before the first user is sent; a proof belongs here. */
  readonly beforeBulk?: BeforeBulk;
}
