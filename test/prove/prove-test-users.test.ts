import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { normalizeHash } from "../../src/hash/normalize.js";
import { type Input, openInputs } from "../../src/source/inputs.js";
import { proveTestUsers } from "../../src/prove/prove-test-users.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { ANSWERS, rawOf } from "../hash/legacy/support/known-answers.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import {
  bcryptOf,
  firebaseOf,
  hashConfigOf,
  KEY,
  OTHER_KEY,
  scryptOf,
} from "../run/support/test-users.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";

const newPath = temporaryPaths();
const USERS = [
  { user: "ann@example.com", password: "Tr0mbone" },
  { user: "nobody@example.com", password: "Tr0mbone" },
];

async function inputs(): Promise<Input[]> {
  const folder = newPath("export");
  mkdirSync(folder);
  const path = join(folder, "users.json");
  writeFileSync(
    path,
    firebaseOf([{ id: "m-1", email: "ann@example.com", ...scryptOf("Tr0mbone") }]),
  );
  return openInputs([path]);
}

describe("proving test users", () => {
  it("finds each and takes the account's signer key where no other is named", async () => {
    const hashConfig = hashConfigOf(KEY);
    const { found, proofs } = await proveTestUsers(USERS, { inputs: await inputs(), hashConfig });
    expect(found.map((one) => one !== null)).toEqual([true, false]);
    expect(proofs).toMatchObject([
      { user: 1, ok: true, algorithm: "vendor_scrypt", row: { number: 1 } },
      { user: 2, ok: false, code: "user_not_found" },
    ]);
  });

  it("takes the signer key that is named", async () => {
    const signerKey = OTHER_KEY.toString("base64");
    const given = { inputs: await inputs(), hashConfig: hashConfigOf(KEY), signerKey };
    const { proofs } = await proveTestUsers(USERS.slice(0, 1), given);
    expect(proofs).toMatchObject([{ ok: false }]);
  });

  it("leaves out whom the import would leave out, by the policy that is given in part", async () => {
    const bare = { inputs: await inputs() };
    const { proofs } = await proveTestUsers(USERS.slice(0, 1), {
      ...bare,
      policy: { onUnusableHash: "passwordless" },
    });
    expect(proofs).toMatchObject([{ ok: false, algorithm: null }]);
  });
});

/** A hash and its password of each kind: what a core takes, and what the bridge verifies by why no core takes it. */
function oneOfEach(): Map<string, { readonly hash: string; readonly password: string }> {
  const kinds = new Map([
    ["bcrypt", { hash: bcryptOf("Kaz00"), password: "Kaz00" }],
    ["argon2", { hash: KNOWN_HASHES.argon2.passwordHash, password: KNOWN_HASHES.argon2.password }],
  ]);
  for (const answer of ANSWERS) {
    const { hash = "", salt, context, password } = answer;
    if (hash === "" || salt !== undefined || context !== undefined) continue;
    const verdict = normalizeHash(rawOf(answer), {});
    if (verdict.verdict === "refused") kinds.set(verdict.code, { hash, password });
  }
  // Which kind that is, the whole column says.
  kinds.delete("argon2_hash_length");
  return kinds;
}

it("counts each kind of hash for itself, those that the vault keeps as well, in a run as in a proof", async () => {
  const kinds = oneOfEach();
  expect(kinds.size).toBeGreaterThan(20);
  const users = [...kinds].map(([kind, { hash }]) => ({
    id: `u-${kind}`,
    email: `${kind}@example.com`,
    password_hash: hash,
  }));
  const path = newPath("users.json");
  writeFileSync(path, JSON.stringify(users));
  const policy = { onUnusableHash: "bridge" } as const;
  for (const [kind, { password }] of kinds) {
    const inputs = await openInputs([path]);
    const others = Object.fromEntries([...kinds.keys()].map((other) => [other, 1]));
    delete others[kind];
    const tests = [{ user: `u-${kind}`, password }];
    const { proofs, untried } = await proveTestUsers(tests, { inputs, policy });
    const bridged = kind !== "bcrypt" && kind !== "argon2";
    expect(proofs).toMatchObject([{ ok: true, algorithm: kind, bridged }]);
    expect(untried).toEqual(others);
    const beforeBulk = async () => ({ fitted: proofs.filter((proof) => proof.ok) });
    const run = await validateUsers({ inputs: await openInputs([path]), policy, beforeBulk });
    expect(run.untried).toEqual(others);
  }
});
