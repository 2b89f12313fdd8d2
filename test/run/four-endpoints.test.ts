import { describe, expect, it, onTestFinished } from "vitest";
import { connectCore } from "../../src/core/http/client.js";
import { startInterfaceStub } from "../support/interface-stub.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { ANN, BEN, CLEO, importAccounts } from "./support/accounts.js";
import { newMigration, outcomes, type RunOptions } from "./support/run.js";

const newPath = temporaryPaths();
const API_KEY = "key-0001";
/** Also one whose phone is the second contact, which takes the fourth endpoint. */
const EVERYBODY = [ANN, BEN, { ...CLEO, phone: "+14155550123" }];

/** Brings the users to a core that has interface.md's four calls and nothing else. */
async function imported(policy: RunOptions["policy"]) {
  const stub = await startInterfaceStub({ apiKey: API_KEY });
  const core = connectCore({ url: stub.url, apiKey: API_KEY });
  onTestFinished(async () => {
    await core.close();
    await stub.close();
  });
  const run = await importAccounts(newMigration(newPath), EVERYBODY, {
    core,
    binding: { kind: "remote", url: stub.url },
    policy: { assumeEmpty: true, onLostFactor: "accept", ...policy },
  });
  const users = stub.users.map(({ userId: _id, ...user }) => user);
  const changes = stub.calls.filter(({ method }) => method !== "GET");
  return { run, users, changes };
}

describe("a core of four endpoints", () => {
  it("gets the same users by the same calls as without anything carried, and every part that stays is told", async () => {
    const none = await imported({ carry: [] });
    const all = await imported({});
    expect(all.users).toHaveLength(EVERYBODY.length);
    expect(all.users).toEqual(none.users);
    expect(all.changes).toEqual(none.changes);
    expect(all.run.summary.calls).toMatchObject({ part: 0, import: 1, code: 2, update: 1 });
    expect(outcomes(all.run.summary)).toEqual({ imported: 1, created: 2 });
    expect(all.run.summary.carried).toEqual([]);
    expect(all.run.summary.notices).toEqual(none.run.summary.notices);
    expect(all.run.summary.notices).toMatchObject({
      verification_not_migrated: 1,
      joined_not_migrated: 1,
      // What a file of no vendor's form calls as it likes: here the plan and the roles.
      profile_not_migrated: 3,
      mfa_not_migrated: 1,
    });
  });

  it("lets nobody in without their second factor, unless that is accepted", async () => {
    const { run, users } = await imported({ onLostFactor: "reject" });
    expect(outcomes(run.summary)).toEqual({ created: 2, rejected: 1 });
    expect(run.summary.rejects).toEqual({ factor_lost: 1 });
    expect(users.map(({ email }) => email)).not.toContain(ANN.email);
  });
});
