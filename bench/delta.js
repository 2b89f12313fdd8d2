/** A newer export of the same users, of whom a few have changed: `node bench/delta.js [users] [changed]`, 1 000 000 and 1 000 by default. Imports both into a core that does nothing, and says the calls, the time and the peak memory of each. Needs Linux. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { measure } from "./measure.js";
import { userNumber, writeCsv } from "./users.js";

/** What a delta may take of the first run's time. */
const LIMIT = 0.5;
const USERS = Number(process.argv[2] ?? 1_000_000);
const CHANGED = Number(process.argv[3] ?? 1_000);
const EVERY = Math.floor(USERS / CHANGED);

/** Somebody with the hash that they have in the newer export. */
function newer(number) {
  const user = userNumber(number);
  if (number % EVERY !== 0) return user;
  return { ...user, passwordHash: userNumber(USERS + number).passwordHash };
}

const directory = mkdtempSync(join(tmpdir(), "auth-migrate-delta-"));
const path = (name) => join(directory, name);
const core = spawn(process.execPath, [fileURLToPath(new URL("idle-core.js", import.meta.url))], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const output = createInterface(core.stdout);
  const [line] = await once(output, "line");
  const { url } = JSON.parse(line);
  writeFileSync(path("key"), "bench-key-bench-key-bench-key");
  const options = [
    "--core",
    url,
    "--api-key-file",
    path("key"),
    "--checkpoint",
    path("checkpoint"),
  ];
  await writeCsv(path("first.csv"), USERS);
  await writeCsv(path("newer.csv"), USERS, newer);
  const runs = [];
  for (const file of ["first.csv", "newer.csv", "newer.csv"]) {
    const { seconds, megabytes, summary } = await measure(["import", path(file), ...options]);
    const { imported, unchanged, calls } = summary;
    console.log(
      `${file}: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB; imported ${imported}, unchanged ${unchanged}, calls ${JSON.stringify(calls)}`,
    );
    runs.push({ seconds, summary });
  }
  const [first, delta] = runs;
  const { lookup, import: sent } = delta.summary.calls;
  const ratio = delta.seconds / first.seconds;
  console.log(`the delta took ${(ratio * 100).toFixed(0)} % of the first run's time`);
  if (sent !== CHANGED || lookup !== CHANGED) throw new Error("calls for others than the changed");
  if (ratio > LIMIT) throw new Error(`more than ${LIMIT * 100} %`);
} finally {
  core.kill("SIGTERM");
  rmSync(directory, { recursive: true, force: true });
}
