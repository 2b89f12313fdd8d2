import { expect, it } from "vitest";
import { temporaryPaths } from "../support/temporary-folder.js";
import { openReport } from "../../src/checkpoint/report-source.js";
import { makeReport } from "../../src/report/report.js";
import { reportText } from "../../src/report/report-text.js";
import { firstLines } from "../../src/report/headline.js";
import { queuedCore } from "./bulk/queued-core.js";
import { expectOneWay } from "./support/one-way.js";
import { beginMigration, prepareMigration, readers } from "./support/people.js";
import { csvOf, type Run } from "./support/run.js";

const newPath = temporaryPaths();

/** The first sentence, which all that tells of the migration has. */
function sentenceOf({ summary }: Run): string {
  expectOneWay(summary);
  return firstLines(summary.standing)[0] ?? "";
}

it("rows that a limit leaves unread are users who are open, and those of earlier runs aren't counted twice", async () => {
  const { migration, file } = prepareMigration(newPath, readers(30));
  const pilot = (limit: number) => migration.run([file], { limit });
  expect(sentenceOf(await pilot(6))).toBe(
    "limited: 6 of 30 users are at the core (20 %), 24 open.",
  );
  expect(sentenceOf(await pilot(9))).toBe(
    "limited: 15 of 30 users are at the core (50 %), 15 open.",
  );
  const newer = migration.write("newer.csv", csvOf(readers(32)));
  const stopped = await migration.run([newer], { limit: 1 });
  expect(sentenceOf(stopped)).toBe("limited: 16 of 32 users are at the core (50 %), 16 open.");
  expect(sentenceOf(await migration.run([newer]))).toBe("32 of 32 users are at the core (100 %).");
});

it("rows of other users' export count beside the users of earlier runs", async () => {
  const { migration } = await beginMigration(newPath, readers(10));
  const others = migration.write("others.csv", csvOf(readers(30).slice(10)));
  const pilot = await migration.run([others], { limit: 5 });
  expect(sentenceOf(pilot)).toBe("limited: 15 of 30 users are at the core (50 %), 15 open.");
});

it("a run that is stopped before its first row leaves what was so before it", async () => {
  const { migration, file } = prepareMigration(newPath, readers(30));
  const stop = () => migration.run([file], { signal: AbortSignal.abort() });
  await migration.run([file], { limit: 6 });
  expect(sentenceOf(await stop())).toBe("limited: 6 of 30 users are at the core (20 %), 24 open.");
  await migration.run([file]);
  expect(sentenceOf(await stop())).toBe("30 of 30 users are at the core (100 %).");
});

it("the row at which a file is cut off is a user who is open", async () => {
  const { migration } = prepareMigration(newPath, readers(1));
  const cut = migration.write(
    "cut.json",
    '[{"id":"r-1","email":"reader.1@example.com"},{"id":"r-2","ema',
  );
  expect(sentenceOf(await migration.run([cut]))).toBe(
    "cut off: 1 of 2 users are at the core (50 %), 1 open.",
  );
});

it("users who came in by an option that is dropped still have access, for another reason than those whom the vendor has disabled since", async () => {
  const { migration } = prepareMigration(newPath, readers(1));
  const people = (disabled: readonly number[]) =>
    readers(6).map((row, at) => ({ ...row, disabled: String(disabled.includes(at)) }));
  const first = migration.write("first.csv", csvOf(people([0, 1, 2])));
  await migration.run([first], { policy: { include: ["disabled"] } });
  const newer = migration.write("newer.csv", csvOf(people([0, 1, 2, 3])));
  const run = await migration.run([newer]);
  expect(run.summary).toMatchObject({ unchanged: 5, skipped: 1, notices: { still_there: 3 } });
  expect(run.findings.map(({ code, count }) => [code, count])).toContainEqual(["still_there", 3]);
  expect(sentenceOf(run)).toBe(
    "6 of 6 users are at the core (100 %); 3 users still have access at the core: read last without --include disabled; 1 user still has access at the core: disabled at the vendor since, or the like.",
  );
  const again = await migration.run([newer], { policy: { include: ["disabled"] } });
  expect(sentenceOf(again)).toBe("6 of 6 users are at the core (100 %).");
});

it.each(["by calls of their own", "by the queue"])(
  "counts the users whose parts were carried along %s, in the run that carried them alone",
  async (way) => {
    const { migration } = prepareMigration(newPath, readers(1));
    const rows = readers(6).map((row, at) => ({ ...row, emailVerified: String(at < 4) }));
    const file = migration.write("verified.csv", csvOf(rows));
    const how =
      way === "by the queue" ? { ...queuedCore(migration).options, bulk: "always" as const } : {};
    expect((await migration.run([file], how)).summary.carriedUsers).toEqual({ verified: 4 });
    expect((await migration.run([file], how)).summary.carriedUsers).toEqual({});
    const source = openReport(migration.checkpoint);
    expect(reportText(makeReport(source)).join("\n")).toMatch(
      /\nCarried along by all runs \(who was brought anew counts again\): verified 4\n/,
    );
    source.close();
  },
);
