/**
 * What grows with the number of users: the store alone, an import with its checkpoint, the same
 * import again over the finished checkpoint, and `validate`, at several sizes.
 *
 * Environment: BENCH_GROWTH (1000000,3000000,10000000), the sizes, the first of which the others
 * are compared with; BENCH_GROWTH_ROUNDS, by default 5 up to a million users, 3 up to three
 * millions and 1 beyond. Ten million users take about 7 GB of the disk where TMPDIR is.
 */

import { statSync } from "node:fs";
import { embeddedImport, storeAlone } from "./embedded.js";
import { resultOf, takeTurns } from "./frame/compare.js";
import { check, median, rateOf, spread } from "./frame/figures.js";
import { runCli } from "./frame/processes.js";
import { setting, settings, withFiles } from "./frame/settings.js";
import { writeCsv } from "./users.js";

const SIZES = settings("BENCH_GROWTH", [1_000_000, 3_000_000, 10_000_000]);
/** Sizes and the rounds up to them. */
const ROUNDS = [
  [1_000_000, 5],
  [3_000_000, 3],
  [Infinity, 1],
];

const TARGETS = {
  /** Of how the store alone grows. */
  growth: { least: 0.9 },
  megabytes: { most: 300 },
  memoryGrowth: { most: 1.15 },
  checkpointBytes: { most: 160 },
  resume: { most: 2.5 },
};

function roundsOf(users) {
  const [, rounds] = ROUNDS.find(([most]) => users <= most);
  return setting("BENCH_GROWTH_ROUNDS", rounds);
}

/** An import and, as a measure of its own, the same import again. */
function importTwice(csv, users, resumes) {
  return withFiles(async (fresh) => {
    const [data, checkpoint] = [fresh("core.db"), fresh("checkpoint")];
    const parameters = embeddedImport(csv, data, checkpoint);
    const measure = await runCli(parameters);
    const bytes = { checkpoint: statSync(checkpoint).size, data: statSync(data).size };
    const resume = await runCli(parameters);
    if (resume.summary.unchanged !== users) throw new Error("a finished user was not unchanged");
    resumes.push(resume);
    return { ...measure, bytes };
  });
}

async function measureSize(users) {
  return withFiles(async (fresh) => {
    const csv = fresh("users.csv");
    await writeCsv(csv, users);
    const resume = [];
    const sides = {
      "store alone": () => storeAlone(users),
      import: () => importTwice(csv, users, resume),
      validate: () => runCli(["validate", csv]),
    };
    return { ...(await takeTurns(sides, roundsOf(users))), resume };
  });
}

/** Bytes a user of the checkpoint or the data file. */
const bytesOf = (measures, file, users) =>
  spread(measures.import.map(({ bytes }) => bytes[file] / users));

const peakOf = (measures) => Math.max(...measures.map(({ megabytes }) => megabytes));

/** A figure that has no spread. */
const alone = (value) => spread([value], 2);

/** How the rate of a side stands to its rate at the first size. */
const kept = (side, measures, first) =>
  median(measures[side].map(rateOf)) / median(first[side].map(rateOf));

function growthChecks(measures, first) {
  if (measures === first) return [];
  const [ours, store] = ["import", "store alone"].map((side) => kept(side, measures, first));
  const memory = peakOf(measures.import) / peakOf(first.import);
  return [
    check("rate beside the first size, store alone", alone(store)),
    check("rate beside the first size, import", alone(ours)),
    check("the import's beside the store's", alone(ours / store), TARGETS.growth),
    check("import's memory beside the first size", alone(memory), TARGETS.memoryGrowth),
  ];
}

function resultAt(users, measures, first) {
  const times = (side) => measures[side].map(({ milliseconds }) => milliseconds);
  const resume = median(times("resume")) / median(times("validate"));
  return resultOf(
    `${users.toLocaleString("en-US")} users`,
    measures,
    [["import", "store alone"]],
    [
      check(
        "checkpoint, bytes a user",
        bytesOf(measures, "checkpoint", users),
        TARGETS.checkpointBytes,
      ),
      check("data file, bytes a user", bytesOf(measures, "data", users)),
      check("peak memory of an import, MB", alone(peakOf(measures.import)), TARGETS.megabytes),
      check("time of a resume / of validate", alone(resume), TARGETS.resume),
      ...growthChecks(measures, first),
    ],
  );
}

export async function benchGrowth() {
  const results = [];
  let first = null;
  for (const users of SIZES) {
    const measures = await measureSize(users);
    first ??= measures;
    results.push(resultAt(users, measures, first));
  }
  return results;
}
