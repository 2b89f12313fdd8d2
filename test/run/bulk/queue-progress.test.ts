import { copyFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openReport } from "../../../src/checkpoint/report-source.js";
import { readStatus } from "../../../src/checkpoint/status.js";
import type { Ended } from "../../../src/cli/ended.js";
import { plainLine } from "../../../src/cli/progress-line.js";
import { verdictOf } from "../../../src/cli/verdict.js";
import type { Core } from "../../../src/core/core.js";
import { RunError } from "../../../src/errors/run-error.js";
import type { MigrationEvent, QueueEvent } from "../../../src/events/events.js";
import { firstLines } from "../../../src/report/headline.js";
import { PLAIN_LAYOUT } from "../../../src/report/layout.js";
import { reconcileText } from "../../../src/report/reconcile-text.js";
import { makeReport } from "../../../src/report/report.js";
import { endingText } from "../../../src/report/status-text.js";
import { reconcileUsers } from "../../../src/reconcile/reconcile-users.js";
import { randomFrom } from "../../support/random.js";
import { repeated } from "../../support/repeated.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { HASH } from "../support/accounts.js";
import { expectOneWay } from "../support/one-way.js";
import { virtualTiming } from "../support/virtual-timing.js";
import { superTokensMigration } from "./supertokens-migration.js";

const newPath = temporaryPaths();
const QUEUES = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 3, full: 60 });

/** What a run tells of the queue, and how many of its users were at the core then, and when that was. */
async function toldOf(seed: number) {
  const random = randomFrom(seed);
  const members = Array.from({ length: 3 + random.below(40) }, (_, n) => ({
    ...{ id: `choir-${n}`, email: `singer.${n}@example.org`, password_hash: HASH },
  }));
  const stuck = new Set(members.filter(() => random.chance(1, 12)).map(({ id }) => id));
  const { stub, run, close } = await superTokensMigration(newPath, {
    batch: stuck.size + 1 + random.below(members.length),
    isStuck: (id) => stuck.has(id ?? ""),
  });
  const virtual = virtualTiming();
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    await virtual.sleep(ms, signal);
    stub.round();
  };
  const told: (QueueEvent & { readonly there: number; readonly at: number })[] = [];
  const onEvent = (event: MigrationEvent): void => {
    const now = { there: stub.users.length, at: virtual.now() };
    if (event.type === "queue") told.push({ ...event, ...now });
  };
  const policy = { keepIds: true };
  const { summary } = await run(members, { policy, timing: { ...virtual, sleep }, onEvent });
  await close();
  return { users: members.length, summary, told };
}

it(`tells how many users are left in the queue, and a time that only runs down while nothing moves: ${QUEUES} queues`, async () => {
  let still = 0;
  for (let seed = 1; seed <= QUEUES; seed += 1) {
    const { users, summary, told } = await toldOf(seed);
    expect({ seed, imported: summary.imported }).toEqual({ seed, imported: users });
    expect(told.at(-1)).toMatchObject({ queued: 0, written: users, leftMs: 0 });
    for (const [place, { queued, written, failed, leftMs, there, at }] of told.entries()) {
      expect({ seed, queued, written, failed }).toEqual({
        ...{ seed, failed: 0 },
        ...{ queued: users - there, written: there },
      });
      if (written === 0) expect(leftMs).toBeNull();
      const last = told[place - 1];
      if (last === undefined || last.written !== written || queued === 0) continue;
      still += 1;
      const left = last.leftMs === null ? 0 : last.leftMs - (at - last.at);
      expect({ seed, leftMs }).toEqual({ seed, leftMs: left > 0 ? left : null });
    }
  }
  expect(still).toBeGreaterThan(QUEUES);
});

