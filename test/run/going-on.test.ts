/** The progress of an import that goes on with one that was stopped. */

import { describe, expect, it } from "vitest";
import { readStatus } from "../../src/checkpoint/status.js";
import type { Core } from "../../src/core/core.js";
import type { ProgressEvent } from "../../src/events/events.js";
import type { GivenImport } from "../../src/run/defaults.js";
import type { SignIns } from "../../src/run/options.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { type Prepared, prepareMigration, readers } from "./support/people.js";
import { csvOf } from "./support/run.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();
/** Several pages of rows. */
const READERS = 700;

/** A core at which each new user takes half a second, and a clock that moves while rows are read as well. */
function slowly(core: Core) {
  const virtual = virtualTiming();
  let looks = 0;
  const timing = { ...virtual, now: () => virtual.now() + 100 * ++looks };
  const take = async <T>(call: Promise<T>): Promise<T> => {
    await timing.sleep(500);
    return call;
  };
  const slow: Core = {
    ...core,
    importUser: (request) => take(core.importUser(request)),
    createCode: (request) => take(core.createCode(request)),
    updateUser: (request) => take(core.updateUser(request)),
  };
  return { timing, concurrency: 2, core: slow };
}

/** Where users were when a run told so, one event after the other. */
async function run({ migration, file }: Prepared, changes: Partial<GivenImport> = {}) {
  const told: ProgressEvent[] = [];
  const statuses: { perSecond: number | null; left: number | null }[] = [];
  const onEvent: GivenImport["onEvent"] = (event) => {
    if (event.type !== "progress" || event.phase !== "run") return;
    told.push(event);
    const { perSecond = null, leftMs = null } = readStatus(migration.checkpoint).progress ?? {};
    const left = perSecond === null || leftMs === null ? null : (perSecond * leftMs) / 1000;
    statuses.push({ perSecond, left });
  };
  const { summary } = await migration.run([file], {
    ...slowly(migration.core),
    onEvent,
    ...changes,
  });
  return { summary, told, statuses };
}

/** Imports so many users and is stopped. */
async function stopAfter(prepared: Prepared, users: number): Promise<number> {
  const stop = new AbortController();
  const { summary } = await run(prepared, {
    signal: stop.signal,
    onEvent: ({ type, ...event }) => {
      if (type === "progress" && "done" in event && event.done >= users) stop.abort();
    },
  });
  expect(summary.interrupted).toBe(true);
  return summary.imported + summary.created;
}

/** Test users who stand anywhere in the file, at whom a proof takes a minute. */
function provedBy(rows: readonly number[], file: string, sleep: (ms: number) => Promise<void>) {
  const signIns: SignIns = {
    rows: rows.map((number) => ({ file, number })),
    isOffered: async () => true,
    async conclude(endings) {
      await sleep(60_000);
      return { proved: true, findings: [], signedIn: endings?.length ?? 0 };
    },
  };
  return async () => ({ fitted: [], signIns });
}

describe("an import that goes on with a stopped one", () => {
  it("begins its progress with all who are at the core, after a proof by some of them and by others, and only adds those whom it brings", async () => {
    const prepared = prepareMigration(newPath, readers(READERS));
    const before = await stopAfter(prepared, 560);
    const slow = slowly(prepared.migration.core);
    const tests = [5, READERS - 5];
    const beforeBulk = provedBy(tests, prepared.file, slow.timing.sleep);
    const { told, statuses } = await run(prepared, { ...slow, beforeBulk });
    // As `status` says it, the proof included.
    expect(statuses.at(-1)?.perSecond).toBeGreaterThan(0);
    expect(statuses.at(-1)?.perSecond).toBeLessThan(2);
    const [first] = told;
    expect(first?.done).toBeGreaterThanOrEqual(before);
    expect(first?.done).toBeLessThanOrEqual(before + tests.length + 4);
    // Its pace is measured from here on.
    expect(first?.elapsedMs).toBeGreaterThanOrEqual(60_000);
    // Four users a second at most, as the core takes them: what was there before is no pace.
    for (const [at, { done, elapsedMs }] of told.entries()) {
      const last = told[at - 1] ?? first;
      const seconds = (elapsedMs - (last?.elapsedMs ?? 0)) / 1000;
      expect(done - (last?.done ?? 0)).toBeGreaterThanOrEqual(0);
      expect(done - (last?.done ?? 0)).toBeLessThanOrEqual(4 * seconds + 4);
    }
    expect(told.at(-1)).toMatchObject({ total: READERS });
    expect(told.at(-1)?.done).toBeGreaterThan(READERS - 10);
  });

  it("leaves in its status no time for those who are at the core, who stand last in its file", async () => {
    const many = readers(3 * READERS);
    const prepared = prepareMigration(newPath, many);
    await prepared.migration.run([prepared.file], { limit: READERS });
    const file = prepared.migration.write("users.csv", csvOf(many.toReversed()));
    const { statuses } = await run({ ...prepared, file }, { concurrency: 8 });
    const lefts = statuses.flatMap(({ left }) => left ?? []);
    expect(lefts.length).toBeGreaterThan(5);
    expect(lefts.at(-1)).toBeLessThan(READERS);
    // As many as are new: those of the limit stand behind them, and are read when most of these are done.
    expect(Math.max(...lefts)).toBeLessThanOrEqual(many.length - READERS);
  });

  it("counts those alone whom its own rows name, and never more than there are rows", async () => {
    const prepared = prepareMigration(newPath, readers(READERS));
    const { migration } = prepared;
    await migration.run([
      migration.write("others.csv", csvOf([{ id: "x", phone: "+15550100003" }])),
    ]);
    const before = await stopAfter(prepared, 560);
    // The first fifty have left, and the next forty are there twice.
    const rows = readers(READERS).slice(50);
    const twice = rows.slice(0, 40).map((row) => ({ ...row, email: `also.${row.email}` }));
    const file = migration.write("newer.csv", csvOf([...rows, ...twice]));
    const { told } = await run({ migration, file });
    expect(told[0]?.done).toBeGreaterThanOrEqual(before - 50);
    expect(told[0]?.done).toBeLessThanOrEqual(before - 50 + 40 + 4);
    expect(Math.max(...told.map(({ done }) => done))).toBeLessThanOrEqual(READERS - 10);
  });

  it("begins with nobody where the earlier import has come to its end", async () => {
    const coded = readers(100).filter(({ hash }) => hash === "");
    const prepared = prepareMigration(newPath, coded);
    await run(prepared);
    const changed = coded.map((row) => ({ ...row, email: `new.${row.email}` }));
    const file = prepared.migration.write("users.csv", csvOf(changed));
    const { told } = await run({ ...prepared, file });
    expect(told[0]?.done).toBeLessThan(10);
  });
});
