/** What an array of imports needs around it: a cluster, one core behind a limiter, the export, and a working directory that all imports share. */

import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BIN, type CliResult, runCli } from "../../../support/cli.js";
import { writeArrayExport } from "./array-export.js";
import { type CallLog, readCallLog } from "./call-log.js";
import { type Cluster, startCluster } from "./cluster.js";

const CORE = fileURLToPath(new URL("./counted-core.mjs", import.meta.url));
const LIMITER = fileURLToPath(new URL("./limiter.mjs", import.meta.url));
/** The cell's network is its own, so nobody else is there. */
const CORE_PORT = "3567";
const LIMITER_PORT = "3568";
const LIMITED_CORE = `http://127.0.0.1:${LIMITER_PORT}`;
const API_KEY = "the-array-s-core-key-0001";
/** Of the core and of each shard's program. */
const CONFIG = "auth-migrate.config.json";

export interface Scene {
  readonly cluster: Cluster;
  /** The working directory of the imports; the export is in it as `users.csv`, its parts are to be in `parts`. */
  readonly folder: string;
  /** The script to submit. */
  readonly script: string;
  /** The core's data file; the core has it open. */
  readonly data: string;
  /** Writes into the configuration file that a shard may have so many rejects, and no more. */
  allowRejects(most: number): void;
  /** Runs a command in the working directory, on this machine. */
  cli(...args: readonly string[]): Promise<CliResult>;
  /** What the limiter has let through so far. */
  calls(): CallLog;
  /** How many calls have reached the core, by its own log. */
  callsAtCore(): number;
  end(): Promise<void>;
}

/**
 * Sets it all up.
 *
 * @param root is there and empty
 * @param script is copied, as operators do with it
 * @param callsASecond what the core's limiter lets through
 */
export async function setScene(root: string, script: string, callsASecond: number): Promise<Scene> {
  const makeFolder = (name: string): string => {
    const folder = join(root, name);
    mkdirSync(folder);
    return folder;
  };
  const folder = makeFolder("array");
  const clusterFolder = makeFolder("cluster");
  const coreFolder = makeFolder("core");
  const bin = makeFolder("bin");
  writeArrayExport(join(folder, "users.csv"));
  copyFileSync(script, join(folder, "auth-migrate.sbatch"));
  writeProgram(join(bin, "auth-migrate"));
  const keyFile = join(coreFolder, "api-key");
  writeFileSync(keyFile, API_KEY, { mode: 0o600 });
  const cluster = await startCluster(clusterFolder, {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: clusterFolder,
    AUTH_MIGRATE_API_KEY: API_KEY,
    // What these tests count is the calls of each user.
    AUTH_MIGRATE_BULK: "never",
    WORK: folder,
    PARTS: "parts",
    CORE: LIMITED_CORE,
    API_KEY_FILE: keyFile,
  });
  const data = join(coreFolder, "core.db");
  const answered = join(coreFolder, "answered.txt");
  const calls = join(coreFolder, "calls.ndjson");
  const start = (name: string, ...args: readonly string[]): Promise<string> =>
    cluster.cell.start(join(coreFolder, `${name}.err`), process.execPath, ...args).firstLine;
  try {
    await start("core", CORE, CORE_PORT, data, keyFile, answered);
    await start("limiter", LIMITER, CORE_PORT, LIMITER_PORT, String(callsASecond), calls);
    return {
      cluster,
      folder,
      script: join(folder, "auth-migrate.sbatch"),
      data,
      allowRejects(most) {
        const allowed = { acceptRejects: String(most) };
        writeFileSync(join(folder, CONFIG), JSON.stringify(allowed));
      },
      cli: (...args) => runCli(args, { cwd: folder }),
      calls: () => readCallLog(calls),
      callsAtCore: () => readFileSync(answered, "utf8").split("\n").length - 1,
      end: () => cluster.end(),
    };
  } catch (error) {
    await cluster.end();
    throw error;
  }
}

/** The checkout's program under the name by which scripts call it. */
function writeProgram(path: string): void {
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(path, 0o755);
}
