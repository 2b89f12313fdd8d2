import { expect, it } from "vitest";
import { byAlgorithm, createHistogram } from "../../src/inspect/histogram.js";
import { argon2Of, bcryptOf } from "../run/support/hashes.js";

it("counts hashes by algorithm, cost and length, the most frequent kind first", () => {
  const histogram = createHistogram();
  histogram.add("bcrypt", bcryptOf(1, "12"));
  for (const person of [1, 2, 3]) histogram.add("bcrypt", bcryptOf(person));
  for (const person of [1, 2]) histogram.add("argon2", argon2Of(person));
  histogram.add("argon2", argon2Of(3).slice(0, -1));
  expect(histogram.list()).toEqual([
    { algorithm: "bcrypt", cost: "10", length: 60, count: 3 },
    { algorithm: "argon2", cost: "m=65536,t=3,p=4", length: 97, count: 2 },
    { algorithm: "bcrypt", cost: "12", length: 60, count: 1 },
    { algorithm: "argon2", cost: "m=65536,t=3,p=4", length: 96, count: 1 },
  ]);
});

it("says which hashes would hurt the core", () => {
  const histogram = createHistogram();
  const costly = (hash: string): boolean =>
    histogram.add(hash.startsWith("$2") ? "bcrypt" : "argon2", hash);
  expect([bcryptOf(1, "15"), bcryptOf(1, "16"), bcryptOf(2, "16")].map(costly)).toEqual([
    false,
    true,
    true,
  ]);
  const memory = (kib: number): string => argon2Of(1, `m=${kib},t=1,p=1`);
  expect([memory(2 ** 20), memory(2 ** 20 + 8)].map(costly)).toEqual([false, true]);
});

it("has a bounded number of lines, and loses no hash", () => {
  const histogram = createHistogram();
  for (let kib = 8; kib < 2008; kib += 1) histogram.add("argon2", argon2Of(1, `m=${kib},t=1,p=1`));
  for (let person = 0; person < 10; person += 1) histogram.add("bcrypt", bcryptOf(person));
  const lines = histogram.list();
  expect(lines.length).toBeLessThan(60);
  expect(lines.slice(-2)).toEqual([
    expect.objectContaining({ algorithm: "argon2", cost: "other", length: null }),
    { algorithm: "bcrypt", cost: "other", length: null, count: 10 },
  ]);
  expect(byAlgorithm(lines)).toEqual({ argon2: 2000, bcrypt: 10 });
});
