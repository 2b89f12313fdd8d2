/**
 * `auth-migrate serve` under imports over HTTP, beside a bare `node:http` server that does the same
 * grouped insert: `node bench/serve.js`. Servers and clients are processes of their own.
 *
 * Environment: BENCH_SERVE_USERS (50 000 a round), BENCH_SERVE_ROUNDS (5).
 */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { compare } from "./compare.js";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const CLI = join(here, "../bin/auth-migrate.js");
const USERS = Number(process.env.BENCH_SERVE_USERS ?? 50_000);
const ROUNDS = Number(process.env.BENCH_SERVE_ROUNDS ?? 5);
const CONCURRENCY = 64;
const KEY = "bench-key-bench-key-bench-key";

/** Runs `work` with the URL that a server, a process of its own, prints as JSON on its first line. */
async function withProcess(parameters, work) {
  const server = spawn(process.execPath, parameters, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface(server.stdout), "line");
    return await work(JSON.parse(line).url);
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
}

/** Runs `work` with the URL and key file of the core served from a fresh data file in `directory`. */
export async function withCore(directory, work) {
  const folder = mkdtempSync(join(directory, "core-"));
  const keyFile = join(folder, "key");
  writeFileSync(keyFile, KEY);
  const data = join(folder, "core.db");
  const parameters = ["serve", "--json", "--port", "0", "--data", data, "--api-key-file", keyFile];
  return withProcess([CLI, ...parameters], (url) => work(url, keyFile));
}

/** Milliseconds that a client, the name of a file here, takes to import `users` users. */
export async function timeOf(client, url, users) {
  const parameters = [join(here, client), url, KEY, users, CONCURRENCY];
  const { stdout } = await run(process.execPath, parameters.map(String));
  return Number(stdout);
}

function onBareServer(directory, work) {
  const data = join(mkdtempSync(join(directory, "bare-")), "core.db");
  return withProcess([join(here, "bare-server.js"), data], work);
}

/** Compares both servers and answers the figures. */
export async function benchServe() {
  const directory = mkdtempSync(join(tmpdir(), "auth-migrate-bench-serve-"));
  try {
    return await compare(
      `imports over HTTP, ${CONCURRENCY} at once, beside a bare node:http server`,
      { users: USERS, rounds: ROUNDS },
      () => withCore(directory, (url) => timeOf("raw-load.js", url, USERS)),
      () => onBareServer(directory, (url) => timeOf("raw-load.js", url, USERS)),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(`Node ${process.version}, medians of ${ROUNDS}`);
  console.log(JSON.stringify(await benchServe()));
}
