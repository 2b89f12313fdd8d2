import { mkdirSync } from "node:fs";
import { expect, it } from "vitest";
import { SYSTEM_TIMING } from "../../src/events/timing.js";
import type { RawHash } from "../../src/hash/hash.js";
import { readInputs } from "../../src/stage/read-inputs.js";
import { createDryDigester } from "../../src/plan/digests.js";
import { isRefusal } from "../../src/plan/plan.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { completeReading } from "../../src/run/defaults.js";
import { Stage } from "../../src/stage/stage.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { inputOf } from "../run/support/batches.js";
import { argon2Of, bcryptOf, bytesOf, scryptOf } from "../run/support/hashes.js";
import { email, record } from "../run/support/records.js";

const newPath = temporaryPaths();
const HASH_CONFIG = { signerKey: null, saltSeparator: "Bw==", rounds: 8, memCost: 14 };

/** A column in which every kind of hash waits, and each of them isn't what it looks like. */
function hashOf(person: number): RawHash {
  const text = (hash: string): RawHash => ({ kind: "text", text: hash });
  const { hash, salt } = scryptOf(person);
  const output = bytesOf(`${person} output`, 40).toString("base64").replaceAll("=", "");
  switch (person % 5) {
    case 0:
      return text(bcryptOf(person));
    case 1:
      return text(argon2Of(person).slice(0, 76));
    case 2:
      return text(argon2Of(person).replace(/[^$]+$/, output));
    case 3:
      return { kind: "vendor_scrypt", hash, salt };
    default:
      return { kind: "vendor_scrypt", hash, salt: salt.slice(0, 12) };
  }
}

it("plans each row once, by what the whole column says, and judges it once by itself", async () => {
  const people = Array.from({ length: 1000 }, (_, person) => person);
  const users = people.map((person) =>
    record({
      sourceId: `r-${person}`,
      email: email(`reader.${person}@example.com`),
      hash: hashOf(person),
    }),
  );
  const input = inputOf("readers.csv", users, [70, 1, 400]);
  const folder = newPath("stage");
  mkdirSync(folder);
  const stage = new Stage(folder);
  const digester = createDryDigester();
  const planned: string[] = [];
  let judged = 0;
  const policy = Object.defineProperty({ ...DEFAULT_POLICY }, "allowHash", {
    get() {
      judged += 1;
      return [];
    },
  });
  await readInputs(
    { ...completeReading({ inputs: [input], hashConfig: HASH_CONFIG }), policy },
    {
      stage,
      signal: new AbortController().signal,
      timing: SYSTEM_TIMING,
      start: 0,
      emit() {},
      digester: {
        ...digester,
        id(...names) {
          planned.push(names[2]);
          return digester.id(...names);
        },
      },
    },
  );
  const rows = [...stage.read(input)].flat();
  stage.close();
  expect(planned.sort()).toEqual(users.map(({ sourceId }) => sourceId).sort());
  // Outputs of 40 bytes, which the column shows to be whole, are accepted by a second look.
  expect(judged).toBe(people.length + people.length / 5);
  const plans = rows.map(({ user }) => user?.plan);
  for (const [person, plan] of plans.entries()) {
    if (plan === undefined) throw new Error("No user is missing.");
    const code = isRefusal(plan) ? plan.code : plan.kind;
    if (person % 5 === 1) expect(code).toMatch(/argon2_|column_truncated/);
    else expect(code).toBe(person % 5 === 4 ? "scrypt_salt_cut" : "import");
  }
});

it("a reading that is stopped asks nothing of all rows, and says what it has seen", async () => {
  const users = Array.from({ length: 30 }, (_, person) => record({ sourceId: `r-${person}` }));
  const input = inputOf("readers.csv", users, [10, 10, 10]);
  const stop = new AbortController();
  const asks = (): never => {
    throw new Error("Whoever stops waits for it.");
  };
  const { rows } = await readInputs(completeReading({ inputs: [input] }), {
    stage: { take: () => stop.abort(), planWaiting: asks, settle: asks },
    signal: stop.signal,
    timing: SYSTEM_TIMING,
    start: 0,
    emit() {},
    digester: createDryDigester(),
  });
  expect(rows).toBe(10);
});
