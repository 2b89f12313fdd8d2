/**
 * `npm run bench:hash`: mutated hash lines through one `auth-migrate hash`, beside the same reader
 * and writer without normalizing, taking turns, with medians and the ratio; every answer counted;
 * and the peak memory over a tenth of the lines, over all, and over three times as many: V8 lets
 * its young generation grow for some seconds, so that only the last two show what is flat. Needs
 * Linux.
 *
 * Environment: BENCH_LINES (1 000 000), BENCH_ROUNDS (5), BENCH_SEED (1).
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashSeeds, mutatedLines } from "./hash-mutations.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const COMMAND = [join(here, "../bin/auth-migrate.js"), "hash", "--quiet"];
const BASELINE = [join(here, "hash-baseline.js")];
const LINES = Number(process.env.BENCH_LINES ?? 1_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SEED = Number(process.env.BENCH_SEED ?? 1);
const FLUSH_BYTES = 1 << 20;

const directory = mkdtempSync(join(tmpdir(), "auth-migrate-bench-hash-"));

/** Writes the mutated lines to a file and answers its path. */
function writeLines(count) {
  const path = join(directory, `${count}-lines.txt`);
  const file = openSync(path, "w");
  let parts = [];
  let length = 0;
  const flush = () => {
    writeSync(file, Buffer.concat(parts));
    parts = [];
    length = 0;
  };
  for (const line of mutatedLines(hashSeeds(), SEED, count)) {
    parts.push(line);
    length += line.length;
    if (length >= FLUSH_BYTES) flush();
  }
  flush();
  closeSync(file);
  return path;
}

/** Counts answers by verdict and checks that there is one for every line, in order. */
function createReader() {
  const verdicts = {};
  let lines = 0;
  let rest = "";
  const take = (text) => {
    const { type, line, verdict } = JSON.parse(text);
    lines += 1;
    if (type !== "hash" || line !== lines) throw new Error(`answer ${lines} is of line ${line}`);
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  };
  return {
    push(text) {
      const pieces = (rest + text).split("\n");
      rest = pieces.pop();
      for (const piece of pieces) take(piece);
    },
    end(expected) {
      if (rest !== "" || lines !== expected)
        throw new Error(`${lines} answers to ${expected} lines`);
      return verdicts;
    },
  };
}

/**
 * Runs a process over a file of lines.
 *
 * @param check reads the answers too; else they go to /dev/null, so that the reader's speed is
 *   none of the measure
 */
async function answerAll(command, path, { check = null } = {}) {
  const input = openSync(path, "r");
  const started = performance.now();
  const output = check === null ? "ignore" : "pipe";
  const child = spawn(process.execPath, command, { stdio: [input, output, "inherit"] });
  closeSync(input);
  let kilobytes = 0;
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    kilobytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? kilobytes);
  }, 50);
  child.stdout?.setEncoding("utf8").on("data", (text) => check.push(text));
  const [code] = await once(child, "close");
  clearInterval(timer);
  if (code !== 0) throw new Error(`exit ${code}`);
  return { milliseconds: performance.now() - started, megabytes: (kilobytes * 1024) / 1e6 };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const perSecond = (milliseconds) => Math.round((LINES / milliseconds) * 1000);

try {
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, medians of ${ROUNDS}`,
  );
  const [few, all, many] = [LINES / 10, LINES, LINES * 3].map(writeLines);
  const check = createReader();
  await answerAll(COMMAND, all, { check });
  const verdicts = check.end(LINES);
  console.log(`${LINES} lines, each answered in its turn: ${JSON.stringify(verdicts)}`);

  const times = { hash: [], reference: [] };
  const peaks = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.reference.push((await answerAll(BASELINE, all)).milliseconds);
    const { milliseconds, megabytes } = await answerAll(COMMAND, all);
    times.hash.push(milliseconds);
    peaks.push(megabytes);
  }
  // Of each round by itself: its two sides had the same machine, which later ones may not have.
  const ratios = times.reference.map((time, round) => time / times.hash[round]);
  const ratio = Number(median(ratios).toFixed(2));
  const spread = Object.entries(times).map(
    ([side, values]) =>
      `${side} ${perSecond(Math.max(...values))} to ${perSecond(Math.min(...values))}`,
  );
  console.log(
    `hash: ${perSecond(median(times.hash))} lines/s beside ${perSecond(median(times.reference))} without normalizing, ratio ${ratio} (${spread.join("; ")})`,
  );
  const [before, after] = [await answerAll(COMMAND, few), await answerAll(COMMAND, many)];
  const megabytes = [before.megabytes, median(peaks), after.megabytes].map(Math.round);
  console.log(
    `peak memory over ${LINES / 10}, ${LINES} and ${LINES * 3} lines: ${megabytes.join(", ")} MB`,
  );
  console.log(
    JSON.stringify({
      node: process.version,
      rounds: ROUNDS,
      seed: SEED,
      ratio,
      megabytes,
      verdicts,
    }),
  );
} finally {
  rmSync(directory, { recursive: true, force: true });
}
