import { describe, expect, it } from "vitest";
import type { AccountRequest } from "../../src/core/account-import.js";
import type { AccountOutcome, Core } from "../../src/core/core.js";
import { CoreFailure } from "../../src/core/core-failure.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { accountAt, type Account, HASH, importAccounts } from "./support/accounts.js";
import { type Migration, newMigration, outcomes, type RunOptions } from "./support/run.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();

const READERS: readonly Account[] = Array.from({ length: 20 }, (_, number) => ({
  id: `u-${number}`,
  email: `reader.${number}@example.com`,
  email_verified: true,
  password_hash: HASH,
  name: `Reader ${number}`,
}));
const THERE = { recipe: "emailpassword", verified: true, metadata: { name: "Reader 3" } };
/** Of 512 users in flight eight share a place. */
const CROWDED = { concurrency: 512 } as const;
const LOST = new CoreFailure("unreachable", "the answer was lost", { reached: "unknown" });

const REFUSED = new CoreFailure("refused", "no such account", { reached: "yes" });

const WAY_IN = { recipe: "passwordless", email: "somebody.else@example.com" } as const;

const emailOf = ({ wayIn }: AccountRequest) => ("email" in wayIn ? wayIn.email : undefined);
const nthEmail = (number: number) => `reader.${number}@example.com`;

/** What comes of an account's first call; by default what the core says. */
type Judge = (
  request: AccountRequest,
  make: () => Promise<AccountOutcome>,
) => Promise<AccountOutcome>;

/** An embedded core whose users have calls of one moment, as far as they share a place. */
function newTogether(judge: Judge = (_request, make) => make()) {
  const called = new Set<string | undefined>();
  const again: (string | undefined)[] = [];
  const migration = newMigration(newPath, (core) => core);
  const { core } = migration;
  const together: Core = {
    ...core,
    importAccount(request) {
      const make = () => core.importAccount(request);
      const email = emailOf(request);
      if (called.has(email)) {
        again.push(email);
        return make();
      }
      called.add(email);
      return judge(request, make);
    },
  };
  const run = (options: RunOptions = {}) =>
    importAccounts(migration, READERS, {
      core: together,
      timing: virtualTiming(),
      ...CROWDED,
      ...options,
    });
  return { migration, called, again, run };
}

async function expectAllThere({ core }: Migration): Promise<void> {
  expect(await core.countUsers()).toBe(READERS.length);
  expect(await accountAt(core, nthEmail(3))).toMatchObject(THERE);
}

describe("new users' accounts", () => {
  it("go to a core in this process together, and are counted one by one", async () => {
    const { migration, called, again, run } = newTogether();
    const { summary } = await run();
    expect(called.size).toBe(READERS.length);
    expect(outcomes(summary)).toEqual({ imported: 20 });
    expect(summary.calls).toMatchObject({ import: 20, lookup: 0, part: 0 });
    await expectAllThere(migration);
    const next = await run();
    expect(outcomes(next.summary)).toEqual({ unchanged: 20 });
    expect(again).toEqual([]);
  });

  it("fail one by one: only a user whose answer was lost is sent again, and is theirs", async () => {
    const { migration, again, run } = newTogether(async (request, make) => {
      const outcome = await make();
      if (emailOf(request) === nthEmail(3)) throw LOST;
      return outcome;
    });
    const { summary } = await run();
    expect(again).toEqual([nthEmail(3)]);
    expect(outcomes(summary)).toEqual({ imported: 20 });
    expect(summary.calls.import).toBe(21);
    expect(summary.retries).toBe(1);
    await expectAllThere(migration);
  });

  it("are brought part by part where the core refuses one as a whole", async () => {
    const { migration, run } = newTogether(async (request, make) => {
      if (emailOf(request) === nthEmail(3)) throw REFUSED;
      return make();
    });
    const { summary } = await run();
    expect(outcomes(summary)).toEqual({ imported: 20 });
    expect(summary.calls).toMatchObject({ import: 21, part: 3 });
    await expectAllThere(migration);
  });

  it("replace nobody who signed up since", async () => {
    const { migration, run } = newTogether(async (request, make) => {
      if (emailOf(request) === nthEmail(3)) await make();
      return make();
    });
    const { summary } = await run();
    expect(outcomes(summary)).toEqual({ imported: 19, existed: 1 });
    await expectAllThere(migration);
  });

  it("end the run with what is no failure of the core's", async () => {
    const { migration, run } = newTogether(async (request, make) => {
      if (emailOf(request) === nthEmail(3)) throw new Error("a bug");
      return make();
    });
    await expect(run()).rejects.toThrow("a bug");
    expect(await migration.core.countUsers()).toBe(19);
  });

  it("end the run where the core answers of another user", async () => {
    const { run, migration } = newTogether((request, make) =>
      emailOf(request) === nthEmail(3)
        ? migration.core.importAccount({ ...request, wayIn: { ...WAY_IN } })
        : make(),
    );
    await expect(run()).rejects.toThrow("another contact");
  });

  it("go one by one where calls have a rate", async () => {
    const { called, run } = newTogether();
    const { summary } = await run({ rate: 1000 });
    expect(called.size).toBe(20);
    expect(outcomes(summary)).toEqual({ imported: 20 });
  });

  it("aren't sent once the run is stopped, and are sent by the next one", async () => {
    const stop = new AbortController();
    const { migration, called, run } = newTogether((_request, make) => {
      stop.abort(new Error("stopped"));
      return make();
    });
    const { summary } = await run({ signal: stop.signal });
    expect(called.size).toBe(8);
    expect(outcomes(summary)).toEqual({ imported: 8, pending: 12 });
    expect(summary).toMatchObject({ interrupted: true, calls: { import: 8 } });
    expect(outcomes((await run()).summary)).toEqual({ imported: 12, unchanged: 8 });
    await expectAllThere(migration);
  });
});
