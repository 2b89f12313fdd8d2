import { expect, it } from "vitest";
import { sampleOf } from "../../src/reconcile/subjects.js";

const ROUNDS = 600;

it("a sample takes each of many with the same chance, and all of few", async () => {
  let seed = 7;
  const random = (): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  async function* numbers(count: number): AsyncGenerator<number> {
    for (let number = 0; number < count; number += 1) yield number;
  }
  const times = Array.from({ length: 60 }, () => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const sample = await sampleOf(numbers(60), 6, random);
    expect(new Set(sample).size).toBe(6);
    for (const number of sample) times[number] = (times[number] ?? 0) + 1;
  }
  // 60 of 600 on average, with a standard deviation of 7.
  expect(Math.min(...times)).toBeGreaterThan(30);
  expect(Math.max(...times)).toBeLessThan(90);
  expect(await sampleOf(numbers(4), 6, random)).toEqual([0, 1, 2, 3]);
});
