/**
 * `npm run bench -- [--json FILE] [part…]`: each of our figures beside its reference, in one run,
 * the sides taking turns, each a process of its own, with medians, ratios and spread, as tables and,
 * in the last line, as JSON. Absolute figures belong to the machine; the ratios are the point. It
 * is never a test: a figure that misses its target is said to, and that is all.
 *
 * Environment: BENCH_ROUNDS (5), BENCH_USERS (1 000 000), BENCH_JSON (as --json), TMPDIR, and what
 * the parts say.
 */

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { describeRun } from "./frame/machine.js";
import { resultText } from "./frame/table.js";

/** Run where none is named, and in this order. */
const USUAL = ["reading", "validate", "serve", "embedded", "remote", "shards", "postgres"];

const PARTS = {
  reading: async () => (await import("./reading.js")).benchReading(),
  validate: async () => (await import("./validate.js")).benchValidate(),
  serve: async () => (await import("./serve.js")).benchServe(),
  embedded: async () => (await import("./embedded.js")).benchEmbedded(),
  remote: async () => (await import("./remote.js")).benchRemote(),
  bridge: async () => (await import("./bridge.js")).benchBridge(),
  bulk: async () => (await import("./bulk.js")).benchBulk(),
  shards: async () => (await import("./shards.js")).benchShards(),
  postgres: async () => (await import("./postgres.js")).benchPostgres(),
  database: async () => (await import("./database.js")).benchDatabase(),
  pace: async () => (await import("./pace.js")).benchPace(),
  growth: async () => (await import("./growth.js")).benchGrowth(),
  profile: async () => (await import("./profile.js")).benchProfile(),
  accounts: async () => (await import("./accounts.js")).benchAccounts(),
  delta: async () => (await import("./delta.js")).benchDelta(),
  join: async () => (await import("./join.js")).benchJoin(),
  memory: async () => (await import("./memory.js")).benchMemory(),
  hash: async () => (await import("./hash-lines.js")).benchHash(),
  startup: async () => (await import("./startup.js")).benchStartup(),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "string" } },
});
const file = values.json ?? process.env.BENCH_JSON;
const unknown = positionals.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  throw new Error(
    `no part is called ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`,
  );
}
const asked = positionals.length === 0 ? USUAL : positionals;

const run = await describeRun();
const { cpu, cores, memoryGiB, kernel, fdatasyncMs } = run.machine;
console.log(`${cores} × ${cpu}, ${memoryGiB} GiB, ${kernel}; fdatasync ${fdatasyncMs} ms`);
const versions = Object.entries(run.versions).filter(([, version]) => version !== null);
console.log(versions.map((pair) => pair.join(" ")).join(", "));
const results = {};
for (const name of asked) {
  results[name] = await PARTS[name]();
  for (const result of results[name]) console.log(`\n${resultText(result)}`);
}
const json = { ...run, measuredAt: new Date().toISOString(), results };
if (file !== undefined) writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);
console.log(`\n${JSON.stringify(json)}`);
