import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ImportSummary } from "../../src/events/summary.js";
import { jsonLines, workFolders } from "../cli/support.js";
import { runProcess } from "../support/cli.js";
import { fastFolder } from "../support/memory-folder.js";
import { createOracle, runClean, usersIn } from "../support/oracle.js";
import { randomFrom } from "../support/random.js";
import { filesIn, openEmbedded, type Scene, withCompanions } from "./support/disturbed-import.js";
import { type CallInPhase, phasesOf } from "./support/stage-phases.js";
import { type Command, runTraced, runWatched } from "./support/strace.js";

/** Of each of reading, asking and sending. */
const KILLS = Number(process.env.AUTH_MIGRATE_STAGE_KILLS ?? 50);
const TIMEOUT_MS = 300_000 + KILLS * 60_000;
const HASH = "$2b$05$K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm";
const HEADER = "id,email,email_verified,phone,phone_verified,password_hash,disabled";

const workFolder = workFolders(fastFolder());

/** Users who left, then members, who are sent. */
function writeLibrary(csv: string, { left, members }: { left: number; members: number }): void {
  const gone = Array.from(
    { length: left },
    (_, n) => `g-${n},gone.${n}@example.com,true,+1555${2_000_000 + n},true,,true`,
  );
  const here = Array.from(
    { length: members },
    // Some are there twice, and some contest an email.
    (_, n) =>
      `m-${n - (n % 50 === 1 ? 1 : 0)},member.${n - (n % 40 === 1 ? 1 : 0)}@example.com,${n % 40 === 1},,,${HASH},`,
  );
  const text = `${[HEADER, ...gone, ...here].join("\n")}\n`;
  writeFileSync(csv, csv.endsWith(".gz") ? gzipSync(text) : text);
}

/** A folder for one import, with a place for temporary files. */
function open(scene: Scene) {
  const folder = workFolder();
  const attempt = openEmbedded(scene, () => [], folder);
  const tmp = workFolder();
  const command: Command = { ...attempt.command, env: { TMPDIR: tmp } };
  return { folder, tmp, attempt, command };
}

/** What a run may leave, killed or not. */
function expectNothingOfTheStage({ folder, tmp }: ReturnType<typeof open>): void {
  const { data, checkpoint } = filesIn(folder);
  const known = new Set([...withCompanions(data, checkpoint), join(folder, "trace")]);
  // The lock is a file of SQLite's as well.
  known.add(`${checkpoint}.lock-journal`).add(`${data}.lock-journal`);
  const there = [folder, tmp].flatMap((where) =>
    readdirSync(where, { recursive: true, encoding: "utf8" }).map((name) => join(where, name)),
  );
  expect(there.filter((path) => !known.has(path))).toEqual([]);
}

describe("kill -9 at a random moment of a run's stage", () => {
  async function sceneOf(name: string, users: { left: number; members: number }) {
    const csv = join(workFolder(), name);
    writeLibrary(csv, users);
    const scene: Scene = { csv, clean: await runClean([csv]), workFolder };
    const whole = open(scene);
    const calls = phasesOf(await runWatched(whole.command, ["pwrite64", "pread64"]));
    expectNothingOfTheStage(whole);
    return { scene, calls, whole };
  }

  async function killAt(scene: Scene, { call, number, phase }: CallInPhase): Promise<void> {
    const run = open(scene);
    const { oracle } = run.attempt;
    const { injected } = await runTraced(run.command, { call, number, what: "KILL" });
    expect(injected).toBe(true);
    expect(readFileSync(run.command.trace, "utf8")).toMatch(/\/scratch>|\/etilqs_/);
    oracle.runEnded();
    expectNothingOfTheStage(run);
    if (phase !== "sending") expect(usersIn(filesIn(run.folder).data)).toEqual([]);
    oracle.expectRecovered(await run.attempt.resume());
    expectNothingOfTheStage(run);
    run.attempt.close();
  }

  it(
    "reading or sending: the same command again finishes each user once, and no file is left",
    async () => {
      // So small that one thread does all: strace counts each thread's calls by themselves.
      const { scene, calls } = await sceneOf("users.csv.gz", { left: 3000, members: 500 });
      for (const phase of ["reading", "sending"] as const) {
        const random = randomFrom(phase.length);
        const moments = calls.filter((call) => call.phase === phase);
        for (let kill = 0; kill < KILLS; kill += 1) await killAt(scene, random.pick(moments));
      }
    },
    TIMEOUT_MS,
  );

  it(
    "asking, with more than fits into memory: so many users as well, from a folder that shows no name",
    async () => {
      const { scene, calls, whole } = await sceneOf("users.csv", { left: 30_000, members: 100 });
      const moments = calls.filter(({ phase }) => phase === "asking");
      const spilled = moments.filter(({ file }) => file.includes("/etilqs_"));
      expect(spilled.length).toBeGreaterThan(50);
      expect(spilled.filter(({ file }) => dirname(file) !== whole.folder)).toEqual([]);
      const random = randomFrom(1);
      for (let kill = 0; kill < KILLS; kill += 1) await killAt(scene, random.pick(moments));
    },
    TIMEOUT_MS,
  );
});

