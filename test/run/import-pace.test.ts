import { describe, expect, it } from "vitest";
import type { Core, CoreTarget } from "../../src/core/core.js";
import type { MigrationEvent } from "../../src/events/events.js";
import type { BeforeBulk, ImportOptions, ProofResult } from "../../src/run/options.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { prepareMigration, readers } from "./support/people.js";
import type { Migration } from "./support/run.js";
import { failure, notReached } from "./support/scripted-core.js";
import { virtualTime } from "./support/virtual-time.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();
const REMOTE: CoreTarget = { kind: "remote", url: "https://core.example.test" };

/** Before every import and code, and at a probe, it may be told to fail. */
function troubled(core: Core, before: (call: "call" | "probe") => Promise<void>): Core {
  return {
    ...core,
    target: REMOTE,
    importUser: async (request) => {
      await before("call");
      return core.importUser(request);
    },
    createCode: async (request) => {
      await before("call");
      return core.createCode(request);
    },
    probe: () => before("probe"),
  };
}

/** Imports on virtual time and tells what happened. */
async function run(migration: Migration, file: string, options: Partial<ImportOptions>) {
  const time = virtualTime();
  const events: MigrationEvent[] = [];
  const onEvent = (event: MigrationEvent): void => void events.push(event);
  const running = migration.run([file], { onEvent, timing: time, ...options });
  const { summary } = await time.run(running);
  return { summary, events };
}

describe("an outage in the middle of an import", () => {
  it("is waited out, told, counted, and fails nobody", async () => {
    const { migration, file } = prepareMigration(newPath, readers(200));
    let calls = 0;
    let probes = 0;
    const core = troubled(migration.core, async (call) => {
      if (call === "probe") probes += 1;
      else calls += 1;
      // The first question comes before the run.
      if (
        (call === "call" && calls > 100 && probes < 6) ||
        (call === "probe" && probes > 1 && probes < 6)
      ) {
        throw notReached();
      }
    });
    const { summary, events } = await run(migration, file, { core });
    expect(summary).toMatchObject({ read: 200, failed: 0, pending: 0 });
    expect(summary.imported + summary.created).toBe(200);
    const pauses = events.filter((event) => event.type === "pause");
    expect(pauses).toMatchObject(
      Array.from({ length: pauses.length }, () => ({ reason: "outage" })),
    );
    expect(pauses.length).toBeGreaterThan(2);
    expect(summary.pauses).toBeGreaterThanOrEqual(pauses.length);
    expect(summary.pausedMs).toBeGreaterThan(10_000);
    expect(summary.retries).toBeGreaterThan(9);
  });

  it("that lasts longer than a run waits ends it, and the next run goes on", async () => {
    const { migration, file } = prepareMigration(newPath, readers(200));
    let calls = 0;
    let probed = false;
    const core = troubled(migration.core, async (call) => {
      if (call === "call") calls += 1;
      const isFirst = call === "probe" && !probed;
      probed ||= call === "probe";
      if (!isFirst && (calls > 100 || call === "probe")) throw notReached();
    });
    const failed = run(migration, file, { core });
    await expect(failed).rejects.toMatchObject({ code: "outage" });
    const { summary } = await migration.run([file], {
      core: { ...migration.core, target: REMOTE },
    });
    expect(summary).toMatchObject({ read: 200, failed: 0, pending: 0, existed: 0, rejected: 0 });
    expect(await migration.core.countUsers()).toBe(200);
  });
});