it("says alike, wherever it tells of a run that was stopped, whom the queue was given and whom it has written", async () => {
  const members = Array.from({ length: 30 }, (_, n) => ({
    ...{ id: `choir-${n}`, email: `singer.${n}@example.org`, password_hash: HASH },
  }));
  const { run, close } = await superTokensMigration(newPath, { batch: 6 });
  const stop = new AbortController();
  const shown: string[] = [];
  const onEvent = (event: MigrationEvent): void => {
    if (event.type !== "queue") return;
    shown.push(plainLine(event, null));
    if (event.written === 12) stop.abort();
  };
  const stopped = await run(members, { signal: stop.signal, bulkBatch: 10, onEvent });
  expect(shown).toEqual([
    " 0%  0 of 30 users written  30 queued",
    "20%  6 of 30 users written  ETA 1s  24 queued",
    "40%  12 of 30 users written  ETA 2s  18 queued",
  ]);
  expect(expectOneWay(stopped.summary)).toMatchObject({ there: 0, written: 12, queued: 18 });
  expect(firstLines(stopped.summary.standing)).toEqual([
    "stopped: 0 of 30 users are at the core (0 %), 12 written by the queue and not read back yet, 18 queued when last asked.",
  ]);
  const again =
    "The same import again goes on, reads back whom the core's queue was given, and brings no user twice:";
  const asEnded = (interrupted: boolean, exitCode: number) =>
    verdictOf({
      ...{ summary: { ...stopped.summary, interrupted }, exitCode, values: {}, bridge: [] },
      ...{ issues: { groups: [], findings: [], forBridge: 0 }, next: { again: ["again"] } },
    } as unknown as Ended);
  expect(asEnded(true, 130).at(-1)?.text).toBe(`Stopped; progress is saved. ${again}`);
  expect(asEnded(false, 75).at(-1)?.text).toBe(`Not every user was reached. ${again}`);
  const [noted] = runsOf(stopped.summary.checkpoint);
  expect(noted?.samples.at(-1)?.done).toBe(12);
  const { summary } = await run(members);
  expect(expectOneWay(summary)).toMatchObject({ there: 30, written: 0, queued: 0 });
  await close();
});

it("forgets by no later run that sends nothing whom the queue has written, and says everywhere that the same import reads them back", async () => {
  const members = Array.from({ length: 30 }, (_, n) => ({
    ...{ id: `choir-${n}`, email: `singer.${n}@example.org`, password_hash: HASH },
  }));
  const { core, binding, migration, run, close } = await superTokensMigration(newPath, {
    batch: 6,
  });
  const stop = new AbortController();
  const onEvent = (event: MigrationEvent): void => {
    if (event.type === "queue" && event.written === 12) stop.abort();
  };
  await run(members, { signal: stop.signal, bulkBatch: 10, onEvent });
  const { checkpoint } = migration;
  const killed = newPath("killed");
  const refused = new RunError("proof_missing", "No answer.", { hint: "Answer." });
  const asked = { bulkBatch: 10, beforeBulk: () => copyAndThrow(checkpoint, killed, refused) };
  await expect(run(members, asked)).rejects.toBe(refused);
  const stopAgain = new AbortController();
  const beforeBulk = async (_inspection: unknown, signal: AbortSignal): Promise<never> => {
    stopAgain.abort();
    throw signal.reason;
  };
  const { summary } = await run(members, { signal: stopAgain.signal, beforeBulk });
  expect(expectOneWay(summary)).toMatchObject({ there: 0, written: 12, queued: 18 });

  const first =
    "0 of 30 users are at the core (0 %), 12 written by the queue and not read back yet, 18 queued when last asked.";
  for (const path of [checkpoint, killed]) {
    const status = readStatus(path);
    expect(status.progress?.done).toBe(0);
    expect(firstLines(status)).toEqual([`stopped: ${first}`]);
    const result = await reconcileUsers({ core, binding, checkpoint: path });
    const wide = { ...PLAIN_LAYOUT, columns: 500 };
    expect(reconcileText(result, [], wide, status).slice(-2)).toEqual([
      "By this checkpoint, no user is finished yet.",
      expect.stringMatching(
        /^Of 30 users 12 are written by the queue and not read back yet, 18 are queued[:.].* goes on, reads back whom the core's queue was given, and brings no user twice/,
      ),
    ]);
    const source = openReport(path);
    const ends = source.runs.map((one) => endingText(one, makeReport(source)));
    source.close();
    expect(ends).toEqual(
      path === killed
        ? ["stopped by a signal", "ended before anything was sent"]
        : ["stopped by a signal", "ended by proof_missing", "ended before anything was sent"],
    );
  }
  const last = await run(members);
  expect(expectOneWay(last.summary)).toMatchObject({ there: 30, written: 0, queued: 0 });
  await close();
});

