/** Histories of runs that needn't read, or compare, rows that an earlier run has read: each is played on two sides, which have to come to the same. */

import { expect } from "vitest";
import { Side, type Step } from "./history-side.js";

/** What the runs told, and what they did that needn't read known rows; of each run. */
export interface Played {
  /** Rows that weren't read. */
  readonly known: readonly number[];
  /** Those of them that weren't compared with others either. */
  readonly uncompared: readonly number[];
  /** How often the inputs were read. */
  readonly readings: readonly number[];
  /** Its events. */
  readonly told: readonly (readonly string[])[];
  /** Answers of the checkpoint, where a question was given. */
  readonly answers: readonly unknown[];
}

/** @param sql is asked of the checkpoint after each run */
export async function playBoth(
  newPath: (name: string) => string,
  steps: readonly Step[],
  sql?: string,
): Promise<Played> {
  const [side, whole] = [new Side("changed", newPath), new Side("once", newPath)];
  const known: number[] = [];
  const uncompared: number[] = [];
  const readings: number[] = [];
  const told: (readonly string[])[] = [];
  const answers: unknown[] = [];
  for (const [index, step] of steps.entries()) {
    const before = { known: side.known, uncompared: side.uncompared, readings: side.readings };
    const said = await side.run(step);
    expect(said, `run ${index + 1}`).toEqual(await whole.run(step));
    known.push(side.known - before.known);
    uncompared.push(side.uncompared - before.uncompared);
    readings.push(side.readings - before.readings);
    told.push(said.told);
    answers.push(sql === undefined ? null : side.ask(sql));
  }
  return { known, uncompared, readings, told, answers };
}

/** In which runs something was told, the first one being 1. */
export function runsThatTell({ told }: Played, code: string): number[] {
  return told.flatMap((events, index) =>
    events.some((event) => event.includes(code)) ? [index + 1] : [],
  );
}
