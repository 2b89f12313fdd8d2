import { describe, expect, it } from "vitest";
import type { Finding, MigrationEvent } from "../../../src/events/events.js";
import type { Policy } from "../../../src/plan/policy.js";
import type { BulkMode } from "../../../src/run/bulk/mode.js";
import { bulkAt } from "../../../src/run/bulk/setting.js";
import { validateUsers } from "../../../src/run/validate-users.js";
import { openInputs } from "../../../src/source/inputs.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { ANN, BEN, CLEO, HASH, MAP } from "../support/accounts.js";
import { readers } from "../support/people.js";
import { BEHIND_URL, csvOf, newMigration } from "../support/run.js";
import { queuedCore } from "./queued-core.js";
import { superTokensMigration } from "./supertokens-migration.js";

const newPath = temporaryPaths();

/** Thirty readers, every other one with a password, and a core that has the queue. */
async function foreseen(bulk: BulkMode, policy: Partial<Policy> = {}) {
  const migration = newMigration(newPath);
  const file = migration.write("users.csv", csvOf(readers(30)));
  const { core, options } = queuedCore(migration);
  const { plannedCalls, prediction } = await validateUsers({
    inputs: await openInputs([file]),
    policy,
    asks: {
      ...{ core, binding: BEHIND_URL, bulk, checkpoint: null },
      ...{ concurrency: 8, targetMoved: false, checkExisting: 1000 },
    },
  });
  const { summary } = await migration.run([file], { ...options, bulk, policy });
  return { plannedCalls, prediction, calls: summary.calls };
}

describe("a dry run against a core with a queue", () => {
  it("foresees a batch for all users", async () => {
    const { plannedCalls, prediction, calls } = await foreseen("always");
    expect(plannedCalls).toEqual({ ...calls, part: 0, lookup: 1 });
    expect(prediction).toMatchObject({ outcomes: { imported: 15, created: 15 } });
  });

  it("foresees no lookups, and not fewer, for an import that makes none", async () => {
    const { plannedCalls, prediction, calls } = await foreseen("always", { assumeEmpty: true });
    expect(plannedCalls).toEqual({ ...calls, part: 0, lookup: 1 });
    expect(prediction).toMatchObject({ outcomes: { imported: 0, created: 0 } });
  });

  it("foresees calls of each user's own where too few are new", async () => {
    const { plannedCalls, calls } = await foreseen("auto");
    expect(plannedCalls).toEqual(calls);
  });
});

it("a dry run counts the day of joining as carried only where an import does", async () => {
  for (const bulk of ["auto", "always"] as const) {
    const migration = newMigration(newPath);
    const file = migration.write("accounts.json", JSON.stringify([ANN, BEN]));
    const { core, options } = queuedCore(migration);
    const { carried } = await validateUsers({
      inputs: await openInputs([file]),
      asks: {
        ...{ core, binding: BEHIND_URL, bulk, checkpoint: null },
        ...{ concurrency: 8, targetMoved: false, checkExisting: 1000 },
      },
    });
    const { summary } = await migration.run([file], { ...options, bulk });
    expect(carried).toEqual(summary.carried);
  }
});

it("a dry run tells whose day of joining stays behind where too few of many rows are new", async () => {
  const migration = newMigration(newPath);
  const { otp: _otp, ...ann } = ANN;
  const rows = [ann, ...Array.from({ length: 999 }, () => BEN)];
  const file = migration.write("accounts.json", JSON.stringify(rows));
  const { core, options } = queuedCore(migration);
  const foreseen: Finding[] = [];
  const { notices } = await validateUsers({
    inputs: await openInputs([file]),
    onEvent: (event) => void (event.type === "finding" && foreseen.push(event)),
    asks: {
      ...{ core, binding: BEHIND_URL, checkpoint: null },
      ...{ concurrency: 8, targetMoved: false, checkExisting: 1000 },
    },
  });
  const { summary } = await migration.run([file], { ...options, bulk: "auto" });
  expect(summary.notices).toMatchObject({ joined_not_migrated: 1 });
  expect(notices).toMatchObject({ joined_not_migrated: 1 });
  expect(foreseen.find(({ code }) => code === "joined_not_migrated")).toMatchObject({ count: 1 });
});

