/** A core that a dry run asks before anything is sent: the same questions as before an import, by reads alone, and how fast they are answered. */

import { existsSync } from "node:fs";
import { retryingCore } from "../calls/retrying-core.js";
import { SYSTEM_TIMING } from "../calls/timing.js";
import { type Checkpoint, copyCheckpoint } from "../checkpoint/checkpoint.js";
import { CoreFailure } from "../core/core-failure.js";
import type { Core } from "../core/core.js";
import { RunError } from "../errors/run-error.js";
import type { Rules } from "../plan/action.js";
import { NO_QUEUE, type QueueUse } from "./bulk/mode.js";
import { bulkAt, withQueue } from "./bulk/setting.js";
import { requireVaultThere } from "./hash-keeper.js";
import type { AskableCore, Asking, ReadingOptions } from "./options.js";
import { NOTHING_CARRIED } from "../plan/carried.js";
import { ask, bindCheckpoint, checkCore, NO_USER } from "./preflight.js";
import { requireCarried } from "./require-carried.js";
import { createStop, type Stop } from "./stop.js";

/** A core that is only asked. */
interface AskedCore {
  /** What changes something rejects: no call of this core's can. */
  readonly core: Core;
  /** How its lookups were answered so far; null before the first answer. */
  pace(): AnswerPace | null;
}

/** How fast lookups were answered. */
interface AnswerPace {
  /** How long an answer took, in milliseconds, on average. */
  readonly answerMs: number;
  /** Between the first question and the last answer, with as many in flight as there were. */
  readonly perSecond: number;
}

/** Calls that change nothing at a core. */
const QUESTIONS: ReadonlySet<string> = new Set([
  "findMapping",
  "listUsers",
  "countUsers",
  "capabilities",
  "findByThirdParty",
  "dialect",
  "close",
]);

/**
 * @param given its questions are asked; its other calls are never made
 * @param now the run's clock, in milliseconds
 */
export function askOnly(given: AskableCore, now: () => number): AskedCore {
  const answers = { count: 0, ms: 0, first: Number.POSITIVE_INFINITY, last: 0 };
  const timed =
    <Q extends unknown[], A>(ask: (...question: Q) => Promise<A>) =>
    async (...question: Q): Promise<A> => {
      const began = now();
      answers.first = Math.min(answers.first, began);
      const answer = await ask(...question);
      answers.last = now();
      answers.count += 1;
      answers.ms += answers.last - began;
      return answer;
    };
  const changes = async (): Promise<never> => {
    throw new RunError("internal", "A dry run was about to change something at the core.", {
      hint: "This is a bug in auth-migrate; please report it. Nothing was sent.",
    });
  };
  const others = Object.entries(given)
    .filter(([name, value]) => typeof value === "function" && !QUESTIONS.has(name))
    .map(([name]) => [name, changes]);
  const core: Core = {
    ...given,
    ...Object.fromEntries(others),
    findUsers: timed(given.findUsers),
    getUser: timed(given.getUser),
    // The import's own probe is a request for a code, without a contact.
    async probe() {
      await given.dialect?.();
      await given.findUsers(NO_USER).catch(withoutLookups);
    },
  };
  return {
    core,
    pace() {
      const { count, ms, first, last } = answers;
      if (count === 0) return null;
      const answerMs = ms / count;
      // Fewer than two answers, or a clock that stands still, say nothing of a rate.
      const tookMs = Math.max(last - first, answerMs, 1);
      return { answerMs, perSecond: (count / tookMs) * 1000 };
    },
  };
}

/** The lookup itself says it better. */
function withoutLookups(error: unknown): void {
  if (!(error instanceof CoreFailure) || error.kind !== "not_offered") throw error;
}

/** What a dry run that asks a core has at hand. */
export interface Asked
  extends AskedCore,
    QueueUse,
    Pick<Rules, "wasEmpty" | "looksUp" | "cutOver" | "carried"> {
  readonly asks: Asking;
  readonly stop: Stop;
  /** Second factors are taken for carried, and only a write could tell. */
  readonly areFactorsUntried: boolean;
  /** A private copy of the import's checkpoint; null for a first run. */
  readonly checkpoint: Checkpoint | null;
}

/**
 * Asks what an import asks before its first user, and lets `work` ask on.
 *
 * @throws what `work` throws; RunError as `checkCore`, `core_without_lookups` also under
 *   `--assume-empty`, `core_feature_missing`, `checkpoint_invalid`, `checkpoint_other_core`, `disk`,
 *   `vault_missing`
 */
export async function whileAsking<T>(
  asks: Asking,
  { policy, timing = SYSTEM_TIMING, signal: given }: ReadingOptions,
  work: (asked: Asked) => Promise<T>,
): Promise<T> {
  const stop = createStop(given);
  const now = (): number => timing.now();
  const { binding, targetMoved } = asks;
  const isFirst = asks.checkpoint === null || !existsSync(asks.checkpoint);
  const checkpoint = isFirst ? null : copyCheckpoint(asks.checkpoint);
  const cutOver = checkpoint !== null && checkpoint.cutOver() !== null;
  const { assumeEmpty: wasEmpty } = policy;
  try {
    const core = retryingCore(askOnly(asks.core, now).core, timing, stop.signal);
    let looksUp = false;
    let carried = NOTHING_CARRIED;
    let areFactorsUntried = false;
    let queue = NO_QUEUE;
    try {
      looksUp = await checkCore(core, policy, cutOver);
      // An import may do without lookups; a dry run that can't ask has nothing to say.
      if (!looksUp) await checkCore(core, { ...policy, assumeEmpty: false, onExisting: "skip" });
      const offered = await ask("probe", () => core.capabilities());
      const { bulkImport: isOffered } = offered;
      queue = await bulkAt(core, asks, { isOffered, isFirst: isFirst && looksUp });
      carried = requireCarried(policy, withQueue(offered, queue.bulkSetting !== null));
      areFactorsUntried = carried.totp && offered.totp === null;
      if (checkpoint !== null) {
        await bindCheckpoint(checkpoint, binding, core, targetMoved);
        requireVaultThere(policy, checkpoint, asks.vault);
      }
    } catch (error) {
      // An operator who stops the run while the core is asked needs no error of the core's.
      if (!stop.signal.aborted) throw error;
    }
    const asked = askOnly(asks.core, now);
    const found = { cutOver, wasEmpty, looksUp, carried, areFactorsUntried, ...queue };
    return await work({ ...asked, asks, stop, checkpoint, ...found });
  } finally {
    checkpoint?.close();
  }
}
