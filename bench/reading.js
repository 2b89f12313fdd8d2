/**
 * `npm run bench:reading`: reading alone, from a file's bytes to user records, beside the fastest
 * ways to get at a CSV file's rows and a JSON array's elements without doing anything with them.
 * Each side is a process of its own, the sides take turns, and the ratio is the median of the
 * rounds' own ratios.
 *
 * Environment: BENCH_READING_USERS (500 000), BENCH_READING_ROUNDS (5).
 */

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { writeCsv, writeFirebaseJson } from "./users.js";

const run = promisify(execFile);
const side = fileURLToPath(new URL("./reading-side.js", import.meta.url));
const USERS = Number(process.env.BENCH_READING_USERS ?? 500_000);
const ROUNDS = Number(process.env.BENCH_READING_ROUNDS ?? 5);

const FORMATS = [
  { title: "CSV", file: "users.csv", write: writeCsv, ours: "csv", references: ["csv-parse"] },
  {
    title: "Firebase JSON",
    file: "users.json",
    write: writeFirebaseJson,
    ours: "firebase",
    references: ["splitter", "whole", "batches"],
  },
];

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const perSecond = (milliseconds) => Math.round((USERS / milliseconds) * 1000);

async function milliseconds(name, path) {
  const { stdout } = await run(process.execPath, [side, name, path, String(USERS)]);
  return Number(stdout);
}

/** Lets all sides of a format take turns. */
async function compare({ title, file, write, ours, references }, directory) {
  const path = join(directory, file);
  await write(path, USERS);
  const times = Object.fromEntries([ours, ...references].map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of Object.keys(times)) times[name].push(await milliseconds(name, path));
  }
  const fastest = references.toSorted((a, b) => median(times[a]) - median(times[b]))[0];
  const ratio = (name) => {
    const ratios = times[name].map((time, round) => time / times[ours][round]);
    return Number(median(ratios).toFixed(2));
  };
  const sides = Object.entries(times).map(([name, values]) => ({
    side: name === ours ? `${ours} (ours, to records)` : name,
    "users/s": perSecond(median(values)),
    slowest: perSecond(Math.max(...values)),
    fastest: perSecond(Math.min(...values)),
    ratio: name === ours ? "" : ratio(name),
  }));
  const megabytes = Math.round(statSync(path).size / 1e6);
  console.log(`${title}, ${USERS} users, ${megabytes} MB`);
  console.table(sides);
  return { title, users: USERS, megabytes, reference: fastest, ratio: ratio(fastest), sides };
}

/** Compares both formats, prints a table of each, and answers the figures. */
export async function benchReading() {
  const directory = mkdtempSync(join(tmpdir(), "auth-migrate-bench-reading-"));
  try {
    const results = [];
    for (const format of FORMATS) results.push(await compare(format, directory));
    return results;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, medians of ${ROUNDS}`,
  );
  const results = await benchReading();
  console.log(JSON.stringify({ node: process.version, rounds: ROUNDS, results }));
}
