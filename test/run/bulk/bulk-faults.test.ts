import { describe, expect, it } from "vitest";
import type { AccountRequest } from "../../../src/core/account-import.js";
import type { QueueOutcome } from "../../../src/core/account-queue.js";
import { CoreFailure } from "../../../src/core/core-failure.js";
import { readStatus } from "../../../src/checkpoint/status.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { repeated } from "../../support/repeated.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { readers } from "../support/people.js";
import { csvOf, newMigration, outcomes, told } from "../support/run.js";
import { type Faults, queuedCore } from "./queued-core.js";

const newPath = temporaryPaths();

/** Readers who go by a queue that misbehaves. */
function prepare(count: number, faults: Faults = {}) {
  const migration = newMigration(newPath);
  const file = migration.write("users.csv", csvOf(readers(count)));
  const queue = queuedCore(migration, faults);
  const run = (options = {}) => migration.run([file], { ...queue.options, ...options });
  return { migration, file, queue, run };
}

const numberOf = ({ wayIn }: AccountRequest): number =>
  Number(/reader\.(\d+)@/.exec(wayIn.email ?? "")?.[1]);

/** Refuses some readers by their places, as SuperTokens does. */
const refusing =
  (bad: readonly number[]) =>
  (accounts: readonly AccountRequest[]): QueueOutcome | null => {
    const users = accounts.flatMap((account, index) =>
      bad.includes(numberOf(account)) ? [{ index, errors: ["Role ghost does not exist."] }] : [],
    );
    return users.length === 0 ? null : { status: "INVALID_USERS_ERROR", users };
  };

describe("a batch that the core refuses", () => {
  it("is sent again without those whom it names, who are rejected with the core's reason", async () => {
    const users = repeated({ variable: "AUTH_MIGRATE_BULK_USERS", few: 400, full: 20_000 });
    const bad = [3, users / 4, users / 2 - 1, users / 2 + 1, users];
    const there = Array.from({ length: 50 }, (_, at) => 2 + (at * users) / 50);
    const queued = new Set<number>();
    const answers = (accounts: readonly AccountRequest[]) => {
      for (const account of accounts) queued.add(numberOf(account));
      return refusing(bad)(accounts);
    };
    const { run, queue, migration } = prepare(users, { answers });
    for (const number of there) {
      const email = `reader.${number}@example.com`;
      await migration.core.importUser({ ...KNOWN_HASHES.bcrypt, email });
    }
    const { summary, events } = await run({ bulkBatch: users / 2 });
    expect(summary).toMatchObject({ existed: 50, rejected: 5, failed: 0 });
    expect(summary.imported + summary.created).toBe(users - 55);
    expect(events.map(told).sort()).toEqual(bad.map((row) => `${row} reject core_refused`).sort());
    expect(events[0]?.hint).toBe("The core refused this user: Role ghost does not exist.");
    expect(there.filter((number) => queued.has(number))).toEqual([]);
    // Two batches are needed, and each is sent once more.
    expect(queue.batches).toHaveLength(4);
    expect(await migration.core.countUsers()).toBe(users - 5);
  });

  it("costs no more than fifteen calls beside where it names no user, and the rest goes alone", async () => {
    const bad = [3, 14, 15, 40, 60];
    const refused = new CoreFailure("refused", "no", { reached: "yes", status: 400 });
    const answers = (accounts: readonly AccountRequest[]) =>
      accounts.some((account) => bad.includes(numberOf(account))) ? refused : null;
    const { run, queue } = prepare(60, { answers });
    const { summary } = await run();
    expect(queue.batches.length).toBeLessThanOrEqual(16);
    expect(outcomes(summary)).toEqual({ imported: 30, created: 30 });
  });

  it("for its size is halved, and so are those after it", async () => {
    const refused = new CoreFailure("refused", "too large", { reached: "yes", status: 413 });
    const answers = (accounts: readonly AccountRequest[]) =>
      accounts.length > 10 ? refused : null;
    const { run, queue } = prepare(90, { answers });
    const { summary } = await run({ bulkBatch: 30 });
    expect(outcomes(summary)).toEqual({ imported: 45, created: 45 });
    expect(queue.batches.slice(0, 3)).toEqual([30, 15, 8]);
    expect(queue.batches.filter((users) => users > 10)).toEqual([30, 15, 15]);
  });

  it("whole, for one reason, ends the run", async () => {
    const everybody = Array.from({ length: 120 }, (_, index) => index + 1);
    const { run } = prepare(120, { answers: refusing(everybody) });
    await expect(run()).rejects.toMatchObject({ code: "core_refuses_everything" });
  });

  it("for a licence sends each user alone", async () => {
    const disabled = new CoreFailure("disabled", "no licence", { reached: "yes", status: 402 });
    const { run, queue } = prepare(20, { answers: () => disabled });
    const { summary } = await run();
    expect(outcomes(summary)).toEqual({ imported: 10, created: 10 });
    expect(queue.batches).toEqual([20]);
  });
});

