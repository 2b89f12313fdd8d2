import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { startCoreServer } from "../../src/core/http/server.js";
import type { ImportSummary } from "../../src/events/summary.js";
import { summaryOf } from "../cli/support.js";
import { csvOf, type Row } from "../run/support/run.js";
import { type CliResult, type RunningCli, runCli, startCli } from "../support/cli.js";
import { type Fault, startFaultProxy } from "../support/fault-proxy.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { createOracle, runClean, usersIn } from "../support/oracle.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { FAULTS, pass } from "./faults.js";
import { inFull } from "../support/repeated.js";

/** The table in docs/recovery.md was measured with 10 000, as those of other tools. */
const GIVEN = process.env.AUTH_MIGRATE_TABLE_USERS;
const TIMEOUT_MS = 600_000 + Number(GIVEN ?? 0) * 500;
const API_KEY = "other-tools-key-0001";
const IN_FLIGHT = 64;
const { passwordHash: HASH } = KNOWN_HASHES.bcrypt;
const OTHER_HASH = HASH.replace("$04$", "$05$");
const path = temporaryPaths();

/** So many, or as many as are asked for. */
function members(few: number): Row[] {
  return Array.from({ length: Number(GIVEN ?? few) }, (_, index) => ({
    id: `m-${index}`,
    email: `member.${index}@example.com`,
    hash: HASH,
  }));
}

/** Runs the command line against a core behind a proxy, with its standard options. */
async function setUp(rows: readonly Row[]) {
  const [csv, data, checkpoint] = [path("members.csv"), path("core.db"), path("checkpoint")];
  writeFileSync(csv, csvOf(rows));
  const clean = await runClean([csv]);
  const oracle = createOracle(clean, data, checkpoint);
  const core = openEmbeddedCore({ file: data });
  const server = await startCoreServer(oracle.watch(core), {
    ...{ host: "127.0.0.1", port: 0, apiKeys: [API_KEY] },
  });
  onTestFinished(async () => {
    await server.close();
    await core.close();
  });
  const options = { cwd: dirname(csv), env: { AUTH_MIGRATE_API_KEY: API_KEY } };
  let choose = (_number: number): Fault => pass;
  let onRequest = (_imports: number): void => {};
  const proxy = await startFaultProxy(server.url, ({ path: at }, number) => {
    if (at.endsWith("/import")) onRequest(oracle.calls.length);
    return choose(number);
  });
  const args = ["import", csv, "--core", proxy.url, "--checkpoint", checkpoint, "--json"];
  return {
    data,
    /** Requests whose number is a multiple go wrong. */
    everyNth(every: number, fault: Fault) {
      choose = (number) => (number % every === 0 ? fault : pass);
    },
    /** Told before each import how many have reached the core. */
    onImport(tell: (imports: number) => void) {
      onRequest = tell;
    },
    start: (): RunningCli => startCli(args, options),
    run: (): Promise<CliResult> => runCli(args, options),
    runEnded: () => oracle.runEnded(),
    /** Users whom the core was sent more than once. */
    sentTwice: () => oracle.calls.length - new Set(oracle.calls).size,
    expectRecovered(stdout: string) {
      oracle.runEnded();
      const summary: ImportSummary = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
      oracle.expectRecovered(summary);
    },
  };
}

/** Shows what docs/recovery.md has a row of. */
function report(what: string, facts: object): void {
  if (GIVEN !== undefined) process.stderr.write(`${what}: ${JSON.stringify(facts)}\n`);
}

describe("what other tools stumble over", () => {
  it.runIf(inFull || GIVEN !== undefined)(
    "kill -9 at half, and the way back: nobody is lost or brought twice, at most those in flight are sent again, exit 0",
    async () => {
      const rows = members(200);
      const migration = await setUp(rows);
      const first = migration.start();
      migration.onImport((imports) => {
        if (imports >= rows.length / 2) first.kill("SIGKILL");
      });
      expect((await first.ended).code).toBeNull();
      migration.runEnded();
      migration.onImport(() => {});
      const { code, stdout } = await migration.run();
      expect(code).toBe(0);
      migration.expectRecovered(stdout);
      report("kill", { code, sentTwice: migration.sentTwice() });
      expect(migration.sentTwice()).toBeLessThanOrEqual(IN_FLIGHT);
    },
    TIMEOUT_MS,
  );

  it.each([
    ["429 with Retry-After: 1", 10, 12, FAULTS["429 with seconds in Retry-After"]],
    ["500", 100, 200, FAULTS["500 before the work"]],
  ] as const)(
    "%s at each %dth call: one run, nobody is lost or sent twice, exit 0",
    async (what, every, few, fault) => {
      const rows = members(few);
      const migration = await setUp(rows);
      migration.everyNth(every, fault);
      const { code, stdout } = await migration.run();
      expect(code).toBe(0);
      const { imported, failed, retries, pauses, pausedMs, elapsedMs } = summaryOf(stdout);
      report(what, { code, imported, failed, retries, pauses, pausedMs, elapsedMs });
      expect({ imported, failed }).toEqual({ imported: rows.length, failed: 0 });
      expect(retries).toBeGreaterThan(0);
      migration.expectRecovered(stdout);
      expect(migration.sentTwice()).toBe(0);
    },
    TIMEOUT_MS,
  );

  it("an email in two cases: the first row is imported, the second one rejected and told, exit 65", async () => {
    const migration = await setUp([
      { id: "1", email: "Ada@Example.com", hash: HASH },
      { id: "2", email: "ada@example.com", hash: OTHER_HASH },
    ]);
    const { code, stdout } = await migration.run();
    expect(code).toBe(65);
    expect(summaryOf(stdout)).toMatchObject({ imported: 1, rejects: { duplicate_contact: 1 } });
    migration.expectRecovered(stdout);
    const [user = "", ...others] = usersIn(migration.data);
    expect(user).toContain(HASH);
    expect(others).toEqual([]);
  });
});
