import { describe, expect, it } from "vitest";
import { runCli, serveHere } from "../support/cli.js";
import { bcryptOf } from "../run/support/test-users.js";
import { giveDemo } from "./screens.js";
import { expectFailure, jsonLines, summaryOf, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();
/** Of an embedded core, which has to be named. */
const CUTOVER = ["cutover", "--checkpoint", "auth-migrate.checkpoint"];
const ADA = `id,email,password_hash\n1,ada@example.com,${bcryptOf("her first")}\n`;
const CHANGED = `id,email,password_hash\n1,ada@example.com,${bcryptOf("her second")}\n`;

/** A folder in which Ada was imported, and her changed row waits. */
async function imported(): Promise<string> {
  const cwd = workFolder();
  await runCli(["import", writeInto(cwd, "users.csv", ADA), "--quiet"], { cwd });
  writeInto(cwd, "changed.csv", CHANGED);
  return cwd;
}

describe("auth-migrate cutover", () => {
  it("keeps later imports from overwriting, until it is taken back", async () => {
    const cwd = await imported();
    const recorded = await runCli([...CUTOVER, "--json"], { cwd });
    expect(jsonLines(recorded.stdout)).toEqual([
      {
        ...{ type: "cutover", v: 1, checkpoint: "auth-migrate.checkpoint" },
        ...{ cutoverAt: expect.stringMatching(/^\d{4}-.*Z$/), changed: true },
        ...{ users: 1, unfinished: 0, exitCode: 0 },
      },
    ]);
    expect(recorded.code).toBe(0);
    const skipped = await runCli(["import", "changed.csv", "--json"], { cwd });
    expect(summaryOf(skipped.stdout)).toMatchObject({ skips: { changed_after_cutover: 1 } });
    expect(skipped.code).toBe(0);
    const later = await runCli(["status", "--json"], { cwd });
    expect(jsonLines(later.stdout)).toMatchObject([
      { otherRows: { skips: { changed_after_cutover: 1 } } },
    ]);
    await runCli([...CUTOVER, "--revoke"], { cwd });
    const sent = await runCli(["import", "changed.csv", "--json"], { cwd });
    expect(summaryOf(sent.stdout)).toMatchObject({ imported: 1, notices: { hash_updated: 1 } });
  });

  it("says to people what it means, once and again, and what taking it back means", async () => {
    const cwd = await imported();
    const first = await runCli([...CUTOVER], { cwd });
    expect(first.stdout).toMatch(
      /recorded: people sign in at the embedded core \(id [0-9a-f]{8}…\) since \d/,
    );
    expect(first.stdout).toContain("changed_after_cutover");
    expect(first.stdout).toContain("auth-migrate cutover --revoke");
    const again = await runCli([...CUTOVER], { cwd });
    expect(again.stdout).toContain("as recorded before");
    const undone = await runCli([...CUTOVER, "--revoke"], { cwd });
    expect(undone.stdout).toContain("Changed passwords and contacts are sent again");
    expect(undone.stdout).toContain("An undo stays refused");
    expect(undone.stdout).toMatch(/\n {2}auth-migrate status\n$/);
    const nothing = await runCli([...CUTOVER, "--revoke"], { cwd });
    expect(nothing.stdout.trim().split("\n")).toEqual([
      expect.stringContaining("there is nothing to take back"),
      "To see where it stands:",
      "  auth-migrate status",
    ]);
  });

  it("takes no rehearsal for the real core, unless its checkpoint is named", async () => {
    const cwd = await imported();
    const core = await serveHere({ cwd: workFolder() });
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const real = ["--core", core.url, "--checkpoint", "real.checkpoint"];
    for (const beside of [[], ["import", "users.csv", ...real, "--yes"]]) {
      if (beside.length > 0) await runCli(beside, { cwd, env });
      const says = /embedded core, which is there to rehearse/;
      const next = /auth-migrate cutover --checkpoint auth-migrate\.checkpoint/;
      await expectFailure(["cutover"], { cwd }, { code: "usage", says, next });
      const { stdout } = await runCli(["status", "--json"], { cwd });
      expect(jsonLines(stdout)).toMatchObject([{ cutoverAt: null }]);
    }
    const { stdout } = await runCli(["cutover", ...real.slice(2)], { cwd });
    expect(stdout).toContain(`sign in at the core ${core.url}`);
    await core.stop();
  });

  it("ends with 74 where the disk is full, and stands once there is room", async () => {
    const cwd = workFolder();
    const readers = (last: string): string =>
      `id,email\n${Array.from({ length: 400 }, (_, index) => `${index},reader.${index}@example.com\n`).join("")}400,${last}\n`;
    for (const last of ["zoe@example.com", "zoe@example.org"]) {
      await runCli(["import", writeInto(cwd, "users.csv", readers(last)), "--quiet"], { cwd });
    }
    // Room for what stands beside the checkpoint, and none for what is written into it.
    const full = await runCli([...CUTOVER, "--json"], { cwd, limits: ["-S -f 16"] });
    expect(jsonLines(full.stdout)).toMatchObject([{ type: "error", code: "disk", exitCode: 74 }]);
    expect(full.code).toBe(74);
    const status = await runCli(["status", "--json"], { cwd });
    expect(jsonLines(status.stdout)).toMatchObject([{ users: 401, created: 401 }]);
    const recorded = await runCli([...CUTOVER, "--json"], { cwd });
    expect(jsonLines(recorded.stdout)).toMatchObject([{ type: "cutover", exitCode: 0 }]);
  });

  it("counts who is left, users of rows that weren't read among them", async () => {
    const cwd = workFolder();
    const both = writeInto(cwd, "users.csv", `${ADA}2,ben@example.com,\n`);
    await runCli(["import", both, "--limit", "1", "--quiet"], { cwd });
    await expectFailure(
      CUTOVER,
      { cwd },
      {
        ...{ code: "usage", next: /--yes.*auth-migrate import users\.csv --quiet/s },
        says: /Nothing was recorded. Of 2 users 1 is open/,
      },
    );
    const before = await runCli(["status", "--json"], { cwd });
    expect(jsonLines(before.stdout)).toMatchObject([{ cutoverAt: null }]);
    const { stdout } = await runCli([...CUTOVER, "--yes", "--json"], { cwd });
    expect(jsonLines(stdout)[0]).toMatchObject({ users: 1, unfinished: 1, changed: true });
    const told = await runCli([...CUTOVER], { cwd });
    expect(told.stdout).toMatch(/Of 2 users 1 is open: the same import.*users\.csv --quiet/s);
  });

  it("names the checkpoint in the way back, and says of a signer key that nothing proves it", async () => {
    const cwd = workFolder();
    giveDemo(cwd);
    const checkpoint = ["--checkpoint", "demo.checkpoint"];
    const config = ["--hash-config", "hash-config.txt"];
    await runCli(["import", "users.csv", ...config, ...checkpoint, "--quiet"], { cwd });
    const { stdout } = await runCli(["cutover", ...checkpoint], { cwd });
    expect(stdout).toContain("\n  auth-migrate cutover --revoke --checkpoint demo.checkpoint\n");
    expect(stdout).toMatch(/The signer key isn't proved, and 40 users\s+can sign in only/);
  });

  it("is never taken back by a configuration file or a variable", async () => {
    const cwd = await imported();
    writeInto(cwd, "auth-migrate.config.json", JSON.stringify({ revoke: true }));
    const { stdout } = await runCli([...CUTOVER, "--json"], {
      cwd,
      env: { AUTH_MIGRATE_UNDO: "true" },
    });
    expect(jsonLines(stdout)[0]).toMatchObject({ changed: true, cutoverAt: expect.any(String) });
  });

  it.each([
    [["--assume-empty"], /without --assume-empty/],
    [["--on-existing", "update"], /--on-existing skip/],
  ])("%s is refused from then on, with 2", async (option, next) => {
    const cwd = await imported();
    await runCli([...CUTOVER], { cwd });
    await expectFailure(
      ["import", "changed.csv", ...option],
      { cwd },
      { code: "usage", says: /since the cut-over/, next },
    );
  });
});
