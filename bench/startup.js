/** `npm run bench:startup`: how long the command line takes to start, beside Node.js itself: `--help`, and what a run loads before its first row. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../bin/auth-migrate.js", import.meta.url));
const ROUNDS = Number(process.env.BENCH_STARTS ?? 31);

/** Each side by what it is called, with the arguments of node and the exit code expected. */
const SIDES = {
  "node -e 0": [["-e", "0"], 0],
  "--help": [[CLI, "--help"], 0],
  "import --help": [[CLI, "import", "--help"], 0],
  "hash of one line": [[CLI, "hash"], 0],
  "import of a missing file": [[CLI, "import", "nowhere.csv"], 66],
};

const directory = mkdtempSync(join(tmpdir(), "auth-migrate-bench-"));

function timeOf([parameters, expected]) {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, parameters, { cwd: directory, input: "!\n" });
  if (status !== expected) throw new Error(`${parameters.join(" ")}: exit ${status}`);
  return performance.now() - start;
}

function medianOf(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

try {
  const sides = Object.entries(SIDES).map(([name, side]) => ({ name, side, times: [] }));
  // The first start of each reads its files from the disk; the sides take turns from then on.
  for (const { side } of sides) timeOf(side);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { side, times } of sides) times.push(timeOf(side));
  }
  const bare = medianOf(sides[0]?.times ?? []);
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, medians of ${ROUNDS}`,
  );
  for (const { name, times } of sides) {
    const median = medianOf(times);
    console.log(
      `${name.padEnd(26)} ${median.toFixed(0).padStart(5)} ms  ${(median / bare).toFixed(2)}`,
    );
  }
  const ratio = medianOf(sides[1]?.times ?? []) / bare;
  if (ratio >= 2.5) throw new Error(`--help takes ${ratio.toFixed(2)} times as long as node -e 0`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
