/**
 * Peak memory of `validate` over far more than fits into it, from standard input.
 *
 * Environment: BENCH_MEMORY (csv,firebase,firebase-gzip), which streams.
 */

import { spawn } from "node:child_process";
import { resultOf } from "./frame/compare.js";
import { check, spread } from "./frame/figures.js";
import { runCli } from "./frame/processes.js";
import { pathOf } from "./frame/settings.js";

const TARGET = { most: 250 };
const HASH_CONFIG = pathOf("../fixtures/demo/hash-config.txt");
const FIREBASE = ["validate", "-", "--hash-config", HASH_CONFIG];

/** What is generated, how it is packed, and who reads it. */
const STREAMS = {
  csv: { what: ["csv", "5000000"], reader: ["validate", "-"] },
  firebase: { what: ["firebase", "1000000000"], reader: FIREBASE },
  "firebase-gzip": { what: ["firebase", "1000000000"], pack: "gzip -1", reader: FIREBASE },
};
const ASKED = (process.env.BENCH_MEMORY ?? Object.keys(STREAMS).join(",")).split(",");

async function measure({ what, pack, reader }) {
  const command = `"$0" "$@"${pack === undefined ? "" : ` | ${pack}`}`;
  const generator = ["-c", command, process.execPath, pathOf("generate.js"), ...what];
  const writer = spawn("sh", generator, { stdio: ["ignore", "pipe", "inherit"] });
  const reading = runCli(reader, { stdin: writer.stdout });
  // It is the reader's now: where that ends early, the writer has to hear of it.
  writer.stdout.destroy();
  return reading;
}

export async function benchMemory() {
  const results = [];
  for (const name of ASKED) {
    const value = await measure(STREAMS[name]);
    const peak = check("peak memory, MB", spread([value.megabytes]), TARGET);
    results.push(resultOf(`validate of ${name} from stdin`, { [name]: [value] }, [], [peak]));
  }
  return results;
}
