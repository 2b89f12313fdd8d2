import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openReport } from "../../src/checkpoint/report-source.js";
import type { Core } from "../../src/core/core.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { concurrency, usersOf } from "../run/support/crowds.js";
import { newMigration, type Run } from "../run/support/run.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { codes, ends, splitFiles, tables, writeTables } from "./support/parts.js";
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
const shards = fc.integer({ min: 1, max: 5 });

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

describe("the parts of any export", () => {
  it("in any order, interrupted anywhere, end as the whole does, and are proved", async () => {
    await fc.assert(
      fc.asyncProperty(
        ...([tables, concurrency, shards, troubles, fc.nat()] as const),
        async (all, most, count, each, first) => {
          const calm = newMigration(newPath);
          const whole = await calm.run(writeTables(calm, all), { concurrency: most });

          const migration = newMigration(newPath);
          const files = writeTables(migration, all);
          const parts = await splitFiles(migration, files, count, newPath("parts"));
          for (const { shard, after, how } of each) {
            const stop = new AbortController();
            const happens = (): void => {
              if (how === "stop") stop.abort();
              else throw new Error("killed");
            };
            const core = troubled(migration.core, after, happens);
            const disturbed = parts.run(1 + (shard % count), {
              ...{ core, concurrency: most, signal: stop.signal },
            });
            await disturbed.catch((error: Error) => expect(error.message).toBe("killed"));
          }
          const runs: Run[] = [];
          for (let at = 0; at < count; at += 1) {
            runs.push(await parts.run(1 + ((first + at) % count), { concurrency: most }));
          }

          expect(await usersOf(migration.core)).toEqual(await usersOf(calm.core));
          expect(ends(runs)).toEqual(ends([whole]));
          expect(codes(runs)).toEqual(codes([whole]));
          const report = openReport(parts.checkpoints, parts.manifest);
          const rows = all.flat().length;
          expect(report.shards).toEqual({
            ...{ flaws: [], proved: true, shards: count, rows, ownRows: rows },
          });
          report.close();
          await Promise.all([calm.close(), migration.close()]);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it("all at once end as the whole does", async () => {
    await fc.assert(
      fc.asyncProperty(tables, shards, async (all, count) => {
        const calm = newMigration(newPath);
        const whole = await calm.run(writeTables(calm, all));
        const migration = newMigration(newPath);
        const files = writeTables(migration, all);
        const parts = await splitFiles(migration, files, count, newPath("parts"));
        const runs = await Promise.all(parts.manifest.parts.map(({ shard }) => parts.run(shard)));
        expect(codes(runs)).toEqual(codes([whole]));
        expect(ends(runs)).toEqual(ends([whole]));
        expect(await usersOf(migration.core)).toEqual(await usersOf(calm.core));
        await Promise.all([calm.close(), migration.close()]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it("get the same verdicts from dry runs as from imports", async () => {
    await fc.assert(
      fc.asyncProperty(tables, shards, async (all, count) => {
        const migration = newMigration(newPath);
        const files = writeTables(migration, all);
        const parts = await splitFiles(migration, files, count, newPath("parts"));
        for (const { shard } of parts.manifest.parts) {
          const options = await migration.options([], await parts.optionsOf(shard));
          const dry = await validateUsers(options);
          const { summary } = await parts.run(shard);
          for (const field of ["read", "skipped", "rejected", "rejects", "shard"] as const) {
            expect([field, dry[field]]).toEqual([field, summary[field]]);
          }
          expect(dry.ready).toMatchObject({
            import: summary.imported,
            passwordless: summary.created,
          });
        }
        await migration.close();
      }),
      { numRuns: Math.ceil(RUNS / 2), endOnFailure: true },
    );
  });
});

describe("a newer export in as many parts", () => {
  it("brings no user a second time whose contacts have changed since, as the whole doesn't", async () => {
    await fc.assert(
      fc.asyncProperty(tables, shards, async (all, count) => {
        // No contact is another user's, before or after.
        const named = (prefix: string) =>
          all.map((rows, file) =>
            rows.map(({ phone: _, ...one }, at) => ({
              ...{ ...one, id: `v-${file}-${at}` },
              ...(one.email === undefined ? {} : { email: `${prefix}.${file}.${at}@example.com` }),
            })),
          );
        const calm = newMigration(newPath);
        const migration = newMigration(newPath);
        for (const rows of [named("reader"), named("new.reader")]) {
          await calm.run(writeTables(calm, rows));
          const files = writeTables(migration, rows);
          const parts = await splitFiles(migration, files, count, newPath("parts"));
          for (const { shard } of parts.manifest.parts) await parts.run(shard);
        }
        expect(await usersOf(migration.core)).toEqual(await usersOf(calm.core));
        await Promise.all([calm.close(), migration.close()]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
