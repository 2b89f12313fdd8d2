/**
 * A newer export of the same users, of whom a few have changed, at a core that does nothing: the
 * first import, the delta, and the same newer export once more.
 *
 * Environment: BENCH_DELTA_USERS (1 000 000), BENCH_DELTA_CHANGED (1 000).
 */

import { writeFileSync } from "node:fs";
import { KEY, withIdleCore } from "./cores.js";
import { resultOf } from "./frame/compare.js";
import { check, spread } from "./frame/figures.js";
import { runCli } from "./frame/processes.js";
import { setting, withFiles } from "./frame/settings.js";
import { userNumber, writeCsv } from "./users.js";

/** What a delta may take of the first run's time. */
const TARGET = { most: 0.5 };
const USERS = setting("BENCH_DELTA_USERS", 1_000_000);
const CHANGED = setting("BENCH_DELTA_CHANGED", 1_000);
const EVERY = Math.floor(USERS / CHANGED);

/** Somebody with the hash that they have in the newer export. */
function newer(number) {
  const user = userNumber(number);
  if (number % EVERY !== 0) return user;
  return { ...user, passwordHash: userNumber(USERS + number).passwordHash };
}

/** Each import in its turn: they are one story, and take no turns. */
function runAll(fresh) {
  return withIdleCore(async (url) => {
    const [key, before, after] = ["key", "first.csv", "newer.csv"].map(fresh);
    writeFileSync(key, KEY);
    await writeCsv(before, USERS);
    await writeCsv(after, USERS, newer);
    const options = ["--core", url, "--api-key-file", key, "--checkpoint", fresh("checkpoint")];
    const run = (csv) => runCli(["import", csv, ...options]);
    return { first: await run(before), delta: await run(after), again: await run(after) };
  });
}

export function benchDelta() {
  return withFiles(async (fresh) => {
    const { first, delta, again } = await runAll(fresh);
    const { lookup, import: sent } = delta.summary.calls;
    if (sent !== CHANGED || lookup !== CHANGED)
      throw new Error("calls for others than the changed");
    const measures = { "first import": [first], delta: [delta], "again, nobody changed": [again] };
    const share = spread([delta.milliseconds / first.milliseconds], 2);
    const title = `a newer export of ${USERS} users, ${CHANGED} of them changed`;
    return [resultOf(title, measures, [], [check("time of delta / first import", share, TARGET)])];
  });
}
