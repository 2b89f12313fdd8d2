/** A core whose questions are asked again where a failure may pass. It serves before a run, which has no pace yet. Of the calls that change something at the core only those on parts are repeated, since each sets what it says. */

import type { Core, RepeatQuestion } from "../core/core.js";
import { CoreFailure } from "../core/core-failure.js";
import type { Timing } from "../events/timing.js";

const MOST_ATTEMPTS = 3;
const WAIT_MS = 500;
/** The operator is told of a longer wait, and not left before a silent screen. */
const LONGEST_WAIT_MS = 10_000;

/**
 * @param core its questions are repeated; every other call passes through
 * @param signal ends the waiting and the asking; later questions throw its reason
 */
export function retryingCore(core: Core, timing: Timing, signal: AbortSignal | undefined): Core {
  const repeat: RepeatQuestion = async (question) => {
    signal?.throwIfAborted();
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await question();
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
    probe: () => repeat(() => core.probe()),
    findUsers: (contact) => repeat(() => core.findUsers(contact)),
    findMapping: (userId) => repeat(() => core.findMapping(userId)),
    getUser: (userId) => repeat(() => core.getUser(userId)),
    // It is many questions; were it repeated as one, a single lost answer would lose all of them.
    capabilities: () => core.capabilities(repeat),
    part: (name, request) => repeat(() => core.part(name, request)),
  };
}

/** Null where the answer would be the same. A connection that is refused at once is a wrong URL. */
function waitBefore(error: unknown, attempts: number): number | null {
  if (!(error instanceof CoreFailure)) return null;
  const { kind, reached, retryAfterMs = WAIT_MS * attempts } = error;
  const mayPass =
    kind === "busy" || kind === "broken" || (kind === "unreachable" && reached !== "no");
  return mayPass && retryAfterMs <= LONGEST_WAIT_MS ? retryAfterMs : null;
}
