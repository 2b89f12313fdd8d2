import {
  cpSync,
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
import { type CliResult, runCli, startCli, serveHere } from "../support/cli.js";
import { startGate } from "./gate.js";
import {
  everyone,
  expectFailure,
  HASH_CONFIG,
  type JsonLine,
  jsonLines,
  summaryOf,
  USERS,
  workFolders,
  writeInto,
  writeSmallExport,
} from "./support.js";

const workFolder = workFolders();
const SHARDS = [1, 2] as const;

function nameOf(index: number): string {
  return `auth-migrate.shard-${index}-of-2.checkpoint`;
}

const SPLIT = [
  "split",
  "users.csv",
  "--hash-config",
  HASH_CONFIG,
  "--shards",
  "2",
  "--out-dir",
  "parts",
];
const ACME = `name: acme
title: Acme
pages: [https://acme.example.com]
recognize: [[acmeId, locked]]
id: acmeId
email: mail
flags:
  locked: { is: "yes" }
`;
const SPLIT_IN = workFolder();
writeSmallExport(SPLIT_IN);
const EXPORT = join(SPLIT_IN, "users.csv");
const PARTS = join(SPLIT_IN, "parts");
const MANIFEST = ["--manifest", join(PARTS, "manifest.json")];
const split = runCli([...SPLIT, "--json"], { cwd: SPLIT_IN });

/** A served core, and what imports a part of the demo export into it. */
async function startShards() {
  const cwd = workFolder();
  const core = await serveHere({ cwd: workFolder(), args: ["--hash-config", HASH_CONFIG] });
  const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
  expect((await split).code).toBe(0);
  const importOf = (index: number, url = core.url): string[] => [
    ...["import", join(PARTS, `part-${index}`), "--hash-config", HASH_CONFIG],
    ...["--core", url, "--yes", "--json"],
  ];
  return {
    ...{ cwd, core, env, importOf },
    run: (index: number, more: readonly string[] = []): Promise<CliResult> =>
      runCli([...importOf(index), ...more], { cwd, env }),
    async report(more: readonly string[] = []): Promise<JsonLine> {
      const given = ["report", "--json", ...MANIFEST, ...more];
      const { code, stdout, stderr } = await runCli(given, { cwd });
      const [line = { type: "" }] = jsonLines(stdout);
      expect(line.exitCode, stderr).toBe(code);
      return line;
    },
  };
}

describe.concurrent("an export that was split", () => {
  it("ends, one process a part, as one process for all does, and report proves it", async () => {
    const { cwd, core, run, report } = await startShards();
    const told = jsonLines((await split).stdout).at(-1);
    expect(told).toMatchObject({
      type: "summary",
      command: "split",
      shards: 2,
      rows: 62,
      from: "csv",
    });
    expect(statSync(join(PARTS, "part-1")).mode & 0o777).toBe(0o600);
    const runs = await Promise.all(SHARDS.map((index) => run(index)));
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    const summaries = runs.map(({ stdout }) => summaryOf(stdout));
    for (const [at, { shard, checkpoint }] of summaries.entries()) {
      expect(shard).toEqual({ index: at + 1, count: 2, exportRows: 62 });
      expect(checkpoint).toBe(nameOf(at + 1));
    }
    const whole = await serveHere({ cwd: workFolder(), args: ["--hash-config", HASH_CONFIG] });
    const env = { AUTH_MIGRATE_API_KEY: whole.apiKey };
    const args = ["import", EXPORT, "--hash-config", HASH_CONFIG, "--core", whole.url, "--yes"];
    expect((await runCli(args, { cwd: workFolder(), env })).code).toBe(0);
    expect(await everyone(core)).toEqual(await everyone(whole));

    const proved = await report();
    expect(proved.shards).toEqual({ proved: true, shards: 2, rows: 62, ownRows: 62, flaws: [] });
    expect(proved).toMatchObject({ users: 62, imported: 45, created: 15, skipped: 2 });
    const named = await report(SHARDS.toReversed().flatMap((at) => ["--checkpoint", nameOf(at)]));
    expect(named.shards).toEqual(proved.shards);
    const text = await runCli(["report", ...MANIFEST], { cwd });
    expect(text.stdout).toContain("62 rows in 2 shards: every row has exactly one outcome");
    const page = await runCli(["report", ...MANIFEST, "--format", "html"], { cwd });
    expect(page.stdout).toContain("every row has exactly one outcome, in exactly one shard");
    const map = await runCli(["report", ...MANIFEST, "--id-map"], { cwd });
    expect(map.stdout.trim().split("\n")).toHaveLength(1 + 60);
    const status = await runCli(["status", "--json", "--checkpoint", nameOf(2)], { cwd });
    expect(jsonLines(status.stdout)[0]?.shard).toEqual({ index: 2, count: 2 });
  });

  it("goes on after a kill, and until then report asks for that part to be imported again", async () => {
    const { cwd, core, env, importOf, report } = await startShards();
    let isSecond = false;
    const gate = await startGate(core, 20, () => isSecond);
    const run = (index: number) => runCli(importOf(index, gate.url), { cwd, env });
    expect((await run(1)).code).toBe(0);
    expect(await report()).toMatchObject({
      exitCode: 75,
      shards: { proved: false, flaws: [{ code: "shard_missing", shard: 2, runAgain: true }] },
    });
    isSecond = true;
    const killed = startCli([...importOf(2, gate.url), "--concurrency", "4"], { cwd, env });
    await gate.holding;
    expect(await run(2)).toMatchObject({
      code: 75,
      stdout: expect.stringContaining("in_use"),
    });
    expect(await report()).toMatchObject({
      exitCode: 75,
      shards: { flaws: [{ code: "shard_running" }] },
    });
    killed.kill("SIGKILL");
    await killed.ended;
    gate.open();
    expect((await report()).shards).toMatchObject({ flaws: [{ code: "shard_unfinished" }] });
    const again = await run(2);
    expect(again.code, again.stderr).toBe(0);
    expect(await report()).toMatchObject({ exitCode: 0, shards: { proved: true } });
    await gate.close();
  });

  it("is reconciled over all parts at once", async () => {
    const { cwd, core, env, run } = await startShards();
    for (const index of SHARDS) expect((await run(index)).code).toBe(0);
    const args = ["reconcile", EXPORT, "--core", core.url, ...MANIFEST, "--json"];
    const whole = await runCli([...args, "--sample", "all"], { cwd, env });
    expect(whole.code, whole.stderr).toBe(0);
    expect(summaryOf(whole.stdout)).toMatchObject({
      ...{ agrees: true, finished: 60, asked: 60, differing: 0 },
      ...{ rows: { read: 62, notBrought: 2 }, shards: { proved: true } },
    });
    const some = await runCli([...args.slice(0, 1), ...args.slice(2), "--sample", "20"], {
      cwd,
      env,
    });
    expect(summaryOf(some.stdout)).toMatchObject({ asked: 20, agreed: 20 });

    renameSync(join(cwd, nameOf(2)), join(cwd, "elsewhere"));
    const part = await runCli([...args, "--sample", "all"], { cwd, env });
    expect(part.code).toBe(75);
    expect(summaryOf(part.stdout).shards).toMatchObject({ proved: false });
  });

  it("says by a dry run what a part's import will do, and leaves nothing behind", async () => {
    const { cwd, run } = await startShards();
    const dry = await run(2, ["--dry-run"]);
    expect(dry.code, dry.stderr).toBe(0);
    const { rejected, skipped, read, shard } = summaryOf(dry.stdout);
    expect(existsSync(join(cwd, nameOf(2)))).toBe(false);
    const real = summaryOf((await run(2, ["--expect-users", String(read)])).stdout);
    expect(real).toMatchObject({ rejected, skipped, read, shard, exitCode: 0 });
  });

  it("stops before the first call where a part was changed, cut off or forgotten", async () => {
    const { cwd, core, env, importOf } = await startShards();
    const part = join(cwd, "parts", "part-1");
    cpSync(join(SPLIT_IN, "parts"), join(cwd, "parts"), { recursive: true });
    const whole = readFileSync(part, "utf8");
    const changes: [() => void, RegExp][] = [
      [() => writeFileSync(part, whole.replace("example.com", "example.org")), /contents differ/],
      [() => writeFileSync(part, whole.slice(0, -50)), /bytes, not/],
      [() => rmSync(part), /There is no part/],
    ];
    const args = importOf(1).filter((word) => word !== "--json");
    args[1] = join("parts", "part-1");
    for (const [change, says] of changes) {
      change();
      await expectFailure(
        args,
        { cwd, env },
        { code: "input_damaged", says, next: /split the export anew/ },
      );
    }
    expect(await everyone(core)).toEqual([]);
    expect(existsSync(join(cwd, nameOf(1)))).toBe(false);
  });

  it("is read by the operator's own mapping or module where the command line names it, and never because of the manifest", async () => {
    const cwd = workFolder();
    writeInto(cwd, "acme.yaml", ACME);
    writeInto(
      cwd,
      "acme.mjs",
      'import { writeFileSync } from "node:fs"; writeFileSync("ran", ""); export default {};',
    );
    writeInto(cwd, "users.json", '[{"acmeId":"a1","mail":"ann@example.com","locked":0}]');
    const own = ["--mapping", "acme.yaml"];
    const made = ["split", "users.json", "--shards", "1", "--out-dir", "parts", ...own];
    expect((await runCli(made, { cwd })).code).toBe(0);
    const manifest = join("parts", "manifest.json");
    const args = ["import", join("parts", "part-1"), "--data", "own.db"];
    const wanted = { code: "config_invalid", next: /on the command line/ };
    await expectFailure(args, { cwd }, { ...wanted, says: /are read by acme\.yaml/ });
    const imported = await runCli([...args, ...own, "--json"], { cwd });
    expect(summaryOf(imported.stdout), imported.stderr).toMatchObject({
      created: 1,
      source: "acme",
    });
    const text = readFileSync(join(cwd, manifest), "utf8").replace('"acme.yaml"', '"./acme.mjs"');
    writeFileSync(join(cwd, manifest), text);
    await expectFailure(args, { cwd }, { ...wanted, says: /are read by \.\/acme\.mjs/ });
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it("refuses a part that there is not, named files beside it, and what is no manifest", async () => {
    const cwd = workFolder();
    expect((await split).code).toBe(0);
    cpSync(join(SPLIT_IN, "parts"), join(cwd, "parts"), { recursive: true });
    const path = join("parts", "manifest.json");
    const first = ["import", join("parts", "part-1")];
    const other = await runCli(["import", join("parts", "part-3")], { cwd });
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("2 parts")]);
    const both = await runCli([...first, USERS], { cwd });
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("imported alone")]);
    writeSmallExport(cwd);
    const again = await runCli(SPLIT, { cwd });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("isn't empty")]);
    const text = readFileSync(join(cwd, path), "utf8");
    for (const wrong of ["{", "{}", text.replaceAll('"part-1"', '"../part-1"')]) {
      writeFileSync(join(cwd, path), wrong);
      await expectFailure(
        first,
        { cwd },
        { code: "input_unrecognized", says: /can't be used/, next: /split/ },
      );
    }
    // What a split that was killed leaves is no part.
    rmSync(join(cwd, path));
    await expectFailure(
      first,
      { cwd },
      { code: "input_unrecognized", says: /it isn't there/, next: /split/ },
    );
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