/** The files as a kill at this moment would leave them; then the run ends. */
function copyAndThrow(checkpoint: string, copy: string, error: Error): never {
  for (const end of ["", "-wal"]) copyFileSync(checkpoint + end, copy + end);
  throw error;
}

it("says while users are handed over whom the queue has written by then, and asks it three times a minute at most", async () => {
  const members = Array.from({ length: 120 }, (_, n) => ({
    ...{ id: `choir-${n}`, email: `singer.${n}@example.org`, password_hash: HASH },
  }));
  const { core, migration, run, stub, close } = await superTokensMigration(newPath, {
    batch: 4,
    isStuck: (id) => id === "choir-0",
  });
  const timing = virtualTiming();
  let asked = 0;
  let handedOver = 0;
  const slow: Core = {
    ...core,
    async queueAccounts(accounts) {
      await timing.sleep(8000);
      stub.round();
      handedOver += accounts.length;
      return core.queueAccounts(accounts);
    },
    part(name, ...given) {
      if (name === "countQueued" && handedOver < members.length) asked += 1;
      return core.part(name, ...given);
    },
  };
  const told: (readonly [written: number, there: number, status: number])[] = [];
  const onEvent = (event: MigrationEvent): void => {
    if (event.type !== "progress" || handedOver === members.length) return;
    const { written } = readStatus(migration.checkpoint);
    told.push([event.written, stub.users.length, written]);
  };
  const sleep = async (ms: number): Promise<void> => {
    await timing.sleep(ms);
    stub.round();
  };
  await run(members, { core: slow, bulkBatch: 10, timing: { ...timing, sleep }, onEvent });
  await close();
  for (const [written, there, status] of told) {
    expect(written).toBeLessThanOrEqual(there);
    expect(status).toBeLessThanOrEqual(there);
  }
  const last = told.at(-1);
  expect(last?.[0]).toBeGreaterThan(20);
  expect(last?.[2]).toBeGreaterThan(20);
  expect(asked).toBeGreaterThan(2);
  expect(asked).toBeLessThanOrEqual((12 * 8) / 20);
});

it("says of users whom a stopped run has handed over that they are in the queue", async () => {
  const members = Array.from({ length: 40 }, (_, n) => ({
    ...{ id: `choir-${n}`, email: `singer.${n}@example.org`, password_hash: HASH },
  }));
  const { stub, run, close } = await superTokensMigration(newPath, {});
  const stop = new AbortController();
  const virtual = virtualTiming();
  let late = 0;
  const timing = {
    ...virtual,
    now: () => {
      late += 1000;
      return virtual.now() + late;
    },
    sleep: async (ms: number, signal?: AbortSignal) => {
      await virtual.sleep(ms, signal);
      stub.round();
    },
  };
  await run(members, {
    ...{ signal: stop.signal, timing },
    onEvent: ({ type }) => void (type === "queue" && stop.abort()),
  });
  const told: MigrationEvent[] = [];
  await run(members, { timing, onEvent: (event) => void told.push(event) });
  await close();
  const before = told.flatMap((event) =>
    event.type === "progress" && event.queued > 0 ? event.queued - event.queuedBefore : [],
  );
  expect(new Set(before)).toEqual(new Set([0]));
});

function runsOf(checkpoint: string) {
  const source = openReport(checkpoint);
  try {
    return source.runs;
  } finally {
    source.close();
  }
}
