import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runCli, runProcess } from "../support/cli.js";
import { gatedImport, isFirstCall } from "./gate.js";
import {
  expectFailure,
  HASH_CONFIG,
  IMPORT_DEMO,
  type JsonLine,
  jsonLines,
  USERS,
  workFolders,
  writeInto,
} from "./support.js";

const workFolder = workFolders();
/** Some users are in, and those are held whose intent is durable. */
const SOME_HELD = { letThrough: 30, counts: isFirstCall };

async function statusOf(cwd: string, run = runCli): Promise<JsonLine> {
  const { code, stdout, stderr } = await run(["status", "--json"], { cwd });
  expect(code, stderr).toBe(0);
  const lines = jsonLines(stdout);
  expect(lines).toHaveLength(1);
  return lines[0] ?? { type: "" };
}

describe.concurrent("status", () => {
  it("says where the checkpoint stands after an import", async () => {
    const cwd = workFolder();
    expect((await runCli(IMPORT_DEMO, { cwd })).code).toBe(0);
    expect(await statusOf(cwd)).toEqual({
      type: "status",
      v: 1,
      parts: 1,
      checkpoint: "auth-migrate.checkpoint",
      core: { kind: "embedded", coreId: expect.any(String) },
      shard: null,
      running: false,
      begunAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      writtenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      cutoverAt: null,
      progress: { done: 245, total: 245, perSecond: null, leftMs: null },
      users: 245,
      ...{ imported: 180, bridged: 0, created: 60, existed: 0, skipped: 5, rejected: 0, failed: 0 },
      ...{ social: 0, queued: 0, pending: 0, unknown: 0, unmapped: 0, unproved: 40, written: 0 },
      provedUsers: { sent: 0, bridged: 0 },
      ...{ unread: 0, stillThere: {}, cut: null, proved: false, vault: null, unvaulted: 0 },
      ...{ rejects: {}, skips: { disabled: 5 }, failures: {} },
      otherRows: { rejects: {}, skips: {}, failures: {} },
      notices: { prehash_possible: 105, phone_not_migrated: 25 },
      endedBy: null,
      command: expect.stringMatching(/^auth-migrate import \S+users\.csv --hash-config \S+$/),
      check: ["auth-migrate reconcile"],
      exitCode: 0,
    });
    const { code, stdout, stderr } = await runCli(["status"], { cwd });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/\nauth-migrate\.checkpoint: 245 users, embedded core/);
    expect(stdout).toMatch(/imported +180 /);
    expect(stdout).toMatch(
      /^\d+ of \d+ users are at the core .*\nThe signer key isn't proved, .*\n\(unproved\)\.\nNo proof covers [^.]*\(prehash_possible\)\.\nNo run is going on\. Next: prove/,
    );
  });

  it("is live while an import goes on, which ends as if nobody had asked", async () => {
    const { cwd, gate, start, close } = await gatedImport(workFolder, SOME_HELD);
    const run = start("--concurrency", "4", "--json");
    await gate.holding;
    // A process of its own: a reader in this one may keep the log of a writer in another one.
    const status = await statusOf(cwd, runProcess);
    expect(status).toMatchObject({ running: true, core: { kind: "remote", url: gate.url } });
    expect(Number(status.imported) + Number(status.created)).toBeGreaterThan(0);
    expect(Number(status.unknown)).toBeGreaterThan(0);
    const { stdout } = await runProcess(["status"], { cwd });
    expect(stdout).toMatch(/open +\d+ +without an outcome yet \(\d+ noted for a\s+call: the/);
    expect(stdout).toMatch(/\nA run is going on[^\n]*\.\n/);

    gate.open();
    expect((await run.ended).code).toBe(0);
    expect(readdirSync(cwd).sort()).toEqual([
      "auth-migrate.checkpoint",
      "auth-migrate.checkpoint.lock",
      "users.csv",
    ]);
    expect(await statusOf(cwd, runProcess)).toMatchObject({
      running: false,
      imported: 45,
      created: 15,
    });
    await close();
  });

  it("tells a run that was killed from one that goes on", async () => {
    const { cwd, gate, start, close } = await gatedImport(workFolder, SOME_HELD);
    const run = start("--concurrency", "4");
    await gate.holding;
    run.kill("SIGKILL");
    await run.ended;
    const { code, stdout } = await runCli(["status"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/open +\d+ +without an outcome yet \(\d+ noted for a\s+call: the/);
    expect(stdout).toMatch(
      /No run is going on\. Of \d+ users \d+ are open:\s+the\s+same\s+import\s+again\s+goes\s+on/,
    );
    await close();
  });

  it("shows the parts of a split export by its folder, each and in all", async () => {
    const cwd = workFolder();
    const split = await runCli(["split", USERS, "--shards", "2", "--out-dir", "parts"], { cwd });
    expect(split.code, split.stderr).toBe(0);
    const part = ["import", "parts/part-1", "--hash-config", HASH_CONFIG];
    expect((await runCli(part, { cwd })).code).toBe(0);

    const first = "auth-migrate.shard-1-of-2.checkpoint";
    const text = await runCli(["status", "--manifest", "parts"], { cwd });
    expect(text.stdout).toMatch(/shard-1-of-2\.checkpoint: \d+ of \d+ users are at the core/);
    expect(text.stdout).toMatch(/shard-2-of-2\.checkpoint: not begun\n/);
    expect(text.stdout).toMatch(/\n\d+ of 245 users are at the core \(\d\d %\)/);

    const { stdout } = await runCli(["status", "--manifest", "parts", "--json"], { cwd });
    const [own, sum] = jsonLines(stdout);
    expect(own).toMatchObject({ type: "status", parts: 1, checkpoint: first });
    expect(sum).toMatchObject({ type: "status", parts: 2, users: own?.users });
    expect(sum?.progress).toMatchObject({ total: 245 });

    await expectFailure(
      ["status"],
      { cwd },
      {
        code: "checkpoint_missing",
        says: /no checkpoint auth-migrate\.checkpoint; there is auth-migrate\.shard-1-of-2/,
        next: /--checkpoint FILE/,
      },
    );
  });

  it("takes no part for unfinished whose latest import was of its mended rows alone, once all were read", async () => {
    const cwd = workFolder();
    const rows = ["1,ada@example.com", "2,ben@example.com", "3,", "4,dan@example.com"];
    writeInto(cwd, "users.csv", ["id,email", ...rows].join("\n"));
    writeInto(cwd, "mended.csv", "id,email\n3,cleo@example.com\n");
    const run = (command: string) => runCli(command.split(" "), { cwd });
    await run("split users.csv --shards 1 --out-dir parts");
    const mending = "import mended.csv --checkpoint auth-migrate.shard-1-of-1.checkpoint";
    for (const { more, says } of [
      {
        more: " --limit 1",
        says: "2 of 4 users are at the core (50 %), 2 open.\nNo run is going on. Of 4 users 2 are open",
      },
      { more: "", says: "4 of 4 users are at the core (100 %).\nNo run is going on, and no user" },
    ]) {
      expect((await run(`import parts/part-1${more}`)).code).toBe(0);
      expect((await run(mending)).code).toBe(0);
      expect((await run("status --manifest parts")).stdout).toContain(says);
    }
  });

  it("watched, ends where no run is going on, with what it says once", async () => {
    const cwd = workFolder();
    expect((await runCli(IMPORT_DEMO, { cwd })).code).toBe(0);
    const { code, stdout } = await runCli(["status", "--watch"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toBe((await runCli(["status"], { cwd })).stdout);
  });
});

describe.concurrent("a pilot", () => {
  it("ends well after so many users, and names the command for the rest", async () => {
    const cwd = workFolder();
    const pilot = [...IMPORT_DEMO, "--limit", "10", "--expect-users", "245"];
    const { code, stdout } = await runCli(pilot, { cwd });
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        `--limit says[^:]*:\\n  auth-migrate import ${USERS} --hash-config .* --expect-users 245\\n$`,
      ),
    );
    expect(await statusOf(cwd)).toMatchObject({ users: 10, imported: 10 });
    const { stdout: status } = await runCli(["status"], { cwd });
    expect(status).toMatch(
      / goes\s+on:\s+auth-migrate import (?![\s\S]*--limit)[\s\S]*--expect-users 245\n/,
    );
    const rest = await runCli([...IMPORT_DEMO, "--json", "--expect-users", "245"], { cwd });
    expect(rest.stderr).toMatch(/^Going on: 10 of /m);
    expect(jsonLines(rest.stdout).at(-1)).toMatchObject({
      ...{ unchanged: 10, imported: 170, created: 60, limited: false, exitCode: 0 },
    });
  });

  it.each(["0", "-1", "1.5", "ten"])("isn't begun with a limit of %s", async (limit) => {
    const { code } = await runCli([...IMPORT_DEMO, `--limit=${limit}`], { cwd: workFolder() });
    expect(code).toBe(2);
  });
});

describe.concurrent("checkpoint purge", () => {
  it("removes the checkpoint with --yes, and leaves the core's data alone", async () => {
    const cwd = workFolder();
    await runCli([...IMPORT_DEMO, "--limit", "5"], { cwd });
    const { code, stdout } = await runCli(["checkpoint", "purge", "--yes", "--json"], { cwd });
    expect(code).toBe(0);
    const checkpoint = "auth-migrate.checkpoint";
    expect(jsonLines(stdout)).toEqual([
      {
        ...{
          type: "summary",
          v: 1,
          command: "checkpoint purge",
          checkpoint,
          removed: [checkpoint, `${checkpoint}.lock`],
        },
        ...{ users: 5, unfinished: 240, exitCode: 0 },
      },
    ]);
    expect(readdirSync(cwd)).toEqual(["auth-core.db"]);
  });

  it("says whom a checkpoint leaves open that it removes", async () => {
    const cwd = workFolder();
    await runCli([...IMPORT_DEMO, "--limit", "5"], { cwd });
    const { stdout } = await runCli(["checkpoint", "purge", "--yes"], { cwd });
    expect(stdout).toMatch(/^Removed .*\. Of 245 users 240 are open\.$/m);
  });

  it("says what it can do where only the group is named", async () => {
    const { code, stderr } = await runCli(["checkpoint"], { cwd: workFolder() });
    expect(code).toBe(2);
    expect(stderr).toMatch(/purge +\[options\]|purge/);
  });
});
