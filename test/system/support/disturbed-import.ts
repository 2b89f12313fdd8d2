/** An import that is disturbed at its calls on files, and the same command again: what crash points have in common. */

import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openTarget } from "../../../src/cli/core-target.js";
import { processIo } from "../../../src/cli/io.js";
import { loadKeys } from "../../../src/cli/secrets.js";
import { createTerminal } from "../../../src/cli/terminal.js";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { startCoreServer } from "../../../src/core/http/server.js";
import type { ImportSummary } from "../../../src/events/summary.js";
import type { BulkMode } from "../../../src/run/bulk/mode.js";
import { importUsers } from "../../../src/run/import-users.js";
import { openInputs } from "../../../src/source/inputs.js";
import { HASH_CONFIG, PROBLEMS, USERS, writeInto } from "../../cli/support.js";
import { type CleanRun, createOracle, type Oracle, runClean } from "../../support/oracle.js";
import type { Command } from "./strace.js";

const API_KEY = "crash-point-key-0001";
const OPTIONS = ["--json", "--quiet", "--hash-config", HASH_CONFIG, "--concurrency", "4"] as const;
const terminal = createTerminal({ json: true, quiet: true, input: false }, processIo());

/** What all runs are about. */
export interface Scene {
  readonly csv: string;
  readonly clean: CleanRun;
  readonly workFolder: () => string;
}

/** A row of blanks, for the size of an export that is imported by threads: as empty lines it would be read in ten times as long as all users. */
const NO_MORE_USERS = " ".repeat(65_536);

/** Twelve of the demo's users, all kinds among them, one who is disabled, and nine with problems. */
export async function setScene(workFolder: () => string): Promise<Scene> {
  const [header = "", ...rows] = readFileSync(USERS, "utf8").trim().split("\n");
  const some = rows.filter((_row, index) => index % 20 === 0 || index === rows.length - 1);
  const bad = readFileSync(PROBLEMS, "utf8").split("\n").slice(1, 10);
  const folder = workFolder();
  const text = `${[header, ...some, ...bad].join("\n")}\n${NO_MORE_USERS}`;
  const csv = join(folder, writeInto(folder, "users.csv", text));
  const { hashConfig } = await loadKeys({ hashConfig: HASH_CONFIG }, terminal);
  return {
    csv,
    clean: await runClean([csv], { hashConfig }),
    workFolder,
  };
}

/** One import: a folder of its own, with a data file and a checkpoint. */
export interface Attempt {
  readonly oracle: Oracle;
  /** The first run, which is disturbed. */
  readonly command: Command;
  /** What the core takes along of an account. */
  readonly carried: ImportSummary["carried"];
  /** Those that are whole alone once a run has ended well. */
  readonly folded: readonly string[];
  /** A copy of all files as they are now; it is opened once this import is through. */
  copy(): Promise<() => Promise<Attempt>>;
  /** The run after it. */
  resume(): Promise<ImportSummary>;
  /** Leaves nothing behind. */
  close(): void;
}

/** The files of an embedded import. */
interface Files {
  readonly data: string;
  readonly checkpoint: string;
}

export const filesIn = (folder: string): Files => ({
  data: join(folder, "core.db"),
  checkpoint: join(folder, "checkpoint"),
});

/**
 * Both files are the disturbed process's own, each written by another thread. strace counts the
 * calls of each thread by themselves, so one file's are disturbed at a time: of the calls of both,
 * only the thread that is ahead would ever be killed at its nth.
 */
