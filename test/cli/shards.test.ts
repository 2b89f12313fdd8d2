import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type CliResult, runCli, startCli, startServe } from "../support/cli.js";
import { startGate } from "./gate.js";
import {
  everyone,
  expectFailure,
  HASH_CONFIG,
  IMPORT_DEMO,
  type JsonLine,
  jsonLines,
  PROBLEMS,
  summaryOf,
  USERS,
  workFolders,
} from "./support.js";

const workFolder = workFolders();
const SHARDS = [1, 2, 3, 4] as const;

function nameOf(index: number): string {
  return `auth-migrate.shard-${index}-of-4.checkpoint`;
}

/** A served core, and the demo export imported into it in shards. */
async function startShards(args: readonly string[] = IMPORT_DEMO) {
  const cwd = workFolder();
  const core = await startServe({ cwd: workFolder(), args: ["--hash-config", HASH_CONFIG] });
  const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
  const all = [...args, "--core", core.url, "--yes", "--json"];
  return {
    cwd,
    core,
    run: (index: number, more: readonly string[] = []): Promise<CliResult> =>
      runCli([...all, "--shard", `${index}/4`, ...more], { cwd, env }),
    async report(more: readonly string[] = ["--shards", "4"]): Promise<JsonLine> {
      const { code, stdout, stderr } = await runCli(["report", "--json", ...more], { cwd });
      const [line = { type: "" }] = jsonLines(stdout);
      expect(line.exitCode, stderr).toBe(code);
      return line;
    },
  };
}

