import { describe, expect, it } from "vitest";
import { randomFrom } from "../support/random.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { Side, type Step } from "./support/history-side.js";
import { edit, type Line, newUser, type Said, textOf } from "./support/random-exports.js";

/** How many histories are played, the same ones each time. A thousand take a quarter of an hour. */
const HISTORIES = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 9, full: 100 });
/** So many to a test, which has a time of its own. */
const IN_A_TEST = 50;
const TESTS = Array.from({ length: Math.ceil(HISTORIES / IN_A_TEST) }, (_, index) => index);
const newPath = temporaryPaths();

function historyOf(seed: number): Step[] {
  const random = randomFrom(seed);
  const oddity = random.pick([1000, 100, 20]);
  let number = 0;
  const fresh = (): Said => {
    number += 1;
    return newUser(random, number, oddity);
  };
  const lines: Line[] = Array.from({ length: 25 + random.below(60) }, fresh);
  let policy: Step["policy"] = random.pick([
    {},
    { keepIds: true },
    { carry: [] },
    { onUnusableHash: "passwordless" },
    { includeUnverified: true },
  ]);
  return Array.from({ length: 2 + random.below(3) }, (_, run): Step => {
    const edits = run === 0 ? random.below(4) : random.below(7);
    for (let count = 0; count < edits; count += 1) edit(lines, random, fresh);
    if (random.chance(1, 12)) policy = { ...policy, includeDisabled: random.chance(1, 2) };
    if (random.chance(1, 12)) policy = { ...policy, carry: [] };
    const cut = random.chance(1, 4) ? random.below(lines.length) : lines.length;
    const parts = [lines.slice(0, cut), lines.slice(cut)].filter((part) => part.length > 0);
    const ordered = random.chance(1, 4) ? parts.toReversed() : parts;
    const name = random.chance(1, 2) ? "export" : `export-${run}`;
    const files = ordered.map((part, index) => ({
      name: `${name}.${index}.csv`,
      text: textOf(part),
    }));
    return { files, policy, cutsOver: random.chance(1, 12) };
  });
}

/** Plays a history on both sides. @returns how many rows were read once alone */
async function play(seed: number): Promise<number> {
  const [quick, whole] = [new Side("once", newPath), new Side("twice", newPath)];
  for (const [index, step] of historyOf(seed).entries()) {
    const told = await quick.run(step);
    expect(told, `history ${seed}, run ${index + 1}`).toEqual(await whole.run(step));
  }
  await Promise.all([quick.close(), whole.close()]);
  expect(whole.passed).toBe(0);
  return quick.passed;
}

describe("rows that change nothing are read once, and a run", () => {
  it.each(TESTS)(
    "counts, tells, sends and notes the same as by two readings (%i)",
    async (test) => {
      let passed = 0;
      const last = Math.min(HISTORIES, (test + 1) * IN_A_TEST);
      for (let seed = test * IN_A_TEST; seed < last; seed += 1) passed += await play(seed);
      expect(passed).toBeGreaterThan(0);
    },
  );
});
