import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type CliResult, runCli, serveHere } from "../../support/cli.js";
import { ROOT } from "../../laws/source-files.js";
import { startHttp } from "../../support/canned-server.js";
import { gatedImport } from "../gate.js";
import { ADA, OWN } from "../setup/support/projects.js";
import {
  HASH_CONFIG,
  IMPORT_SMALL,
  type JsonLine,
  jsonLines,
  PASSWORDS,
  PROBLEMS,
  SOME_PASSWORDS,
  USERS,
  workFolders,
  writeInto,
  writeSmallExport,
} from "../support.js";
import { compile, readSchemas, strict } from "./schemas.js";

const newFolder = workFolders();
const SCHEMAS = readSchemas();
const LINES = Object.entries(SCHEMAS).filter(([name]) => name !== "line.json");
const CHECKS = LINES.map(([name, schema]) => ({ name, check: compile(schema) }));
const KEY = { AUTH_MIGRATE_API_KEY: "a-key-of-this-test-0001" };
const JSON_FLAG = "--json";
/** One of the demo's test users. */
const USER = /^\S+@[^,]+/m.exec(readFileSync(PASSWORDS, "utf8"))?.[0] ?? "";

/** What commands print, by what was done. */
const VAULT_KEY = Buffer.alloc(32, 7).toString("base64");
const VAULT = ["--vault", "users.vault"];
const PARTS = ["--manifest", "parts/manifest.json"];

type Scenarios = Readonly<Record<string, string>>;

/** Runs that need no core but their own. */
async function alone(): Promise<Scenarios> {
  const cwd = newFolder();
  const out = async (args: readonly string[], more: { stdin?: string } = {}): Promise<string> =>
    (await runCli([...args, JSON_FLAG], { cwd, ...more })).stdout;
  const hashes =
    "$2a$10$not.a.whole.hash\n\n!\n$2y$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy\n";
  const problems = ["import", USERS, PROBLEMS, "--hash-config", HASH_CONFIG];
  return {
    "a dry run with rejects": await out(["validate", PROBLEMS, "--fields"]),
    "an import with rejects": await out([...problems, "--rejects-out", "rejects.csv"]),
    "the same import again": await out(problems),
    "a pilot of a pilot": await out([...problems, "--checkpoint", "pilot", "--limit", "3"]),
    "a file that isn't there": await out(["import", "nowhere.csv"]),
    "a wrong command line": await out(["import", USERS, "--unknown"]),
    "a doctor's report": await out(["doctor"]),
    "a status": await out(["status"]),
    "a status of nothing": await out(["status", "--checkpoint", "nothing"]),
    "a reconciliation": await out(["reconcile", USERS]),
    "a report": await out(["report"]),
    "a report with ids": await out(["report", "--with-ids"]),
    "a report in a file": await out(["report", "--output", "report.html", "--format", "html"]),
    "an id map": await out(["report", "--id-map"]),
    "an undo that removes nothing": await out(["undo", "--dry-run"]),
    "an undo": await out(["undo", "--yes", "--assume-never-signed-in", "--checkpoint", "pilot"]),
    "a cut-over": await out(["cutover", "--checkpoint", "auth-migrate.checkpoint"]),
    "a status behind it": await out(["status"]),
    "a cut-over undone": await out(["cutover", "--revoke"]),
    "a purge": await out(["checkpoint", "purge", "--yes", "--checkpoint", "pilot"]),
    "an import with a vault": await out([
      ...["import", USERS, "--data", "kept.db", "--checkpoint", "kept", ...VAULT],
      ...[
        "--vault-key-file",
        writeInto(cwd, "vault.key", VAULT_KEY),
        "--on-unusable-hash",
        "bridge",
      ],
    ]),
    "a vault's new key": await out(["bridge", "--new-key", "new.key"]),
    "a vault's status": await out(["bridge", "--status", ...VAULT]),
    "a vault's purge": await out(["bridge", "purge", "--yes", ...VAULT]),
    "a mapping that is checked": await out([
      ...["check-source", join(ROOT, "mappings/akamai.yaml")],
      join(ROOT, "fixtures/sources/akamai/records.json"),
    ]),
    "a query": await out(["check-source", "--print-query", "--from", "authjs"]),
    "a split": await out(["split", USERS, "--shards", "2", "--out-dir", "parts"]),
    "a shard": await out(["import", "parts/part-1", "--data", "shards.db"]),
    "a report over shards": await out(["report", ...PARTS]),
    "a reconciliation over shards": await out([...["reconcile", ...PARTS, "--data", "shards.db"]]),
    "some hashes": await out(["hash"], { stdin: hashes }),
    "a setup": await out([
      ...["setup", OWN.users, "--hash-config", OWN.hashConfig, "--data", "own.db", "--no-input"],
      ...["--prove", writeInto(cwd, "ada.csv", `${ADA.email},"${ADA.password}"\n`)],
    ]),
  };
}

