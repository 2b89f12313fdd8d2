import { mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openInputs } from "../../src/source/inputs.js";
import { openReport } from "../../src/checkpoint/report-source.js";
import { splitUsers } from "../../src/shards/split-users.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { argon2Of } from "../run/support/hashes.js";
import { usersOf } from "../run/support/crowds.js";
import { BCRYPT } from "../run/support/records.js";
import { csvOf, newMigration, outcomes, type Row, type Run } from "../run/support/run.js";
import { repeated } from "../support/repeated.js";

const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 2, full: 8 });
const newPath = temporaryPaths();

const row: fc.Arbitrary<Row> = fc
  .record({
    id: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 4 }),
    email: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 5 }),
    phone: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 2 }),
    hash: fc.constantFrom(BCRYPT, BCRYPT.slice(0, -1), ""),
    disabled: fc.constantFrom("true", "false", "false"),
  })
  .map(({ id, email, phone, ...rest }) => ({
    ...(id === null ? {} : { id: `u-${id}` }),
    ...(email === null ? {} : { email: `reader.${email}@example.com` }),
    ...(phone === null ? {} : { phone: `+1555010${1000 + phone}` }),
    ...rest,
  }));
const tables = fc.array(fc.array(row, { minLength: 1, maxLength: 30 }), {
  minLength: 1,
  maxLength: 3,
});

function newFolder(): string {
  const folder = newPath("parts");
  mkdirSync(folder);
  return folder;
}

describe("an export that is split", () => {
  it("ends part by part as it does whole, whatever its duplicates, and is proved", async () => {
    await fc.assert(
      fc.asyncProperty(tables, fc.integer({ min: 1, max: 4 }), async (all, shards) => {
        const calm = newMigration(newPath);
        const files = all.map((rows, at) => calm.write(`users-${at}.csv`, csvOf(rows)));
        const whole = await calm.run(files);

        const directory = newFolder();
        const manifest = await splitUsers({ inputs: await openInputs(files), shards, directory });
        const migration = newMigration(newPath);
        const checkpoints: string[] = [];
        const runs: Run[] = [];
        for (const { shard, files: parts, ...own } of manifest.parts) {
          const checkpoint = `${migration.checkpoint}-${shard}`;
          const paths = parts.map(({ name }) => join(directory, name));
          const part = { whole: { rows: manifest.rows, sum: manifest.sum }, own };
          runs.push(
            await migration.run([], {
              inputs: await openInputs(paths, { from: manifest.from ?? undefined }),
              shard: { index: shard, count: shards },
              ...{ part, checkpoint },
            }),
          );
          checkpoints.push(checkpoint);
        }

        const sums: Record<string, number> = {};
        for (const { summary } of runs) {
          for (const [name, count] of Object.entries(outcomes(summary))) {
            sums[name] = (sums[name] ?? 0) + count;
          }
        }
        expect(sums).toEqual(outcomes(whole.summary));
        const codes = (of: readonly Run[]): string[] =>
          of.flatMap(({ events }) => events.map(({ type, code }) => `${type} ${code}`)).sort();
        expect(codes(runs)).toEqual(codes([whole]));
        expect(await usersOf(migration.core)).toEqual(await usersOf(calm.core));
        const report = openReport(checkpoints);
        expect(report.shards).toMatchObject({ flaws: [], proved: true, rows: all.flat().length });
        report.close();
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it("isn't split where its hash column was cut off: a part wouldn't show which hashes are whole by chance", async () => {
    const migration = newMigration(newPath);
    const rows = Array.from({ length: 40 }, (_, at) => ({
      id: `u-${at}`,
      email: `reader.${at}@example.com`,
      hash: JSON.stringify(argon2Of(at).slice(0, 76)),
    }));
    const inputs = await openInputs([migration.write("users.csv", csvOf(rows))]);
    const directory = newFolder();
    await expect(splitUsers({ inputs, shards: 2, directory })).rejects.toMatchObject({
      code: "input_damaged",
      hint: expect.stringContaining("--shard"),
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  it("leaves no parts where it is stopped, and takes no folder that isn't empty", async () => {
    const migration = newMigration(newPath);
    const path = migration.write("users.csv", csvOf([{ id: "1", email: "ada@example.com" }]));
    const directory = newFolder();
    const stopped = { signal: AbortSignal.abort(), inputs: await openInputs([path]) };
    await expect(splitUsers({ ...stopped, shards: 2, directory })).rejects.toMatchObject({
      code: "interrupted",
    });
    expect(readdirSync(directory)).toEqual([]);
    const inputs = await openInputs([path]);
    await splitUsers({ inputs, shards: 2, directory });
    await expect(splitUsers({ inputs, shards: 2, directory })).rejects.toMatchObject({
      code: "usage",
    });
  });

  it("has the files of one input open at a time, however many inputs there are", async () => {
    const migration = newMigration(newPath);
    const files = Array.from({ length: 12 }, (_, at) => {
      const rows = Array.from({ length: 30 }, (_row, row) => ({
        id: `u-${at}-${row}`,
        email: `reader.${at}.${row}@example.com`,
      }));
      return migration.write(`users-${at}.csv`, csvOf(rows));
    });
    const directory = newFolder();
    let most = 0;
    const inputs = (await openInputs(files)).map((input) => ({
      ...input,
      async *read(run: Parameters<typeof input.read>[0]) {
        for await (const items of input.read(run)) {
          const open = readdirSync("/proc/self/fd").flatMap((handle) => {
            try {
              return readlinkSync(`/proc/self/fd/${handle}`);
            } catch {
              return [];
            }
          });
          most = Math.max(most, open.filter((path) => path.endsWith(".part")).length);
          yield items;
        }
      },
    }));
    const { parts } = await splitUsers({ inputs, shards: 3, directory });
    expect(parts.flatMap(({ files: written }) => written)).toHaveLength(36);
    expect(most).toBe(3);
  });
});
