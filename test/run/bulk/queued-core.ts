/** The embedded core as one behind a URL, whose queue goes a round whenever the run waits, and misbehaves as a test says. */

import type { AccountRequest } from "../../../src/core/account-import.js";
import type { QueueOutcome } from "../../../src/core/account-queue.js";
import { CoreFailure } from "../../../src/core/core-failure.js";
import type { Core } from "../../../src/core/core.js";
import type { EmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { virtualTiming } from "../support/virtual-timing.js";
import { ELSEWHERE, type Migration, type RunOptions } from "../support/run.js";
import { BEHIND_URL } from "../support/run.js";

/** What the queue does otherwise than a good one. */
export interface Faults {
  /** The answer to the nth call that queues is lost, before it took effect or after it. */
  readonly loses?: (call: number) => "before" | "after" | null;
  /** Asked before accounts are queued; what it answers is the core's answer. */
  readonly answers?: (accounts: readonly AccountRequest[]) => QueueOutcome | CoreFailure | null;
  /** Called in place of a round when the run waits. */
  readonly round?: (core: EmbeddedCore) => Promise<unknown>;
  /** Called before every call of the core. */
  readonly before?: (method: string) => void;
  readonly after?: (method: string) => void;
}

/** The core, and every size of a batch that it was sent. */
export interface QueuedCore {
  readonly core: Core;
  readonly batches: readonly number[];
  /** How often each method was called. */
  readonly calls: Readonly<Record<string, number>>;
  readonly options: RunOptions;
}

/** @param waits told of every wait, in milliseconds */
export function queuedCore({ core }: Pick<Migration, "core">, faults: Faults = {}): QueuedCore {
  const { loses = () => null, answers = () => null, round, before, after } = faults;
  const batches: number[] = [];
  const calls: Record<string, number> = {};
  const watched =
    (name: string, make: (...asked: never[]) => unknown) =>
    async (...asked: never[]): Promise<unknown> => {
      calls[name] = (calls[name] ?? 0) + 1;
      before?.(name);
      const answer = await make(...asked);
      after?.(name);
      return answer;
    };
  const methods = Object.entries(core).map(([name, value]) => [
    name,
    typeof value === "function" ? watched(name, value as never) : value,
  ]);
  const lost = () => new CoreFailure("unreachable", "the connection broke", { reached: "unknown" });
  const queueAccounts: Core["queueAccounts"] = async (accounts) => {
    batches.push(accounts.length);
    calls.queueAccounts = (calls.queueAccounts ?? 0) + 1;
    before?.("queueAccounts");
    const loss = loses(batches.length);
    if (loss === "before") throw lost();
    const answer = answers(accounts);
    if (answer instanceof CoreFailure) throw answer;
    const outcome = answer ?? (await core.queueAccounts(accounts));
    after?.("queueAccounts");
    if (loss === "after") throw lost();
    return outcome;
  };
  const behind = {
    ...Object.fromEntries(methods),
    target: ELSEWHERE,
    queueAccounts,
    capabilities: async () => ({ ...(await core.capabilities()), timeJoined: false }),
  } as Core;
  const virtual = virtualTiming();
  const timing = {
    ...virtual,
    async sleep(ms: number, signal?: AbortSignal) {
      await virtual.sleep(ms, signal);
      await (round === undefined ? core.importQueued() : round(core));
    },
  };
  return {
    core: behind,
    batches,
    calls,
    options: { core: behind, binding: BEHIND_URL, timing, bulk: "always" },
  };
}
