import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, serveHere } from "../support/cli.js";
import {
  HASH_CONFIG,
  IMPORT_DEMO,
  IMPORT_SMALL,
  jsonLines,
  summaryOf,
  USERS,
  workFolders,
  writeSmallExport,
} from "./support.js";

const workFolder = workFolders();

describe.concurrent("reconcile", () => {
  it("agrees with the embedded core after an import, and with its files", async () => {
    const cwd = workFolder();
    await runCli(IMPORT_DEMO, { cwd });
    const { code, stdout, stderr } = await runCli(["reconcile", "--json"], { cwd });
    expect(code, stderr).toBe(0);
    expect(summaryOf(stdout)).toEqual({
      type: "summary",
      v: 1,
      command: "reconcile",
      core: { kind: "embedded", file: "auth-core.db" },
      checkpoint: "auth-migrate.checkpoint",
      shards: null,
      running: false,
      ...{ finished: 240, unfinished: 0 },
      counts: {
        emailpassword: { brought: 180, core: 180 },
        passwordless: { brought: 60, core: 60 },
        thirdparty: { brought: 0, core: null },
      },
      ...{ wanted: 200, asked: 200, agreed: 200, differing: 0, unanswered: 0, unasked: 0 },
      ...{ differences: {}, rows: null, pages: 1, calls: expect.objectContaining({ lookup: 3 }) },
      ...{ agrees: true, interrupted: false, elapsedMs: expect.any(Number), exitCode: 0 },
      vault: null,
    });
    const byFile = await runCli(["reconcile", USERS, "--sample", "all"], { cwd });
    expect(byFile.code, byFile.stderr).toBe(0);
    expect(byFile.stdout).toMatch(/all of 240 finished users asked for/);
    // A core of this machine is a rehearsal: no cut-over is next.
    expect(byFile.stdout).toMatch(/Checkpoint and core agree\.\n$/);
  });

  it("says at a served core that agrees that the cut-over is next, until it is recorded", async () => {
    const cwd = workFolder();
    writeFileSync(join(cwd, "users.csv"), "id,email\n1,ann@example.com\n2,bo@example.com\n");
    const core = await serveHere({ cwd: workFolder() });
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const at = ["--core", core.url, "--checkpoint", "real.checkpoint"];
    await runCli(["import", "users.csv", "--yes", ...at], { cwd, env });
    const shown = await runCli(["reconcile", ...at], { cwd, env });
    expect(shown.stdout).toMatch(
      /agree\.\nBefore people sign in at this core:\n+\s*auth-migrate cutover --checkpoint real\.checkpoint\n$/,
    );
    await runCli(["cutover", "--checkpoint", "real.checkpoint"], { cwd });
    const late = await runCli(["reconcile", ...at], { cwd, env });
    expect(late.stdout).toMatch(/agree\.\n$/);
    await core.stop();
  });

  it("agrees with a served core, and finds what is gone there", async () => {
    const cwd = workFolder();
    writeSmallExport(cwd);
    const home = workFolder();
    const core = await serveHere({ cwd: home, args: ["--hash-config", HASH_CONFIG] });
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    await runCli([...IMPORT_SMALL, "--core", core.url], { cwd, env });
    const args = ["reconcile", "--core", core.url, "--sample", "all"];
    const before = await runCli([...args, "--json"], { cwd, env });
    expect(before.code, before.stderr).toBe(0);
    expect(summaryOf(before.stdout)).toMatchObject({ asked: 60, agreed: 60, agrees: true });
    await core.stop();

    // A backup of before the pilot's end, brought back.
    const older = workFolder();
    writeSmallExport(older);
    await runCli([...IMPORT_SMALL, "--limit", "25"], { cwd: older });
    const restored = await serveHere({ cwd: older, args: ["--hash-config", HASH_CONFIG] });
    const moved = ["reconcile", "--core", restored.url, "--target-moved", "--sample", "all"];
    const after = await runCli([...moved, "--json"], { cwd, env });
    expect(after.code, after.stderr).toBe(65);
    const lines = jsonLines(after.stdout);
    expect(lines[0]).toMatchObject({
      ...{ type: "difference", code: "user_missing", hint: expect.stringMatching(/--checkpoint/) },
      row: { file: "users.csv", number: expect.any(Number) },
    });
    expect(summaryOf(after.stdout)).toMatchObject({
      ...{ agrees: false, differing: 60, differences: { user_missing: 60 } },
      counts: { emailpassword: { brought: 45, core: 25 } },
    });
    const text = await runCli(moved, { cwd, env });
    expect(text.stdout).toMatch(/FEWER/);
    expect(text.stdout).toMatch(/user_missing +60\s/);
    expect(text.stdout).toMatch(/Checkpoint and core DIFFER\.\n$/);
    await restored.stop();
  });

  it("counts users of rows that weren't read, whom a pilot leaves on purpose", async () => {
    const cwd = workFolder();
    writeSmallExport(cwd);
    await runCli([...IMPORT_SMALL, "--limit", "25"], { cwd });
    const { code, stdout } = await runCli(["reconcile", "--json"], { cwd });
    expect(summaryOf(stdout)).toMatchObject({ finished: 25, unfinished: 37, agrees: true });
    expect(code).toBe(0);
    const told = await runCli(["reconcile"], { cwd });
    expect(told.stdout).toMatch(
      /agree in everything that was asked for\.\nOf 62 users 37 are open: /,
    );
    expect(told.stdout).toMatch(/goes on:\s+auth-migrate import /);
  });

  it.each(["0", "some"])("isn't begun with a sample of %s", async (sample) => {
    const { code } = await runCli(["reconcile", "--sample", sample], { cwd: workFolder() });
    expect(code).toBe(2);
  });
});
