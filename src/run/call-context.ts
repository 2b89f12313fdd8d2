/** What the calls for one user are made with. Types only. */

import type { Core } from "../core/core.js";
import type { CallResult, Caller } from "../calls/caller.js";
import type { Ledger } from "../checkpoint/ledger.js";
import type { RowRef } from "../events/events.js";
import type { Digester } from "../plan/digests.js";
import type { Policy } from "../plan/policy.js";

/** What applying needs of the run. */
export interface CallContext {
  readonly core: Core;
  readonly caller: Caller;
  readonly policy: Policy;
  /** People sign in at the core: nothing of theirs is overwritten. */
  readonly cutOver: boolean;
  /** The core had no users when the run began, or the operator vouches for it. */
  readonly wasEmpty: boolean;
  /** Users are looked up before anything is sent. */
  readonly looksUp: boolean;
  /** Whether the core removes users; asked once, where it has to be known. */
  readonly removes: () => Promise<CallResult<boolean>>;
  /** By which contacts the checkpoint knows a user. */
  readonly digester: Pick<Digester, "contact">;
  /** Who has which id at the core. */
  readonly ids: Pick<Ledger, "claimId">;
  /** The run's clock, in milliseconds. */
  readonly now: () => number;
}

/** What is known of the user before the calls. */
export interface Before {
  readonly row: RowRef;
  /** The user's number in the checkpoint; null for a finished one, whose id is known. */
  readonly entryId: number | null;
  /** An earlier run may have made these calls already: a user who is there now may be ours. */
  readonly maybeOurs: boolean;
  /** A lookup has just found a user whom this migration didn't bring. */
  readonly theirs: boolean;
  /** When a lookup found no user, by the run's clock; null where none was made, or a user was found. */
  readonly lookedAt: number | null;
}
