import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectFailure, jsonLines, summaryOf, workFolders } from "../cli/support.js";
import { runCli, startServe } from "../support/cli.js";
import { type CleanRun, runClean, usersIn } from "../support/oracle.js";
import { writeCrowd } from "../recovery/crowd.js";

const USERS = 1500;
/** So many that they need more connections than there are handles. */
const FEW_USERS = 160;
const workFolder = workFolders();
/**
 * In blocks of 512 bytes: less than the data file of all users has, however they share commits.
 * Node.js ignores SIGXFSZ, so what is too much fails as on a full disk.
 */
const SMALL_FILES = ["-S -f 800"];
/** From fewer than the program needs to be loaded to as many as a run of one user needs. */
const HANDLES = Array.from({ length: 21 }, (_, more) => 22 + more);
const ALONE = ["import", "users.csv", "--json", "--quiet", "--accept-rejects", "100%"];
/** A run before it, so that some are finished, however soon on a slow machine there is no more room. */
const PILOT = ["--limit", "100"];

interface Exported {
  readonly cwd: string;
  readonly clean: CleanRun;
}

async function exportOf(users: number): Promise<Exported> {
  const cwd = workFolder();
  const csv = join(cwd, "users.csv");
  writeCrowd(csv, users);
  return { cwd, clean: await runClean([csv]) };
}

describe.concurrent("an import that runs out of", () => {
  it("room for its files: 74, and the same command finishes when there is some", async () => {
    const { cwd, clean } = await exportOf(USERS);
    expect((await runCli([...ALONE, ...PILOT], { cwd })).code).toBe(0);
    await expectFailure(
      ALONE.filter((word) => word !== "--json"),
      { cwd, limits: SMALL_FILES },
      { code: "disk", says: /disk/, next: /room.*same command again/ },
    );
    const { code, stdout } = await runCli(ALONE, { cwd });
    expect(code).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({ pending: 0, failed: 0, existed: 0 });
    expect(Number(summaryOf(stdout).unchanged)).toBeGreaterThanOrEqual(100);
    expect(usersIn(join(cwd, "auth-core.db"))).toEqual(clean.users);
  });

  it("room for its checkpoint: 74, and the same command finishes when there is some", async () => {
    const { cwd, clean } = await exportOf(USERS);
    const home = workFolder();
    const core = await startServe({ cwd: home });
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const args = [...ALONE, "--core", core.url];
    expect((await runCli([...args, ...PILOT], { cwd, env })).code).toBe(0);
    await expectFailure(
      args.filter((word) => word !== "--json"),
      { cwd, env, limits: SMALL_FILES },
      { code: "disk", says: /auth-migrate\.checkpoint/, next: /same command again/ },
    );
    const { code, stdout } = await runCli(args, { cwd, env });
    expect(code).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({ pending: 0, failed: 0, existed: 0 });
    expect(Number(summaryOf(stdout).unchanged)).toBeGreaterThanOrEqual(100);
    await core.stop();
    expect(usersIn(join(home, "auth-core.db"))).toEqual(clean.users);
  });

  it("file handles, wherever it is by then: 75 or 74, and says which limit to raise", async () => {
    const codes = new Set<unknown>();
    for (const handles of HANDLES) {
      const cwd = workFolder();
      writeCrowd(join(cwd, "users.csv"), 1);
      const limits = [`-n ${handles}`];
      const { code, stdout } = await runCli(["import", "users.csv", "--json"], { cwd, limits });
      const last = jsonLines(stdout).at(-1);
      if (last?.type === "error") codes.add(last.code);
      if (last?.code === "out_of_resources") expect(last.hint).toMatch(/ulimit -n/);
      expect([0, 74, 75], `with ${handles}`).toContain(code);
    }
    expect([...codes].sort()).toEqual(["disk", "out_of_resources"]);
  });

  it("file handles before it is loaded: 75, and no stack trace", async () => {
    const { cwd } = await exportOf(1);
    const { code, stderr } = await runCli(["import", "users.csv"], { cwd, limits: ["-n 22"] });
    expect(code).toBe(75);
    expect(stderr).toMatch(
      /^auth-migrate: There are too many open files \(EMFILE\)\.\nAllow .*ulimit -n 1024/,
    );
    expect(stderr.trim().split("\n")).toHaveLength(2);
  });

  it("file handles for its connections: nobody is lost, and who failed is told", async () => {
    const { cwd, clean } = await exportOf(FEW_USERS);
    const home = workFolder();
    const core = await startServe({ cwd: home });
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const args = [...ALONE, "--core", core.url];
    // Loading the program takes some two hundred of them for a moment.
    const tight = { cwd, env, limits: ["-n 220"] };
    const first = await runCli([...args, "--concurrency", "300"], tight);
    const last = jsonLines(first.stdout).at(-1);
    expect(last?.exitCode, first.stderr).toBe(first.code);
    expect([0, 75]).toContain(first.code);
    const { code, stdout } = await runCli(args, { cwd, env });
    expect(code).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({ pending: 0, failed: 0, existed: 0 });
    await core.stop();
    expect(usersIn(join(home, "auth-core.db"))).toEqual(clean.users);
  });
});