describe("a stop", () => {
  it("ends the waiting of everybody, and the next run goes on", async () => {
    const { migration, file } = prepareMigration(newPath, readers(120));
    const stop = new AbortController();
    let calls = 0;
    const core = troubled(migration.core, async (call) => {
      if (call === "probe") return;
      calls += 1;
      if (calls > 50) throw failure("busy", { retryAfterMs: 400_000 });
    });
    const onEvent = ({ type }: MigrationEvent): void => {
      if (type === "pause") stop.abort();
    };
    const { summary } = await migration.run([file], { core, signal: stop.signal, onEvent });
    expect(summary).toMatchObject({ interrupted: true, failed: 0 });
    expect(summary.pending).toBeGreaterThan(0);
    expect(summary.imported + summary.created).toBeGreaterThan(0);
    const rest = await migration.run([file], { core: { ...migration.core, target: REMOTE } });
    expect(rest.summary).toMatchObject({ read: 120, failed: 0, existed: 0, interrupted: false });
    expect(await migration.core.countUsers()).toBe(120);
  });

  it("ends the asking before the first user", async () => {
    const { migration, file } = prepareMigration(newPath, readers(5));
    const stop = new AbortController();
    let questions = 0;
    const busy = async (): Promise<never> => {
      questions += 1;
      stop.abort();
      throw failure("busy", { retryAfterMs: 9000 });
    };
    const core: Core = { ...migration.core, target: REMOTE, probe: busy };
    const { summary } = await run(migration, file, { core, signal: stop.signal });
    expect(summary).toMatchObject({ interrupted: true, read: 0 });
    expect([questions, await migration.core.countUsers()]).toEqual([1, 0]);
  });

  it("that comes while the files are looked at sends nobody and makes no proof", async () => {
    const { migration, file } = prepareMigration(newPath, readers(5));
    const stop = new AbortController();
    const core: Core = {
      ...migration.core,
      async findUsers(contact) {
        stop.abort();
        return migration.core.findUsers(contact);
      },
    };
    const beforeBulk = async (): Promise<never> => {
      throw new Error("the operator wants no proof any more");
    };
    const { summary } = await migration.run([file], { core, signal: stop.signal, beforeBulk });
    expect(summary).toMatchObject({ interrupted: true, read: 0, proved: false });
    expect(summary.calls.import + summary.calls.code).toBe(0);
  });

  it("that ends a proof sends nobody, and is no failure", async () => {
    const { migration, file } = prepareMigration(newPath, readers(5));
    const stop = new AbortController();
    const beforeBulk: BeforeBulk = async (_inspection, signal) => {
      stop.abort();
      throw signal.reason;
    };
    const { summary } = await migration.run([file], { signal: stop.signal, beforeBulk });
    expect(summary).toMatchObject({ interrupted: true, read: 0, proved: false });
    expect(await migration.core.countUsers()).toBe(0);
  });
});

describe("a stop while everybody waits", () => {
  it("counts nobody as failed who was never sent", async () => {
    const { migration, file } = prepareMigration(newPath, readers(50));
    const stop = new AbortController();
    const core = troubled(migration.core, async (call) => {
      if (call === "call") throw failure("busy", { retryAfterMs: 300_000 });
    });
    const onEvent = (event: MigrationEvent): void => {
      if (event.type === "pause") stop.abort();
    };
    const { summary } = await migration.run([file], { core, signal: stop.signal, onEvent });
    expect(summary).toMatchObject({ failed: 0, interrupted: true });
    expect(summary.pending).toBe(50);
    expect((await migration.run([file])).summary).toMatchObject({
      failed: 0,
      existed: 0,
      pending: 0,
    });
  });
});

describe("the pace of a core in this process", () => {
  it("is bounded by nothing but its users", async () => {
    const { migration, file } = prepareMigration(newPath, readers(400));
    let inFlight = 0;
    let most = 0;
    const core: Core = {
      ...migration.core,
      async importUser(request) {
        inFlight += 1;
        most = Math.max(most, inFlight);
        const imported = await migration.core.importUser(request);
        await new Promise((resolve) => setImmediate(resolve));
        inFlight -= 1;
        return imported;
      },
    };
    await migration.run([file], { core, concurrency: 200, timing: virtualTiming() });
    // Every other reader has a password.
    expect(most).toBe(100);
  });
});

describe("the time of an import", () => {
  it("counts no time that a question takes", async () => {
    const { migration, file } = prepareMigration(newPath, readers(5));
    const timing = virtualTiming();
    const beforeBulk = async (): Promise<ProofResult> => {
      await timing.sleep(24_000);
      return { fitted: [] };
    };
    const { summary } = await migration.run([file], { timing, beforeBulk });
    expect(summary).toMatchObject({ read: 5, elapsedMs: 0 });
  });
});
