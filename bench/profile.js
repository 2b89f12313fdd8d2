/**
 * Where the time of our own sides goes: runs them under V8's sampling profiler and names the largest
 * costs, thread by thread. `node bench/profile.js FILE.cpuprofile…` reads profiles that are there.
 *
 * Environment: BENCH_PROFILE (embedded,resume,validate,remote; bulk beside), which sides;
 * BENCH_PROFILE_USERS (200 000); BENCH_PROFILE_DIR, a folder to keep the profiles in.
 */

import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { withIdleCore, withQueueCore } from "./cores.js";
import { embeddedImport } from "./embedded.js";
import { busyText, largest, readProfile } from "./frame/cpu-profile.js";
import { runCli } from "./frame/processes.js";
import { pathOf, setting, withFiles } from "./frame/settings.js";
import { table } from "./frame/table.js";
import { remoteImport } from "./remote.js";
import { writeCsv } from "./users.js";

const SIDES = (process.env.BENCH_PROFILE ?? "embedded,resume,validate,remote").split(",");
const USERS = setting("BENCH_PROFILE_USERS", 200_000);
const THREADS = pathToFileURL(pathOf("frame/profile-threads.js")).href;
/** Samples are taken every 500 microseconds, of every thread. */
const PROFILING = ["--import", THREADS, "--cpu-prof", "--cpu-prof-interval=500"];
const [COSTS, FUNCTIONS] = [20, 25];

/** By name, a function that runs a side; `node` are the arguments that have it profiled. */
const RUNS = {
  embedded: (csv, fresh, node) =>
    runCli(embeddedImport(csv, fresh("core.db"), fresh("checkpoint")), { node }),
  async resume(csv, fresh, node) {
    const parameters = embeddedImport(csv, fresh("core.db"), fresh("checkpoint"));
    await runCli(parameters);
    return runCli(parameters, { node });
  },
  validate: (csv, _fresh, node) => runCli(["validate", csv], { node }),
  remote: (csv, fresh, node) =>
    withIdleCore((url) => runCli(remoteImport(csv, url, fresh), { node })),
  bulk: (csv, fresh, node) =>
    withQueueCore((url) =>
      runCli([...remoteImport(csv, url, fresh), "--bulk", "always"], { node }),
    ),
};

function profiled(side, csv) {
  return withFiles(async (fresh) => {
    const kept = process.env.BENCH_PROFILE_DIR ?? fresh("profiles");
    mkdirSync(kept, { recursive: true });
    const folder = mkdtempSync(join(kept, `${side}-`));
    const node = [...PROFILING, `--cpu-prof-dir=${folder}`];
    const { milliseconds } = await RUNS[side](csv, fresh, node);
    const profiles = readdirSync(folder).map((name) => readProfile(join(folder, name)));
    const seconds = (milliseconds / 1000).toFixed(1);
    const title = `${side}, ${USERS} users, ${seconds} s while being profiled`;
    return tables(title, profiles, USERS);
  });
}

function tables(title, profiles, users) {
  return [
    {
      title: `${title}: ${busyText(profiles)}`,
      rows: largest(profiles, "costs", { count: COSTS, users }),
    },
    {
      title: `${title}: functions`,
      rows: largest(profiles, "functions", { count: FUNCTIONS, users }),
    },
  ];
}

export function benchProfile() {
  return withFiles(async (fresh) => {
    const csv = fresh("users.csv");
    await writeCsv(csv, USERS);
    const results = [];
    for (const side of SIDES) results.push(...(await profiled(side, csv)));
    return results;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { title, rows } of tables("profile", process.argv.slice(2).map(readProfile))) {
    console.log(`${title}\n\n${table(rows)}\n`);
  }
}
