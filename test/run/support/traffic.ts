/** A run's traffic on virtual time: many users' calls at a simulated core, and what came of them. */

import { setMaxListeners } from "node:events";
import { CoreFailure } from "../../../src/core/core-failure.js";
import { type CallerOptions, Caller } from "../../../src/calls/caller.js";
import type { PauseEvent } from "../../../src/events/events.js";
import { Pace } from "../../../src/calls/pace.js";
import { Tally } from "../../../src/events/tally.js";
import type { SimulatedCore } from "./simulated-core.js";
import type { VirtualTime } from "./virtual-time.js";

export interface Traffic {
  readonly tally: Tally;
  readonly pauses: readonly (PauseEvent & { readonly at: number })[];
  /** Users whose call failed for good. */
  readonly failed: number;
  /** When it was over, in milliseconds. */
  readonly end: number;
  /** Calls answered a second, between two moments in milliseconds. */
  rate(from: number, until?: number): number;
  /** The share of the calls since a moment that failed. */
  failures(from: number): number;
}

/** The CLI's own for a remote core. */
const CONCURRENCY = 64;

/**
 * Sends one call for each of `users`, as many users at once as the command line does.
 *
 * @throws RunError as the caller does
 */
export async function send(
  users: number,
  time: VirtualTime,
  core: SimulatedCore,
  options: CallerOptions = {},
): Promise<Traffic> {
  const tally = new Tally();
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const pauses: (PauseEvent & { at: number })[] = [];
  const pace = new Pace(CONCURRENCY);
  const caller = new Caller(tally, time, stop.signal, {
    most: CONCURRENCY,
    pace,
    onPause: (event) => void pauses.push({ ...event, at: time.now() }),
    ...options,
  });
  let failed = 0;
  let fatal: { readonly error: unknown } | undefined;
  const one = async (): Promise<void> => {
    if (stop.signal.aborted) return;
    try {
      const result = await caller.call("import", core.attempt);
      if (!result.ok) failed += 1;
    } catch (error) {
      fatal ??= { error };
      stop.abort();
    }
  };
  const all = async (): Promise<void> => {
    for (let sent = 0; sent < users && !stop.signal.aborted; sent += 1) {
      await pace.room();
      pace.track(1, pace.run(one));
    }
    await pace.idle();
  };
  await time.run(all());
  if (fatal !== undefined) throw fatal.error;
  const answered = core.log.filter((call) => !call.failed);
  const end = time.now();
  return {
    ...{ tally, pauses, failed, end },
    rate(from, until = end) {
      const between = answered.filter(({ at }) => at >= from && at < until);
      return (between.length / (until - from)) * 1000;
    },
    failures(from) {
      const late = core.log.filter(({ at }) => at >= from);
      return late.filter((call) => call.failed).length / late.length;
    },
  };
}

/**
 * What a plain client makes of the same calls: so many at once, each repeated until it is answered,
 * and no wait but each call's own `Retry-After`.
 *
 * @returns when it was over, in milliseconds
 */
export async function sendPlainly(
  users: number,
  time: VirtualTime,
  core: SimulatedCore,
  concurrency = CONCURRENCY,
): Promise<number> {
  let sent = 0;
  const one = async (): Promise<void> => {
    for (;;) {
      try {
        return await core.attempt();
      } catch (error) {
        await time.sleep(error instanceof CoreFailure ? (error.retryAfterMs ?? 0) : 0);
      }
    }
  };
  const worker = async (): Promise<void> => {
    while (sent < users) {
      sent += 1;
      await one();
    }
  };
  await time.run(Promise.all(Array.from({ length: concurrency }, worker)));
  return time.now();
}