describe("a queue", () => {
  it("whose job never runs is told after three rounds, and the run is to be repeated", async () => {
    const { run, queue, migration, file } = prepare(9, { round: async () => {} });
    const { summary, findings } = await run();
    expect(outcomes(summary)).toEqual({ pending: 9 });
    expect(summary.queued).toBe(9);
    expect(summary.interrupted).toBe(false);
    expect(findings.find(({ code }) => code === "queue_stuck")).toMatchObject({ count: 9 });
    expect(readStatus(migration.checkpoint)).toMatchObject({ queued: 9, users: 9 });
    // The job runs again.
    const mended = queuedCore(migration);
    const again = await migration.run([file], mended.options);
    expect(outcomes(again.summary)).toEqual({ imported: 4, created: 5 });
    expect([...queue.batches, ...mended.batches]).toEqual([9]);
  });

  it("whose job never runs is left by --bulk never, and nothing of the users stays there", async () => {
    const { run, migration, file } = prepare(9, { round: async () => {} });
    await run();
    const alone = queuedCore(migration, { round: async () => {} });
    const { summary } = await migration.run([file], { ...alone.options, bulk: "never" });
    expect(outcomes(summary)).toEqual({ imported: 4, created: 5 });
    expect((await migration.core.part("countQueued", {})).count).toBe(0);
    expect(await migration.users()).toHaveLength(9);
  });

  it("that is left by --bulk never leaves users alone who have signed up meanwhile", async () => {
    const { run, migration, file } = prepare(9, { round: async () => {} });
    await run();
    const { passwordHash } = KNOWN_HASHES.bcrypt;
    const email = "reader.4@example.com";
    const { user } = await migration.core.importUser({ email, passwordHash });
    const alone = queuedCore(migration, { round: async () => {} });
    const options = { ...alone.options, bulk: "never", policy: { keepIds: true } } as const;
    const { summary } = await migration.run([file], options);
    expect(outcomes(summary)).toEqual({ imported: 3, created: 5, existed: 1 });
    expect(await migration.core.getUser("r-4")).toBeNull();
    expect(await migration.core.getUser(user.userId)).toMatchObject({ email });
  });

  it("that writes users just when --bulk never takes them off it has brought them itself", async () => {
    const { run, migration, file } = prepare(9, { round: async () => {} });
    await run();
    const { core, options } = queuedCore(migration);
    const part: typeof core.part = async (name, request) => {
      if (name === "removeQueued") await migration.core.importQueued();
      return core.part(name, request);
    };
    const alone = { ...options, core: { ...core, part }, bulk: "never" } as const;
    const { summary } = await migration.run([file], alone);
    expect(outcomes(summary)).toEqual({ imported: 4, created: 5 });
    expect(summary.calls).toMatchObject({ import: 0, code: 0 });
    expect(await migration.users()).toHaveLength(9);
  });

  it("that is filled by others as well keeps their rows, whatever becomes of them", async () => {
    const { passwordHash } = KNOWN_HASHES.bcrypt;
    const stranger = (n: number): AccountRequest => ({
      wayIn: { recipe: "emailpassword", email: `stranger.${n}@example.com`, passwordHash },
    });
    let rounds = 0;
    const { run, migration } = prepare(9, {
      async round(core) {
        rounds += 1;
        if (rounds > 3) return;
        await core.importQueued();
        // Some of theirs fail, and others are there for good.
        await core.queueAccounts([stranger(rounds), stranger(1)]);
      },
    });
    const { summary } = await run();
    expect(outcomes(summary)).toEqual({ imported: 4, created: 5 });
    const { users } = await migration.core.listQueued({});
    expect(users.length).toBeGreaterThan(0);
    for (const { account } of users) expect(account?.wayIn.email).toContain("stranger");
  });

  it("that loses a user is found, and the row is named", async () => {
    const { run, migration, file } = prepare(9, {
      async round(core) {
        await core.importQueued();
        const [user] = await core.findUsers({ email: "reader.4@example.com" });
        if (user !== undefined) await core.removeUser(user.userId);
      },
    });
    const { summary, events } = await run();
    expect(outcomes(summary)).toEqual({ imported: 3, created: 5, rejected: 1 });
    expect(events.map(told)).toEqual(["4 reject lost_in_queue"]);
    const again = await migration.run([file], queuedCore(migration).options);
    expect(outcomes(again.summary)).toEqual({ imported: 1, unchanged: 8 });
  });

  it("leaves a user who has signed up since the lookup as they are", async () => {
    let came = false;
    const { run, migration } = prepare(9, {
      async round(core) {
        if (!came) {
          const { linkCode, preAuthSessionId } = await core.createCode({
            email: "reader.5@example.com",
          });
          await core.consumeCode({ linkCode, preAuthSessionId });
        }
        came = true;
        await core.importQueued();
      },
    });
    const { summary } = await run();
    expect(outcomes(summary)).toEqual({ imported: 4, created: 4, existed: 1 });
    expect((await migration.core.part("countQueued", {})).count).toBe(0);
  });

  it("isn't waited for by a run that is stopped, and the next one goes on", async () => {
    const stop = new AbortController();
    const { run, migration, file } = prepare(9, { round: async () => stop.abort() });
    const { summary } = await run({ signal: stop.signal });
    expect(outcomes(summary)).toEqual({ pending: 9 });
    expect(summary).toMatchObject({ interrupted: true, queued: 9 });
    const again = await migration.run([file], queuedCore(migration).options);
    expect(outcomes(again.summary)).toEqual({ imported: 4, created: 5 });
  });

  it("has a change of the row told, which the next run sends", async () => {
    const { run, migration } = prepare(9, { round: async () => {} });
    await run();
    const hash = `"${KNOWN_HASHES.argon2.passwordHash}"`;
    const newer = readers(9).map((row) => (row.id === "r-2" ? { ...row, hash } : row));
    const file = migration.write("newer.csv", csvOf(newer));
    const { options } = queuedCore(migration);
    const second = await migration.run([file], options);
    expect(outcomes(second.summary)).toEqual({ imported: 3, created: 5, failed: 1 });
    expect(second.events.map(told)).toEqual(["2 failure changed_while_queued"]);
    const third = await migration.run([file], options);
    expect(outcomes(third.summary)).toEqual({ imported: 1, unchanged: 8 });
  });
});

