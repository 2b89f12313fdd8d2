import { describe, expect, it } from "vitest";
import type { AccountRequest } from "../../../src/core/account-import.js";
import type { Core } from "../../../src/core/core.js";
import { CoreFailure } from "../../../src/core/core-failure.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { readers } from "../support/people.js";
import { csvOf, newMigration, outcomes } from "../support/run.js";
import { queuedCore } from "./queued-core.js";

const newPath = temporaryPaths();

function prepare() {
  const migration = newMigration(newPath);
  return { migration, file: migration.write("users.csv", csvOf(readers(9))) };
}

const LOST = new CoreFailure("unreachable", "the connection broke", { reached: "unknown" });

/** A core that gets the first batch no sooner than the next one, of which `again` says what becomes. */
function late(core: Core, again: Core["queueAccounts"]): Core {
  let lost: readonly AccountRequest[] | null = null;
  return {
    ...core,
    async queueAccounts(accounts) {
      if (lost === null) {
        lost = accounts;
        throw LOST;
      }
      await core.queueAccounts(lost);
      return again(accounts);
    },
  };
}

describe("a batch whose answer is lost", () => {
  it.each(["before", "after"] as const)(
    "%s it took effect stays open where the run is stopped before it is sent again",
    async (when) => {
      const { migration, file } = prepare();
      const stop = new AbortController();
      const loses = () => when;
      const { options, batches } = queuedCore(migration, {
        loses,
        round: async () => stop.abort(),
      });
      const { summary } = await migration.run([file], { ...options, signal: stop.signal });
      expect(outcomes(summary)).toEqual({ pending: 9 });
      expect(summary).toMatchObject({ interrupted: true, queued: 0 });
      expect(batches).toEqual([9]);
      const again = await migration.run([file], queuedCore(migration).options);
      expect(outcomes(again.summary)).toEqual({ imported: 4, created: 5 });
      expect(await migration.users()).toHaveLength(9);
    },
  );

  it("to a page that says how long to wait is looked for before it is sent again", async () => {
    const { migration, file } = prepare();
    const { core, options, batches } = queuedCore(migration);
    let isFirst = true;
    const queueAccounts: typeof core.queueAccounts = async (accounts) => {
      const answer = await core.queueAccounts(accounts);
      if (!isFirst) return answer;
      isFirst = false;
      const busy = { reached: "yes", status: 503, retryAfterMs: 1000 } as const;
      throw new CoreFailure("busy", "under maintenance", busy);
    };
    const { summary } = await migration.run([file], {
      ...options,
      core: { ...core, queueAccounts },
    });
    expect(batches).toEqual([9]);
    expect(outcomes(summary)).toEqual({ imported: 4, created: 5 });
  });

  it("and that arrives later than its repetition is this migration's, also for the next run", async () => {
    const { migration, file } = prepare();
    const { core, options } = queuedCore(migration, { round: async () => {} });
    const first = await migration.run([file], { ...options, core: late(core, core.queueAccounts) });
    expect(first.summary.queued).toBe(9);
    const queue = queuedCore(migration);
    const second = await migration.run([file], queue.options);
    const { listQueued = 0, listUsers = 0, countUsers = 0, part = 0 } = queue.calls;
    // Of the parts, those that don't take rows off count the queue.
    const counts = part - second.summary.calls.part;
    expect(second.summary.calls.lookup).toBe(listQueued + listUsers + countUsers + counts);
    expect(outcomes(second.summary)).toEqual({ imported: 4, created: 5 });
    const third = await migration.run([file], queuedCore(migration).options);
    expect(outcomes(third.summary)).toEqual({ unchanged: 9 });
    expect(await migration.users()).toHaveLength(9);
  });

  it("and that arrives at a queue that is closed by then has brought who goes alone after all", async () => {
    const { migration, file } = prepare();
    const { core, options } = queuedCore(migration);
    const closed = late(core, async () => {
      await migration.core.importQueued();
      throw new CoreFailure("disabled", "it takes a licence", { reached: "yes", status: 402 });
    });
    const { summary } = await migration.run([file], { ...options, core: closed });
    expect(outcomes(summary)).toEqual({ imported: 4, created: 5 });
    expect(summary.notices).not.toHaveProperty("existing_password_replaced");
  });

  it("and that arrives before its repetition, whose answer is lost as well, is this migration's in the next run", async () => {
    const { migration, file } = prepare();
    const stop = new AbortController();
    const { core, options } = queuedCore(migration, { round: async () => {} });
    const deaf = late(core, async (accounts) => {
      await core.queueAccounts(accounts);
      stop.abort();
      throw LOST;
    });
    const first = await migration.run([file], { ...options, core: deaf, signal: stop.signal });
    expect(outcomes(first.summary)).toEqual({ pending: 9 });
    const second = await migration.run([file], queuedCore(migration).options);
    expect(outcomes(second.summary)).toEqual({ imported: 4, created: 5 });
    expect(await migration.users()).toHaveLength(9);
  });
});

it("a list that breaks off keeps the users whom its pages have shown, and the next run reads the rest back", async () => {
  const { migration, file } = prepare();
  const { core, options } = queuedCore(migration);
  let pages = 0;
  const listUsers: typeof core.listUsers = async (request) => {
    pages += 1;
    if (pages === 3) throw new CoreFailure("refused", "the list is closed", { reached: "yes" });
    return core.listUsers({ ...request, limit: 3 });
  };
  const broken = migration.run([file], { ...options, core: { ...core, listUsers } });
  await expect(broken).rejects.toMatchObject({ code: "outage" });
  const queue = queuedCore(migration);
  const { summary } = await migration.run([file], queue.options);
  expect(summary).toMatchObject({ unchanged: 6, queued: 0, pending: 0, failed: 0 });
  expect(summary.imported + summary.created).toBe(3);
  expect(queue.batches).toEqual([]);
});
