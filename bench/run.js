/**
 * `npm run bench`: each of our figures beside its reference, in one run, the sides taking turns,
 * with medians and the ratio. Absolute figures belong to the machine; the ratios are the point.
 *
 * Environment: BENCH_USERS (200 000), BENCH_REMOTE_USERS (50 000), BENCH_ROUNDS (3), and what
 * `bench/reading.js` takes.
 */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { benchReading } from "./reading.js";
import { writeCsv } from "./users.js";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const cli = join(here, "../bin/auth-migrate.js");
const USERS = Number(process.env.BENCH_USERS ?? 200_000);
const REMOTE_USERS = Number(process.env.BENCH_REMOTE_USERS ?? 50_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Users that share a commit, and users in flight: the CLI's own defaults. */
const GROUP = 512;
const REMOTE_CONCURRENCY = 64;
const KEY = "bench-key-bench-key-bench-key";

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

/** Runs `work` against a server on a fresh data file, in a process of its own. */
async function withServer(work) {
  const keyFile = fresh("key");
  writeFileSync(keyFile, KEY);
  const parameters = ["serve", "--json", "--port", "0", "--data", fresh("core.db")];
  const server = spawn(process.execPath, [cli, ...parameters, "--api-key-file", keyFile], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await once(createInterface(server.stdout), "line");
    return await work(JSON.parse(line).url, keyFile);
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const perSecond = (users, milliseconds) => Math.round((users / milliseconds) * 1000);

/** Lets two sides take turns and compares their medians. */
async function compare(title, users, ours, reference) {
  const times = { ours: [], reference: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.reference.push(Number(await reference()));
    times.ours.push(Number(await ours()));
  }
  const result = {
    title,
    users,
    ours: perSecond(users, median(times.ours)),
    reference: perSecond(users, median(times.reference)),
    ratio: Number((median(times.reference) / median(times.ours)).toFixed(2)),
    spread: Object.entries(times).map(([side, values]) => {
      const [slowest, fastest] = [Math.max(...values), Math.min(...values)];
      return `${side} ${perSecond(users, slowest)} to ${perSecond(users, fastest)}`;
    }),
  };
  console.log(
    `${title}: ${result.ours} users/s beside ${result.reference}, ratio ${result.ratio} (${result.spread.join("; ")})`,
  );
  return result;
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
      USERS,
      () => importUsers(csv, "--data", fresh("core.db")),
      () => node(join(here, "store-alone.js"), fresh("store.db"), USERS, GROUP),
    ),
    await compare(
      "remote import (--assume-empty) beside a bare undici loop",
      REMOTE_USERS,
      () =>
        withServer((url, keyFile) =>
          importUsers(remoteCsv, "--core", url, "--api-key-file", keyFile, "--assume-empty"),
        ),
      () =>
        withServer((url) =>
          node(join(here, "bare-undici.js"), url, KEY, REMOTE_USERS, REMOTE_CONCURRENCY),
        ),
    ),
  ];
  console.log(JSON.stringify({ node: process.version, rounds: ROUNDS, results }));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