describe("a queue that gives one id to two users", () => {
  it("ends the run, and the others are known to be queued", async () => {
    const id = (place: number) => `00000000-0000-4000-8000-00000000000${place}`;
    const answers = (accounts: readonly AccountRequest[]): QueueOutcome => {
      const users = accounts.map((_, place) => ({ userId: id(place === 4 ? 2 : place) }));
      return { status: "OK", users };
    };
    const { run, migration } = prepare(9, { answers });
    await expect(run()).rejects.toMatchObject({ code: "answer_mismatch" });
    expect(readStatus(migration.checkpoint)).toMatchObject({ queued: 8, unknown: 1, users: 9 });
  });
});

describe("users who are at the core already", () => {
  it("are found before, and none of them is queued", async () => {
    const { run, migration, queue } = prepare(30);
    const { passwordHash } = KNOWN_HASHES.bcrypt;
    for (const n of [2, 4, 6]) {
      await migration.core.importUser({ email: `reader.${n}@example.com`, passwordHash });
    }
    const { summary } = await run();
    expect(outcomes(summary)).toEqual({ imported: 12, created: 15, existed: 3 });
    expect(queue.batches).toEqual([27]);
    expect(summary.calls.lookup).toBeGreaterThanOrEqual(30);
  });

  it("aren't looked for where the core has nobody", async () => {
    const { run } = prepare(30);
    const { summary } = await run();
    expect(summary.calls.lookup).toBeLessThan(15);
  });
});

describe("--bulk", () => {
  it("auto sends fewer than a thousand alone", async () => {
    const { run, queue } = prepare(30);
    const { summary } = await run({ bulk: "auto" });
    expect(outcomes(summary)).toEqual({ imported: 15, created: 15 });
    expect(queue.batches).toEqual([]);
  });

  it("always ends a run at a core without the queue before anything is sent", async () => {
    const { migration, file } = prepare(3);
    const { core, options } = queuedCore(migration);
    const capabilities = async () => ({ ...(await core.capabilities()), bulkImport: false });
    const without = { ...options, core: { ...core, capabilities } };
    await expect(migration.run([file], without)).rejects.toMatchObject({
      code: "core_feature_missing",
    });
    expect(await migration.users()).toEqual([]);
  });
});
