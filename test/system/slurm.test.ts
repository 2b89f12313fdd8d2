/** The import of an export in parts as an array on a real Slurm of two nodes, with the script of deploy/slurm. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CliResult, runCli } from "../support/cli.js";
import { usersIn } from "../support/oracle.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import type { Task } from "./support/slurm/array.js";
import { REPEATS, ROWS } from "./support/slurm/array-export.js";
import { type DisturbedRun, runDisturbed, SHARDS } from "./support/slurm/disturbed-run.js";
import { type Scene, setScene } from "./support/slurm/scene.js";
import { linesOf, type ShardLine } from "./support/slurm/shard.js";

const SCRIPT = fileURLToPath(new URL("../../deploy/slurm/auth-migrate.sbatch", import.meta.url));
/** What the core's limiter lets through in a second, from all shards together. */
const CALLS_A_SECOND = 1500;
/** Every shard has some rejects, and one has one person's row too often. */
const ALLOWED_REJECTS = 250;
const TEN_MINUTES_MS = 600_000;

const path = temporaryPaths();
let scene: Scene | null = null;
let run: DisturbedRun;
/** What `report` said over all checkpoints, before the operator allowed more rejects and at the end. */
let reports: { readonly before: CliResult; readonly after: CliResult };
/** The same export, imported by one process that nothing disturbs. */
let alone: { readonly users: readonly string[]; readonly report: CliResult };

beforeAll(async () => {
  const root = path("slurm");
  mkdirSync(root);
  const set = await setScene(root, SCRIPT, CALLS_A_SECOND);
  scene = set;
  const split = await set.cli("split", "users.csv", "--shards", `${SHARDS}`, "--out-dir", "parts");
  if (split.code !== 0) throw new Error(`split ended with ${split.code}: ${split.stderr}`);
  const report = (): Promise<CliResult> =>
    set.cli("report", "--manifest", "parts/manifest.json", "--json");
  set.allowRejects(ALLOWED_REJECTS);
  let before: CliResult | null = null;
  run = await runDisturbed(set, async () => {
    before = await report();
    set.allowRejects(ALLOWED_REJECTS + REPEATS);
  });
  if (before === null) throw new Error("the operator wasn't asked");
  reports = { before, after: await report() };
  alone = await importAlone(set);
}, TEN_MINUTES_MS);

afterAll(() => scene?.end());

it("leaves the users that one process leaves", () => {
  expect(alone.users.length).toBeGreaterThan(38_000);
  expect(usersIn(theScene().data)).toEqual(alone.users);
});

it("gives everybody the outcome that one process gives", () => {
  expect(outcomesIn(reports.after)).toEqual(outcomesIn(alone.report));
});

it("has the second of two executions of one shard stop with 75, since the first holds the lock", () => {
  expect(run.second).toMatchObject([{ type: "error", code: "in_use", exitCode: 75 }]);
});

it("has Slurm run a shard again that stopped at the end of its time", () => {
  expect(summariesOf(run.stopped)[0]).toMatchObject({ interrupted: true });
  expect(taskOf(run.stopped).restarts).toBeGreaterThan(0);
});

it("goes on with a shard that was killed, at the place where it was", () => {
  expect(taskOf(run.killed).restarts).toBeGreaterThan(0);
  expect(Number(summariesOf(run.killed).at(-1)?.unchanged)).toBeGreaterThan(0);
});

it("goes on with the shards that were lost with their node", () => {
  expect(run.lost).not.toEqual([]);
  for (const index of run.lost) {
    expect(taskOf(index).restarts).toBeGreaterThan(0);
    expect(Number(summariesOf(index).at(-1)?.unchanged)).toBeGreaterThan(0);
  }
});

it("leaves a shard with too many rejects alone until the operator allows more", () => {
  const refused = refusedTasks();
  expect(refused).toMatchObject([{ exit: "65:0" }]);
  for (const { index } of refused) {
    const ends = summariesOf(index).map(({ exitCode }) => exitCode);
    expect(ends.slice(-2)).toEqual([65, 0]);
  }
});

it("ends every shard with 0", () => {
  const ends = run.tasks.map(({ index, state, exit }) => ({ index, state, exit }));
  const expected = Array.from({ length: SHARDS }, (_, place) => place + 1);
  expect(ends).toEqual(expected.map((index) => ({ index, state: "COMPLETED", exit: "0:0" })));
});

it("proves over all checkpoints where a shard's rejects still wait for the operator", () => {
  const { code, stdout } = reports.before;
  expect(code).toBe(0);
  expect(JSON.parse(stdout).shards).toMatchObject({ proved: true, flaws: [] });
});

it("proves over all checkpoints that every row has one outcome in one shard", () => {
  const { code, stdout } = reports.after;
  expect(code).toBe(0);
  const expected = { proved: true, shards: SHARDS, rows: ROWS, ownRows: ROWS, flaws: [] };
  expect(JSON.parse(stdout).shards).toEqual(expected);
});

it("never lets the core have more calls in a second than its limiter allows", () => {
  const { calls, callsAtCore } = theScene();
  const { passed, refused, mostInASecond } = calls();
  expect(mostInASecond).toBeLessThanOrEqual(CALLS_A_SECOND);
  expect(callsAtCore()).toBe(passed);
  // All that is refused is asked for again, so a pace that isn't learned would be all refusals.
  expect(refused / passed).toBeLessThan(0.1);
});

it("sends nobody again of whom the core has said that they are there", () => {
  const { made, sentAgain } = theScene().calls();
  expect(sentAgain).toEqual([]);
  expect(new Set(made).size).toBe(made.length);
});

/** Imports the export into a core of its own, by one process. */
async function importAlone({ folder }: Scene): Promise<typeof alone> {
  const cwd = path("alone");
  mkdirSync(cwd);
  const options = ["--data", "core.db", "--accept-rejects", "5%"];
  const single = await runCli(["import", join(folder, "users.csv"), ...options], { cwd });
  if (single.code !== 0) throw new Error(`one process ended with ${single.code}: ${single.stderr}`);
  const report = await runCli(["report", "--json"], { cwd });
  return { users: usersIn(join(cwd, "core.db")), report };
}

/** How many users a report has with each outcome, and why they were left out. */
function outcomesIn({ stdout }: CliResult): unknown {
  const { users, imported, created, existed, skipped, rejected, ...rest } = JSON.parse(stdout);
  const { failed, pending, unknown, groups } = rest;
  const reasons: readonly Record<"type" | "code" | "count", unknown>[] = groups;
  const left = reasons.map(({ type, code, count }) => `${type} ${code}: ${count}`).sort();
  return { users, imported, created, existed, skipped, rejected, failed, pending, unknown, left };
}

function theScene(): Scene {
  if (scene === null) throw new Error("the scene isn't set");
  return scene;
}

function taskOf(index: number): Task {
  const task = run.tasks.find((each) => each.index === index);
  if (task === undefined) throw new Error(`there is no task ${index}`);
  return task;
}

/** Those that neither ran nor waited any more and hadn't ended well. */
function refusedTasks(): Task[] {
  return run.beforeFix.filter(({ state }) => state === "FAILED");
}

/** The summaries of all of a shard's executions that came to one. */
function summariesOf(index: number): ShardLine[] {
  return linesOf(theScene(), `shard-${index}.out`).filter(({ type }) => type === "summary");
}
