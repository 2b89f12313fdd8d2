/** Starts the queue's job again and again, one round at a time. */

import { setTimeout as sleep } from "node:timers/promises";

/** A core whose queue is written in rounds. */
export interface QueueHolder {
  /** One round; the signal ends it between two transactions. */
  importQueued(signal: AbortSignal): Promise<void>;
}

/** A second after the accounts came they are users; at SuperTokens it may take five minutes. */
const DEFAULT_INTERVAL_MS = 1000;

interface QueueTimer {
  /** From the end of a round to the next one; 1000 by default. */
  readonly intervalMs?: number | undefined;
  /** Told of a round that failed after one that didn't; what it didn't write is tried again. */
  readonly onFailure: (error: unknown) => void;
  /** Resolves after a time, or when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * The first round begins at once.
 *
 * @returns what ends it: a round under way ends with its transaction
 */
export function startQueueJob(
  { importQueued }: QueueHolder,
  { intervalMs = DEFAULT_INTERVAL_MS, onFailure, wait }: QueueTimer,
): () => Promise<void> {
  const end = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    let failed = false;
    while (!end.signal.aborted) {
      try {
        await importQueued(end.signal);
        failed = false;
      } catch (error) {
        if (!failed) onFailure(error);
        failed = true;
      }
      const { signal } = end;
      if (wait !== undefined) await wait(intervalMs, signal);
      else await sleep(intervalMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  return async () => {
    end.abort();
    await running;
  };
}
