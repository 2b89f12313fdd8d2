import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type Input, openInputs } from "../../src/source/inputs.js";
import { findUsers } from "../../src/prove/find-users.js";
import { type ProofTrace, TraceCheck, traceOf } from "../../src/prove/trace.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import {
  bcryptOf,
  CHEAP,
  csvUsers,
  hashConfigOf,
  KEY,
  OTHER_KEY,
  scryptOf,
} from "../run/support/test-users.js";

const newPath = temporaryPaths();
const ANN = { id: "m-1", email: "ann@example.com", ...scryptOf("Tr0mbone") };
const BEN = { id: "m-2", email: "ben@example.com", hash: bcryptOf("Kaz00") };

function keysOf(key: Buffer, parameters = CHEAP) {
  return { hashConfig: hashConfigOf(key, parameters), signerKey: key.toString("base64") };
}

async function written(
  path: string,
  users: readonly (typeof ANN | typeof BEN)[],
): Promise<Input[]> {
  writeFileSync(path, csvUsers(users));
  return openInputs([path]);
}

async function traced(path: string, user = "m-1"): Promise<ProofTrace | null> {
  const inputs = await written(path, [BEN, ANN]);
  const [found] = await findUsers(inputs, [user], { policy: DEFAULT_POLICY });
  return found ? traceOf(found, keysOf(KEY)) : null;
}

it("holds while key, parameters and the user's hash are those that were proved", async () => {
  const path = newPath("users.csv");
  const trace = await traced(path);
  expect(trace).toMatchObject({ file: path, row: 2 });
  if (trace === null) return;
  const holds = async (inputs: Input[], keys = keysOf(KEY)): Promise<boolean> => {
    const check = new TraceCheck(trace, keys);
    for (const input of inputs) {
      for await (const items of input.read({})) check.take(input, items);
    }
    return check.proved !== null;
  };
  const same = await written(path, [BEN, ANN]);
  expect(await holds(same)).toBe(true);
  expect(await holds(same, keysOf(OTHER_KEY))).toBe(false);
  expect(await holds(same, keysOf(KEY, { ...CHEAP, rounds: 2 }))).toBe(false);
  expect(await holds(same, { ...keysOf(KEY), signerKey: "" })).toBe(false);
  expect(await holds(await written(path, [ANN, BEN]))).toBe(false);
  expect(await holds(await written(path, [BEN]))).toBe(false);
  expect(await holds(await written(path, [BEN, { ...ANN, ...scryptOf("new") }]))).toBe(false);
  expect(await holds(await written(newPath("other.csv"), [BEN, ANN]))).toBe(false);
});

it("tells nothing of password, hash, key or contact, and differs from time to time", async () => {
  const [one, other] = [await traced(newPath("users.csv")), await traced(newPath("users.csv"))];
  const text = JSON.stringify(one);
  const key = KEY.toString("base64");
  for (const secret of ["Tr0mbone", ANN.hash, ANN.salt, key, "ann@", "m-1"]) {
    expect(text.includes(secret)).toBe(false);
  }
  expect(one?.digest).not.toBe(other?.digest);
});

it("is left by every kind of hash that is sent, and holds for that kind alone", async () => {
  const cat = {
    id: "m-3",
    email: "cat@example.com",
    hash: `"${KNOWN_HASHES.argon2.passwordHash}"`,
  };
  const users = [ANN, BEN, cat];
  const path = newPath("users.csv");
  const inputs = await written(path, users);
  for (const [at, kind] of (["vendor_scrypt", "bcrypt", "argon2"] as const).entries()) {
    const names = [users[at]?.id ?? ""];
    const [found] = await findUsers(inputs, names, { policy: DEFAULT_POLICY });
    const check = new TraceCheck(found ? traceOf(found, keysOf(KEY)) : null, keysOf(KEY));
    for await (const items of inputs[0]!.read({})) check.take(inputs[0]!, items);
    expect(check.proved).toMatchObject({ algorithm: kind, row: { number: at + 1 } });
    expect(() => Object.assign(check, { proved: null })).toThrow(TypeError);
  }
});

it("is left by nobody whose hash isn't sent", async () => {
  const inputs = await written(newPath("users.csv"), [{ ...BEN, hash: "$2a$04$cut" }]);
  const [found] = await findUsers(inputs, ["m-2"], { policy: DEFAULT_POLICY });
  expect(found && traceOf(found, keysOf(KEY))).toBeNull();
});
