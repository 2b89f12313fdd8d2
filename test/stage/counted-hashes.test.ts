import { expect, it } from "vitest";
import { NOTHING_SHARED } from "../../src/stage/facts.js";
import { type Inspection, Inspector } from "../../src/stage/inspection.js";
import { inputOf } from "../run/support/batches.js";
import { argon2Of, bcryptOf } from "../run/support/hashes.js";
import { importPlan, passwordlessPlan, record } from "../run/support/records.js";
import { at } from "../run/support/user-keys.js";

/** What is counted of accepted hashes. */
function countOf(hashes: readonly string[]): Inspection {
  const inspector = new Inspector();
  const facts = inspector.begin(inputOf("readers.csv", [], [1]));
  for (const [index, hash] of hashes.entries()) {
    const algorithm = hash.startsWith("$2") ? "bcrypt" : "argon2";
    const verdict = { verdict: "accepted", algorithm, hash, steps: [], notices: [] } as const;
    const plan = { ...importPlan("ada@example.com"), algorithm: verdict.algorithm };
    inspector.count(record(), verdict, plan, at(index + 1), facts);
  }
  return inspector.result(hashes.length, NOTHING_SHARED);
}

it("counts hashes that are sent by algorithm, and not those of users who are refused or come without", () => {
  const inspector = new Inspector();
  const facts = inspector.begin(inputOf("readers.csv", [], [1]));
  const refused = { kind: "skip", code: "disabled", hint: "" } as const;
  const ada = importPlan("ada@example.com");
  for (const plan of [ada, ada, passwordlessPlan({}), refused]) {
    const verdict = { verdict: "accepted", algorithm: "bcrypt", hash: bcryptOf(1) } as const;
    inspector.count(record(), { ...verdict, steps: [], notices: [] }, plan, at(1), facts);
  }
  expect(inspector.result(4, NOTHING_SHARED).algorithms).toEqual({ bcrypt: 2 });
});

it("says which hashes would hurt the core", () => {
  const memory = (kib: number): string => argon2Of(1, `m=${kib},t=1,p=1`);
  const costly = (...hashes: readonly string[]): unknown =>
    countOf(hashes).findings.find(({ code }) => code === "hash_costly")?.count;
  expect(costly(bcryptOf(1, "15"), bcryptOf(1, "16"), bcryptOf(2, "16"))).toBe(2);
  expect(costly(memory(2 ** 20), memory(2 ** 20 + 8))).toBe(1);
});
