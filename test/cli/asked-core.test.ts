import { readdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { runCli } from "../support/cli.js";
import { type SuperTokensStub, startSuperTokensStub } from "../support/supertokens-stub.js";
import { SIGNER_KEY } from "../support/known-hashes.js";
import { HASH_CONFIG, jsonLines, summaryOf, USERS, workFolders, writeInto } from "./support.js";

const KEY = "a-core-that-is-asked-0001";
const ENV = { AUTH_MIGRATE_API_KEY: KEY };
const DEMO = [USERS, "--hash-config", HASH_CONFIG];
const workFolder = workFolders();
const opened: SuperTokensStub[] = [];
afterAll(() => Promise.all(opened.map((stub) => stub.close())));

async function superTokens(): Promise<SuperTokensStub> {
  const stub = await startSuperTokensStub({ apiKey: KEY, signerKey: SIGNER_KEY });
  opened.push(stub);
  return stub;
}

/** Methods at a core since `from`, each once. */
function methods({ calls }: SuperTokensStub, from = 0): string[] {
  return [...new Set(calls.slice(from).map(({ method }) => method))];
}

describe.concurrent("validate --core", () => {
  it("reads alone, leaves nothing behind, and says what the import then does", async () => {
    const stub = await superTokens();
    const cwd = workFolder();
    const dry = await runCli(["validate", ...DEMO, "--core", stub.url, "--json"], {
      cwd,
      env: ENV,
    });
    expect(dry.code, dry.stderr).toBe(0);
    expect(methods(stub)).toEqual(["GET"]);
    expect(stub.users).toEqual([]);
    expect(readdirSync(cwd)).toEqual([]);
    const { prediction, plannedCalls, core, read } = summaryOf(dry.stdout);
    expect(core).toEqual({ kind: "remote", url: stub.url, dialect: "supertokens" });
    expect(prediction).toMatchObject({ lookedUp: 240, unasked: 0, stops: {} });
    const lines = jsonLines(dry.stdout).filter(({ type }) => type === "prediction");
    expect(lines).toHaveLength(Number(read));
    expect(lines).toContainEqual({
      type: "prediction",
      v: 1,
      row: { file: USERS, number: 1, line: 2 },
      outcome: "imported",
      code: null,
    });
    const real = summaryOf(
      (await runCli(["import", ...DEMO, "--core", stub.url, "--json"], { cwd, env: ENV })).stdout,
    );
    expect(real).toMatchObject({ ...Object(prediction).outcomes, calls: plannedCalls });
    // The checkpoint that the import left is read as the import would.
    const again = await runCli(["validate", ...DEMO, "--core", stub.url, "--json"], {
      cwd,
      env: ENV,
    });
    expect(summaryOf(again.stdout).prediction).toMatchObject({
      outcomes: { unchanged: 240, skipped: 5, imported: 0, created: 0 },
    });
  });
});

describe.concurrent("a dry run that names its core elsewhere than on the command line", () => {
  it.each([
    ["by a variable", ["validate"], true],
    ["by the configuration file", ["validate"], false],
    ["by a variable, as import --dry-run", ["import", "--dry-run"], true],
  ])("asks none, and says so: %s", async (_title, [verb = "", ...flags], isVariable) => {
    const stub = await superTokens();
    const cwd = workFolder();
    const env = isVariable ? { ...ENV, AUTH_MIGRATE_CORE: stub.url } : ENV;
    if (!isVariable) writeInto(cwd, "auth-migrate.config.json", JSON.stringify({ core: stub.url }));
    const { code, stdout, stderr } = await runCli([verb, ...DEMO, ...flags], { cwd, env });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("no core asked, nothing sent");
    expect(stub.calls).toEqual([]);
  });
});
