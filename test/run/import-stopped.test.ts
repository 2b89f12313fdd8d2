import { describe, expect, it } from "vitest";
import { CoreFailure } from "../../src/core/core-failure.js";
import type { Core } from "../../src/core/core.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { type Prepared, prepareMigration, readers } from "./support/people.js";
import { ELSEWHERE, type Migration, type Row } from "./support/run.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();

function prepare(rows?: readonly Row[]): Prepared {
  return prepareMigration(newPath, rows);
}

describe("a run that is stopped", () => {
  /** Hands on to the core; `onCall` is told before every import and code. */
  function watched(core: Core, onCall: (calls: number) => unknown): Core {
    let calls = 0;
    return {
      ...core,
      async importUser(request) {
        await onCall(++calls);
        return core.importUser(request);
      },
      async createCode(request) {
        await onCall(++calls);
        return core.createCode(request);
      },
    };
  }

  async function expectTheRest(migration: Migration, file: string, count: number): Promise<void> {
    const { summary } = await migration.run([file]);
    expect(summary.read).toBe(count);
    expect(summary.pending + summary.failed + summary.rejected + summary.existed).toBe(0);
    const users = await migration.users();
    expect(users).toHaveLength(count);
    expect(new Set(users.map(({ email }) => email)).size).toBe(count);
  }

  it("says what is pending, and the next run finishes it", async () => {
    const { migration, file } = prepare(readers(300));
    const stop = new AbortController();
    const core = watched(migration.core, (calls) => calls === 20 && stop.abort());
    const { summary } = await migration.run([file], { core, signal: stop.signal, concurrency: 8 });
    expect(summary.interrupted).toBe(true);
    expect(summary.pending).toBeGreaterThan(0);
    expect(summary.imported + summary.created).toBeGreaterThanOrEqual(20);
    expect(summary.imported + summary.created + summary.pending).toBe(summary.read);
    await expectTheRest(migration, file, 300);
  });

  it("has come to its end where the signal comes with the last call under way", async () => {
    const { migration, file } = prepare(readers(20));
    const stop = new AbortController();
    // Everybody was read long before the last call begins.
    const core = watched(migration.core, (calls) => calls === 20 && stop.abort());
    const { summary } = await migration.run([file], { core, signal: stop.signal, concurrency: 64 });
    expect(summary).toMatchObject({ interrupted: false, pending: 0, read: 20 });
  });

  it("before it has begun sends nothing and reads nothing", async () => {
    const { migration, file } = prepare(readers(3));
    const { summary } = await migration.run([file], { signal: AbortSignal.abort() });
    expect(summary).toMatchObject({ interrupted: true, read: 0 });
    expect(summary.calls.import + summary.calls.code).toBe(0);
    await expectTheRest(migration, file, 3);
  });

  it("in the middle of the lookups sends nobody whom it hasn't looked up", async () => {
    const { migration, file } = prepare(readers(50));
    const stop = new AbortController();
    const lookedUp = new Set<string | undefined>();
    const core: Core = {
      ...migration.core,
      target: ELSEWHERE,
      findUsers(contact) {
        lookedUp.add(contact.email ?? contact.phoneNumber);
        if (lookedUp.size === 5) stop.abort();
        return migration.core.findUsers(contact);
      },
    };
    const { summary } = await migration.run([file], { core, signal: stop.signal, concurrency: 1 });
    const users = await migration.users();
    expect(users.length).toBeLessThanOrEqual(5);
    for (const { email, phoneNumber } of users) expect(lookedUp).toContain(email ?? phoneNumber);
    expect(summary).toMatchObject({ pending: 50 - users.length, failed: 0 });
    await expectTheRest(migration, file, 50);
  });

  it("tells the refusals of a batch that has nothing else", async () => {
    const { migration, file } = prepare([{ id: "1" }, { id: "2" }]);
    const stop = new AbortController();
    const { summary } = await migration.run([file], {
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === "reject") stop.abort();
      },
    });
    expect(summary).toMatchObject({ read: 2, rejected: 2, pending: 0 });
  });

  it.each(["key_refused", "disk", "incompatible"] as const)(
    "by an error in the middle (%s) is finished by the next",
    async (kind) => {
      const { migration, file } = prepare(readers(300));
      const core = watched(migration.core, (calls) => {
        if (calls > 30) throw new CoreFailure(kind, "scripted", { reached: "yes" });
      });
      const run = migration.run([file], { core, concurrency: 8 });
      await expect(run).rejects.toMatchObject({ name: "RunError" });
      expect(await migration.core.countUsers()).toBeLessThan(300);
      await expectTheRest(migration, file, 300);
    },
  );

  it("by an outage is finished by the next, whatever the core had done with the calls that broke", async () => {
    const { migration, file } = prepare(readers(60));
    let answered = 0;
    const lostAfter = async <T>(answer: Promise<T>): Promise<T> => {
      await answer;
      answered += 1;
      if (answered <= 25) return answer;
      throw new CoreFailure("unreachable", "connection lost", { reached: "unknown" });
    };
    const core: Core = {
      ...migration.core,
      importUser: (request) => lostAfter(migration.core.importUser(request)),
      consumeCode: (request) => lostAfter(migration.core.consumeCode(request)),
    };
    const first = await migration
      .run([file], { core, timing: virtualTiming(), concurrency: 4 })
      .catch((error: unknown) => error);
    expect(first).toBeDefined();
    await expectTheRest(migration, file, 60);
  });

  it("by a listener that throws ends with that error, and the next run finishes", async () => {
    const { migration, file } = prepare([...readers(10), { id: "x" }]);
    const onEvent = (): never => {
      throw new Error("the listener is broken");
    };
    await expect(migration.run([file], { onEvent })).rejects.toThrow("the listener is broken");
    const { summary } = await migration.run([file]);
    expect(summary).toMatchObject({ read: 11, rejected: 1, pending: 0, failed: 0, existed: 0 });
    expect(await migration.core.countUsers()).toBe(10);
  });
});