describe.concurrent("an import in shards", () => {
  it("ends, one process a shard, as one process for all does, and report proves it", async () => {
    const { cwd, core, run, report } = await startShards();
    const runs = await Promise.all(SHARDS.map((index) => run(index)));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const summaries = runs.map(({ stdout }) => summaryOf(stdout));
    for (const [at, { shard, checkpoint }] of summaries.entries()) {
      expect(shard).toEqual({ index: at + 1, count: 4, exportRows: 245 });
      expect(checkpoint).toBe(nameOf(at + 1));
    }
    const whole = await startServe({ cwd: workFolder(), args: ["--hash-config", HASH_CONFIG] });
    const env = { AUTH_MIGRATE_API_KEY: whole.apiKey };
    const args = [...IMPORT_DEMO, "--core", whole.url, "--yes"];
    expect((await runCli(args, { cwd: workFolder(), env })).code).toBe(0);
    expect(await everyone(core)).toEqual(await everyone(whole));

    const proved = await report();
    expect(proved.shards).toEqual({ proved: true, shards: 4, rows: 245, ownRows: 245, flaws: [] });
    expect(proved).toMatchObject({ users: 245, imported: 180, created: 60, skipped: 5 });
    const named = await report(SHARDS.toReversed().flatMap((at) => ["--checkpoint", nameOf(at)]));
    expect(named.shards).toEqual(proved.shards);
    const text = await runCli(["report", "--shards", "4"], { cwd });
    expect(text.stdout).toContain("245 rows in 4 shards: every row has exactly one outcome");
    const page = await runCli(["report", "--shards", "4", "--format", "html"], { cwd });
    expect(page.stdout).toContain("every row has exactly one outcome, in exactly one shard");
    const map = await runCli(["report", "--shards", "4", "--id-map"], { cwd });
    expect(map.stdout.trim().split("\n")).toHaveLength(1 + 240);
  });

  it("goes on after a kill, and until then report asks for that shard to be run again", async () => {
    const { cwd, core, run, report } = await startShards();
    for (const index of [1, 2, 4]) expect((await run(index)).code).toBe(0);
    expect(await report()).toMatchObject({
      exitCode: 75,
      shards: { proved: false, flaws: [{ code: "shard_missing", shard: 3, runAgain: true }] },
    });
    const gate = await startGate(core, 40);
    const args = [...IMPORT_DEMO, "--core", gate.url, "--yes", "--shard", "3/4"];
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const killed = startCli([...args, "--concurrency", "4"], { cwd, env });
    await gate.holding;
    expect(await report()).toMatchObject({ exitCode: 75 });
    killed.kill("SIGKILL");
    await killed.ended;
    gate.open();
    expect((await report()).shards).toMatchObject({ proved: false });
    const again = await run(3, ["--target-moved"]);
    expect(again.code, again.stderr).toBe(0);
    expect(await report()).toMatchObject({ exitCode: 0, shards: { proved: true } });
  });

  it("stops the second of two executions of one shard with 75", async () => {
    const { cwd, core } = await startShards();
    const gate = await startGate(core, 40);
    const args = [...IMPORT_DEMO, "--core", gate.url, "--yes", "--shard", "2/4"];
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const first = startCli([...args, "--concurrency", "4"], { cwd, env });
    await gate.holding;
    await expectFailure(
      args,
      { cwd, env },
      { exitCode: 75, code: "checkpoint_locked", says: /Another run is using/, next: /Wait/ },
    );
    gate.open();
    expect((await first.ended).code).toBe(0);
  });

  it("refuses the checkpoint of another shard, or of another number of shards", async () => {
    const { cwd, core, run } = await startShards();
    expect((await run(2)).code).toBe(0);
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const into = [...IMPORT_DEMO, "--core", core.url, "--yes", "--checkpoint", nameOf(2)];
    for (const given of [["--shard", "1/4"], ["--shard", "2/5"], []]) {
      await expectFailure(
        [...into, ...given],
        { cwd, env },
        { exitCode: 66, code: "checkpoint_other_shard", says: /shard 2\/4/, next: /--shard 2\/4/ },
      );
    }
    const status = await runCli(["status", "--json", "--checkpoint", nameOf(2)], { cwd });
    expect(jsonLines(status.stdout)[0]?.shard).toEqual({ index: 2, count: 4 });
  });

  it("tells checkpoints of two exports apart, which no run mends", async () => {
    const { cwd, core, run, report } = await startShards();
    for (const index of SHARDS) expect((await run(index)).code).toBe(0);
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const other = ["import", PROBLEMS, "--hash-config", HASH_CONFIG, "--core", core.url, "--yes"];
    await runCli([...other, "--shard", "4/4"], { cwd, env });
    expect(await report()).toMatchObject({
      exitCode: 65,
      shards: { flaws: [{ code: "other_export", shard: 4 }] },
    });
  });

  it("takes its shard from the engine's variables", async () => {
    const { cwd, core } = await startShards();
    const engines: Record<string, string>[] = [
      { JOB_COMPLETION_INDEX: "0" },
      { AWS_BATCH_JOB_ARRAY_INDEX: "1", AWS_BATCH_JOB_ARRAY_SIZE: "4" },
      { SLURM_ARRAY_TASK_ID: "3", SLURM_ARRAY_TASK_MIN: "1", SLURM_ARRAY_TASK_COUNT: "4" },
      { AUTH_MIGRATE_SHARD: "4/4" },
    ];
    const args = [...IMPORT_DEMO, "--core", core.url, "--yes", "--json", "--shards", "4"];
    for (const [at, engine] of engines.entries()) {
      const env = { AUTH_MIGRATE_API_KEY: core.apiKey, ...engine };
      const { code, stdout, stderr } = await runCli(args, { cwd, env });
      expect(code, stderr).toBe(0);
      expect(summaryOf(stdout).shard).toMatchObject({ index: at + 1, count: 4 });
    }
    expect((await runCli(["report", "--shards", "4"], { cwd })).code).toBe(0);
  });

  it("is reconciled over all shards at once", async () => {
    const { cwd, core, run } = await startShards();
    for (const index of SHARDS) expect((await run(index)).code).toBe(0);
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const args = ["reconcile", USERS, "--core", core.url, "--shards", "4", "--json"];
    const whole = await runCli([...args, "--sample", "all"], { cwd, env });
    expect(whole.code, whole.stderr).toBe(0);
    expect(summaryOf(whole.stdout)).toMatchObject({
      ...{ agrees: true, finished: 240, asked: 240, differing: 0 },
      ...{ rows: { read: 245, notBrought: 5 }, shards: { proved: true } },
    });
    const some = await runCli([...args.slice(0, 1), ...args.slice(2), "--sample", "50"], {
      cwd,
      env,
    });
    expect(summaryOf(some.stdout)).toMatchObject({ asked: 50, agreed: 50 });

    renameSync(join(cwd, nameOf(3)), join(cwd, "elsewhere"));
    const part = await runCli([...args, "--sample", "all"], { cwd, env });
    expect(part.code).toBe(75);
    expect(summaryOf(part.stdout).shards).toMatchObject({ proved: false });
  });

  it("says by a dry run what each shard will do, and leaves nothing behind", async () => {
    const cwd = workFolder();
    const args = ["validate", PROBLEMS, "--hash-config", HASH_CONFIG, "--json"];
    const whole = summaryOf((await runCli(args, { cwd })).stdout);
    const sums = { read: 0, rejected: 0, skipped: 0 };
    for (const index of SHARDS) {
      const { stdout } = await runCli([...args, "--shard", `${index}/4`], { cwd });
      const { read, rejected, skipped } = summaryOf(stdout);
      sums.read += Number(read);
      sums.rejected += Number(rejected);
      sums.skipped += Number(skipped);
    }
    expect(sums).toEqual({ read: whole.read, rejected: whole.rejected, skipped: whole.skipped });
    expect(existsSync(join(cwd, nameOf(1)))).toBe(false);
  });

  it("counts --expect-users over the whole export", async () => {
    const { run } = await startShards();
    expect((await run(1, ["--expect-users", "245"])).code).toBe(0);
    expect((await run(1, ["--expect-users", "244"])).code).toBe(65);
  });
});

