/**
 * The pace of an import, lookups included, at cores that turn calls away as `bench/manners.js` says:
 * beside a plain client that makes the same calls, or beside what the core's limit or the operator's
 * rate allows. All sides have as many users in flight.
 *
 * Environment: BENCH_PACE_USERS (2 000), BENCH_PACE_LIMITS (100) and BENCH_PACE_RATES (40), in calls
 * a second, BENCH_PACE_MANNERS (all of share, slow, crowd, window, bucket, rate), BENCH_PACE_ROUNDS (1).
 */

import { writeFileSync } from "node:fs";
import { KEY, withMannered } from "./cores.js";
import { resultOf, takeTurns } from "./frame/compare.js";
import { check, spread } from "./frame/figures.js";
import { runCli, runSide } from "./frame/processes.js";
import { setting, settings, withFiles } from "./frame/settings.js";
import { DEFAULT_CONCURRENCY } from "../dist/run/defaults.js";
import { writeCsv } from "./users.js";

const USERS = setting("BENCH_PACE_USERS", 2000);
const ROUNDS = setting("BENCH_PACE_ROUNDS", 1);
const LIMITS = settings("BENCH_PACE_LIMITS", [100]);
const RATES = settings("BENCH_PACE_RATES", [40]);
const MANNERS = process.env.BENCH_PACE_MANNERS?.split(",");
const [OURS, PLAIN] = ["import", "plain client"];
/** Calls that finish a user are made right after their lookup. */
const GAP = { most: 1000 };

/** An import, with what the core and the run say of its calls. */
function importAt(manner, csv, options = []) {
  return withMannered(manner, (url) =>
    withFiles(async (fresh) => {
      const key = fresh("key");
      writeFileSync(key, KEY);
      const core = ["--core", url, "--api-key-file", key, "--checkpoint", fresh("checkpoint")];
      const measure = await runCli(["import", csv, ...core, ...options]);
      if (measure.summary.imported !== USERS) throw new Error("not all users were imported");
      return { ...measure, log: await logOf(url) };
    }),
  );
}

function plainAt(manner, concurrency) {
  return withMannered(manner, (url) => runSide("plain-client.js", url, KEY, USERS, concurrency));
}

async function logOf(url) {
  return (await fetch(`${url}/log`)).json();
}

const each = (measures, figure, places = 2) => spread(measures.map(figure), places);
const gapOf = (measures) =>
  check(
    "lookup to import, ms, 99th percentile",
    each(measures, ({ log }) => log.gapMs, 0),
    GAP,
  );

async function besidePlain(title, csv, manner, least, concurrency = DEFAULT_CONCURRENCY.remote) {
  const measures = await takeTurns(
    { [PLAIN]: () => plainAt(manner, concurrency), [OURS]: () => importAt(manner, csv) },
    ROUNDS,
  );
  return resultOf(title, measures, [[OURS, PLAIN, { least }]], [gapOf(measures[OURS])]);
}

async function limited(kind, limit, csv) {
  const measures = await takeTurns({ [OURS]: () => importAt(`${kind}-${limit}`, csv) }, ROUNDS);
  const ours = measures[OURS];
  const share = each(ours, ({ log }) => log.rateLater / limit);
  const refused = each(ours, ({ log }) => log.refusedLater, 3);
  const time = each(
    ours,
    ({ log }) => log.milliseconds / ((log.calls - log.refused) / limit) / 1000,
  );
  return resultOf(
    `a ${kind} of ${limit} calls a second`,
    measures,
    [],
    [
      check("calls / limit, after ten seconds", share, { least: 0.92 }),
      check("share refused, after ten seconds", refused, { most: 0.03 }),
      check("time / the limit's own", time, { most: 1.15 }),
      gapOf(ours),
    ],
  );
}

async function atRate(rate, csv) {
  const measures = await takeTurns(
    { [OURS]: () => importAt("healthy", csv, ["--rate", rate]) },
    ROUNDS,
  );
  const ours = measures[OURS];
  const time = each(ours, ({ log }) => (log.milliseconds * rate) / log.calls / 1000);
  return resultOf(
    `--rate ${rate}`,
    measures,
    [],
    [
      check(
        "calls / planned",
        each(ours, ({ log }) => log.calls / (2 * USERS)),
        { most: 1, least: 1 },
      ),
      check("time / the rate's own", time, { most: 1.05 }),
      gapOf(ours),
    ],
  );
}

/** The parts by name; a ratio of times is told as one of users a second. */
const PARTS = {
  share: [(csv) => besidePlain("429 at every tenth call", csv, "share-10", 0.77)],
  slow: [(csv) => besidePlain("29 seconds at one call in 400", csv, "slow-400", 0.67)],
  crowd: [
    (csv) => besidePlain("500 at every seventh call above eight at once", csv, "crowd-8", 0.67, 8),
  ],
  window: LIMITS.map((limit) => (csv) => limited("window", limit, csv)),
  bucket: LIMITS.map((limit) => (csv) => limited("bucket", limit, csv)),
  rate: RATES.map((rate) => (csv) => atRate(rate, csv)),
};

export function benchPace() {
  return withFiles(async (fresh) => {
    const csv = fresh("users.csv");
    await writeCsv(csv, USERS);
    const results = [];
    for (const name of MANNERS ?? Object.keys(PARTS))
      for (const run of PARTS[name]) results.push(await run(csv));
    return results;
  });
}
