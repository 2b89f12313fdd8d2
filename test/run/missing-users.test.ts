import { describe, expect, it } from "vitest";
import { standingOf } from "../../src/report/results.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { beginMigration, prepareMigration, readers } from "./support/people.js";
import { csvOf, type Row, type Run } from "./support/run.js";

const newPath = temporaryPaths();
const MISSING = ["still_there", "gone_since_last_export"];

const begin = (rows: readonly Row[]) => beginMigration(newPath, rows);

function departed({ findings }: Run): unknown[] {
  return findings
    .filter(({ code }) => MISSING.includes(code))
    .map(({ code, count, rows, sourceIds }) => [
      code,
      count,
      rows.map(({ number }) => number),
      ...(sourceIds === undefined ? [] : [sourceIds]),
    ]);
}

describe("users of earlier runs", () => {
  it("who are gone are counted, with rows and ids of a few, in every run that reads it all", async () => {
    const { next } = await begin(readers(30));
    const gone = ["gone_since_last_export", 25, [6, 7, 8], ["r-6", "r-7", "r-8"]];
    expect(departed(await next(readers(5)))).toEqual([gone]);
    expect(departed(await next(readers(5)))).toEqual([gone]);
    expect(departed(await next(readers(30)))).toEqual([]);
  });

  it.each([
    ["a smaller export", readers(3)],
    ["an export of others", readers(60).slice(50)],
  ])("who were read before a stop and have no outcome are counted by %s", async (_, fewer) => {
    const { migration, file } = prepareMigration(newPath, readers(40));
    const stop = new AbortController();
    const core = {
      ...migration.core,
      createCode: (...given: Parameters<typeof migration.core.createCode>) => {
        stop.abort();
        return migration.core.createCode(...given);
      },
    };
    const options = { core, signal: stop.signal, concurrency: 1 };
    const { summary } = await migration.run([file], options);
    expect(summary).toMatchObject({ interrupted: true });
    expect(summary.pending).toBeGreaterThan(30);
    const run = await migration.run([migration.write("fewer.csv", csvOf(fewer))]);
    const { open } = standingOf(run.summary.standing);
    expect(open).toBeGreaterThan(30);
    const finding = run.findings.find(({ code }) => code === "gone_since_last_export");
    expect(finding).toMatchObject({ count: open, rows: [{ file }, { file }, { file }] });
    expect(finding?.hint).toContain(`import ${file} to bring them`);
    const whole = await migration.run([file]);
    expect(standingOf(whole.summary.standing).open).toBe(0);
  });

  it("may be in rows that can't be read, and the finding says so", async () => {
    const { migration } = await begin(readers(3));
    const text = csvOf(readers(2)).replace(/\n$/, "\nr-3,reader.3@example.com,,,,,one too many,\n");
    const run = await migration.run([migration.write("newer.csv", text)]);
    expect(run.summary.rejected).toBe(1);
    expect(departed(run)).toMatchObject([["gone_since_last_export", 1, {}, {}]]);
    expect(run.findings.at(-1)?.hint).toContain("couldn't be read");
  });
});

describe("nobody is said to be gone", () => {
  it("by a run that didn't read to the end", async () => {
    const { migration, next } = await begin(readers(30));
    expect(
      departed(await next(readers(30).slice(0, 29).concat(readers(40).slice(30)), { limit: 1 })),
    ).toEqual([]);
    const cutOff = '[{"id":"r-1","email":"reader.1@example.com"},{"id":"r-2","ema';
    const run = await migration.run([migration.write("cut-off.json", cutOff)]);
    expect(run.summary.truncated).toHaveLength(1);
    expect(departed(run)).toEqual([]);
    const stopped = await next(readers(5), { signal: AbortSignal.abort() });
    expect(departed(stopped)).toEqual([]);
  });
});
