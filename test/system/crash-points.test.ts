import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openTarget } from "../../src/cli/core-target.js";
import { loadKeys } from "../../src/cli/secrets.js";
import { processIo } from "../../src/cli/io.js";
import { createTerminal } from "../../src/cli/terminal.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { startCoreServer } from "../../src/core/http/server.js";
import type { ImportSummary } from "../../src/events/summary.js";
import { importUsers } from "../../src/run/import-users.js";
import { openInputs } from "../../src/source/inputs.js";
import type { BulkMode } from "../../src/run/bulk/mode.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { HASH_CONFIG, jsonLines, PROBLEMS, USERS, workFolders, writeInto } from "../cli/support.js";
import { fastFolder } from "../support/memory-folder.js";
import { type CleanRun, createOracle, type Oracle, runClean } from "../support/oracle.js";
import { type Injection, PERSISTENCE_CALLS, runTraced, type Traced } from "./support/strace.js";

/** Two thousand runs of real processes, as many at once as CI has cores. */
const TIMEOUT_MS = 900_000;
const AT_ONCE = 2;
/** Every so-and-so-many call; 1 is each of them. */
const STEP = Number(process.env.AUTH_MIGRATE_CRASH_STEP ?? 1);
const API_KEY = "crash-point-key-0001";

/** A sync of the disk takes ten milliseconds, and a run has eighty. */
const workFolder = workFolders(fastFolder());
const terminal = createTerminal(
  { json: true, quiet: true, verbose: false, input: false },
  processIo(),
);

/** Twelve of the demo's users, all kinds among them, one who is disabled, and nine with problems. */
function writeExport(folder: string): string {
  const [header = "", ...rows] = readFileSync(USERS, "utf8").trim().split("\n");
  const some = rows.filter((_row, index) => index % 20 === 0 || index === rows.length - 1);
  const bad = readFileSync(PROBLEMS, "utf8").split("\n").slice(1, 10);
  return join(folder, writeInto(folder, "users.csv", `${[header, ...some, ...bad].join("\n")}\n`));
}

let csv: string;
let clean: CleanRun;
beforeAll(async () => {
  csv = writeExport(workFolder());
  const { hashConfig } = await loadKeys({ hashConfig: HASH_CONFIG }, terminal);
  clean = await runClean([csv], { policy: DEFAULT_POLICY, hashConfig });
});

/** What of a summary differs from run to run. */
const VARYING = {
  core: expect.anything(),
  checkpoint: expect.anything(),
  elapsedMs: expect.anything(),
  // An embedded core was seen to be empty; whoever may be at a remote one is looked up.
  calls: expect.anything(),
};

/** One import: a folder of its own, with a data file and a checkpoint that nobody has touched. */
interface Attempt {
  readonly oracle: Oracle;
  /** The first run, which is disturbed. */
  run(injection: Injection): Promise<Traced>;
  /** What the core takes along of an account. */
  readonly carried: ImportSummary["carried"];
  /** Those that are whole alone once a run has ended well. */
  readonly folded: readonly string[];
  /** The run after it. */
  resume(): Promise<ImportSummary>;
  /** Leaves nothing open or behind. */
  close(): Promise<void>;
}

const COMMAND = ["--json", "--quiet", "--hash-config", HASH_CONFIG, "--concurrency", "4"] as const;

/** The files of an embedded import. */
interface Files {
  readonly data: string;
  readonly checkpoint: string;
}

/**
 * Both files are the disturbed process's own, each written by a thread of its own. strace counts the
 * calls of each thread by themselves, so one file's are disturbed at a time: of the calls of both,
 * only the thread that is ahead would ever be killed at its nth.
 */
function embedded(disturbed: (files: Files) => readonly string[]): () => Promise<Attempt> {
  return () => openEmbedded(disturbed);
}

async function openEmbedded(disturbed: (files: Files) => readonly string[]): Promise<Attempt> {
  const folder = workFolder();
  const [data, checkpoint] = [join(folder, "core.db"), join(folder, "checkpoint")];
  const files = filesOf(...disturbed({ data, checkpoint }));
  const traced = { files, trace: join(folder, "trace") };
  const args = ["import", csv, ...COMMAND, "--data", data, "--checkpoint", checkpoint];
  const oracle = createOracle(clean, data, checkpoint);
  return {
    oracle,
    carried: clean.summary.carried,
    folded: [data, checkpoint],
    run: (injection) => runTraced(args, traced, injection),
    async resume() {
      const summary = await resumeHere({ data, checkpoint }, oracle);
      oracle.runEnded();
      return summary;
    },
    close: async () => rmSync(folder, { recursive: true }),
  };
}

/** The checkpoint alone is the disturbed process's own. */
function remote(bulk: BulkMode): () => Promise<Attempt> {
  return () => openRemote(bulk);
}

async function openRemote(bulk: BulkMode): Promise<Attempt> {
  const folder = workFolder();
  const [data, checkpoint] = [join(folder, "core.db"), join(folder, "checkpoint")];
  const oracle = createOracle(clean, data, checkpoint);
  const keys = await loadKeys({ hashConfig: HASH_CONFIG }, terminal);
  const core = openEmbeddedCore({ file: data, signerKey: keys.signerKey });
  const server = await startCoreServer(oracle.watch(core), {
    ...{ host: "127.0.0.1", port: 0, apiKeys: [API_KEY], queueIntervalMs: 20 },
  });
  const traced = { files: filesOf(checkpoint), trace: join(folder, "trace") };
  const where = ["--core", server.url, "--checkpoint", checkpoint, "--bulk", bulk];
  const args = ["import", csv, ...COMMAND, ...where];
  return {
    oracle,
    // No call of a user's own sets when they joined.
    carried: clean.summary.carried.filter((part) => bulk === "always" || part !== "joined"),
    folded: [checkpoint],
    run: (injection) => runTraced(args, traced, injection, { AUTH_MIGRATE_API_KEY: API_KEY }),
    async resume() {
      process.env.AUTH_MIGRATE_API_KEY = API_KEY;
      const summary = await resumeHere({ core: server.url, checkpoint }, null, bulk);
      oracle.runEnded();
      await server.close();
      await core.close();
      return summary;
    },
    close: async () => rmSync(folder, { recursive: true }),
  };
}

