import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import { standingOf } from "../../src/report/results.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { inputOf } from "./support/batches.js";
import { concurrency, crowd, sizes, usersOf } from "./support/crowds.js";
import { newMigration, outcomes, type Run, told } from "./support/run.js";
import { lost } from "./support/scripted-core.js";
import { shuffled } from "./support/shuffled.js";
import { virtualTiming } from "./support/virtual-timing.js";
import { repeated } from "../support/repeated.js";

/** How many crowds are imported; each has data files and checkpoints of its own. */
const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 4, full: 15 });
const newPath = temporaryPaths();

/** Everything about a run that must not depend on who was faster. */
function essence({ summary, events }: Run) {
  const { calls: _calls, elapsedMs: _elapsed, checkpoint: _path, core: _core, ...rest } = summary;
  return { ...rest, events: events.map((event) => `${told(event)} ${event.hint}`).sort() };
}

describe("any crowd", () => {
  it("ends the same at any concurrency, in any batches and any order of answers", async () => {
    const turns = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(crowd, sizes, concurrency, turns, async (records, cut, most, delays) => {
        const calm = newMigration(newPath);
        const one = await calm.run([], {
          inputs: [inputOf("users.csv", records, [1])],
          concurrency: 1,
        });
        const wild = newMigration(newPath);
        const other = await wild.run([], {
          inputs: [inputOf("users.csv", records, cut)],
          core: shuffled(wild.core, delays),
          concurrency: most,
        });
        expect(essence(other)).toEqual(essence(one));
        expect(await usersOf(wild.core)).toEqual(await usersOf(calm.core));
        await Promise.all([calm.close(), wild.close()]);
      }),
      { numRuns: RUNS },
    );
  });

  it("is in the core once, and unchanged in the next run, cut and ordered as it was", async () => {
    await fc.assert(
      fc.asyncProperty(crowd, sizes, concurrency, async (records, cut, most) => {
        const migration = newMigration(newPath);
        const options = {
          inputs: [inputOf("users.csv", records, cut)],
          concurrency: most,
        };
        const first = await migration.run([], options);
        const users = await usersOf(migration.core);
        expect(new Set(users).size).toBe(users.length);
        expect(first.summary.imported + first.summary.created).toBe(users.length);

        const again = await migration.run([], options);
        const { imported, created, existed } = again.summary;
        expect([imported, created, existed]).toEqual([0, 0, 0]);
        expect(again.summary.unchanged).toBe(users.length);
        expect(essence(again).events).toEqual(essence(first).events);
        expect(await usersOf(migration.core)).toEqual(users);
        await migration.close();
      }),
      { numRuns: RUNS },
    );
  });

  it("stopped at any call, again and again, ends as if nobody had stopped it", async () => {
    const stops = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(crowd, sizes, concurrency, stops, async (records, cut, most, after) => {
        const options = {
          inputs: [inputOf("users.csv", records, cut)],
          concurrency: most,
        };
        const calm = newMigration(newPath);
        const whole = await calm.run([], options);

        const migration = newMigration(newPath);
        for (const calls of after) {
          const stop = new AbortController();
          let left = calls;
          const counted = <T>(answer: T): T => {
            left -= 1;
            if (left === 0) stop.abort();
            return answer;
          };
          const { core } = migration;
          const { summary } = await migration.run([], {
            ...options,
            signal: stop.signal,
            core: {
              ...core,
              findUsers: (contact) => counted(core.findUsers(contact)),
              importUser: (request) => counted(core.importUser(request)),
              consumeCode: (request) => counted(core.consumeCode(request)),
            },
          });
          if (summary.pending > 0) expect(summary.interrupted).toBe(true);
        }
        const last = await migration.run([], options);
        const { imported, created, unchanged, ...rest } = outcomes(last.summary);
        const { imported: of, created: and, ...expected } = outcomes(whole.summary);
        expect(rest).toEqual(expected);
        expect((imported ?? 0) + (created ?? 0) + (unchanged ?? 0)).toBe((of ?? 0) + (and ?? 0));
        expect(await usersOf(migration.core)).toEqual(await usersOf(calm.core));
        await Promise.all([calm.close(), migration.close()]);
      }),
      { numRuns: RUNS },
    );
  });

  it("keeps its ids however often it is stopped, killed or refused an answer: each mapped once", async () => {
    const troubles = fc.array(
      fc.record({
        after: fc.integer({ min: 1, max: 12 }),
        how: fc.constantFrom("stop", "kill", "lose"),
        keepIds: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    );
    const everyId = crowd.map((records) =>
      records.map((one, index) => ({ ...one, sourceId: one.sourceId ?? `v-${index}` })),
    );
    await fc.assert(
      fc.asyncProperty(everyId, sizes, concurrency, troubles, async (records, cut, most, each) => {
        const options = { inputs: [inputOf("users.csv", records, cut)], concurrency: most };
        const migration = newMigration(newPath);
        let mapped = 0;
        const core: Core = {
          ...migration.core,
          async mapUserId(request) {
            const answer = await migration.core.mapUserId(request);
            if (answer.status === "OK") mapped += 1;
            return answer;
          },
        };
        for (const { after, how, keepIds } of each) {
          const stop = new AbortController();
          let left = after;
          const troubled = async <T>(work: Promise<T>): Promise<T> => {
            const answer = await work;
            left -= 1;
            if (left === 0 && how === "stop") stop.abort();
            if (left === 0 && how === "kill") throw new Error("killed");
            if (left === 0 && how === "lose") throw lost();
            return answer;
          };
          const run = migration.run([], {
            ...options,
            timing: virtualTiming(),
            signal: stop.signal,
            policy: { keepIds },
            core: {
              ...core,
              importUser: (request) => troubled(core.importUser(request)),
              consumeCode: (request) => troubled(core.consumeCode(request)),
              mapUserId: (request) => troubled(core.mapUserId(request)),
            },
          });
          await run.catch((error: Error) => expect(error.message).toBe("killed"));
        }
        const keeping = { ...options, core, policy: { keepIds: true } };
        const { summary } = await migration.run([], keeping);
        const { imported, created, unchanged, existed, failed, notices } = summary;
        expect([existed, failed, notices.id_not_kept]).toEqual([0, 0, undefined]);

        const users = await migration.users();
        expect(imported + created + unchanged).toBe(users.length);
        const ids = users.map(({ userId }) => userId);
        expect(new Set(ids).size).toBe(users.length);
        const known = new Set(records.map(({ sourceId }) => sourceId));
        expect(ids.filter((id) => !known.has(id))).toEqual([]);
        expect(mapped).toBe(users.length);

        const again = await migration.run([], keeping);
        expect(again.summary).toMatchObject({ unchanged: users.length, mapped: 0 });
        expect(again.summary.calls.map).toBe(0);
        await migration.close();
      }),
      { numRuns: Math.ceil(RUNS / 2) },
    );
  });

  it("gets the same verdicts from a dry run as from an import into an empty core", async () => {
    const { validateUsers } = await import("../../src/run/validate-users.js");
    await fc.assert(
      fc.asyncProperty(crowd, sizes, concurrency, async (records, cut, most) => {
        const migration = newMigration(newPath);
        const inputs = [inputOf("users.csv", records, cut)];
        const events: string[] = [];
        const options = await migration.options([], { inputs });
        const dry = await validateUsers({
          ...options,
          onEvent: (event) => {
            if ("row" in event) events.push(told(event));
          },
        });
        const { summary, events: real } = await migration.run([], { inputs, concurrency: most });
        for (const field of [
          "read",
          "skipped",
          "rejected",
          "algorithms",
          "rejects",
          "skips",
          "notices",
        ] as const) {
          expect([field, dry[field]]).toEqual([field, summary[field]]);
        }
        const { ready } = dry;
        expect(ready.import).toBe(summary.imported);
        expect(ready.passwordless + ready.thirdparty).toBe(summary.created);
        expect(events.sort()).toEqual(real.map(told).sort());
        const { already: _, ...foreseen } = standingOf(dry);
        expect(standingOf(summary.standing)).toMatchObject(foreseen);
        await migration.close();
      }),
      { numRuns: RUNS },
    );
  });
});
