/** Says on what machine and with which versions something was measured. */

import { execFileSync } from "node:child_process";
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import Database from "libsql";
import { median } from "./figures.js";
import { pathOf, withFiles } from "./settings.js";

const PACKAGES = ["csv-parse", "libsql", "p-limit", "pg", "undici", "zod"];
const SYNCS = 101;

function packageVersion(folder) {
  return JSON.parse(readFileSync(pathOf(`../${folder}package.json`), "utf8")).version;
}

function sqliteVersion() {
  const database = new Database(":memory:");
  const { version } = database.prepare("SELECT sqlite_version() AS version").get();
  database.close();
  return version;
}

/** The commit that is measured; without git nobody knows. */
function commit() {
  try {
    const options = { cwd: pathOf("."), encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    return execFileSync("git", ["describe", "--always", "--dirty"], options).trim();
  } catch {
    return null;
  }
}

/** Milliseconds until the disk has four more kilobytes: what a commit waits for. */
function syncTime() {
  return withFiles((fresh) => {
    const file = openSync(fresh("sync"), "w");
    const block = Buffer.alloc(4096);
    const times = Array.from({ length: SYNCS }, () => {
      const start = performance.now();
      writeSync(file, block);
      fdatasyncSync(file);
      return performance.now() - start;
    });
    closeSync(file);
    return Number(median(times).toFixed(2));
  });
}

/** @returns `machine`: processor, cores, memory, kernel, disk; `versions` */
export async function describeRun() {
  const versions = Object.fromEntries(
    PACKAGES.map((name) => [name, packageVersion(`node_modules/${name}/`)]),
  );
  return {
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      kernel: `${type()} ${release()}`,
      fdatasyncMs: await syncTime(),
    },
    versions: {
      "auth-migrate": packageVersion(""),
      commit: commit(),
      node: process.versions.node,
      v8: process.versions.v8,
      "undici of fetch": process.versions.undici,
      sqlite: sqliteVersion(),
      ...versions,
    },
  };
}
