import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CoreFailure } from "../../src/core/core-failure.js";
import { CHECKPOINT_FILE } from "../../src/checkpoint/schema.js";
import { openReport, type ReportSource } from "../../src/checkpoint/report-source.js";
import { openDatabase } from "../../src/sqlite/database.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { bcryptOf } from "./support/hashes.js";
import { prepareMigration, readers } from "./support/people.js";
import { refusingCore } from "./support/refusing-core.js";
import { csvOf, type Migration, newMigration, type Row, told } from "./support/run.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();
const HASH = KNOWN_HASHES.bcrypt.passwordHash;
const ADA: Row = { id: "u-ada", email: "ada@example.com", hash: HASH };
const BEN: Row = { id: "u-ben", email: "ben@example.com" };
const KEEP = { policy: { keepIds: true } } as const;

/** What a report reads, with the checkpoint closed again. */
function read<T>(migration: Migration, what: (source: ReportSource) => T): T {
  const source = openReport(migration.checkpoint);
  try {
    return what(source);
  } finally {
    source.close();
  }
}

function runsOf(migration: Migration) {
  return read(migration, ({ runs }) => runs ?? []);
}

function refusedOf(migration: Migration): string[] {
  return read(migration, (source) => [...source.refused()].map(told)).sort();
}

function idsOf(migration: Migration): (string | null)[] {
  return read(migration, (source) => [...source.migrated()]).map(({ sourceId }) => sourceId);
}

function withoutId(row: Row): Row {
  return { ...row, id: "" };
}

describe("the history of runs", () => {
  it("has the counts of each run's summary", async () => {
    const rows = [
      ...readers(30),
      { id: "31" },
      { id: "32", email: "ida@example.com", disabled: "true" },
    ];
    const { migration, file } = prepareMigration(newPath, rows);
    const first = (await migration.run([file])).summary;
    const second = (await migration.run([file])).summary;
    const runs = runsOf(migration);
    for (const [at, summary] of [first, second].entries()) {
      const { imported, created, existed, skipped, rejected, failed, unchanged } = summary;
      const { read: rowsRead, source, calls, rejects, skips, notices, algorithms } = summary;
      expect(runs[at]).toMatchObject({
        ...{ number: at + 1, ending: "finished", reason: null, read: rowsRead, source },
        outcomes: { imported, created, existed, skipped, rejected, failed, unchanged },
        ...{ calls, rejects, skips, notices, algorithms, pending: 0 },
      });
      expect(runs[at]?.samples.at(-1)).toMatchObject({ done: 32 });
    }
    expect(second.unchanged).toBe(30);
    expect(runs).toHaveLength(2);
  });

  it("says what stopped a run, and by which error one ended", async () => {
    const { migration, file } = prepareMigration(newPath, readers(40));
    await migration.run([file], { signal: AbortSignal.abort() });
    const core = {
      ...migration.core,
      importUser: async (): Promise<never> => {
        throw new CoreFailure("key_refused", "HTTP 401", { reached: "yes" });
      },
    };
    await expect(migration.run([file], { core })).rejects.toMatchObject({ code: "key_refused" });
    await migration.run([file]);
    expect(runsOf(migration).map(({ ending, reason }) => [ending, reason])).toEqual([
      ["stopped", null],
      ["failed", "key_refused"],
      ["finished", null],
    ]);
  });

  it("keeps what is known of a run that was killed", async () => {
    const { migration, file } = prepareMigration(newPath, readers(3));
    await migration.run([file]);
    const database = openDatabase(migration.checkpoint, CHECKPOINT_FILE);
    database.exec("UPDATE runs SET ending = NULL");
    database.close();
    expect(runsOf(migration)).toMatchObject([{ ending: null, read: 3, outcomes: { failed: 0 } }]);
  });

  it("samples a long run by its clock, with the pauses that it made", async () => {
    const { migration, file } = prepareMigration(newPath, readers(300));
    const timing = virtualTiming();
    let calls = 0;
    const core = {
      ...migration.core,
      importUser: async (request: Parameters<typeof migration.core.importUser>[0]) => {
        calls += 1;
        await timing.sleep(1000);
        // A second has many turns of the event loop, by which outcomes are gathered.
        for (let turn = 0; turn < 20; turn += 1) await setImmediate();
        if (calls === 20)
          throw new CoreFailure("busy", "later", { reached: "no", retryAfterMs: 30_000 });
        return migration.core.importUser(request);
      },
    };
    // A pause is told where every call on its way waits.
    await migration.run([file], { core, timing, concurrency: 1 });
    const [run] = runsOf(migration);
    expect(run?.samples.length).toBeGreaterThan(10);
    const done = run?.samples.map((sample) => sample.done) ?? [];
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBe(300);
    expect(run?.waits).toEqual({ retry_after: { count: 1, ms: 30_000 } });
    const paused = run?.samples.map((sample) => sample.pausedMs) ?? [];
    expect(new Set(paused)).toEqual(new Set([0, 30_000]));
    const before = run?.samples[paused.lastIndexOf(0)];
    const behind = run?.samples[paused.indexOf(30_000)];
    expect((behind?.elapsedMs ?? 0) - (before?.elapsedMs ?? 0)).toBeGreaterThanOrEqual(30_000);
  });
});