export function openEmbedded(
  scene: Scene,
  disturbed: (files: Files) => readonly string[],
  folder = scene.workFolder(),
): Attempt {
  const { csv, clean, workFolder } = scene;
  const { data, checkpoint } = filesIn(folder);
  const files = withCompanions(...disturbed({ data, checkpoint }));
  const args = ["import", csv, ...OPTIONS, "--data", data, "--checkpoint", checkpoint];
  const oracle = createOracle(clean, data, checkpoint);
  return {
    oracle,
    command: { args, files, trace: join(folder, "trace") },
    carried: clean.summary.carried,
    folded: [data, checkpoint],
    async copy() {
      const copied = workFolder();
      cpSync(folder, copied, { recursive: true });
      return async () => openEmbedded(scene, disturbed, copied);
    },
    async resume() {
      const summary = await resumeHere(csv, { data, checkpoint }, "auto", oracle);
      oracle.runEnded();
      return summary;
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** A core behind a URL: its folder, its place, and whom it was called for. */
interface Before {
  readonly folder: string;
  readonly host: string;
  /** 0 for any. */
  readonly port: number;
  readonly calls: readonly string[];
}

let hosts = 256;

/** An address of this machine that no other socket has, so that its port is free when it is opened again. */
function newHost(): string {
  hosts += 1;
  return `127.0.${hosts >> 8}.${hosts % 256}`;
}

/** The checkpoint alone is the disturbed process's own. */
export async function openRemote(
  scene: Scene,
  bulk: BulkMode,
  before: Before = { folder: scene.workFolder(), host: newHost(), port: 0, calls: [] },
): Promise<Attempt> {
  const { csv, clean, workFolder } = scene;
  const { folder, host, port, calls } = before;
  const { data, checkpoint } = filesIn(folder);
  const oracle = createOracle(clean, data, checkpoint);
  for (const subject of calls) oracle.note(subject);
  const keys = await loadKeys({ hashConfig: HASH_CONFIG }, terminal);
  const core = openEmbeddedCore({ file: data, signerKey: keys.signerKey });
  const server = await startCoreServer(oracle.watch(core), {
    ...{ host, port, apiKeys: [API_KEY], queueIntervalMs: 20 },
  });
  const where = ["--core", server.url, "--checkpoint", checkpoint, "--bulk", bulk];
  return {
    oracle,
    command: {
      args: ["import", csv, ...OPTIONS, ...where],
      files: withCompanions(checkpoint),
      trace: join(folder, "trace"),
      env: { AUTH_MIGRATE_API_KEY: API_KEY },
    },
    // No call of a user's own sets when they joined.
    carried: clean.summary.carried.filter((part) => bulk === "always" || part !== "joined"),
    folded: [checkpoint],
    async copy() {
      // What was on its way is at the core before this is answered.
      await fetch(`${server.url}/hello`);
      const copied = workFolder();
      cpSync(folder, copied, { recursive: true });
      const now = { port: Number(new URL(server.url).port), calls: [...oracle.calls] };
      return () => openRemote(scene, bulk, { ...before, ...now, folder: copied });
    },
    async resume() {
      process.env.AUTH_MIGRATE_API_KEY = API_KEY;
      const summary = await resumeHere(csv, { core: server.url, checkpoint }, bulk, null);
      oracle.runEnded();
      await server.close();
      await core.close();
      return summary;
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** A data file with those that SQLite and the lock put beside it. */
export function withCompanions(...files: readonly string[]): string[] {
  return files.flatMap((file) =>
    ["", "-wal", "-shm", "-journal", ".lock"].map((end) => file + end),
  );
}

/** The same command again, without the time that a process takes to start. */
async function resumeHere(
  csv: string,
  where: { readonly data?: string; readonly core?: string; readonly checkpoint: string },
  bulk: BulkMode,
  oracle: Oracle | null,
): Promise<ImportSummary> {
  const values = { ...where, allowInsecure: false };
  const keys = await loadKeys({ ...where, hashConfig: HASH_CONFIG }, terminal);
  const target = await openTarget(values, keys, terminal, { forFew: true });
  try {
    return await importUsers({
      ...target,
      inputs: await openInputs([csv]),
      core: oracle === null ? target.core : oracle.watch(target.core),
      checkpoint: where.checkpoint,
      hashConfig: keys.hashConfig,
      bulk,
    });
  } finally {
    await target.core.close();
  }
}
