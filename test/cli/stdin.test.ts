import { execFileSync } from "node:child_process";
import { createWriteStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { standardInput } from "../../src/cli/given-inputs.js";
import { runCli, startCli, serveHere } from "../support/cli.js";
import {
  expectFailure,
  HASH_CONFIG,
  jsonLines,
  PASSWORDS,
  PROBLEMS,
  SOME_PASSWORDS,
  summaryOf,
  USERS,
  workFolders,
  writeInto,
} from "./support.js";

const workFolder = workFolders();
const BYTES = readFileSync(USERS);
const WITH_CONFIG = ["--hash-config", HASH_CONFIG];
const EXPECTED = {
  read: 245,
  ready: { import: 180, passwordless: 60 },
  truncated: [],
  exitCode: 0,
};
describe.concurrent("validate", () => {
  it.each([
    ["as it is", BYTES],
    ["packed with gzip", gzipSync(BYTES)],
  ])("reads an export from standard input %s", async (_name, stdin) => {
    const { stdout, stderr } = await runCli(["validate", "-", ...WITH_CONFIG, "--json"], {
      cwd: workFolder(),
      stdin,
    });
    expect(summaryOf(stdout), stderr).toMatchObject(EXPECTED);
    expect(stderr).toMatch(/^standard input: read as csv/);
  });

  it("reads a packed file, and a packed pipe as a shell's <(…) gives it", async () => {
    const cwd = workFolder();
    writeInto(cwd, "users.csv.gz", gzipSync(BYTES));
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    const piped = startCli(["validate", "pipe", ...WITH_CONFIG, "--json"], { cwd });
    createWriteStream(join(cwd, "pipe")).end(gzipSync(BYTES));
    const fromFile = await runCli(["validate", "users.csv.gz", ...WITH_CONFIG, "--json"], { cwd });
    for (const { stdout, stderr } of [await piped.ended, fromFile]) {
      expect(summaryOf(stdout), stderr).toMatchObject(EXPECTED);
    }
  });

  it("names the rows of standard input by -", async () => {
    const { stdout } = await runCli(["validate", "-", "--json"], {
      cwd: workFolder(),
      stdin: readFileSync(PROBLEMS),
    });
    const rejects = jsonLines(stdout).filter(({ type }) => type === "reject");
    expect(rejects.length).toBeGreaterThan(3);
    for (const reject of rejects) expect(reject).toMatchObject({ row: { file: "-" } });
  });

  it("of a gzip file that is cut off: its whole rows, and 65", async () => {
    const cwd = workFolder();
    const packed = gzipSync(BYTES);
    writeInto(cwd, "users.csv.gz", packed.subarray(0, packed.length / 2));
    const args = ["validate", "users.csv.gz", ...WITH_CONFIG];
    const { code, stdout } = await runCli([...args, "--json"], { cwd });
    expect(code).toBe(65);
    const { read, truncated } = summaryOf(stdout);
    expect(truncated).toEqual(["users.csv.gz"]);
    expect(read).toBeGreaterThan(50);
    expect((await runCli(args, { cwd })).stdout).toMatch(
      /users\.csv\.gz was cut off before its end/,
    );
  });
});

describe.concurrent("import", () => {
  it("from standard input asks nothing, sends everybody, and is done when it comes again", async () => {
    const cwd = workFolder();
    const core = await serveHere({ cwd: workFolder(), args: WITH_CONFIG });
    const options = { cwd, stdin: gzipSync(BYTES), env: { AUTH_MIGRATE_API_KEY: core.apiKey } };
    const args = ["import", "-", ...WITH_CONFIG, "--core", core.url, "--json"];
    const first = await runCli(args, options);
    expect(summaryOf(first.stdout), first.stderr).toMatchObject({ imported: 180, created: 60 });
    const again = await runCli(args, { ...options, stdin: BYTES });
    expect(summaryOf(again.stdout)).toMatchObject({ unchanged: 240, exitCode: 0 });
    await core.stop();
  });

  it("proves test users from standard input, and stops there where one can't be proved", async () => {
    const cwd = workFolder();
    const args = ["import", "-", ...WITH_CONFIG, "--require-proof", "--prove"];
    writeInto(cwd, "wrong.csv", SOME_PASSWORDS.replace(",", ",x"));
    const before = readdirSync(cwd);
    const failed = await runCli([...args, "wrong.csv", "--json"], { cwd, stdin: BYTES });
    expect(jsonLines(failed.stdout).at(-1)).toMatchObject({ code: "proof_failed", exitCode: 78 });
    expect(readdirSync(cwd)).toEqual(before);
    const { stdout } = await runCli([...args, PASSWORDS, "--json"], { cwd, stdin: BYTES });
    expect(summaryOf(stdout)).toMatchObject({ proved: true, imported: 180, created: 60 });
  });

  it("ends at a signal while it waits for more, and says that nothing was sent", async () => {
    const cwd = workFolder();
    const run = startCli(["import", "-", ...WITH_CONFIG], {
      cwd,
      // More than the head that recognizes it.
      stdin: Buffer.concat([BYTES, Buffer.alloc(70_000, "\n")]),
      stdinStaysOpen: true,
    });
    await run.says("Importing standard input");
    run.kill("SIGTERM");
    const { code, stdout, stderr } = await run.ended;
    expect(code, stderr).toBe(143);
    expect(stdout).toMatch(/^Stopped before any user was sent\.\n/);
    const { stdout: status } = await runCli(["status"], { cwd });
    expect(status).toContain("Stopped before any user was sent.");
    expect(stdout).toMatch(/^Nothing was sent\. To go on:\n {2}auth-migrate import -/m);
  });
});

it("prove says of standard input what it says of the file", async () => {
  const cwd = workFolder();
  const proofs = async (file: string, stdin?: Buffer): Promise<unknown> => {
    const args = ["prove", file, ...WITH_CONFIG, "--passwords", PASSWORDS, "--json"];
    const { stdout } = await runCli(args, { cwd, ...(stdin && { stdin }) });
    const told = jsonLines(stdout).filter(({ type }) => type === "proof");
    return JSON.parse(JSON.stringify(told).replaceAll(JSON.stringify(file), '"-"'));
  };
  const fromFile = await proofs(USERS);
  expect(fromFile).toHaveLength(16);
  expect(await proofs("-", gzipSync(BYTES))).toEqual(fromFile);
});

describe.concurrent("standard input", () => {
  it("configures by setup what is then imported from it", async () => {
    const cwd = workFolder();
    const args = ["setup", "-", ...WITH_CONFIG, "--data", "auth-core.db", "--skip-proof"];
    const { code, stdout, stderr } = await runCli([...args, "--no-input"], { cwd, stdin: BYTES });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("\n  auth-migrate import -\n");
    const done = await runCli(["import", "-", "--json"], { cwd, stdin: BYTES });
    expect(summaryOf(done.stdout), done.stderr).toMatchObject({ imported: 180 });
  });
});

it("a terminal in place of standard input is refused rather than waited for", () => {
  const terminal = Object.assign(Readable.from([]), { isTTY: true });
  expect(standardInput(["users.csv"], terminal)).toBeUndefined();
  expect(() => standardInput(["users.csv", "-"], terminal)).toThrow(
    expect.objectContaining({ code: "usage", hint: expect.stringContaining("gunzip -c") }),
  );
});

describe.concurrent("--encoding", () => {
  const LATIN1 = Buffer.from("id,email,name\n1,zo\xeb@example.com,Zo\xeb \x80\n", "latin1");

  it("is named where a file is not UTF-8, and reads it", async () => {
    const cwd = workFolder();
    writeInto(cwd, "users.csv", LATIN1);
    await expectFailure(
      ["validate", "users.csv"],
      { cwd },
      {
        code: "input_unrecognized",
        says: /^users\.csv is not UTF-8 text/,
        next: /--encoding windows-1252/,
      },
    );
    const args = ["validate", "users.csv", "--encoding", "latin1", "--json"];
    expect(summaryOf((await runCli(args, { cwd })).stdout)).toMatchObject({ read: 1, rejected: 0 });
  });

  it("may come from the configuration file or the environment", async () => {
    const cwd = workFolder();
    writeInto(cwd, "users.csv", LATIN1);
    writeInto(cwd, "auth-migrate.config.json", '{"encoding":"windows-1252"}');
    expect((await runCli(["validate", "users.csv"], { cwd })).code).toBe(0);
    const env = { AUTH_MIGRATE_ENCODING: "klingon" };
    expect((await runCli(["validate", "users.csv"], { cwd, env })).code).toBe(2);
  });
});
