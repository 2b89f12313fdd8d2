/** Collects outcomes, so that many are written at once: an outcome by itself would cost as much as forty together. Each caller is answered when its outcome is durable. */

import type { Commit } from "../sqlite/group-commit.js";
import type { OutcomeWrite } from "../plan/entry.js";

/**
 * Turns of the event loop for which outcomes are collected. Where nothing else happens they are
 * over at once; under load each brings more answers of the core, of a remote one two or three.
 */
const TURNS = 40;
/** So many outcomes don't wait for more. */
const ENOUGH = 512;

export interface Settling {
  settle(outcome: OutcomeWrite): Promise<void>;
  /** Lets what waits share the transaction that is about to be made. */
  hurry(): void;
}

/** @param write runs within a transaction */
export function createSettling(
  commit: Commit,
  write: (outcomes: readonly OutcomeWrite[]) => void,
): Settling {
  let waiting: OutcomeWrite[] = [];
  let written: Promise<void> | null = null;
  let go = (): void => {};

  const collect = (turn: number): void => {
    if (turn === TURNS || waiting.length >= ENOUGH) go();
    else setImmediate(collect, turn + 1);
  };
  const writeAll = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      go = resolve;
      collect(0);
    });
    const outcomes = waiting;
    waiting = [];
    written = null;
    await commit.run(() => write(outcomes));
  };
  return {
    settle(outcome) {
      waiting.push(outcome);
      written ??= writeAll();
      return written;
    },
    hurry: () => go(),
  };
}
