import { expect, it } from "vitest";
import { NOTHING_SHARED } from "../../src/stage/facts.js";
import { type Inspection, Inspector } from "../../src/stage/inspection.js";
import { inputOf } from "../run/support/batches.js";
import { argon2Of, bcryptOf } from "../run/support/hashes.js";
import { passwordlessPlan, record } from "../run/support/records.js";
import { at } from "../run/support/user-keys.js";

/** What is counted of accepted hashes. */
function countOf(hashes: readonly string[]): Inspection {
  const inspector = new Inspector();
  const facts = inspector.begin(inputOf("readers.csv", [], [1]));
  for (const [index, hash] of hashes.entries()) {
    const algorithm = hash.startsWith("$2") ? "bcrypt" : "argon2";
    const verdict = { verdict: "accepted", algorithm, hash, steps: [], notices: [] } as const;
    inspector.count(record(), verdict, passwordlessPlan({}), at(index + 1), facts);
  }
  return inspector.result(hashes.length, NOTHING_SHARED);
}

const people = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

it("counts hashes by algorithm, cost and length, the most frequent kind first", () => {
  const bcrypt = [bcryptOf(1, "12"), ...people(3).map((person) => bcryptOf(person))];
  const argon2 = [...people(2).map((person) => argon2Of(person)), argon2Of(3).slice(0, -1)];
  expect(countOf([...bcrypt, ...argon2]).hashes).toEqual([
    { algorithm: "bcrypt", cost: "10", length: 60, count: 3 },
    { algorithm: "argon2", cost: "m=65536,t=3,p=4", length: 97, count: 2 },
    { algorithm: "bcrypt", cost: "12", length: 60, count: 1 },
    { algorithm: "argon2", cost: "m=65536,t=3,p=4", length: 96, count: 1 },
  ]);
});

it("says which hashes would hurt the core", () => {
  const memory = (kib: number): string => argon2Of(1, `m=${kib},t=1,p=1`);
  const costly = (...hashes: readonly string[]): unknown =>
    countOf(hashes).findings.find(({ code }) => code === "hash_costly")?.count;
  expect(costly(bcryptOf(1, "15"), bcryptOf(1, "16"), bcryptOf(2, "16"))).toBe(2);
  expect(costly(memory(2 ** 20), memory(2 ** 20 + 8))).toBe(1);
});

it("has a bounded number of lines, and loses no hash", () => {
  const argon2 = people(2000).map((kib) => argon2Of(1, `m=${kib + 8},t=1,p=1`));
  const { hashes, algorithms } = countOf([...argon2, ...people(10).map((one) => bcryptOf(one))]);
  expect(hashes.length).toBeLessThan(60);
  expect(hashes.slice(-2)).toEqual([
    expect.objectContaining({ algorithm: "argon2", cost: "other", length: null }),
    { algorithm: "bcrypt", cost: "other", length: null, count: 10 },
  ]);
  expect(algorithms).toEqual({ argon2: 2000, bcrypt: 10 });
});
