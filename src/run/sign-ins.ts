/** Test users whom an import brings before all others, and what their sign-ins at the core come to. Types only: who they are and how they are judged, a proof says. */

import type { Caller } from "../calls/caller.js";
import type { Core } from "../core/core.js";
import type { Finding, RowEvent, RowRef } from "../events/events.js";

/** What the import of one test user came to: brought by this migration, there before it, or what was told of the row. */
export type Ending = "brought" | "existed" | RowEvent;

/** What signing in takes. */
export interface SignInContext {
  readonly core: Core;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** Test users for whom a core is to be asked before any other user is sent. */
export interface SignIns {
  /** Their rows, one of each. */
  readonly rows: readonly RowRef[];
  /** Whether the core has a sign-in that can be asked. @throws RunError as `Caller.call` */
  isOffered(context: SignInContext): Promise<boolean>;
  /**
   * Signs in as each of them. Asked once, before the first other user is sent; what it throws ends
   * the run.
   *
   * @param endings of the rows, in their order; null where the core offers no sign-in, and then
   *   none of them was sent
   */
  conclude(endings: readonly Ending[] | null, context: SignInContext): Promise<SignInVerdict>;
}

/** What follows from sign-ins for a run. */
export interface SignInVerdict {
  readonly proved: boolean;
  readonly findings: readonly Finding[];
  /** How many could sign in as this migration's users. */
  readonly signedIn: number;
}
