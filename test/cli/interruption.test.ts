import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, startCli } from "../support/cli.js";
import { type GatedImport, gatedImport } from "./gate.js";
import {
  everyone,
  IMPORT_SMALL,
  jsonLines,
  summaryOf,
  workFolders,
  writeSmallExport,
} from "./support.js";
import { tried } from "../support/repeated.js";

const workFolder = workFolders();
const COUNTS = { read: 62, skipped: 2 };
const MOVED = COUNTS.read - COUNTS.skipped;
/** Enough for the preflight, the look-ups, which may all come first, and a third of the users by four calls each. */
const LET_THROUGH = 150;
const SIGNALS = [
  ["SIGTERM", 143],
  ["SIGINT", 130],
  ["SIGHUP", 129],
] as const;
const COMMANDS = [
  ["import", "SIGINT", 130, "interrupted"],
  ["import", "SIGTERM", 143, "terminated"],
  ["validate", "SIGINT", 130, "interrupted"],
] as const;
const CONCURRENCY = 8;
const IMPORT = [...IMPORT_SMALL, "--concurrency", String(CONCURRENCY)];

/** @param letThrough calls, until all are held */
const openRoad = (letThrough = LET_THROUGH): Promise<GatedImport> =>
  gatedImport(workFolder, { letThrough, words: IMPORT });

/** How many users the checkpoint has as imported. */
async function importedIn({ cwd }: GatedImport): Promise<number> {
  const { stdout } = await runCli(["status", "--json"], { cwd });
  return Number(jsonLines(stdout).at(-1)?.imported);
}

/** The first contacts whose creation was asked of the core, in order. */
function created({ gate }: GatedImport): string[] {
  return gate.calls
    .filter(({ path }) => path.endsWith("/import") || path.endsWith("/code"))
    .map(({ body }) => JSON.parse(body))
    .flatMap(({ email, phoneNumber }) => email ?? phoneNumber ?? []);
}

async function expectSameCommandFinishes({ run, core }: GatedImport): Promise<void> {
  const { code, stdout } = await run("--json");
  expect(code).toBe(0);
  const summary = summaryOf(stdout);
  expect(summary).toMatchObject({ ...COUNTS, pending: 0, failed: 0, existed: 0 });
  const { imported, created, unchanged } = summary;
  expect(Number(imported) + Number(created) + Number(unchanged)).toBe(MOVED);
  expect(Number(unchanged)).toBeGreaterThan(0);
  expect(await everyone(core)).toHaveLength(MOVED);
}

describe.concurrent("an import that is interrupted", () => {
  it.each(tried(SIGNALS, 1))(
    "by %s lets calls in flight end, saves, ends with %i, and goes on where it stopped",
    async (signal, exitCode) => {
      const road = await openRoad();
      const { core, gate, start } = road;
      const run = start("--json");
      await gate.holding;
      run.kill(signal);
      await run.says("Stopping");
      const begun = created(road).length;
      gate.open();
      const { code, stdout } = await run.ended;
      expect(code).toBe(exitCode);
      // Those whose first call was held, and nobody behind them.
      expect(created(road).length - begun).toBeLessThanOrEqual(CONCURRENCY);
      const summary = summaryOf(stdout);
      expect(summary).toMatchObject({ interrupted: true, exitCode, failed: 0 });
      const { read, imported, created: made, skipped, pending } = summary;
      const done = Number(imported) + Number(made) + Number(skipped);
      expect(done + Number(pending)).toBe(read);
      expect(done).toBeGreaterThan(0);
      // Of those on their way some may be there already, with parts of their accounts still to come.
      const unfinished = (await everyone(core)).length - Number(imported) - Number(made);
      expect(unfinished).toBeGreaterThanOrEqual(0);
      expect(unfinished).toBeLessThanOrEqual(Number(pending));

      await expectSameCommandFinishes(road);
      // Nobody was asked for twice.
      expect(created(road).sort()).toEqual([...new Set(created(road))].sort());
      expect(created(road)).toHaveLength(MOVED);
      await road.close();
    },
  );

  it.each(tried(SIGNALS.slice(0, 2), 1))(
    "by %s while the core is asked for the first time ends with %i, whatever the core says then",
    async (signal, exitCode) => {
      const { gate, start, close } = await openRoad(0);
      const run = start("--json");
      await gate.holding;
      run.kill(signal);
      await run.says("Stopping");
      await gate.close();
      const { code, stdout } = await run.ended;
      expect(code).toBe(exitCode);
      expect(summaryOf(stdout)).toMatchObject({ interrupted: true, exitCode, read: 0 });
      await close();
    },
  );

  it("tells people how to go on, as the last line", async () => {
    const { gate, start, close } = await openRoad();
    const run = start();
    await gate.holding;
    // Whoever could make Node.js open its inspector could read keys and hashes.
    run.kill("SIGUSR1");
    run.kill("SIGINT");
    const stopping = await run.says("Stopping");
    expect(stopping).toMatch(/calls in flight end, progress is saved/);
    gate.open();
    const { stdout, stderr } = await run.ended;
    expect(stderr).not.toMatch(/debugger|inspector/i);
    expect(stdout.trimEnd().split("\n").slice(-2)).toEqual([
      "Stopped; progress is saved. To go on:",
      `  auth-migrate ${IMPORT.join(" ")} --core ${gate.url}`,
    ]);
    expect(stdout).toMatch(/open +\d+ +without an outcome yet/);
    const again = await start().ended;
    expect(again.stderr).toMatch(/^Going on: \d+ of \d+ users are at the core/m);
    await close();
  });

  it("leaves at once when it is told a second time, and loses nothing either", async () => {
    const road = await openRoad();
    const { gate, start } = road;
    const run = start("--json");
    await gate.holding;
    // What it hasn't noted by then, it leaves without noting.
    await expect.poll(() => importedIn(road)).toBeGreaterThan(0);
    run.kill("SIGINT");
    await run.says("Stopping");
    run.kill("SIGINT");
    const { code } = await run.ended;
    // Ended by the signal itself, which a shell shows as 130.
    expect(code).toBeNull();
    gate.open();
    await expectSameCommandFinishes(road);
    await road.close();
  });
});

describe.concurrent("a command that is interrupted before it has begun", () => {
  it.each(tried(COMMANDS, 1))(
    "%s, by %s while a password export loads, ends at once with %i and says so",
    async (verb, signal, exitCode, code) => {
      const cwd = workFolder();
      writeSmallExport(cwd);
      const pipe = join(cwd, "passwords");
      execFileSync("mkfifo", [pipe]);
      const run = startCli([verb, "users.csv", "--password-export", "passwords", "--json"], {
        cwd,
      });
      // Open once the command reads it, which it does to no end.
      const writer = await open(pipe, "w");
      run.kill(signal);
      const { code: ended, stdout, stderr } = await run.ended;
      await writer.close();
      // Ended by the signal itself, which a shell shows by that exit code.
      expect(ended).toBeNull();
      expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "error", code, exitCode });
      expect(stderr).toMatch(/Stopped; nothing was sent\.\nRun the same command again/);
      expect(readdirSync(cwd).sort()).toEqual(["passwords", "users.csv"]);
    },
  );
});
