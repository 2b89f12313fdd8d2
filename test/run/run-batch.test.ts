import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import { openInputs } from "../../src/source/inputs.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { prepareMigration, readers } from "./support/people.js";
import { csvOf, ELSEWHERE, newMigration } from "./support/run.js";
import {
  CODE,
  consumed,
  passwordlessUser,
  passwordUser,
  scriptedCore,
} from "./support/scripted-core.js";
import { type VirtualTime, virtualTime } from "./support/virtual-time.js";

const newPath = temporaryPaths();

/** Work that a test lets go on by hand. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe("a user who is looked up", () => {
  it("is sent before the last lookup of the same batch is answered", async () => {
    const { migration, file } = prepareMigration(newPath, readers(50));
    const sent = gate();
    const core: Core = {
      ...migration.core,
      target: ELSEWHERE,
      async findUsers(contact) {
        if (contact.email === "reader.50@example.com") await sent.opened;
        return migration.core.findUsers(contact);
      },
      importUser(request) {
        sent.open();
        return migration.core.importUser(request);
      },
    };
    const { summary } = await migration.run([file], { core, concurrency: 4 });
    expect(summary).toMatchObject({ imported: 25, created: 25 });
  });

  it("waits for no lookup but their own", async () => {
    const { migration, file } = prepareMigration(newPath, readers(50));
    const others = gate();
    let users = 0;
    const arrive = (): void => {
      users += 1;
      if (users === 49) others.open();
    };
    const core: Core = {
      ...migration.core,
      target: ELSEWHERE,
      async findUsers(contact) {
        // Is answered when everybody else is at the core.
        if (contact.email === "reader.8@example.com") await others.opened;
        return migration.core.findUsers(contact);
      },
      async importUser(request) {
        const imported = await migration.core.importUser(request);
        arrive();
        return imported;
      },
      async consumeCode(request) {
        const created = await migration.core.consumeCode(request);
        arrive();
        return created;
      },
    };
    const { summary } = await migration.run([file], { core, concurrency: 4 });
    expect(summary).toMatchObject({ imported: 25, created: 25, calls: { lookup: 50 } });
  });

  it("needs no place of one whose intent is being written", async () => {
    const { migration, file } = prepareMigration(newPath, readers(3));
    const called: string[] = [];
    const core: Core = {
      ...migration.core,
      target: ELSEWHERE,
      findUsers(contact) {
        called.push(`lookup of ${contact.email}`);
        return migration.core.findUsers(contact);
      },
      importUser(request) {
        called.push(`import of ${request.email}`);
        return migration.core.importUser(request);
      },
      createCode(request) {
        called.push(`code for ${request.email}`);
        return migration.core.createCode(request);
      },
    };
    await migration.run([file], { core, concurrency: 2 });
    const ofReaders = called.filter((call) => call.includes("reader"));
    expect(ofReaders.slice(0, 3)).toEqual([
      "lookup of reader.1@example.com",
      "lookup of reader.2@example.com",
      "lookup of reader.3@example.com",
    ]);
  });
});

/** Within so many turns of the event loop what is gathered is written, whatever the clock says. */
const TURNS_A_WAIT = 50;

/** A remote core's pace. */
interface Road {
  readonly rate: number;
  /** How long an answer takes, by the number of the call. */
  readonly latency: (call: number) => number;
}

/** A core without users, and when it was asked for whom. */
function timedCore(time: VirtualTime, latency: Road["latency"]) {
  const lookedUp = new Map<string, number>();
  const gaps: number[] = [];
  let calls = 0;
  let firstSent = Number.POSITIVE_INFINITY;
  const answer = (): Promise<void> => {
    calls += 1;
    return time.sleep(latency(calls));
  };
  const core = scriptedCore({
    findUsers: [
      async ({ email }: { readonly email: string }) => {
        await answer();
        lookedUp.set(email, time.now());
        return [];
      },
    ],
    importUser: [
      async ({ email }: { readonly email: string }) => {
        firstSent = Math.min(firstSent, time.now());
        gaps.push(time.now() - (lookedUp.get(email) ?? Number.NEGATIVE_INFINITY));
        await answer();
        return { user: passwordUser(`id of ${email}`, email), didUserAlreadyExist: false };
      },
    ],
    createCode: [
      async ({ email }: { readonly email: string }) => {
        await answer();
        return { ...CODE, linkCode: email };
      },
    ],
    consumeCode: [
      async ({ linkCode: email }: { readonly linkCode: string }) => {
        await answer();
        return consumed(passwordlessUser(`id of ${email}`, { email }));
      },
    ],
  });
  return { core, seen: () => ({ firstSent, gaps: gaps.toSorted((a, b) => a - b) }) };
}

/** Imports readers, every other one with a password, on virtual time. */
async function importing(users: number, { rate, latency }: Road) {
  const time = virtualTime(1, TURNS_A_WAIT);
  const { core, seen } = timedCore(time, latency);
  const migration = newMigration(newPath);
  const [known, ...others] = readers(users + 1);
  await migration.run([migration.write("known.csv", csvOf([known ?? {}]))]);
  const file = migration.write("users.csv", csvOf(others));
  const { plannedCalls } = await validateUsers({
    inputs: await openInputs([file]),
    policy: { carry: [] },
  });
  const running = migration.run([file], { core, timing: time, rate });
  const { summary } = await time.run(running);
  return { summary, plannedCalls, ...seen(), elapsed: time.now() };
}

describe("on the road to a core that takes its time", () => {
  it.each([
    [20, 220],
    [40, 100],
  ])(
    "at --rate %i there are just the calls that validate has said, and nothing is looked up twice",
    async (rate, users) => {
      const { summary, plannedCalls, firstSent, gaps, elapsed } = await importing(users, {
        rate,
        latency: () => 30,
      });
      expect(summary).toMatchObject({ imported: users / 2, created: users / 2, pending: 0 });
      expect(summary.calls).toEqual(plannedCalls);
      expect(elapsed).toBeLessThan(((users * 2.5) / rate) * 1050);
      expect(firstSent).toBeLessThan(2000);
      expect(gaps.at(-1)).toBeLessThan(1000);
    },
  );

  it("a call in fifty that takes half a minute makes no other user's lookup old", async () => {
    const { summary, plannedCalls, gaps, elapsed } = await importing(100, {
      rate: 40,
      latency: (call) => (call % 50 === 5 ? 29_000 : 30),
    });
    expect(summary).toMatchObject({ imported: 50, created: 50, failed: 0 });
    expect(summary.calls).toEqual(plannedCalls);
    expect(gaps[Math.floor(gaps.length * 0.99)]).toBeLessThan(1000);
    expect(elapsed).toBeLessThan(((100 * 2.5) / 40) * 1000 + 60_000);
  });
});