/** A disk of 40 MB, of which some are taken. */
function smallDisk(takenMB = 0): string {
  const disk = workFolder();
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=40m", "none", disk]);
  onTestFinished(() => void execFileSync("umount", [disk]));
  if (takenMB > 0) writeFileSync(join(disk, "others"), Buffer.alloc(takenMB * 1024 * 1024));
  return disk;
}

const ROOM = /: it has taken (\d+) MB, and (\d+) MB are free there\.$/;

/** The megabytes that the stage is told to have taken and to have left. */
function roomTold(stdout: string): readonly [taken: number, free: number] {
  const last = jsonLines(stdout).at(-1);
  expect(last).toMatchObject({ code: "disk", hint: expect.stringContaining("same command again") });
  const [, taken, free] = ROOM.exec(String(last?.message)) ?? [];
  return [Number(taken), Number(free)];
}

describe("a stage for which there is no room", () => {
  it("ends the import with 74 and loses nobody, and the checkpoint goes on elsewhere", async () => {
    const [cwd, disk] = [workFolder(), smallDisk()];
    writeLibrary(join(cwd, "first.csv"), { left: 10, members: 200 });
    const note = "was here in spring ".repeat(120);
    const more = Array.from(
      { length: 20_000 },
      (_, n) => `n-${n},new.${n}@example.com,${HASH},${note}`,
    );
    writeFileSync(join(cwd, "all.csv"), `id,email,password_hash,notes\n${more.join("\n")}\n`);
    const [data, moved] = [join(cwd, "core.db"), join(cwd, "moved.checkpoint")];
    const clean = await runClean([join(cwd, "first.csv"), join(cwd, "all.csv")]);
    const oracle = createOracle(clean, data, moved);
    const start = (checkpoint: string, ...files: string[]) => {
      const places = ["--data", data, "--checkpoint", checkpoint, "--rejects-out", "rejects.csv"];
      const flags = ["--json", "--quiet", "--accept-rejects", "100%"];
      return runProcess(["import", ...files, ...places, ...flags], { cwd });
    };
    const checkpoint = join(disk, "checkpoint");
    expect((await start(checkpoint, "first.csv")).code).toBe(0);
    const full = await start(checkpoint, "first.csv", "all.csv");
    expect(full.code).toBe(74);
    const [taken, free] = roomTold(full.stdout);
    expect(taken).toBeGreaterThan(30);
    expect(free).toBeLessThan(3);
    const left = readdirSync(disk).filter((name) => !name.startsWith("checkpoint"));
    expect(left).toEqual([]);
    cpSync(checkpoint, moved);
    oracle.runEnded();
    expect(oracle.durable()).toBeGreaterThan(0);
    const { stdout } = await start(moved, "first.csv", "all.csv");
    oracle.runEnded();
    const summary: ImportSummary = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
    oracle.expectRecovered(summary);
  });

  it("ends a dry run with 74, whatever it is doing by then", async () => {
    const cwd = workFolder();
    const readers = Array.from(
      { length: 30_000 },
      (_, n) => `r-${n},reader.${n}@example.com,true,+1555${2_000_000 + n},true`,
    );
    const header = "id,email,email_verified,phone,phone_verified";
    writeFileSync(join(cwd, "users.csv"), `${[header, ...readers].join("\n")}\n`);
    const told = new Set<number>();
    for (let room = 0.5; room <= 8; room += 0.5) {
      const disk = smallDisk(40 - room);
      const env = { TMPDIR: disk };
      const { code, stdout } = await runProcess(["validate", "users.csv", "--json"], { cwd, env });
      expect(readdirSync(disk), `of ${room} MB`).toEqual(["others"]);
      if (code === 0) break;
      expect(code, `of ${room} MB`).toBe(74);
      const [taken, free] = roomTold(stdout);
      expect(taken + free, `of ${room} MB`).toBeLessThanOrEqual(room + 2);
      told.add(taken);
    }
    expect(told.size).toBeGreaterThan(1);
  });
});
