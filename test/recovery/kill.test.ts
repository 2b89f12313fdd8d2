import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Core, openEmbeddedCore } from "../../src/index.js";
import { startCoreServer } from "../../src/core/http/server.js";
import type { ImportSummary } from "../../src/events/summary.js";
import { BIN } from "../support/cli.js";
import { createOracle, type Oracle, runClean } from "../support/oracle.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { writeCrowd } from "./crowd.js";
import { repeated } from "../support/repeated.js";

const USERS = repeated({ variable: "AUTH_MIGRATE_KILL_USERS", few: 1000, full: 5000 });
/** One half of them embedded, one half remote. */
const KILLS = repeated({ variable: "AUTH_MIGRATE_KILLS", few: 2, full: 10 }) / 2;
/** Fewer where ids are kept, which the same kills find in flight as well; so many that one comes before the end. */
const WITH_IDS = { users: Math.max(1000, USERS / 4), kills: Math.ceil(KILLS / 3) };
/** Real processes, one after the other, on a machine that may be busy. */
const TIMEOUT_MS = 300_000 + KILLS * 60_000;
/** Of a run that is killed: far beyond the 128 in flight, so that some are answered and noted. */
const LEAST_CALLS = 500;
/** How far an embedded run goes on where its kill is late. */
const CALLS_BEHIND = 100;
const LOGGED_IMPORT = fileURLToPath(new URL("./import-with-call-log.mjs", import.meta.url));
const API_KEY = "kill-test-key-kill-test-key";

const path = temporaryPaths();

interface Variant {
  readonly users: number;
  readonly kills: number;
  /** Which runs keep ids; the last one does where any does. */
  readonly keepsIds: (run: number) => boolean;
  /** The users have names, which an embedded core takes with all else in one call; false by default. */
  readonly withNames?: boolean;
  /** Calls before a kill, at least; as many as others have by default. */
  readonly leastCalls?: number;
}

/** The first kinds of runs of those that are named, embedded and remote. */
const TRIED = repeated({ variable: "AUTH_MIGRATE_KILL_VARIANTS", few: 1, full: 3 });
const VARIANTS: readonly (readonly [string, Variant])[] = [
  ["", { users: USERS, kills: Math.ceil(KILLS), keepsIds: () => false }],
  [", and keeps its ids", { ...WITH_IDS, keepsIds: () => true }],
  [
    ", and keeps its ids although that was asked for later",
    { ...WITH_IDS, keepsIds: (run) => run === WITH_IDS.kills },
  ],
];

const WHOLE: readonly [string, Variant] = [
  " where accounts go whole, some in one message",
  {
    users: Math.max(3000, USERS),
    kills: Math.ceil(KILLS),
    keepsIds: () => false,
    withNames: true,
    // The outcomes of a batch of rows are durable with the intents of the next one.
    leastCalls: 1000,
  },
];

/** Starts a run that is to be killed after so many calls; answers its summary, or null. */
type Start = (run: number, killAfter: number) => Promise<ImportSummary | null>;

/** Runs again and again, each time killed somewhere, so that all together leave some for the last. */
async function runKilled(variant: Variant, oracle: Oracle, start: Start) {
  const { users, kills, leastCalls = LEAST_CALLS } = variant;
  let killed = 0;
  for (let run = 0; run < kills; run += 1) {
    const share = (users - oracle.durable()) / (kills - run + 1);
    const summary = await start(run, Math.max(leastCalls, share * (0.2 + Math.random())));
    oracle.runEnded();
    // One that was through before the kill came is no harm, but no test of a kill either.
    if (summary !== null) break;
    killed += 1;
  }
  expect(killed).toBeGreaterThan(kills / 2);
  expect(oracle.durable()).toBeGreaterThan(0);
  const summary = await start(kills, Number.POSITIVE_INFINITY);
  oracle.runEnded();
  if (summary === null) throw new Error("the last run ended without a summary");
  return summary;
}

