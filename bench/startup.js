/**
 * How long the command line takes to start, beside Node.js itself: whole processes, from start to
 * exit, of `--help`, of what a run loads before its first row, and of a dry run over the demo.
 * `node bench/startup.js` ends with an error where `--help` takes too long, which `.ci/run` asks for;
 * the dry run is judged and no error, since a busy machine draws it out.
 *
 * Environment: BENCH_STARTS (31).
 */

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { check, median, spread } from "./frame/figures.js";
import { CLI } from "./frame/processes.js";
import { setting, withFiles } from "./frame/settings.js";
import { resultText } from "./frame/table.js";

const STARTS = setting("BENCH_STARTS", 31);
const HELP_TARGET = { most: 2.5 };
const DRY_RUN_TARGET = { most: 4 };

function demo(name) {
  return fileURLToPath(new URL(`../fixtures/demo/${name}`, import.meta.url));
}

/** Each side by what it is called, with the arguments of node and the exit code expected. */
const SIDES = {
  "node -e 0": [["-e", "0"], 0],
  "--help": [[CLI, "--help"], 0],
  "--version": [[CLI, "--version"], 0],
  "import --help": [[CLI, "import", "--help"], 0],
  "hash of one line": [[CLI, "hash"], 0],
  "import of a missing file": [[CLI, "import", "nowhere.csv"], 66],
  "validate of the demo": [
    [CLI, "validate", demo("users.csv"), "--hash-config", demo("hash-config.txt")],
    0,
  ],
};

function timeOf([parameters, expected], directory) {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, parameters, { cwd: directory, input: "!\n" });
  if (status !== expected) throw new Error(`${parameters.join(" ")}: exit ${status}`);
  return performance.now() - start;
}

/** Milliseconds of every start of each side, which take turns. */
function measureStarts(directory) {
  const sides = Object.entries(SIDES).map(([name, side]) => ({ name, side, times: [] }));
  // The first start of each reads its files from the disk.
  for (const { side } of sides) timeOf(side, directory);
  for (let start = 0; start < STARTS; start += 1) {
    for (const { side, times } of sides) times.push(timeOf(side, directory));
  }
  return sides;
}

export function benchStartup() {
  return withFiles((fresh) => {
    const directory = fresh("empty");
    mkdirSync(directory);
    const sides = measureStarts(directory);
    const bare = median(sides[0].times);
    const rows = sides.map(({ name, times }) => {
      const { median: middle, min, max } = spread(times);
      const ratio = Number((median(times) / bare).toFixed(2));
      return { command: name, ms: middle, min, max, ratio };
    });
    const judged = (name, target) => {
      const { ratio } = rows.find(({ command }) => command === name);
      return check(`${name} / node`, spread([ratio], 2), target);
    };
    const checks = [judged("--help", HELP_TARGET), judged("validate of the demo", DRY_RUN_TARGET)];
    return [{ title: `starts, medians of ${STARTS}`, rows, checks }];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [result] = await benchStartup();
  console.log(resultText(result));
  const [help] = result.checks;
  if (!help.isMet) process.exitCode = 1;
}