describe.concurrent("options of shards", () => {
  const refused: [string, string[], RegExp][] = [
    ["a shard that there is not", ["--shard", "5/4"], /3\/8/],
    ["two counts that differ", ["--shard", "1/4", "--shards", "5"], /differ/],
    ["auto where no engine speaks", ["--shard", "auto"], /No engine/],
    ["--rate-total without a shard", ["--rate-total", "100"], /several shards/],
    ["both rates", ["--shard", "1/4", "--rate", "5", "--rate-total", "9"], /--rate-total/],
  ];
  it.each(refused)("refuse %s", async (_what, args, says) => {
    const { code, stderr } = await runCli([...IMPORT_DEMO, ...args], { cwd: workFolder() });
    expect(code, stderr).toBe(2);
    expect(stderr).toMatch(says);
  });
});

describe.concurrent("an export that was split", () => {
  /** The demo export in four parts, and what imports one of them. */
  async function splitDemo() {
    const { cwd, core, run: _run, report } = await startShards();
    const split = ["split", USERS, "--hash-config", HASH_CONFIG, "--shards", "4"];
    const { code, stdout, stderr } = await runCli([...split, "--out-dir", "parts", "--json"], {
      cwd,
    });
    expect(code, stderr).toBe(0);
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const into = ["--hash-config", HASH_CONFIG, "--core", core.url, "--yes", "--json"];
    const args = ["import", "--manifest", join("parts", "manifest.json"), ...into];
    return {
      ...{ cwd, core, report, env, split, args },
      told: jsonLines(stdout).at(-1),
      run: (index: number) => runCli([...args, "--shard", `${index}/4`], { cwd, env }),
    };
  }

  it("is imported part by part as whole, and proved", async () => {
    const { cwd, core, report, run, told } = await splitDemo();
    expect(told).toMatchObject({ type: "split", shards: 4, rows: 245, from: "csv" });
    expect(statSync(join(cwd, "parts", "shard-1-of-4.part")).mode & 0o777).toBe(0o600);
    const runs = await Promise.all(SHARDS.map((index) => run(index)));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(summaryOf(runs[0]?.stdout ?? "").shard).toMatchObject({ exportRows: 245 });
    expect(await everyone(core)).toHaveLength(240);
    expect((await report()).shards).toMatchObject({ proved: true, rows: 245, ownRows: 245 });
  });

  it("stops before the first call where a part was changed, cut off or forgotten", async () => {
    const { cwd, core, env, args } = await splitDemo();
    const part = (index: number): string => join(cwd, "parts", `shard-${index}-of-4.part`);
    writeFileSync(part(1), readFileSync(part(1), "utf8").replace("example.com", "example.org"));
    writeFileSync(part(2), readFileSync(part(2)).subarray(0, -50));
    rmSync(part(3));
    const says = [/contents differ/, /bytes, not/, /There is no part/];
    for (const [at, pattern] of says.entries()) {
      await expectFailure(
        [...args, "--shard", `${at + 1}/4`],
        { cwd, env },
        { exitCode: 66, code: "part_changed", says: pattern, next: /split the export anew/ },
      );
    }
    expect(await everyone(core)).toEqual([]);
    expect(existsSync(join(cwd, nameOf(1)))).toBe(false);
  });

  it("refuses another number of shards, named files beside it, and what is no manifest", async () => {
    const { cwd, env, args, split } = await splitDemo();
    const other = await runCli([...args, "--shard", "1/5"], { cwd, env });
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("4 parts")]);
    const both = await runCli([...args, USERS, "--shard", "1/4"], { cwd, env });
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("--manifest")]);
    const alone = await runCli(args, { cwd, env });
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("several shards")]);
    const path = join(cwd, "parts", "manifest.json");
    const elsewhere = readFileSync(path, "utf8").replaceAll('"shard-1-of-4', '"../shard-1-of-4');
    for (const text of ["{", "{}", elsewhere]) {
      writeFileSync(path, text);
      await expectFailure(
        [...args, "--shard", "1/4"],
        { cwd, env },
        { exitCode: 66, code: "manifest_invalid", says: /can't be used/, next: /split/ },
      );
    }
    const again = await runCli([...split, "--out-dir", "parts"], { cwd });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("isn't empty")]);
  });

  it("isn't made of a file that was cut off, and leaves no parts then", async () => {
    const cwd = workFolder();
    const whole = readFileSync(USERS);
    writeFileSync(join(cwd, "users.csv.gz"), gzipSync(whole).subarray(0, -2000));
    const args = ["split", "users.csv.gz", "--shards", "2", "--out-dir", "parts"];
    const { code, stderr } = await runCli(args, { cwd });
    expect([code, stderr]).toEqual([66, expect.stringContaining("cut off")]);
    expect(readdirSync(join(cwd, "parts"))).toEqual([]);
  });
});
