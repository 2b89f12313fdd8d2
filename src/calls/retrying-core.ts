/** A core whose questions are asked again where a failure may pass. It serves before a run, which has no pace yet. A call that changes something at the core is never repeated here. */

import type { Core } from "../core/core.js";
import { CoreFailure } from "../core/core-failure.js";
import type { Timing } from "./timing.js";

const MOST_ATTEMPTS = 3;
const WAIT_MS = 500;
/** The operator is told of a longer wait, and not left before a silent screen. */
const LONGEST_WAIT_MS = 10_000;

/**
 * @param core its questions are repeated; every other call passes through
 * @param signal ends the waiting and the asking; later questions throw its reason
 */
export function retryingCore(core: Core, timing: Timing, signal: AbortSignal | undefined): Core {
  const retrying =
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
    probe: retrying(core.probe),
    findUsers: retrying(core.findUsers),
    findMapping: retrying(core.findMapping),
    getUser: retrying(core.getUser),
    capabilities: retrying(core.capabilities),
  };
}

/** Null where the answer would be the same. A connection that is refused at once is a wrong URL. */
function waitBefore(error: unknown, attempts: number): number | null {
  if (!(error instanceof CoreFailure)) return null;
  const { kind, reached, retryAfterMs = WAIT_MS * attempts } = error;
  const mayPass = kind === "busy" || (kind === "unreachable" && reached !== "no");
  return mayPass && retryAfterMs <= LONGEST_WAIT_MS ? retryAfterMs : null;
}
