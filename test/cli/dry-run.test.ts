import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startHttp } from "../support/canned-server.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { runCli } from "../support/cli.js";
import {
  HASH_CONFIG,
  IMPORT_DEMO,
  type JsonLine,
  PROBLEMS,
  summaryOf,
  USERS,
  workFolders,
  writeInto,
} from "./support.js";

const workFolder = workFolders();

describe.concurrent("a dry run", () => {
  const READ_ALIKE = ["read", "source", "skipped", "rejected", "algorithms"];
  const CODES_ALIKE = ["rejects", "skips", "notices", "truncated"];

  async function dryRun(command: readonly string[]): Promise<{ line: JsonLine; folder: string }> {
    const folder = workFolder();
    const temporary = workFolder();
    const { code, stdout, stderr } = await runCli([...command, "--json"], {
      cwd: folder,
      env: { TMPDIR: temporary },
    });
    expect([0, 65], stderr).toContain(code);
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
    return { line: summaryOf(stdout), folder };
  }

  it.each([
    ["the demo export", [USERS, "--hash-config", HASH_CONFIG]],
    ["an export with bad rows", [PROBLEMS]],
    ["the demo export whose ids are kept", [USERS, "--hash-config", HASH_CONFIG, "--keep-ids"]],
    ["both at once", [USERS, PROBLEMS, "--hash-config", HASH_CONFIG, "--include", "disabled"]],
  ])("of %s says what the import then does, and leaves nothing behind", async (_name, given) => {
    const { line: dry } = await dryRun(["import", ...given, "--dry-run"]);
    const { line: validated } = await dryRun(["validate", ...given]);
    const real = summaryOf(
      (await runCli(["import", ...given, "--json"], { cwd: workFolder() })).stdout,
    );
    // Both can be run again with a file for rejects, each by its own name.
    const next = [validated.next].flat().map((one) => {
      return String(one).replace(/^(\S+) validate (.*) --json /, "$1 import $2 --dry-run --json ");
    });
    expect({ ...dry, elapsedMs: 0 }).toEqual({ ...validated, next, elapsedMs: 0 });
    for (const field of [...READ_ALIKE, ...CODES_ALIKE, "exitCode"]) {
      expect(dry[field], field).toEqual(real[field]);
    }
    expect(dry.ready).toMatchObject({ import: real.imported, passwordless: real.created });
    // An embedded core that is empty needs no look-ups; nobody knows which one it will be.
    const lookup = expect.any(Number);
    expect(dry.plannedCalls).toEqual({ ...Object(real.calls), lookup });
    expect(dry).toMatchObject({
      command: "validate",
      core: null,
      checkpoint: null,
      calls: { code: 0, consume: 0, update: 0, import: 0, lookup: 0, map: 0 },
    });
  });

  it("calls nobody, even where a core is named", async () => {
    const core = await startHttp((_request, response) => void response.end());
    const { code } = await runCli([...IMPORT_DEMO, "--dry-run", "--core", core.url], {
      cwd: workFolder(),
      env: { AUTH_MIGRATE_API_KEY: "never-to-be-sent-0001" },
    });
    expect(code).toBe(0);
    expect(core.requests).toEqual([]);
    await core.close();
  });

  it("tells people what to type next", async () => {
    const cwd = workFolder();
    const next = async (...args: string[]): Promise<string[]> => {
      const { stdout } = await runCli(["validate", ...args], { cwd });
      return stdout
        .trimEnd()
        .split("\n")
        .slice(args[0] === USERS ? -2 : -3);
    };
    expect(await next(USERS, "--hash-config", HASH_CONFIG)).toEqual([
      "The signer key isn't proved. Prove it by a test user's password:",
      `  auth-migrate prove ${USERS} --hash-config ${HASH_CONFIG} --passwords FILE`,
    ]);
    writeInto(cwd, "phones.csv", "phone,phone_verified\n+15550100123,true\n");
    expect(await next("phones.csv")).toEqual([
      "Nothing stands in the way, but read the findings above first. To begin, as a",
      "rehearsal unless you add --core URL:",
      "  auth-migrate import phones.csv",
    ]);
    writeInto(
      cwd,
      "typed.csv",
      `email,hash\nann@example.com,${KNOWN_HASHES.bcrypt.passwordHash}\n`,
    );
    const { stdout } = await runCli(["validate", "typed.csv"], { cwd });
    expect(stdout.trimEnd().split("\n").slice(-5)).toEqual([
      "To prove by one user's password what prehash_possible leaves open:",
      "  auth-migrate prove typed.csv --passwords FILE",
      "Nothing stands in the way, but read the findings above first. To begin, as a",
      "rehearsal unless you add --core URL:",
      "  auth-migrate import typed.csv",
    ]);
    const vouched = ["--allow-hash", "as-typed", "--map", "email_verified=yes"];
    writeInto(
      cwd,
      "yes.csv",
      `email,yes,hash\nann@example.com,1,${KNOWN_HASHES.bcrypt.passwordHash}\n`,
    );
    expect((await next("yes.csv", ...vouched)).slice(-2)).toEqual([
      "Nothing stands in the way. To begin, as a rehearsal unless you add --core URL:",
      `  auth-migrate import yes.csv ${vouched.join(" ")}`,
    ]);
  });
});
