import { describe, expect, it } from "vitest";
import { standingOf } from "../../src/report/standing.js";
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
  it("who are in the newer export, changed or not, are no finding", async () => {
    const { next } = await begin(readers(30));
    const newer = readers(30).map((row) => ({ ...row, phone: "+15550100001" }));
    expect(departed(await next(newer))).toEqual([]);
    expect(departed(await next(readers(31)))).toEqual([]);
  });

  it("who are gone are counted, with rows and ids of a few, in every run that reads it all", async () => {
    const { next } = await begin(readers(30));
    const gone = ["gone_since_last_export", 25, [6, 7, 8], ["r-6", "r-7", "r-8"]];
    expect(departed(await next(readers(5)))).toEqual([gone]);
    expect(departed(await next(readers(5)))).toEqual([gone]);
    expect(departed(await next(readers(30)))).toEqual([]);
  });

  it("who are left out now are counted, and named by this export's rows", async () => {
    const { next } = await begin(readers(3));
    const newer = readers(3)
      .reverse()
      .map((row, index) => ({ ...row, disabled: String(index === 0) }));
    expect(departed(await next(newer))).toEqual([["still_there", 1, [1]]]);
  });

  it("who are left out now and have no id any more are known by their contact", async () => {
    const { next } = await begin(readers(2));
    const newer = readers(2).map(({ id: _id, ...row }) => ({ ...row, disabled: "true" }));
    expect(departed(await next(newer))).toEqual([["still_there", 2, [1, 2]]]);
  });

  it("whose row is rejected now, or another one's duplicate, aren't gone", async () => {
    const { next } = await begin([
      { id: "1", email: "ada@example.com" },
      { id: "2", email: "ben@example.com" },
      { id: "3", email: "cleo@example.com" },
    ]);
    const run = await next([
      { id: "1", email: "nobody" },
      { id: "2", email: "cleo@example.com" },
      { id: "3", email: "cleo@example.com" },
    ]);
    expect(run.summary.rejects).toEqual({ duplicate_contact: 1 });
    expect(run.summary.notices).toMatchObject({ finished_otherwise: 1 });
    expect(departed(run)).toEqual([]);
  });

  it("who never came to the core are no finding when they go", async () => {
    const { next } = await begin([
      ...readers(2),
      { id: "x" },
      { ...readers(3)[2], disabled: "true" },
    ]);
    expect(departed(await next(readers(2)))).toEqual([]);
  });

  it("whom a killed run may have brought are", async () => {
    const { migration, file } = prepareMigration(newPath, readers(4));
    await migration.run([file], { limit: 2 });
    const core = {
      ...migration.core,
      importUser: async () => {
        throw new Error("killed");
      },
      createCode: async () => {
        throw new Error("killed");
      },
    };
    await expect(migration.run([file], { core })).rejects.toThrow("killed");
    const newer = migration.write("newer.csv", csvOf(readers(2)));
    expect(departed(await migration.run([newer]))).toMatchObject([
      ["gone_since_last_export", 2, {}, {}],
    ]);
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

  it("whose rows a limit has left unread are counted by an export of others", async () => {
    const { migration, file } = prepareMigration(newPath, readers(30));
    await migration.run([file], { limit: 6 });
    const others = migration.write("others.csv", csvOf(readers(60).slice(50)));
    const run = await migration.run([others]);
    expect(departed(run)).toEqual([["gone_since_last_export", 24, [6], []]]);
    expect(run.findings.at(-1)?.rows[0]?.file).toBe(file);
    expect(standingOf(run.summary.standing).open).toBe(24);
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

  it("by the export of other users, with the same checkpoint", async () => {
    const { next } = await begin(readers(30));
    expect(departed(await next(readers(60).slice(30)))).toEqual([]);
  });

  it("by a newer export of another database", async () => {
    const { migration, file } = prepareMigration(newPath, readers(30));
    await migration.run([file], { namespace: "shop" });
    const forum = readers(60).slice(30);
    const first = migration.write("forum.csv", csvOf(forum));
    await migration.run([first], { namespace: "forum" });
    const newer = migration.write("newer.csv", csvOf(forum.slice(1)));
    const run = await migration.run([newer], { namespace: "forum" });
    expect(departed(run)).toEqual([["gone_since_last_export", 1, [1], ["r-31"]]]);
  });
});