/** A second row of the same user that isn't one with the first. */
const ADA_OTHERWISE = { ...ADA, email: "ada@example.org" };

describe("the refused rows of a checkpoint", () => {
  it("are all that the runs told, also rows without a user of their own", async () => {
    const migration = newMigration(newPath);
    const rows = [
      ADA,
      ADA_OTHERWISE,
      BEN,
      { id: "u-none" },
      { id: "u-off", email: "off@example.com", disabled: "true" },
    ];
    const file = migration.write("users.csv", `${csvOf(rows)}a,row,of,too,many,cells,in,it\n`);
    const core = refusingCore(migration.core, { refused: [], failing: ["ada@example.com"] });
    const { events } = await migration.run([file], { core, timing: virtualTiming() });
    expect(events.map(told).sort()).toContain("2 reject duplicate");
    expect(refusedOf(migration)).toEqual(events.map(told).sort());
    const again = await migration.run([file]);
    expect(refusedOf(migration)).toEqual(again.events.map(told).sort());
    expect(refusedOf(migration)).not.toContain("1 failure core_broken");
  });

  it("have the hints that were told, those of duplicates each its own", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA, ADA, BEN, BEN, { id: "u-none" }]);
    const { events } = await migration.run([file]);
    const hints = read(migration, (source) => [...source.refused()].map(({ hint }) => hint));
    expect(hints.toSorted()).toEqual(events.map(({ hint }) => hint).toSorted());
  });

  it("are all there, also where they are thousands in several files", async () => {
    const migration = newMigration(newPath);
    const twice = readers(700).flatMap((row) => [row, row]);
    const alone = Array.from({ length: 600 }, (_row, at): Row => ({ id: `alone-${at}` }));
    const files = [
      migration.write("a.csv", csvOf(twice)),
      migration.write("b.csv", csvOf([...alone, ...alone])),
    ];
    const { events } = await migration.run(files);
    expect(events).toHaveLength(700 + 1200);
    const rows = read(migration, (source) =>
      [...source.refused()].map(({ row, code }) => `${row.file} ${row.number} ${code}`),
    );
    expect(rows.sort()).toEqual(
      events.map(({ row, code }) => `${row.file} ${row.number} ${code}`).sort(),
    );
  });

  it("have the hints that were told, users each their own", async () => {
    const { migration, file } = prepareMigration(newPath, [
      ADA,
      { ...ADA, id: "u-2", email: "eva@example.com" },
    ]);
    let calls = 0;
    const importUser = async (): Promise<never> => {
      calls += 1;
      throw new CoreFailure("refused", calls === 1 ? "the first" : "the second", {
        reached: "yes",
      });
    };
    await migration.run([file], { core: { ...migration.core, importUser }, concurrency: 1 });
    const hints = read(migration, (source) => [...source.refused()].map(({ hint }) => hint));
    expect(hints).toEqual(
      ["first", "second"].map((one) => `The core refused this user: the ${one}.`),
    );
  });

  it("are forgotten once they are read again and say something else", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA, ADA_OTHERWISE, BEN]);
    await migration.run([file]);
    expect(refusedOf(migration)).toEqual(["2 reject duplicate"]);
    migration.write("users.csv", csvOf([ADA, BEN, ...readers(2)]));
    // A run that ends before the file does can't know.
    await migration.run([file], { signal: AbortSignal.abort() });
    expect(refusedOf(migration)).toEqual(["2 reject duplicate"]);
    const stop = new AbortController();
    const core = {
      ...migration.core,
      findUsers: (request: Parameters<typeof migration.core.findUsers>[0]) => {
        stop.abort();
        return migration.core.findUsers(request);
      },
    };
    await migration.run([file], { core, signal: stop.signal, concurrency: 1 });
    expect(refusedOf(migration)).toEqual(["2 reject duplicate"]);
    await migration.run([file], { limit: 1 });
    expect(refusedOf(migration)).toEqual([]);
  });

  it("have changes of finished users that weren't sent", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA, BEN]);
    await migration.run([file]);
    const newer = migration.write("newer.csv", csvOf([{ ...ADA, email: "ada@example.org" }, BEN]));
    const { events } = await migration.run([newer]);
    expect(events.map(told)).toEqual(["1 reject email_changed"]);
    expect(refusedOf(migration)).toEqual(["1 reject email_changed"]);
  });

  it("have changes of finished users that failed, until they are sent", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA, BEN]);
    await migration.run([file]);
    const newer = migration.write("newer.csv", csvOf([{ ...ADA, hash: bcryptOf("new") }, BEN]));
    const core = refusingCore(migration.core, { refused: [], failing: ["ada@example.com"] });
    const { events } = await migration.run([newer], { core, timing: virtualTiming() });
    expect(events.map(told)).toEqual(["1 failure core_broken"]);
    expect(refusedOf(migration)).toEqual(["1 failure core_broken"]);
    await migration.run([newer]);
    expect(refusedOf(migration)).toEqual([]);
  });

  it("have changes that weren't sent beside an id that was mapped", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA, BEN]);
    await migration.run([file]);
    const newer = migration.write("newer.csv", csvOf([{ ...ADA, email: "ada@example.org" }, BEN]));
    const { events, summary } = await migration.run([newer], KEEP);
    expect(summary.mapped).toBe(2);
    expect(events.map(told)).toEqual(["1 reject email_changed"]);
    expect(refusedOf(migration)).toEqual(["1 reject email_changed"]);
  });

  it("have users whose id couldn't be mapped", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA, BEN]);
    const mapUserId = async (): Promise<never> => {
      throw new CoreFailure("broken", "HTTP 500", { reached: "yes" });
    };
    const core = { ...migration.core, mapUserId };
    const { events } = await migration.run([file], { core, timing: virtualTiming(), ...KEEP });
    expect(refusedOf(migration)).toEqual(events.map(told).sort());
    await migration.run([file], KEEP);
    expect(refusedOf(migration)).toEqual([]);
  });
});

