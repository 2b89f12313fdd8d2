import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, startCli } from "../support/cli.js";
import { gatedImport, isFirstCall } from "./gate.js";
import {
  expectFailure,
  HASH_CONFIG,
  IMPORT_DEMO,
  PASSWORDS,
  type JsonLine,
  jsonLines,
  PROBLEMS,
  workFolders,
  writeInto,
} from "./support.js";

const workFolder = workFolders();

/** A working directory in which the demo export and the one with problems were imported. */
async function imported(): Promise<string> {
  const cwd = workFolder();
  expect((await runCli([...IMPORT_DEMO, "--prove", PASSWORDS], { cwd })).code).toBe(0);
  const problems = ["import", PROBLEMS, "--hash-config", HASH_CONFIG];
  expect((await runCli(problems, { cwd })).code).toBe(65);
  return cwd;
}

async function report(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(["report", ...args], { cwd });
  expect(code, stderr).toBe(0);
  expect(stderr).toBe("");
  return stdout;
}

async function reportJson(cwd: string): Promise<JsonLine> {
  const [line, ...more] = jsonLines(await report(cwd, "--json"));
  expect(more).toEqual([]);
  return line ?? { type: "" };
}

describe.concurrent("report", () => {
  it("says what all runs came to, in every format, and changes nothing", async () => {
    const cwd = await imported();
    const before = readFileSync(join(cwd, "auth-migrate.checkpoint"));
    const text = await report(cwd);
    expect(text).toMatch(/^242 of 255 users are at the core \(95 %\), 7 rejected, 6 skipped\.\n/);
    expect(text).toMatch(/\nauth-migrate\.checkpoint: 255 users, embedded core/);
    expect(text).toMatch(/imported +181 +with their password\n/);
    expect(text.replace(/\s+/g, " ")).toMatch(/ duplicate 1 [^;]*row 7 /);
    expect(text).toMatch(/ {4}1 {2}.* 245 {2}finished\n {4}2 {2}.* 13 {2}finished\n/);
    expect(text).toMatch(
      /\nRows that can't be read, or whose user or contact is counted already:\s3\srejected/,
    );
    expect(text).toMatch(
      /\nNo run is going on, and no user is open or failed\. \d+ rows are rejected/,
    );

    const json = await reportJson(cwd);
    expect(json).toMatchObject({
      ...{ type: "report", users: 255, imported: 181, created: 61, skipped: 6, rejected: 7 },
      ...{ exitCode: 0, running: false },
      runs: [
        { read: 245, ending: "finished", outcomes: { imported: 180, rejected: 0 } },
        { read: 13, ending: "finished", outcomes: { imported: 1, rejected: 10 } },
      ],
    });
    expect(jsonLines(await report(cwd, "--format", "json"))).toEqual([json]);
    expect(await report(cwd, "--format", "markdown")).toMatch(/^## Migration of users\n/);
    expect(await report(cwd, "--format", "html")).toMatch(/^<!doctype html>\n/);
    expect(readFileSync(join(cwd, "auth-migrate.checkpoint")).equals(before)).toBe(true);
    expect(readdirSync(cwd).sort()).toEqual([
      ...["auth-core.db", "auth-migrate.checkpoint", "auth-migrate.checkpoint.lock"],
    ]);
  });

  it("says of a group, as validate and import do, what is true of each of its rows", async () => {
    const cwd = workFolder();
    const rows = ["maybe", "7", "maybe"].map((word, at) => `u${at}@example.com,${word}`);
    writeInto(cwd, "users.csv", ["email,active", ...rows, "ann@example.com,yes"].join("\n"));
    const says = /holds a word \/ number, which doesn't say clearly/;
    for (const command of ["validate", "import"]) {
      const { code, stdout } = await runCli([command, "users.csv"], { cwd });
      expect(code).toBe(65);
      expect(stdout.replace(/\s+/g, " ")).toMatch(says);
    }
    for (const format of ["text", "json", "markdown", "html"]) {
      const shown = (await report(cwd, "--format", format)).replaceAll("&#39;", "'");
      expect(shown.replace(/\s+/g, " "), format).toMatch(says);
    }
    const listed = (await report(cwd, "--format", "csv")).split("\r\n");
    expect(listed.flatMap((line) => /holds a (\w+), which/.exec(line)?.[1] ?? [])).toEqual([
      "word",
      "number",
      "word",
    ]);
  });

  it("lists as CSV every row that it counts", async () => {
    const cwd = await imported();
    const groups = (await reportJson(cwd)).groups;
    const counts = Array.isArray(groups) ? groups.map(({ count }) => Number(count)) : [];
    const lines = (await report(cwd, "--format", "csv")).split("\r\n").slice(1, -1);
    expect(lines).toHaveLength(counts.reduce((sum, count) => sum + count, 0));
    expect(lines.filter((line) => line.includes(",rejected,"))).toHaveLength(10);
    expect(lines.filter((line) => line.includes(",skipped,disabled,"))).toHaveLength(6);
  });

  it("names vendor's ids and contacts in no page, unless the ids are asked for", async () => {
    const cwd = workFolder();
    const rows = ["id,email,phone", "kQ7-vendor-id,,", "ada@example.com,,", "u-3,ben@example.com,"];
    await runCli(["import", writeInto(cwd, "users.csv", rows.join("\n"))], { cwd });
    for (const format of ["text", "json", "markdown", "html"]) {
      expect(await report(cwd, "--format", format)).not.toMatch(/kQ7|@example/);
      const withIds = await report(cwd, "--format", format, "--with-ids");
      expect(withIds).toContain("kQ7-vendor-id");
      expect(withIds).not.toContain("@example");
    }
    const csv = await report(cwd, "--format", "csv");
    expect(csv).toContain("kQ7-vendor-id");
    expect(csv).not.toContain("@example");
    for (const format of ["junit", "prometheus"]) {
      const file = await report(cwd, "--format", format, "--with-ids");
      expect(file).toContain("no_contact");
      expect(file).not.toMatch(/kQ7|@example/);
    }
  });

  it("writes a file for its owner alone to read, and never over another one", async () => {
    const cwd = await imported();
    const page = ["--format", "html", "--output", "report.html"];
    expect(await report(cwd, ...page)).toBe("Wrote report.html.\n");
    expect(statSync(join(cwd, "report.html")).mode & 0o777).toBe(0o600);
    const written = readFileSync(join(cwd, "report.html"), "utf8");
    expect(written).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    await expectFailure(
      ["report", ...page],
      { cwd },
      { code: "usage", says: /report\.html is there already/, next: /Name a new file/ },
    );
    expect(readFileSync(join(cwd, "report.html"), "utf8")).toBe(written);
    expect(jsonLines(await report(cwd, "--json", "--output", "report.txt"))).toEqual([
      {
        type: "summary",
        v: 1,
        command: "report",
        output: "report.txt",
        format: "text",
        exitCode: 0,
      },
    ]);
  });

  it("is read beside a run that goes on, and after one that was killed", async () => {
    const gated = { letThrough: 100, counts: isFirstCall, words: IMPORT_DEMO };
    const { cwd, gate, start, close } = await gatedImport(workFolder, gated);
    const run = start("--concurrency", "4");
    await gate.holding;
    expect(await reportJson(cwd)).toMatchObject({ running: true, runs: [{ ending: null }] });
    expect(await report(cwd)).toMatch(/A run is going on[^\n]*\.\n[\s\S]*going on\n/);
    run.kill("SIGKILL");
    await run.ended;
    expect(await reportJson(cwd)).toMatchObject({ running: false, runs: [{ ending: null }] });
    expect(await report(cwd)).toMatch(
      /Of 245 users \d+ are open:\s+the\s+same\s+import\s+again\s+goes\s+on:\n +auth-migrate import [^\n]+\n[\s\S]*killed, rows as noted last\n/,
    );
    const list = await runCli(["report", "--id-map"], { cwd });
    expect(list.stderr).toMatch(/users? failed or open: not in the list/);
    await close();
  });
});

describe.concurrent("the lists of a report", () => {
  it("have every user at the core", async () => {
    const cwd = await imported();
    const map = (await report(cwd, "--id-map")).split("\r\n").slice(1, -1);
    expect(map).toHaveLength(242);
    expect(jsonLines(await report(cwd, "--id-map", "--json"))).toHaveLength(242);
  });

  it("end well where nobody reads them to their end", async () => {
    const cwd = await imported();
    const run = startCli(["report", "--id-map"], { cwd });
    run.closeStdout();
    expect((await run.ended).code).toBe(0);
  });
});
