/**
 * `npm run bench`: each of our figures beside its reference, in one run, the sides taking turns,
 * with medians and the ratio. Absolute figures belong to the machine; the ratios are the point.
 *
 * Environment: BENCH_USERS (200 000), BENCH_REMOTE_USERS (50 000), BENCH_ROUNDS (3), and what
 * `bench/reading.js` and `bench/serve.js` take.
 */

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { compare } from "./compare.js";
import { benchReading } from "./reading.js";
import { benchServe, timeOf, withCore } from "./serve.js";
import { writeCsv } from "./users.js";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const cli = join(here, "../bin/auth-migrate.js");
const USERS = Number(process.env.BENCH_USERS ?? 200_000);
const REMOTE_USERS = Number(process.env.BENCH_REMOTE_USERS ?? 50_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Users that share a commit: the CLI's own default. */
const GROUP = 512;

const directory = mkdtempSync(join(tmpdir(), "auth-migrate-bench-"));
let files = 0;
const fresh = (name) => join(directory, `${files++}-${name}`);

async function node(...parameters) {
  const { stdout } = await run(process.execPath, parameters, { maxBuffer: 2 ** 26 });
  return stdout.trim().split("\n").at(-1);
}

async function importUsers(csv, ...parameters) {
  const checkpoint = fresh("checkpoint");
  const line = await node(cli, "import", csv, "--json", "--checkpoint", checkpoint, ...parameters);
  const summary = JSON.parse(line);
  if (summary.exitCode !== 0) throw new Error(line);
  return summary.elapsedMs;
}

try {
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, medians of ${ROUNDS}`,
  );
  const csv = fresh("users.csv");
  await writeCsv(csv, USERS);
  const remoteCsv = fresh("remote-users.csv");
  await writeCsv(remoteCsv, REMOTE_USERS);
  const results = [
    ...(await benchReading()),
    await compare(
      "embedded import beside the store alone",
      { users: USERS, rounds: ROUNDS },
      () => importUsers(csv, "--data", fresh("core.db")),
      () => node(join(here, "store-alone.js"), fresh("store.db"), USERS, GROUP),
    ),
    await compare(
      "remote import (--assume-empty) beside a bare undici loop",
      { users: REMOTE_USERS, rounds: ROUNDS },
      () =>
        withCore(directory, (url, keyFile) =>
          importUsers(remoteCsv, "--core", url, "--api-key-file", keyFile, "--assume-empty"),
        ),
      () => withCore(directory, (url) => timeOf("bare-undici.js", url, REMOTE_USERS)),
    ),
    await benchServe(),
  ];
  console.log(JSON.stringify({ node: process.version, rounds: ROUNDS, results }));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
