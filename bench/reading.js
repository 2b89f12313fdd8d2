/**
 * Reading alone, from a file's bytes to user records, beside the fastest ways to get at a CSV file's
 * rows and a JSON array's elements without doing anything with them.
 *
 * Environment: BENCH_READING_USERS (500 000).
 */

import { statSync } from "node:fs";
import { resultOf, takeTurns } from "./frame/compare.js";
import { runSide } from "./frame/processes.js";
import { setting, withFiles } from "./frame/settings.js";
import { writeCsv, writeFirebaseJson } from "./users.js";

const USERS = setting("BENCH_READING_USERS", 500_000);

const FORMATS = [
  { title: "CSV", write: writeCsv, ours: "csv", references: ["csv-parse"] },
  {
    title: "Firebase JSON",
    write: writeFirebaseJson,
    ours: "firebase",
    references: ["splitter", "whole", "batches"],
  },
];

/** Lets all sides of a format take turns. */
function benchFormat({ title, write, ours, references }) {
  return withFiles(async (fresh) => {
    const path = fresh("users");
    await write(path, USERS);
    const sides = [ours, ...references].map((side) => [
      side,
      () => runSide("reading-side.js", side, path, USERS),
    ]);
    const measures = await takeTurns(Object.fromEntries(sides));
    const megabytes = Math.round(statSync(path).size / 1e6);
    const pairs = references.map((reference) => [ours, reference]);
    return resultOf(`reading ${title}, ${USERS} users, ${megabytes} MB`, measures, pairs);
  });
}

export async function benchReading() {
  const results = [];
  for (const format of FORMATS) results.push(await benchFormat(format));
  return results;
}
