import { describe, expect, it } from "vitest";
import type { Ending, SignIns } from "../../../src/run/options.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { readers } from "../support/people.js";
import { csvOf, newMigration, outcomes, type RunOptions } from "../support/run.js";
import { queuedCore } from "./queued-core.js";

const newPath = temporaryPaths();

/** A run is left with nine readers in the queue; of the next one, reader 4 is the test user. */
async function prepare() {
  const migration = newMigration(newPath);
  const file = migration.write("users.csv", csvOf(readers(9)));
  const waits = queuedCore(migration, { round: async () => {} });
  await migration.run([file], waits.options);
  const proof: { endings: readonly Ending[] | null; users: number } = { endings: null, users: 0 };
  const signIns: SignIns = {
    rows: [{ file, number: 4 }],
    isOffered: async () => true,
    async conclude(endings) {
      proof.endings = endings;
      proof.users = (await migration.users()).length;
      return { proved: true, findings: [], signedIn: 1 };
    },
  };
  const beforeBulk: RunOptions["beforeBulk"] = async () => ({
    fitted: [{ algorithm: "bcrypt", row: { file, number: 4 } }],
    signIns,
  });
  const run = (options: RunOptions) => migration.run([file], { ...options, beforeBulk });
  return { migration, run, proof, waits };
}

describe("a test user in the core's queue", () => {
  it("signs in once the queue has written the account", async () => {
    const { migration, run, proof } = await prepare();
    const { summary } = await run(queuedCore(migration).options);
    expect(proof).toEqual({ endings: ["brought"], users: 9 });
    const { imported = 0, unchanged = 0 } = outcomes(summary);
    expect([imported, unchanged, summary.read]).toEqual([1, 8, 9]);
  });

  it("isn't asked to sign in while the queue stands still, and the run is to be repeated", async () => {
    const { run, proof, waits } = await prepare();
    await expect(run(waits.options)).rejects.toMatchObject({ code: "outage" });
    expect(proof.endings).toBeNull();
  });
});