function filesOf(...files: readonly string[]): string[] {
  return files.flatMap((file) =>
    ["", "-wal", "-shm", "-journal", ".lock"].map((end) => file + end),
  );
}

/** The same command again, without the time that a process takes to start. */
async function resumeHere(
  where: { readonly data?: string; readonly core?: string; readonly checkpoint: string },
  oracle: Oracle | null,
  bulk: BulkMode = "auto",
): Promise<ImportSummary> {
  const values = { ...where, allowInsecure: false };
  const keys = await loadKeys({ ...where, hashConfig: HASH_CONFIG }, terminal);
  const target = await openTarget(values, keys, terminal);
  try {
    return await importUsers({
      ...target,
      inputs: await openInputs([csv]),
      core: oracle === null ? target.core : oracle.watch(target.core),
      checkpoint: where.checkpoint,
      targetMoved: false,
      policy: DEFAULT_POLICY,
      hashConfig: keys.hashConfig,
      namespace: "",
      bulk,
    });
  } finally {
    await target.core.close();
  }
}

/**
 * Disturbs the 1st, 2nd, … call until a run doesn't come so far.
 *
 * @param judge told how each disturbed run ended
 * @returns how many calls there were
 */
async function disturbEach(
  open: () => Promise<Attempt>,
  injection: Omit<Injection, "number">,
  judge: (traced: Traced, attempt: Attempt) => void,
): Promise<number> {
  let next = 1;
  let calls = 0;
  let through = false;
  const work = async (): Promise<void> => {
    while (!through) {
      const number = next;
      next += STEP;
      const attempt = await open();
      const traced = await attempt.run({ ...injection, number });
      const where = `${injection.what} at ${injection.call} ${number}`;
      try {
        if (traced.injected) judge(traced, attempt);
        else {
          expect(traced.code, traced.stderr).toBe(65);
          through = true;
        }
        attempt.oracle.runEnded();
        attempt.oracle.expectRecovered(await attempt.resume());
      } catch (error) {
        throw new Error(
          `${where}: ${error instanceof Error ? error.message : error}\n${traced.stderr}${traced.stdout}`,
          { cause: error },
        );
      }
      await attempt.close();
      if (traced.injected) calls += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return calls;
}

/** Told as the disk's failure, with what to do and its exit code; or no failure that left a trace. */
function expectToldOrHarmless(
  { code, stdout, stderr }: Traced,
  { carried, folded }: Attempt,
): void {
  const last = jsonLines(stdout).at(-1);
  if (last?.type === "summary") {
    expect(code).toBe(65);
    expect(last).toMatchObject({ ...clean.summary, carried, ...VARYING });
    for (const wal of folded.map((file) => `${file}-wal`)) {
      expect(existsSync(wal) ? statSync(wal).size : 0).toBe(0);
    }
    return;
  }
  expect(last).toMatchObject({ type: "error", code: "disk", exitCode: 74 });
  expect(code).toBe(74);
  expect(stderr).toContain(String(last?.hint));
}

const EMBEDDED = [
  ["the data file", embedded(({ data }) => [data])],
  ["the checkpoint", embedded(({ checkpoint }) => [checkpoint])],
] as const;
const REMOTE = ["the checkpoint of an import into a remote core", remote("auto")] as const;
const QUEUED = ["the checkpoint of an import by the core's queue", remote("always")] as const;
/** A disk that is full is so for both files. */
const ONE_DISK = [
  "checkpoint and data file",
  embedded(({ data, checkpoint }) => [data, checkpoint]),
] as const;

describe.each([...EMBEDDED, REMOTE])("every call on %s", (_what, open) => {
  it.each(PERSISTENCE_CALLS)(
    "%s: killed there, the same command again finishes everybody once",
    async (call) => {
      const calls = await disturbEach(open, { call, what: "KILL" }, () => {});
      if (call === "pwrite64") expect(calls * STEP).toBeGreaterThan(50);
    },
    TIMEOUT_MS,
  );

  it.each(PERSISTENCE_CALLS)(
    "%s: an I/O error there ends with 74 or does no harm, and the same command again finishes everybody once",
    async (call) => {
      await disturbEach(open, { call, what: "EIO" }, expectToldOrHarmless);
    },
    TIMEOUT_MS,
  );
});

describe.each([...EMBEDDED, ONE_DISK, REMOTE])("every call on %s", (_what, open) => {
  it.each(["openat", "pwrite64", "ftruncate"] as const)(
    "%s: a disk that is full from there on ends with 74 or does no harm, and the same command again finishes everybody once",
    async (call) => {
      await disturbEach(open, { call, what: "ENOSPC", andAllAfter: true }, expectToldOrHarmless);
    },
    TIMEOUT_MS,
  );
});

describe.each([QUEUED])("every call on %s", (_what, open) => {
  it.each(["pwrite64", "fsync"] as const)(
    "%s: killed there, the same command again finishes each user once",
    async (call) => {
      const calls = await disturbEach(open, { call, what: "KILL" }, () => {});
      expect(calls).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});
