/** What the calls for one user are made with. Types only. */

import type { CoreFailure } from "../core/core-failure.js";
import type { Core } from "../core/core.js";
import type { CallResult, Caller } from "../calls/caller.js";
import type { Ledger } from "../checkpoint/ledger.js";
import type { RowRef } from "../events/events.js";
import type { Rules } from "../plan/action.js";
import type { JoiningRules } from "../plan/joining.js";
import type { SentPart } from "../plan/parts.js";
import type { KeptPassword } from "../hash/legacy/kept-password.js";
import type { StandIn } from "../vault/stand-in.js";

/** What calls need of the run. */
export interface CallContext extends Rules, JoiningRules {
  readonly core: Core;
  readonly caller: Caller;
  /** Whether the core can remove users. The core is asked once, when a call first needs to know. */
  readonly removes: () => Promise<CallResult<boolean>>;
  /** What the core has answered of parts that it turned out not to keep. */
  readonly notKept: Map<SentPart, CoreFailure>;
  /** Keeps hashes that no core takes, under `--on-unusable-hash bridge`. */
  readonly keeper?: HashKeeper | undefined;
  /** Which user has which id at the core. */
  readonly ids: Pick<Ledger, "claimId">;
  /** The run's clock, in milliseconds. */
  readonly now: () => number;
}

/** Where hashes are kept that no core takes. */
export interface HashKeeper {
  /** Keeps one for its user, durably, and says what is sent in its place: the same each time. */
  keep(email: string, bridged: KeptPassword): Promise<StandIn>;
  /** Erases what is kept of a user. */
  erase(email: string): Promise<void>;
}

/** What is known of the user before the calls. */
export interface CallStart {
  readonly row: RowRef;
  /** The user's number in the checkpoint; null for a finished one, whose id is known. */
  readonly entryId: number | null;
  /** An earlier run may have made these calls already: a user who is there now may be ours. */
  readonly maybeOurs: boolean;
}

/** What is known of the user before the calls of an import. */
export interface ImportStart extends CallStart {
  /** A lookup has just found a user whom this migration didn't bring. */
  readonly theirs: boolean;
  /** When a lookup found no user, by the run's clock; null without a lookup, or where it found one. */
  readonly lookedAt: number | null;
}
