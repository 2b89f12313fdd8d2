import { chmodSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, serveHere } from "../support/cli.js";
import { programForAll } from "../support/other-user.js";
import { expectFailure, PROBLEMS, titled, workFolders } from "./support.js";

const workFolder = workFolders();
const ENV = { AUTH_MIGRATE_API_KEY: "served-core-key-0001" };

/** A working directory in which the export with bad rows was imported. */
async function importedFolder(): Promise<string> {
  const cwd = workFolder();
  const { code } = await runCli(["import", PROBLEMS], { cwd });
  expect(code).toBe(65);
  return cwd;
}

describe.concurrent("a checkpoint of another core", () => {
  const expected = { code: "checkpoint_other_core" };

  it("remote, at another address: 66, and --target-moved is named", async () => {
    const cwd = workFolder();
    const [first, second] = [
      await serveHere({ cwd: workFolder() }),
      await serveHere({ cwd: workFolder() }),
    ];
    const importInto = (url: string) => ["import", PROBLEMS, "--core", url];
    expect((await runCli(importInto(first.url), { cwd, env: ENV })).code).toBe(65);
    await expectFailure(
      importInto(second.url),
      { cwd, env: ENV },
      {
        ...expected,
        says: new RegExp(`belongs to ${first.url}, but this run is for ${second.url}`),
        next: /--target-moved/,
      },
    );
    await expectFailure(
      [...importInto(second.url), "--target-moved"],
      { cwd, env: ENV },
      {
        ...expected,
        says: new RegExp(`${second.url} lacks [12] of [12] users? whom the checkpoint`),
        next: /--checkpoint FILE/,
      },
    );
    await Promise.all([first.stop(), second.stop()]);
  });

  it("remote, and --core forgotten: 66, and no data file is made", async () => {
    const cwd = workFolder();
    const core = await serveHere({ cwd: workFolder() });
    await runCli(["import", PROBLEMS, "--core", core.url], { cwd, env: ENV });
    await expectFailure(
      ["import", PROBLEMS],
      { cwd },
      {
        ...expected,
        says: new RegExp(
          `belongs to ${core.url}, but this run is for the embedded core auth-core\\.db`,
        ),
        next: /--checkpoint FILE/,
      },
    );
    expect(readdirSync(cwd)).not.toContain("auth-core.db");
    await core.stop();
  });
});

describe.concurrent("a data file", () => {
  it("deleted under its checkpoint: 66, and no new one takes its place", async () => {
    const cwd = await importedFolder();
    rmSync(join(cwd, "auth-core.db"));
    await expectFailure(
      ["import", PROBLEMS],
      { cwd },
      {
        code: "data_unusable",
        says: /checkpoint auth-migrate\.checkpoint belongs to .* no data file auth-core\.db/,
        next: /--data.*--checkpoint FILE/,
      },
    );
    const compared = await runCli(["reconcile"], { cwd });
    expect(compared.code).toBe(66);
    expect(compared.stderr).toMatch(/--data/);
    expect(compared.stderr).not.toMatch(/anew|--checkpoint FILE/);
    expect(readdirSync(cwd)).not.toContain("auth-core.db");
  });
});

describe.concurrent("a place that can't be written to", () => {
  it.each([
    ["--checkpoint", /no folder progress/],
    ["--data", /progress\/users\.db/],
  ])("a folder that isn't there, given to %s: 74", async (option, says) => {
    const cwd = workFolder();
    await expectFailure(
      ["import", PROBLEMS, option, "progress/users.db"],
      { cwd },
      { code: "disk", says, next: /folder/ },
    );
    expect(readdirSync(cwd)).not.toContain("progress");
  });

  describe("a read-only directory", () => {
    const expected = { code: "disk", next: /writ/ };

    it.each(
      titled([
        { title: "embedded", core: [], says: /auth-core\.db/ },
        {
          title: "remote",
          core: ["--core", "http://127.0.0.1:9"],
          says: /auth-migrate\.checkpoint\.lock is not writable/,
        },
      ]),
    )("%s: 74, and what to do", async (_title, { core, says }) => {
      const options = { ...readOnly(), env: ENV };
      await expectFailure(["import", options.input, ...core], options, { ...expected, says });
      expect(readdirSync(options.cwd)).toEqual([]);
    });

    it("is good enough for a dry run", async () => {
      const options = readOnly();
      const { code, stderr } = await runCli(["validate", options.input], options);
      expect(code, stderr).toBe(65);
    });
  });
});

/** An empty directory that the command may not write to, also where root runs the tests. */
function readOnly(): { cwd: string; input: string; uid?: number; bin?: string } {
  const cwd = workFolder();
  const home = programForAll(workFolder);
  // The folder of all working directories is its owner's alone.
  chmodSync(dirname(cwd), 0o755);
  chmodSync(cwd, 0o555);
  const input = join(home, "fixtures/demo/users-with-problems.csv");
  if (process.getuid?.() !== 0) return { cwd, input };
  return { cwd, input, uid: 65_534, bin: join(home, "bin/auth-migrate.js") };
}