/** Reads what a run tells to its end. */
async function linesOf(child: ChildProcess, onLine: (line: string) => void): Promise<void> {
  if (child.stdout === null) throw new Error("its output isn't piped");
  for await (const line of createInterface(child.stdout)) onLine(line);
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

async function prepare({ users, kills, keepsIds, withNames }: Variant) {
  const [csv, data, checkpoint] = [path("readers.csv"), path("core.db"), path("checkpoint")];
  writeCrowd(csv, users, { withNames });
  const clean = await runClean([csv], { policy: { keepIds: keepsIds(kills) } });
  return { csv, data, checkpoint, oracle: createOracle(clean, data, checkpoint) };
}

describe("kill -9 in the middle of an import", () => {
  it.each([WHOLE, ...VARIANTS.slice(0, TRIED)])(
    "embedded: the same command again finishes every user exactly once and sends no finished user again%s",
    async (_what, variant) => {
      const { csv, data, checkpoint, oracle } = await prepare(variant);
      const log = path("calls.log");
      writeFileSync(log, "");
      const start: Start = async (run, killAfter) => {
        const flags = variant.keepsIds(run) ? ["keep-ids"] : [];
        const child = spawn(
          process.execPath,
          [LOGGED_IMPORT, csv, data, checkpoint, log, String(killAfter + CALLS_BEHIND), ...flags],
          { stdio: ["ignore", "pipe", "inherit"] },
        );
        let summary: ImportSummary | null = null;
        await linesOf(child, (line) => {
          if (line.startsWith("{")) summary = JSON.parse(line);
          else if (Number(line) >= killAfter) child.kill("SIGKILL");
        });
        const calls = readFileSync(log, "utf8").split("\n").slice(0, -1);
        for (const subject of calls.slice(oracle.calls.length)) oracle.note(subject);
        return summary;
      };
      oracle.expectRecovered(await runKilled(variant, oracle, start));
    },
    TIMEOUT_MS,
  );

  it.each(VARIANTS.slice(0, Math.min(TRIED, 2)))(
    "remote: the same command again finishes every user exactly once and sends no finished user again%s",
    async (_what, variant) => {
      const { csv, data, checkpoint, oracle } = await prepare(variant);
      const embedded = openEmbeddedCore({ file: data });
      let onCall = (): void => {};
      const told = <R, A>(call: (request: R) => Promise<A>) => {
        return (request: R): Promise<A> => {
          onCall();
          return call(request);
        };
      };
      const { importUser, createCode, mapUserId } = embedded;
      const core: Core = {
        ...embedded,
        importUser: told(importUser),
        createCode: told(createCode),
        mapUserId: told(mapUserId),
      };
      const server = await startCoreServer(oracle.watch(core), {
        host: "127.0.0.1",
        port: 0,
        apiKeys: [API_KEY],
      });
      // The calls of each user are what kills are counted by.
      const flags = ["--json", "--quiet", "--bulk", "never"];
      const parameters = ["import", csv, ...flags, "--checkpoint", checkpoint];
      const start: Start = async (run, killAfter) => {
        const ids = variant.keepsIds(run) ? ["--keep-ids"] : [];
        const args = [...parameters, "--core", server.url, ...ids];
        const child = spawn(process.execPath, [BIN, ...args], {
          stdio: ["ignore", "pipe", "inherit"],
          env: { PATH: process.env.PATH, AUTH_MIGRATE_API_KEY: API_KEY },
        });
        const killAt = oracle.calls.length + killAfter;
        onCall = () => {
          if (oracle.calls.length >= killAt) child.kill("SIGKILL");
        };
        let summary: ImportSummary | null = null;
        await linesOf(child, (line) => {
          const event = JSON.parse(line);
          if (event.type === "summary") summary = event;
        });
        return summary;
      };
      const summary = await runKilled(variant, oracle, start);
      await server.close();
      await embedded.close();
      oracle.expectRecovered(summary);
    },
    TIMEOUT_MS,
  );
});
