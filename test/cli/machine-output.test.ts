import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startHttp } from "../support/canned-server.js";
import { runCli } from "../support/cli.js";
import {
  HASH_CONFIG,
  type JsonLine,
  jsonLines,
  PROBLEMS,
  summaryOf,
  USERS,
  workFolders,
} from "./support.js";

const workFolder = workFolders();
const ENV = { AUTH_MIGRATE_API_KEY: "a-key-of-this-test-0001" };

/** Every record read ends in one place. */
function expectSum(summary: JsonLine): void {
  const { imported, created, existed, skipped, rejected, failed, unchanged, pending } = summary;
  const outcomes = [imported, created, existed, skipped, rejected, failed, unchanged, pending];
  expect(outcomes.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(summary.read);
}

describe.concurrent("--json", () => {
  it("ends an import with a summary that has every field and adds up", async () => {
    const { stdout } = await runCli(
      ["import", USERS, PROBLEMS, "--hash-config", HASH_CONFIG, "--json"],
      {
        cwd: workFolder(),
      },
    );
    const summary = summaryOf(stdout);
    expect(summary).toEqual({
      type: "summary",
      v: 1,
      command: "import",
      source: "csv",
      core: { kind: "embedded", file: "auth-core.db" },
      read: 258,
      imported: 181,
      created: 61,
      existed: 0,
      skipped: 6,
      rejected: 10,
      failed: 0,
      unchanged: 0,
      pending: 0,
      queued: 0,
      carried: ["verified", "joined", "metadata", "social", "totp"],
      carriedUsers: expect.objectContaining({ metadata: expect.any(Number) }),
      standing: {
        ...{ users: 255, imported: 181, created: 61, existed: 0, skipped: 6, rejected: 7 },
        ...{
          failed: 0,
          queued: 0,
          written: 0,
          pending: 0,
          unknown: 0,
          unread: 0,
          stillThere: {},
          cut: null,
          proved: false,
          provedUsers: { sent: 0, bridged: 0 },
          unvaulted: 0,
        },
        otherRows: expect.objectContaining({ skips: {}, failures: {} }),
      },
      mapped: 0,
      calls: { code: 0, consume: 0, update: 0, import: 242, lookup: 0, map: 0, part: 0 },
      algorithms: { bcrypt: 111, argon2: 30, vendor_scrypt: 40 },
      bridged: 0,
      social: 0,
      importedAlgorithms: { bcrypt: 111, argon2: 30, vendor_scrypt: 40 },
      signIns: null,
      rejects: expect.objectContaining({ bcrypt_length: 1, duplicate: 1 }),
      skips: { disabled: 6 },
      notices: { prehash_possible: 106, phone_not_migrated: 25 },
      passwordExport: null,
      proved: false,
      provedUsers: { sent: 0, bridged: 0 },
      untried: { bcrypt: 113, argon2: 30, vendor_scrypt: 40 },
      elapsedMs: expect.any(Number),
      checkpoint: "auth-migrate.checkpoint",
      retries: 0,
      pauses: 0,
      pausedMs: 0,
      rejectsFiles: [],
      rejectsAsText: [],
      next: [
        "auth-migrate bridge --new-key vault.key",
        expect.stringMatching(/^auth-migrate import .* bridge --accept-rejects 9 --vault /),
        expect.stringMatching(/^auth-migrate import .* --rejects-out rejects\.csv$/),
        expect.stringMatching(/^auth-migrate prove .* --data auth-core\.db --passwords FILE$/),
      ],
      truncated: [],
      limited: false,
      interrupted: false,
      shard: null,
      exitCode: 65,
    });
    expectSum(summary);
  });

  it("tells users that the core fails on as failures, ends with 75, and adds up", async () => {
    const site = await startHttp((request, response, body) => {
      const lookup = request.method === "GET";
      const hasParts = request.url?.includes("/recipe/") === true;
      const status = lookup ? (hasParts ? 404 : 200) : body === "{}" ? 400 : 500;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(lookup ? { status: "OK", users: [] } : { message: "no" }));
    });
    const { code, stdout } = await runCli(["import", PROBLEMS, "--core", site.url, "--json"], {
      cwd: workFolder(),
      env: ENV,
    });
    await site.close();
    expect(code).toBe(75);
    const summary = summaryOf(stdout);
    expect(summary).toMatchObject({ failed: 2, rejected: 10, skipped: 1, exitCode: 75 });
    expectSum(summary);
    const failures = jsonLines(stdout).filter(({ type }) => type === "failure");
    expect(failures).toHaveLength(2);
    for (const failure of failures) {
      expect(failure).toMatchObject({ code: "core_broken", hint: expect.stringMatching(/again/) });
    }
  });
});

describe.concurrent("stdout", () => {
  it("has no colors and no cursor movements where nobody watches", async () => {
    const { stdout, stderr } = await runCli(["import", PROBLEMS], {
      cwd: workFolder(),
      env: { NO_COLOR: "" },
    });
    expect(stdout + stderr).not.toContain("\u001b");
  });
});

describe.concurrent("help", () => {
  const helpOf = async (...args: string[]) => (await runCli(args, { cwd: workFolder() })).stdout;

  it.each([
    ["the program", ["--help"]],
    ["import", ["import", "--help"]],
    ["validate", ["help", "validate"]],
  ])(
    "of %s has its lines within 80 columns, and of a command within 24 lines",
    async (_what, args) => {
      const lines = (await helpOf(...args)).trimEnd().split("\n");
      expect(lines.length).toBeLessThanOrEqual(args[0] === "--help" ? 28 : 24);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    },
  );

  it("of import has the everyday options, two examples, and where all the others are", async () => {
    const help = await helpOf("import", "--help");
    expect(help).toMatch(
      / {2}--core <url> .*--rejects-out <file> .*\nExamples:\n {2}auth-migrate import /s,
    );
    expect(help).not.toContain("AUTH_MIGRATE_");
    expect(help).toContain("auth-migrate help import --all");
    const all = await helpOf("help", "import", "--all");
    expect(all).toMatch(/--hash-config <file>.*AUTH_MIGRATE_HASH_CONFIG.*--rate/s);
  });

  it("has the exit codes in one place", async () => {
    const codes = [0, 1, 2, 65, 66, 69, 74, 75, 77, 78, 129, 130, 143];
    const table = await helpOf("help", "exit-codes");
    for (const code of codes) expect(table).toMatch(new RegExp(`^ +${code} {2}\\w`, "m"));
  });

  it("of a word that is no command says so", async () => {
    const { code, stderr } = await runCli(["help", "nosuch"], { cwd: workFolder() });
    expect(code).toBe(2);
    expect(stderr).toBe(
      "auth-migrate: there is no help for 'nosuch'\nRun auth-migrate --help for the commands.\n",
    );
  });
});

it.concurrent("the version is the package's", async () => {
  const { version } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const { stdout } = await runCli(["--version"], { cwd: workFolder() });
  expect(stdout).toBe(`${version}\n`);
});