describe("the users at the core", () => {
  it("have both ids, and who was there before isn't new", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA, BEN]);
    await migration.core.importUser({ email: "ada@example.com", passwordHash: HASH });
    await migration.run([file]);
    const users = await migration.users();
    const idOf = (email: string) => users.find((user) => user.email === email)?.userId;
    const scope = { source: "csv", namespace: "" };
    expect(read(migration, (source) => [...source.migrated()])).toMatchObject([
      {
        sourceId: "u-ada",
        coreId: idOf("ada@example.com"),
        outcome: "existed",
        isNew: false,
        scope,
      },
      {
        sourceId: "u-ben",
        coreId: idOf("ben@example.com"),
        outcome: "created",
        isNew: true,
        scope,
      },
    ]);
  });

  it("have the vendor's id also where only a newer export says it", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA, BEN].map(withoutId));
    await migration.run([file]);
    const newer = migration.write("newer.csv", csvOf([ADA, { ...BEN, id: "ben@example.com" }]));
    expect((await migration.run([newer])).summary).toMatchObject({ unchanged: 2 });
    // One that is a contact is kept nowhere.
    expect(idsOf(migration)).toEqual(["u-ada", null]);
  });

  it("keep the vendor's id where a newer export doesn't say it, and something is sent", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA, BEN]);
    await migration.run([file]);
    const rows = [{ ...ADA, hash: bcryptOf("new") }, BEN].map(withoutId);
    const newer = migration.write("newer.csv", csvOf(rows));
    expect((await migration.run([newer])).summary).toMatchObject({ imported: 1, unchanged: 1 });
    expect(idsOf(migration)).toEqual(["u-ada", "u-ben"]);
  });

  it("whose password was replaced aren't new either", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA]);
    await migration.core.importUser({ email: "ada@example.com", passwordHash: HASH });
    await migration.run([file], { policy: { onExisting: "update" } });
    expect(read(migration, (source) => [...source.migrated()])).toMatchObject([
      { outcome: "imported", isNew: false },
    ]);
  });

  it("are new where the vendor's id was mapped to them, and not where it was before", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA]);
    await migration.run([file], KEEP);
    expect(read(migration, (source) => [...source.migrated()])).toMatchObject([
      { outcome: "imported", idKept: true, isNew: true },
    ]);
    // Another migration, with a checkpoint of its own, meets her as somebody who was there.
    const checkpoint = newPath("second");
    const policy = { keepIds: true, onExisting: "update" } as const;
    await migration.run([file], { checkpoint, policy });
    expect(read({ ...migration, checkpoint }, (source) => [...source.migrated()])).toMatchObject([
      { outcome: "imported", idKept: true, isNew: false },
    ]);
  });
});
