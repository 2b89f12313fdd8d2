import { expect, it } from "vitest";
import { NOTHING_SHARED } from "../../src/stage/facts.js";
import { Inspector } from "../../src/stage/inspection.js";
import { USER_FINDINGS } from "../../src/stage/user-findings.js";
import { inputOf } from "../run/support/batches.js";
import { argon2Of, bcryptOf } from "../run/support/hashes.js";
import { importPlan, passwordlessPlan } from "../run/support/records.js";
import { at } from "../run/support/user-keys.js";

it("counts hashes that are sent by algorithm, and not those of users who are refused or come without", () => {
  const inspector = new Inspector();
  const facts = inspector.begin(inputOf("readers.csv", [], [1]));
  const refused = { kind: "skip", code: "disabled", hint: "" } as const;
  const ada = importPlan("ada@example.com");
  for (const plan of [ada, ada, passwordlessPlan({}), refused]) {
    const verdict = { verdict: "accepted", algorithm: "bcrypt", hash: bcryptOf(1) } as const;
    inspector.count({ ...verdict, steps: [], notices: [] }, plan, at(1), facts);
  }
  expect(inspector.result(4, NOTHING_SHARED).algorithms).toEqual({ bcrypt: 2 });
});

it("says which hashes would hurt the core", () => {
  const memory = (kib: number): string => argon2Of(1, `m=${kib},t=1,p=1`);
  const isCostly = (passwordHash: string): boolean => {
    const plan = { ...importPlan("ada@example.com"), passwordHash };
    return USER_FINDINGS.some(({ code, holds }) => code === "hash_costly" && holds(plan, []));
  };
  expect([bcryptOf(1, "15"), bcryptOf(1, "16"), bcryptOf(2, "17")].map(isCostly)).toEqual([
    false,
    true,
    true,
  ]);
  expect([memory(2 ** 20), memory(2 ** 20 + 8)].map(isCostly)).toEqual([false, true]);
});
