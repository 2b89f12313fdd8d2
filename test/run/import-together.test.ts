import { describe, expect, it } from "vitest";
import type { AccountRequest } from "../../src/core/account-import.js";
import type { AccountEnd, Core } from "../../src/core/core.js";
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

const emailOf = ({ wayIn }: AccountRequest) => ("email" in wayIn ? wayIn.email : undefined);
const nthEmail = (number: number) => `reader.${number}@example.com`;

/** What came of one account; by default what the core says. */
type Judge = (request: AccountRequest, make: () => Promise<AccountEnd>) => Promise<AccountEnd>;

/** An embedded core that takes several accounts in a message, as one on a thread does. */
function newTogether(judge: Judge = (_request, make) => make()) {
  const messages: number[] = [];
  const alone: (string | undefined)[] = [];
  const migration = newMigration(newPath, (core) => core);
  const { core } = migration;
  const together: Core = {
    ...core,
    importAccount(request) {
      alone.push(emailOf(request));
      return core.importAccount(request);
    },
    importAccounts(requests) {
      messages.push(requests.length);
      const make = (request: AccountRequest) => () => core.importAccount(request);
      return Promise.all(requests.map((request) => judge(request, make(request))));
    },
  };
  const run = (options: RunOptions = {}) =>
    importAccounts(migration, READERS, {
      core: together,
      timing: virtualTiming(),
      ...CROWDED,
      ...options,
    });
  return { migration, messages, alone, together, run };
}

async function expectAllThere({ core }: Migration): Promise<void> {
  expect(await core.countUsers()).toBe(READERS.length);
  expect(await accountAt(core, nthEmail(3))).toMatchObject(THERE);
}

describe("new users' accounts", () => {
  it("go to a core on a thread by the message, and are counted one by one", async () => {
    const { migration, messages, alone, run } = newTogether();
    const { summary } = await run();
    expect(messages).toEqual([8, 8, 4]);
    expect(alone).toEqual([]);
    expect(outcomes(summary)).toEqual({ imported: 20 });
    expect(summary.calls).toMatchObject({ import: 20, lookup: 0, part: 0 });
    await expectAllThere(migration);
    const again = await run();
    expect(outcomes(again.summary)).toEqual({ unchanged: 20 });
    expect(messages).toHaveLength(3);
  });

  it("are sent again alone where the message's answer was lost, and are theirs", async () => {
    const { migration, messages, alone, run, together } = newTogether();
    let losses = 1;
    const losing: Core = {
      ...together,
      importAccounts: async (requests) => {
        const ends = await together.importAccounts?.(requests);
        losses -= 1;
        if (losses >= 0) throw LOST;
        return ends ?? [];
      },
    };
    const { summary } = await run({ core: losing });
    expect(messages).toEqual([8, 8, 4]);
    expect(alone).toEqual(READERS.slice(0, 8).map(({ email }) => email));
    expect(outcomes(summary)).toEqual({ imported: 20 });
    expect(summary.calls.import).toBe(28);
    expect(summary.retries).toBe(8);
    await expectAllThere(migration);
  });

  it("fail one by one: only the user whose answer was lost is sent again", async () => {
    const { migration, alone, run } = newTogether(async (request, make) => {
      const end = await make();
      return emailOf(request) === nthEmail(3) ? { status: "FAILED", failure: LOST } : end;
    });
    const { summary } = await run();
    expect(alone).toEqual([nthEmail(3)]);
    expect(outcomes(summary)).toEqual({ imported: 20 });
    expect(summary.calls.import).toBe(21);
    await expectAllThere(migration);
  });

  it("are brought part by part where the core refuses one as a whole", async () => {
    const { migration, run } = newTogether(async (request, make) =>
      emailOf(request) === nthEmail(3) ? { status: "FAILED", failure: REFUSED } : make(),
    );
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
    const { migration, run } = newTogether(async (request, make) =>
      emailOf(request) === nthEmail(3) ? { status: "FAILED", failure: new Error("a bug") } : make(),
    );
    await expect(run()).rejects.toThrow("a bug");
    expect(await migration.core.countUsers()).toBe(19);
  });

  it.each([
    ["of fewer than it was given", (ends: readonly AccountEnd[]) => ends.slice(0, -1), "of fewer"],
    ["in another order", (ends: readonly AccountEnd[]) => ends.toReversed(), "another contact"],
  ])("end the run where the core answers %s", async (_what, change, message) => {
    const { run, together } = newTogether();
    const core: Core = {
      ...together,
      importAccounts: async (all) => change((await together.importAccounts?.(all)) ?? []),
    };
    await expect(run({ core })).rejects.toThrow(message);
  });

  it("go one by one where calls have a rate", async () => {
    const { messages, alone, run } = newTogether();
    const { summary } = await run({ rate: 1000 });
    expect(messages).toEqual([]);
    expect(alone).toHaveLength(20);
    expect(outcomes(summary)).toEqual({ imported: 20 });
  });

  it("aren't sent once the run is stopped, and are sent by the next one", async () => {
    const stop = new AbortController();
    const { migration, messages, run } = newTogether((_request, make) => {
      stop.abort(new Error("stopped"));
      return make();
    });
    const { summary } = await run({ signal: stop.signal });
    expect(messages).toEqual([8]);
    expect(outcomes(summary)).toEqual({ imported: 8, pending: 12 });
    expect(summary).toMatchObject({ interrupted: true, calls: { import: 8 } });
    expect(outcomes((await run()).summary)).toEqual({ imported: 12, unchanged: 8 });
    await expectAllThere(migration);
  });
});
