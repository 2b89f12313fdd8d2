import { existsSync, statSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { jsonLines, workFolders } from "../cli/support.js";
import { fastFolder } from "../support/memory-folder.js";
import {
  type Attempt,
  openEmbedded,
  openRemote,
  type Scene,
  setScene,
} from "./support/disturbed-import.js";
import {
  type Injection,
  PERSISTENCE_CALLS,
  type PersistenceCall,
  runStopping,
  runTraced,
  type Traced,
} from "./support/strace.js";

/** Two thousand points, most of them in a run of a real process of their own. */
const TIMEOUT_MS = 900_000;
/** Every so-and-so-many call; 1 is each of them. */
const STEP = Number(process.env.AUTH_MIGRATE_CRASH_STEP ?? 1);

/** A sync of the disk takes ten milliseconds, and a run has eighty. */
const workFolder = workFolders(fastFolder());
let scene: Scene;
beforeAll(async () => {
  scene = await setScene(workFolder);
});

/** What of a summary differs from run to run. */
const VARYING = {
  core: expect.anything(),
  checkpoint: expect.anything(),
  elapsedMs: expect.anything(),
  // An embedded core was seen to be empty; a remote one is asked for each user.
  calls: expect.anything(),
};

type Open = () => Promise<Attempt>;

/** The oracle looks at what was left, lets the same command run again, and looks once more. */
async function expectRecovered(attempt: Attempt): Promise<void> {
  attempt.oracle.runEnded();
  attempt.oracle.expectRecovered(await attempt.resume());
  attempt.close();
}

/** Has a failure tell where it was. */
async function at<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${where}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

/**
 * Disturbs the 1st, 2nd, … call until a run doesn't come so far.
 *
 * @param judge told how each disturbed run ended
 * @returns how many calls there were
 */
async function disturbEach(
  open: Open,
  injection: Omit<Injection, "number">,
  judge: (traced: Traced, attempt: Attempt) => void,
): Promise<number> {
  for (let calls = 0; ; calls += 1) {
    const number = 1 + calls * STEP;
    const attempt = await open();
    const traced = await runTraced(attempt.command, { ...injection, number });
    const where = `${injection.what} at ${injection.call} ${number}`;
    await at(`${where}\n${traced.stderr}${traced.stdout}`, async () => {
      if (traced.injected) judge(traced, attempt);
      else expect(traced.code, traced.stderr).toBe(65);
      await expectRecovered(attempt);
    });
    if (!traced.injected) return calls;
  }
}

/**
 * One run for all kills: it is stopped behind every call, its files are copied, and it goes on. A
 * process that is killed leaves what it wrote, so each copy is what a kill before the next call
 * leaves; and a tenth of a process's start is all that it costs.
 *
 * @returns how many copies there were
 */
async function killBehindEach(open: Open, call: PersistenceCall): Promise<number> {
  const attempt = await open();
  const copies = [await attempt.copy()];
  const { code, stderr } = await runStopping(attempt.command, { call, every: STEP }, async () => {
    copies.push(await attempt.copy());
  });
  expect(code, stderr).toBe(65);
  await expectRecovered(attempt);
  for (const [index, reopen] of copies.entries()) {
    await at(`killed behind ${call} ${index * STEP}`, async () => expectRecovered(await reopen()));
  }
  return copies.length;
}

/** Told as the disk's failure, with what to do and its exit code; or no failure that left a trace. */
function expectToldOrHarmless(
  { code, stdout, stderr }: Traced,
  { carried, folded }: Attempt,
): void {
  const last = jsonLines(stdout).at(-1);
  if (last?.type === "summary") {
    expect(code).toBe(65);
    // A remote core takes fewer parts.
    const users = Object.entries(scene.clean.summary.carriedUsers as Record<string, number>);
    const carriedUsers = Object.fromEntries(users.filter(([part]) => carried.includes(part)));
    expect(last).toMatchObject({ ...scene.clean.summary, carried, carriedUsers, ...VARYING });
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
  ["the data file", async () => openEmbedded(scene, ({ data }) => [data])],
  ["the checkpoint", async () => openEmbedded(scene, ({ checkpoint }) => [checkpoint])],
] as const;
const REMOTE = [
  "the checkpoint of an import into a remote core",
  () => openRemote(scene, "auto"),
] as const;
const QUEUED = [
  "the checkpoint of an import by the core's queue",
  () => openRemote(scene, "always"),
] as const;
/** A disk that is full is so for both files. */
const ONE_DISK = [
  "checkpoint and data file",
  async () => openEmbedded(scene, ({ data, checkpoint }) => [data, checkpoint]),
] as const;

/** Of these a run makes many. */
const MANY = ["pwrite64", "fsync"] as const;
const FEW = PERSISTENCE_CALLS.filter((call) => call !== "pwrite64" && call !== "fsync");

describe.concurrent.each([...EMBEDDED, REMOTE, QUEUED])("every call on %s", (_what, open) => {
  it.each(MANY)(
    "%s: of what a kill there leaves, the same command again finishes each user once",
    async (call) => {
      const kills = await killBehindEach(open, call);
      if (call === "pwrite64") expect(kills * STEP).toBeGreaterThan(50);
    },
    TIMEOUT_MS,
  );
});

describe.concurrent.each([...EMBEDDED, REMOTE])("every call on %s", (_what, open) => {
  it.each(FEW)(
    "%s: killed there, the same command again finishes each user once",
    async (call) => void (await disturbEach(open, { call, what: "KILL" }, () => {})),
    TIMEOUT_MS,
  );

  it.each(PERSISTENCE_CALLS)(
    "%s: an I/O error there ends with 74 or does no harm, and the same command again finishes each user once",
    async (call) => void (await disturbEach(open, { call, what: "EIO" }, expectToldOrHarmless)),
    TIMEOUT_MS,
  );
});

describe.concurrent.each([...EMBEDDED, ONE_DISK, REMOTE])("every call on %s", (_what, open) => {
  it.each(["openat", "pwrite64", "ftruncate"] as const)(
    "%s: a disk that is full from there on ends with 74 or does no harm, and the same command again finishes each user once",
    async (call) => {
      await disturbEach(open, { call, what: "ENOSPC", andAllAfter: true }, expectToldOrHarmless);
    },
    TIMEOUT_MS,
  );
});
