/**
 * Mutated hash lines through one `auth-migrate hash`, beside the same reader and writer without
 * normalizing; every answer counted; and the peak memory over a tenth of the lines, over all, and
 * over three times as many: V8 lets its young generation grow for some seconds, so that only the
 * last two show what is flat. A line is a user in the tables.
 *
 * Environment: BENCH_LINES (1 000 000), BENCH_SEED (1).
 */

import { closeSync, openSync, writeSync } from "node:fs";
import { resultOf, takeTurns } from "./frame/compare.js";
import { check, spread } from "./frame/figures.js";
import { CLI, runNode } from "./frame/processes.js";
import { pathOf, setting, withFiles } from "./frame/settings.js";
import { hashSeeds, mutatedLines } from "./hash-mutations.js";

const COMMAND = [CLI, "hash", "--quiet"];
const BASELINE = [pathOf("hash-baseline.js")];
const LINES = setting("BENCH_LINES", 1_000_000);
const SEED = setting("BENCH_SEED", 1);
const FLUSH_BYTES = 1 << 20;

/** Writes the mutated lines to a file and answers its path. */
function writeLines(path, count) {
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
 * @param reader reads the answers too; else they go to /dev/null, so that the reader's speed is
 *   none of the measure
 */
async function answerAll(command, { path, count }, reader = null) {
  const stdin = openSync(path, "r");
  try {
    const output =
      reader === null ? { stdout: "ignore" } : { onOutput: (text) => reader.push(text) };
    return { users: count, ...(await runNode(command, { stdin, ...output })) };
  } finally {
    closeSync(stdin);
  }
}

export function benchHash() {
  return withFiles(async (fresh) => {
    const [few, all, many] = [LINES / 10, LINES, LINES * 3].map((count) => {
      const path = fresh("lines.txt");
      writeLines(path, count);
      return { path, count };
    });
    const reader = createReader();
    await answerAll(COMMAND, all, reader);
    const verdicts = Object.entries(reader.end(LINES)).map((pair) => pair.join(" "));
    const measures = await takeTurns({
      "without normalizing": () => answerAll(BASELINE, all),
      hash: () => answerAll(COMMAND, all),
    });
    const peaks = { few: await answerAll(COMMAND, few), many: await answerAll(COMMAND, many) };
    return [
      resultOf(
        `hash of ${LINES} mutated lines, seed ${SEED}: ${verdicts.join(", ")}`,
        measures,
        [["hash", "without normalizing"]],
        [
          check(`peak memory over ${few.count} lines, MB`, spread([peaks.few.megabytes])),
          check(`peak memory over ${many.count} lines, MB`, spread([peaks.many.megabytes])),
        ],
      ),
    ];
  });
}
