import { describe, expect, it } from "vitest";
import { readStatus } from "../../../src/checkpoint/status.js";
import type { Ending, SignIns } from "../../../src/run/options.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { accountAt, ANN, BEN, CLEO, importAccounts } from "../support/accounts.js";
import { readers } from "../support/people.js";
import { csvOf, newMigration, outcomes, type RunOptions } from "../support/run.js";
import { virtualTiming } from "../support/virtual-timing.js";
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

it.each([
  ["when the export says by a queue that takes few users, too", "always", [1, 2], true],
  ["on this day by calls of their own", "auto", [], false],
] as const)("a test user joins %s", async (_when, bulk, sizes, isKept) => {
  const migration = newMigration(newPath);
  const { options, batches } = queuedCore(migration);
  const rows = [{ file: migration.write("accounts.json", ""), number: 2 }];
  const users: number[] = [];
  const signIns: SignIns = {
    rows,
    isOffered: async () => true,
    async conclude(endings) {
      expect(endings).toEqual(["brought"]);
      users.push((await migration.users()).length);
      return { proved: true, findings: [], signedIn: 1 };
    },
  };
  const beforeBulk: RunOptions["beforeBulk"] = async () => ({ fitted: [], signIns });
  const given = { ...options, bulk, beforeBulk };
  const { summary } = await importAccounts(migration, [BEN, ANN, CLEO], given);
  expect([users, batches]).toEqual([[1], sizes]);
  expect(outcomes(summary)).toEqual({ imported: 1, created: 2 });
  expect(await accountAt(migration.core, "ann@example.com")).toMatchObject({ joined: isKept });
});

it("no user of the bulk is told as written because the queue has written the test users", async () => {
  const migration = newMigration(newPath);
  const file = migration.write("readers.csv", csvOf(readers(40)));
  const { options, core } = queuedCore(migration);
  const signIns: SignIns = {
    rows: [1, 2, 3].map((number) => ({ file, number })),
    isOffered: async () => true,
    conclude: async () => ({ proved: true, findings: [], signedIn: 3 }),
  };
  const told: number[] = [];
  let isBulk = false;
  const virtual = virtualTiming();
  const slow: typeof core = {
    ...core,
    async queueAccounts(accounts) {
      isBulk = accounts.length > 3;
      // Long enough for an event before the queue is asked.
      if (isBulk) await virtual.sleep(1000);
      return core.queueAccounts(accounts);
    },
  };
  const timing = {
    ...virtual,
    async sleep(ms: number) {
      await virtual.sleep(ms);
      if (!isBulk) await migration.core.importQueued();
    },
  };
  await migration.run([file], {
    ...options,
    ...{ core: slow, timing, bulk: "always", bulkBatch: 10 },
    beforeBulk: async () => ({ fitted: [], signIns }),
    onEvent(event) {
      if (event.type !== "progress" || event.phase !== "run" || !isBulk) return;
      told.push(event.written, readStatus(migration.checkpoint).written);
    },
  });
  expect(told).not.toEqual([]);
  expect(told.filter((written) => written > 0)).toEqual([]);
});
