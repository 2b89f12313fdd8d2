/** A core that is asked once more where a failure may pass: for the questions before a run, which has no pace yet that would do it. What changes something at the core is never repeated here. */

import type { Core } from "../core/core.js";
import { CoreFailure } from "../core/core-failure.js";
import type { Timing } from "./timing.js";

const MOST_ATTEMPTS = 3;
const WAIT_MS = 500;
/** Whoever is to wait longer is told so, and not left before a screen that says nothing. */
const LONGEST_WAIT_MS = 10_000;

/**
 * @param core is asked; what it offers beside questions passes through
 * @param signal ends the waiting, and with it the asking: whoever asks after that gets its reason
 */
export function patientCore(core: Core, timing: Timing, signal: AbortSignal | undefined): Core {
  const patiently =
    <Q extends unknown[], A>(ask: (...question: Q) => Promise<A>) =>
    async (...question: Q): Promise<A> => {
      signal?.throwIfAborted();
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await ask(...question);
        } catch (error) {
          const wait = waitBefore(error, attempts);
          if (wait === null || attempts === MOST_ATTEMPTS) throw error;
          if (signal?.aborted !== true) await timing.sleep(wait, signal);
          if (signal?.aborted === true) throw error;
        }
      }
    };
  return {
    ...core,
    probe: patiently(core.probe),
    findUsers: patiently(core.findUsers),
    findMapping: patiently(core.findMapping),
    getUser: patiently(core.getUser),
  };
}

/** Null where the answer would be the same. A connection that is refused at once is a wrong URL. */
function waitBefore(error: unknown, attempts: number): number | null {
  if (!(error instanceof CoreFailure)) return null;
  const { kind, reached, retryAfterMs = WAIT_MS * attempts } = error;
  const mayPass = kind === "busy" || (kind === "unreachable" && reached !== "no");
  return mayPass && retryAfterMs <= LONGEST_WAIT_MS ? retryAfterMs : null;
}