async function proofs(): Promise<Scenarios> {
  const prove = ["prove", USERS, "--hash-config", HASH_CONFIG, "--passwords"];
  const cwd = newFolder();
  const some = writeInto(cwd, "some.csv", SOME_PASSWORDS);
  const wrong = writeInto(cwd, "wrong.csv", `${USER},"not the password"\n`);
  const out = async (args: readonly string[]): Promise<string> =>
    (await runCli([...args, JSON_FLAG], { cwd })).stdout;
  return {
    "a proof": await out([...prove, some]),
    "a proof at a core": await out([...prove, some, "--data", "proof.db"]),
    "a failed proof": await out([...prove, wrong]),
  };
}

/** A core that is overloaded first, for longer than a second, and then broken. */
async function patience(): Promise<Scenarios> {
  let calls = 0;
  const site = await startHttp((request, response, body) => {
    const isCall = request.method !== "GET" && body !== "{}";
    if (isCall) calls += 1;
    const status = request.method === "GET" ? 200 : !isCall ? 400 : calls <= 8 ? 429 : 500;
    const wait: Record<string, string> = status === 429 ? { "retry-after": "2" } : {};
    response.writeHead(status, { "content-type": "application/json", ...wait });
    const found = { status: "OK", users: [] };
    response.end(JSON.stringify(status === 200 ? found : { message: "no" }));
  });
  const out = async (verb: string): Promise<string> => {
    const args = [verb, PROBLEMS, "--core", site.url, JSON_FLAG];
    return (await runCli(args, { cwd: newFolder(), env: KEY, isHurried: true })).stdout;
  };
  const scenarios = {
    "a core that fails": await out("import"),
    "a core that is asked": await out("validate"),
  };
  await site.close();
  return scenarios;
}

/** An import into a core that takes whole accounts in bulk. */
async function bulk(): Promise<Scenarios> {
  const cwd = newFolder();
  const core = await serveHere({ cwd: newFolder(), args: ["--hash-config", HASH_CONFIG] });
  writeSmallExport(cwd);
  const args = [...IMPORT_SMALL, "--bulk", "always", "--core", core.url, JSON_FLAG];
  const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
  const { stdout } = await runCli(args, { cwd, env });
  await core.stop();
  return { "an import in bulk": stdout };
}

/** An import stopped by a signal; then a core that has none of its users. */
async function interruption(): Promise<Scenarios> {
  const { cwd, gate, start, close } = await gatedImport(newFolder, { letThrough: 90 });
  const run = start("--concurrency", "8", JSON_FLAG);
  await gate.holding;
  run.kill("SIGTERM");
  await run.says("Stopping");
  gate.open();
  const stopped: CliResult = await run.ended;
  await close();

  const other = await serveHere({ cwd: newFolder() });
  const env = { AUTH_MIGRATE_API_KEY: other.apiKey };
  const asked = await runCli(["reconcile", "--core", other.url, "--target-moved", JSON_FLAG], {
    cwd,
    env,
  });
  const served = await other.stop();
  return {
    "an interrupted import": stopped.stdout,
    "a reconciliation that differs": asked.stdout,
    "a served core": served.stdout,
  };
}

describe("what commands print under --json", () => {
  const told: (JsonLine & { readonly scenario: string })[] = [];
  let judged: readonly (readonly string[])[] | null = null;
  /** The schemas that describe each line. */
  function takers(): readonly (readonly string[])[] {
    judged ??= told.map((line) =>
      CHECKS.filter(({ check }) => check(line)).map(({ name }) => name),
    );
    return judged;
  }
  beforeAll(async () => {
    const scenarios = Object.assign(
      {},
      ...(await Promise.all([alone(), proofs(), patience(), bulk(), interruption()])),
    ) as Scenarios;
    for (const [scenario, stdout] of Object.entries(scenarios)) {
      const lines = jsonLines(stdout);
      expect(lines.length, scenario).toBeGreaterThan(0);
      told.push(...lines.map((line) => ({ ...line, scenario })));
    }
  });

  it("is as the schema of any line says, with no field beside", () => {
    const published = compile(SCHEMAS["line.json"] ?? {});
    const exact = compile(strict(SCHEMAS["line.json"] ?? {}));
    for (const { scenario, ...line } of told) {
      for (const check of [published, exact]) {
        const what = `${scenario}: ${JSON.stringify(line)}`;
        expect(check(line), `${what}\n${JSON.stringify(check.errors)}`).toBe(true);
      }
    }
  });

  it.each(LINES.map(([name]) => name))("has a line that %s describes, and no other", (name) => {
    const own = takers().filter((names) => names.includes(name));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((names) => names.length > 1)).toEqual([]);
  });

  it("ends as the shell is told", () => {
    const endings = Object.fromEntries(told.map(({ scenario, exitCode }) => [scenario, exitCode]));
    expect(endings).toMatchObject({
      "an import with rejects": 65,
      "a pilot of a pilot": 0,
      "an interrupted import": 143,
      "a core that fails": 75,
      "a file that isn't there": 66,
      "a wrong command line": 2,
      "a reconciliation that differs": 65,
      "a proof at a core": 0,
      "a failed proof": 78,
    });
    const interrupted = told.filter((line) => line.interrupted === true);
    expect(interrupted.map(({ scenario }) => scenario)).toEqual(["an interrupted import"]);
  });
});