it.each([
  ["always", 2],
  ["never", 0],
] as const)(
  "users by a social account are told as they don't share the queue: %s",
  async (bulk, many) => {
    const { migration, core, binding, run } = await superTokensMigration(newPath);
    const [id, email] = ["u-emma", "emma@example.com"];
    const accounts = [CLEO, { ...BEN, google: "1078" }, { id, email, google: "1079" }];
    const foreseen: Finding[] = [];
    const file = migration.write("social.json", JSON.stringify(accounts));
    await validateUsers({
      inputs: await openInputs([file], { map: MAP }),
      onEvent: (event) => void (event.type === "finding" && foreseen.push(event)),
      asks: {
        ...{ core, binding, bulk, checkpoint: null },
        ...{ concurrency: 8, targetMoved: false, checkExisting: 1000 },
      },
    });
    const { findings } = await run(accounts, { bulk });
    for (const told of [foreseen, findings]) {
      const costs = told.filter(({ code }) => code === "active_users");
      expect(costs.map(({ count }) => count)).toEqual(many === 0 ? [] : [many]);
      for (const { hint } of costs)
        expect(hint).toMatch(/queue.*calls of their own.*day of joining/);
    }
  },
);

it.each(["always", "never"] as const)(
  "a dry run knows which ids somebody has at the core: --bulk %s",
  async (bulk) => {
    const { migration, core, binding, run } = await superTokensMigration(newPath);
    const accounts = [ANN, BEN, CLEO].map(({ otp: _otp, rights: _rights, ...account }) => account);
    const file = migration.write("climbers.json", JSON.stringify(accounts));
    const passwordHash = HASH;
    const { user } = await core.importUser({ email: "guide@example.net", passwordHash });
    await core.mapUserId({ userId: user.userId, externalUserId: BEN.id });
    const policy = { keepIds: true };
    const dry = await validateUsers({
      inputs: await openInputs([file], { map: MAP }),
      policy,
      asks: {
        ...{ core, binding, bulk, checkpoint: null },
        ...{ concurrency: 8, targetMoved: false, checkExisting: 1000 },
      },
    });
    const { summary } = await run(accounts, { bulk, policy });
    for (const told of [dry, summary]) {
      expect(told).toMatchObject({ mapped: 2, notices: { id_not_kept: 1 } });
    }
  },
);

it.each([
  ["too few for the queue", {}, 3, 2],
  ["a pilot of many", { limit: 4 }, 1200, 3],
  ["enough for the queue", {}, 1200, 0],
  ["few, with --bulk always", { bulk: "always" }, 3, 0],
] as const)("an import tells beforehand whose day of joining is lost: %s", async (...given) => {
  const [, how, many, lost] = given;
  const migration = newMigration(newPath);
  const rows = Array.from({ length: many }, (_, n) => {
    const account = { ...BEN, id: `u-${n}`, email: `u${n}@example.com` };
    return n === 2 ? account : { ...account, created_at: "2023-09-01T10:00:00Z" };
  });
  const file = migration.write("accounts.json", JSON.stringify(rows));
  let isSending = false;
  const { options } = queuedCore(migration, {
    before: (method) => {
      isSending ||= method === "createCode" || method === "queueAccounts";
    },
  });
  const told: [number, boolean, true?][] = [];
  const onEvent = (event: MigrationEvent): void => {
    if (event.type !== "finding" || event.code !== "joined_not_migrated") return;
    const { count, foreseen } = event;
    told.push(foreseen === true ? [count, isSending, foreseen] : [count, isSending]);
  };
  const run = { ...options, bulk: "auto", ...how, onEvent } as const;
  const first = await migration.run([file], run);
  expect(told).toEqual(
    lost === 0
      ? []
      : [
          [lost, false, true],
          [lost, true],
        ],
  );
  expect(first.summary.notices.joined_not_migrated ?? 0).toBe(lost);
});

describe("a queue that may leave users behind", () => {
  const at = (bulk: BulkMode) => {
    const { core } = queuedCore(newMigration(newPath));
    return bulkAt(core, { bulk }, { isOffered: null, isFirst: true });
  };

  it("is used where the operator wants it alone", async () => {
    expect(await at("always")).toMatchObject({ least: 1, isEmpty: true });
    expect(await at("auto")).toBeNull();
  });
});
