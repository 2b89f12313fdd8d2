import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import type { UserRecord } from "../../src/account/user-record.js";
import { openReport } from "../../src/checkpoint/report-source.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { inputOf } from "../run/support/batches.js";
import { concurrency, denseCrowd, sizes, usersOf } from "../run/support/crowds.js";
import { type Migration, newMigration, outcomes, type Run, told } from "../run/support/run.js";
import { repeated } from "../support/repeated.js";

const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 2, full: 8 });
const newPath = temporaryPaths();

/** What happens to some shard's process: told to stop, or dead, at one of its calls. */
const troubles = fc.array(
  fc.record({
    shard: fc.nat(),
    after: fc.integer({ min: 1, max: 8 }),
    how: fc.constantFrom("stop", "kill"),
  }),
  { maxLength: 6 },
);
const shards = fc.integer({ min: 2, max: 5 });

/** Shards of one export into one core, each with a checkpoint of its own. */
function sharded(migration: Migration, records: readonly UserRecord[], count: number) {
  const checkpointOf = (index: number): string => `${migration.checkpoint}-${index}-of-${count}`;
  return {
    checkpoints: Array.from({ length: count }, (_, at) => checkpointOf(at + 1)),
    run: (index: number, cut: readonly number[], options = {}): Promise<Run> =>
      migration.run([], {
        inputs: [inputOf("users.csv", records, [...cut])],
        shard: { index, count },
        checkpoint: checkpointOf(index),
        ...options,
      }),
  };
}

/** A core at whose n-th answer something happens. */
function troubled(core: Core, after: number, happens: () => void): Core {
  let left = after;
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    const answer = await work;
    left -= 1;
    if (left === 0) happens();
    return answer;
  };
  return {
    ...core,
    importUser: (request) => counted(core.importUser(request)),
    consumeCode: (request) => counted(core.consumeCode(request)),
    updateUser: (request) => counted(core.updateUser(request)),
  };
}

function eventsOf(runs: readonly Run[]): string[] {
  return runs.flatMap(({ events }) => events.map((event) => `${told(event)} ${event.hint}`)).sort();
}

/** Outcomes without who brought whom when: a resumed run says `unchanged`. */
function ends(runs: readonly Run[]) {
  const sums: Record<string, number> = { read: 0 };
  for (const { summary } of runs) {
    sums.read = (sums.read ?? 0) + summary.read;
    for (const [name, count] of Object.entries(outcomes(summary))) {
      const what = ["imported", "created", "unchanged"].includes(name) ? "there" : name;
      sums[what] = (sums[what] ?? 0) + count;
    }
  }
  return sums;
}

describe("shards of any crowd", () => {
  it("in any order, interrupted anywhere, end as one process does, and are proved", async () => {
    await fc.assert(
      fc.asyncProperty(
        ...([denseCrowd, sizes, concurrency, shards, troubles, fc.nat()] as const),
        async (records, cut, most, count, each, first) => {
          const calm = newMigration(newPath);
          const inputs = [inputOf("users.csv", records, cut)];
          const one = await calm.run([], { inputs, concurrency: most });

          const migration = newMigration(newPath);
          const { run, checkpoints } = sharded(migration, records, count);
          for (const { shard, after, how } of each) {
            const stop = new AbortController();
            const happens = (): void => {
              if (how === "stop") stop.abort();
              else throw new Error("killed");
            };
            const core = troubled(migration.core, after, happens);
            const disturbed = run(1 + (shard % count), cut, {
              ...{ core, concurrency: most, signal: stop.signal },
            });
            await disturbed.catch((error: Error) => expect(error.message).toBe("killed"));
          }
          const runs: Run[] = [];
          for (let at = 0; at < count; at += 1) {
            runs.push(await run(1 + ((first + at) % count), cut, { concurrency: most }));
          }

          expect(eventsOf(runs)).toEqual(eventsOf([one]));
          expect(ends(runs)).toEqual(ends([one]));
          expect(await usersOf(migration.core)).toEqual(await usersOf(calm.core));
          const report = openReport(checkpoints);
          expect(report.shards).toMatchObject({
            ...{ flaws: [], proved: true, shards: count },
            ...{ rows: records.length, ownRows: records.length },
          });
          report.close();
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it("all at once end as one process does", async () => {
    await fc.assert(
      fc.asyncProperty(denseCrowd, sizes, shards, async (records, cut, count) => {
        const calm = newMigration(newPath);
        const one = await calm.run([], { inputs: [inputOf("users.csv", records, cut)] });
        const migration = newMigration(newPath);
        const { run } = sharded(migration, records, count);
        const numbers = Array.from({ length: count }, (_, at) => at + 1);
        const runs = await Promise.all(numbers.map((index) => run(index, cut)));
        expect(eventsOf(runs)).toEqual(eventsOf([one]));
        expect(ends(runs)).toEqual(ends([one]));
        expect(await usersOf(migration.core)).toEqual(await usersOf(calm.core));
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it("get the same verdicts from dry runs as from imports", async () => {
    const { validateUsers } = await import("../../src/run/validate-users.js");
    await fc.assert(
      fc.asyncProperty(denseCrowd, sizes, shards, async (records, cut, count) => {
        const migration = newMigration(newPath);
        const { run } = sharded(migration, records, count);
        for (let index = 1; index <= count; index += 1) {
          const options = await migration.options([], {
            inputs: [inputOf("users.csv", records, cut)],
            shard: { index, count },
          });
          const dry = await validateUsers(options);
          const { summary } = await run(index, cut);
          for (const field of ["read", "skipped", "rejected", "rejects", "shard"] as const) {
            expect([field, dry[field]]).toEqual([field, summary[field]]);
          }
          expect(dry.ready).toEqual({ import: summary.imported, passwordless: summary.created });
        }
      }),
      { numRuns: Math.ceil(RUNS / 2), endOnFailure: true },
    );
  });
});

describe("a newer export in shards", () => {
  it("brings nobody a second time whose contacts have changed since, as one process doesn't", async () => {
    await fc.assert(
      fc.asyncProperty(denseCrowd, shards, async (records, count) => {
        // Nobody's contact is somebody else's, before or after.
        const named = (prefix: string): UserRecord[] =>
          records.map((one, index) => ({
            ...one,
            ...{ sourceId: `v-${index}`, phone: null },
            email: one.email && { ...one.email, value: `${prefix}.${index}@example.com` },
          }));
        const [monday, friday] = [named("reader"), named("new.reader")];
        const calm = newMigration(newPath);
        const migration = newMigration(newPath);
        for (const rows of [monday, friday]) {
          await calm.run([], { inputs: [inputOf("users.csv", rows, [7])] });
          const { run } = sharded(migration, rows, count);
          for (let index = 1; index <= count; index += 1) await run(index, [7]);
        }
        expect(await usersOf(migration.core)).toEqual(await usersOf(calm.core));
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
