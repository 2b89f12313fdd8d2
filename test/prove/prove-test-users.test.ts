import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Input, openInputs } from "../../src/source/inputs.js";
import { proveTestUsers } from "../../src/prove/prove-test-users.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { firebaseOf, hashConfigOf, KEY, OTHER_KEY, scryptOf } from "../run/support/test-users.js";

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
