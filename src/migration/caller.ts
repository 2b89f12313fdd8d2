/** Calls at the core with the retries of design section 7. It tells a user's bad luck from a run that can't go on; what becomes of a failed user is not its business. */

import { CoreFailure } from "../core/core-failure.js";
import { outage, refusesEverything, runErrorFrom } from "./core-errors.js";
import type { CallName } from "./events.js";
import type { Tally } from "./tally.js";
import type { Timing } from "./timing.js";

/** Attempts before a call counts as failed, by what is wrong. */
const MOST_ATTEMPTS = { unreachable: 6, busy: 10, broken: 3 } as const;
const BASE_DELAY_MS = 200;
const MOST_DELAY_MS = 10_000;
/** So many equal refusals in a row are the run's fault, not the users'. */
const MOST_REFUSALS_IN_A_ROW = 100;

/** How a call ended after its retries. */
export type CallResult<T> =
  | { readonly ok: true; readonly value: T; readonly maybeAppliedBefore: boolean }
  | { readonly ok: false; readonly failure: CoreFailure; readonly maybeApplied: boolean };

/** What the calls of one run share. */
export interface Caller {
  /**
   * Makes a call and repeats it as far as that is safe.
   *
   * @param attempt one call; it must reject with a `CoreFailure`
   * @throws RunError where the run can't go on (key refused, no such endpoint, no signer key,
   *   disk, an outage, the same refusal for everybody)
   */
  call<T>(name: CallName, attempt: () => Promise<T>): Promise<CallResult<T>>;
  /** The run was stopped: what is under way ends, and nothing is started again. */
  readonly stopping: boolean;
}

/** @param signal ends the waiting between attempts; the call then counts as failed for now */
export function createCaller(tally: Tally, timing: Timing, signal: AbortSignal): Caller {
  let successes = 0;
  // By call: a lookup that goes well says nothing of the imports.
  const refusals = new Map<CallName, { readonly message: string; inARow: number }>();

  const wait = (attempts: number, failure: CoreFailure): Promise<void> => {
    const ceiling = Math.min(MOST_DELAY_MS, BASE_DELAY_MS * 2 ** attempts);
    return timing.sleep(failure.retryAfterMs ?? timing.random() * ceiling, signal);
  };

  const countRefusal = (name: CallName, failure: CoreFailure): void => {
    const last = refusals.get(name);
    if (last?.message !== failure.message) {
      refusals.set(name, { message: failure.message, inARow: 1 });
      return;
    }
    last.inARow += 1;
    if (last.inARow >= MOST_REFUSALS_IN_A_ROW) throw refusesEverything(failure);
  };

  return {
    get stopping() {
      return signal.aborted;
    },
    async call(name, attempt) {
      const successesBefore = successes;
      let maybeApplied = false;
      let attempts = 0;
      for (;;) {
        tally.calls[name] += 1;
        try {
          const value = await attempt();
          successes += 1;
          refusals.delete(name);
          return { ok: true, value, maybeAppliedBefore: maybeApplied };
        } catch (failure) {
          if (!(failure instanceof CoreFailure)) throw failure;
          const fatal = runErrorFrom(failure, name);
          if (fatal !== null) throw fatal;
          if (failure.kind === "refused") countRefusal(name, failure);
          // A 500 may have come after the commit.
          if (failure.reached === "unknown" || failure.kind === "broken") maybeApplied = true;
          // A wait that the core asked for costs no attempt.
          if (failure.retryAfterMs === undefined) attempts += 1;
          if (signal.aborted || attempts >= mostAttempts(failure)) {
            const deaf = failure.kind === "unreachable" && successes === successesBefore;
            if (deaf && attempts > 1 && !signal.aborted) throw outage(failure);
            return { ok: false, failure, maybeApplied };
          }
          tally.retries += 1;
          await wait(attempts, failure);
          // Its code may be used up: only a new code can go on.
          if (name === "consume" && failure.reached !== "no") {
            return { ok: false, failure, maybeApplied };
          }
        }
      }
    },
  };
}

/** 0 for an answer that would be the same again, however long the core asks to wait. */
function mostAttempts({ kind }: CoreFailure): number {
  if (kind !== "unreachable" && kind !== "busy" && kind !== "broken") return 0;
  return MOST_ATTEMPTS[kind];
}
