/** The options of a dry run and of an import, and the test users of a proof. Types only. */

import type { Core } from "../core/core.js";
import type { Dialect } from "../core/dialect.js";
import type { Inspection } from "../stage/inspection.js";
import type { InspectionOptions } from "../stage/read-inputs.js";
import type { CoreBinding } from "../checkpoint/checkpoint.js";
import type {
  Finding,
  MigrationEvent,
  PredictionEvent,
  RowEvent,
  RowRef,
} from "../events/events.js";
import type { Timing } from "../events/timing.js";
import type { Caller } from "../calls/caller.js";
import type { Given, limits, pace, sending } from "./shared-options.js";

/** A hash that a known password has fitted. */
export interface FittedHash {
  /** Its kind: the algorithm, or of one that no core takes why. */
  readonly algorithm: string;
  /** Whether no core takes it, and the vault keeps it. */
  readonly bridged?: boolean;
  readonly row: RowRef;
}

/** What earlier runs have proved, as the checkpoint keeps it. */
export interface EarlierProof {
  /** Whether the signer key and the parameters are those of this run, or which is another; null where none was proved. */
  readonly signerKey: "same" | "signer key" | "hash parameters" | null;
  /** A core has shown of all bcrypt and argon2 hashes of this run that they verify: test users of the same sources have signed in. */
  readonly plain: boolean;
}

/** The result of a proof. */
export interface ProofResult {
  /** Hashes that known passwords have fitted: one of vendor scrypt proves the signer key, one of bcrypt or argon2 that its file's aren't of changed passwords. None where nothing is proved. */
  readonly fitted: readonly FittedHash[];
  /**
   * Test users who are imported, and who sign in, before any other user is sent. Only sign-ins
   * prove a remote core: without them the summary says `proved: false`.
   */
  readonly signIns?: SignIns | undefined;
}

/**
 * Asked once before the bulk; may throw a `RunError` to stop the run before anything is sent.
 *
 * @param signal stops the run; its reason may be thrown then
 * @param earlier what needs no other proof
 */
export type BeforeBulk = (
  inspection: Inspection,
  signal: AbortSignal,
  earlier: EarlierProof,
) => Promise<ProofResult>;

/** What a dry run and an import both need. */
export interface ReadingOptions extends Omit<InspectionOptions, "keepsRaw">, Given<typeof limits> {
  /**
   * Asked once, after the inspection and before anything is sent; a proof belongs here. Its
   * time counts as no work of the run's.
   */
  readonly beforeBulk?: BeforeBulk | undefined;
  /** Stops the run softly: calls in flight end, progress is saved, the summary says `interrupted`. */
  readonly signal?: AbortSignal;
  /** Told what happens, as it happens; must not throw. */
  readonly onEvent?: (event: MigrationEvent) => void;
  /** Awaited before more refusals are emitted. A caller that can't take more events resolves it later. */
  readonly room?: () => Promise<void>;
  /** The clock, random numbers and waits; the system's by default. */
  readonly timing?: Timing;
}

/** What an import needs beside that. */
export interface ImportOptions extends ReadingOptions, Given<typeof pace & typeof sending> {
  /** What a person types to go on, which `status` shows after a stop; without a secret. */
  readonly command?: string | undefined;
  /** The same without `limit`, which goes on where a pilot has come to its end; `command` by default. */
  readonly unlimited?: string | undefined;
  /** The same without a proof that is required, which goes on where the core can't be asked for one; `command` by default. */
  readonly unproved?: string | undefined;
  /** What a person types to have the core asked for the users: the command's name, then each option with its value. */
  readonly check?: readonly string[] | undefined;
  /** What a person types to start the bridge with `vault`. */
  readonly bridge?: string | undefined;
  /** The inputs are the rows of a proof's test users alone, so that nothing is said of other users. */
  readonly proof?: boolean | undefined;
  /** The core; it stays open. */
  readonly core: Core;
  /** How the checkpoint identifies the core. */
  readonly binding: CoreBinding;
  /** The checkpoint's path; created where it isn't there. */
  readonly checkpoint: string;
  /**
   * The vault's path, and its key of 32 bytes, for `--on-unusable-hash bridge`; made where it isn't
   * there. Null where no row has a hash that would be kept, whatever users of earlier runs depend on.
   */
  readonly vault?: { readonly path: string; readonly key: Uint8Array } | null | undefined;
  /** Most users in flight at once. */
  readonly concurrency: number;
  /** The core that the checkpoint knows is at another URL now. */
  readonly targetMoved: boolean;
  /** Most users in one request to that queue; 10,000 by default, which is all that it takes. */
  readonly bulkBatch?: number | undefined;
}

/** What asks the core about a checkpoint's users takes of an import's options. */
export type AtCore = Pick<
  ImportOptions,
  "core" | "binding" | "targetMoved" | "concurrency" | "rate" | "signal" | "room" | "timing"
>;

/** A core, and for one behind a URL what tells its dialect. */
export type AskableCore = Core & { readonly dialect?: () => Promise<Dialect> };

/** The core that a dry run asks, as an import would, without changing anything there. */
export interface Asking
  extends Pick<ImportOptions, "binding" | "bulk" | "concurrency" | "rate" | "targetMoved"> {
  /** It stays open. */
  readonly core: AskableCore;
  /** The checkpoint from which the import would go on, which is read and left as it is; null for a first run. */
  readonly checkpoint: string | null;
  /** The path of the vault that the import would take; by default the one that it took last. */
  readonly vault?: string | undefined;
  /** Most users who are looked up. Of more of them an evenly spaced sample is. */
  readonly checkExisting: number;
  /** Told of every row whose outcome is known; must not throw. */
  readonly onPrediction?: (event: PredictionEvent) => void;
}

/** What a dry run needs. */
export interface ValidateOptions extends ReadingOptions {
  /** By default no core is asked, and the run is that into an empty one. */
  readonly asks?: Asking | undefined;
}

/** How one test user's import ended: this migration brought the user, the user existed before, or the row had this event. */
export type Ending = "brought" | "existed" | RowEvent;

/** What a sign-in needs. */
export interface SignInContext {
  readonly core: Core;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** Test users who are to sign in at a core before any other user is sent. */
export interface SignIns {
  /** Their rows, one of each. */
  readonly rows: readonly RowRef[];
  /** Whether the core offers a sign-in. @throws RunError as `Caller.call` */
  isOffered(context: SignInContext): Promise<boolean>;
  /**
   * Signs in as each of them. The run calls it once, before it sends any other user; an error that
   * it throws ends the run.
   *
   * @param endings of the rows, in their order; null where the core offers no sign-in, and then
   *   none of them was sent
   */
  conclude(endings: readonly Ending[] | null, context: SignInContext): Promise<SignInVerdict>;
}

/** What the sign-ins mean for the run. */
export interface SignInVerdict {
  readonly proved: boolean;
  readonly findings: readonly Finding[];
  /** How many could sign in as this migration's users. */
  readonly signedIn: number;
}
