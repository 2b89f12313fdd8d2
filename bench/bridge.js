/**
 * The bridge: first sign-ins beside the bare verification of the same hashes, as many verified at
 * once; and how long it takes to say no to users whom it knows and to others.
 *
 * Environment: BENCH_BRIDGE_USERS (64), BENCH_BRIDGE_ITERATIONS (1 000 000, Django's own).
 */

import { check, median, spread } from "./frame/figures.js";
import { resultOf, takeTurns } from "./frame/compare.js";
import { runNode, runSide } from "./frame/processes.js";
import { pathOf, ROUNDS, setting } from "./frame/settings.js";

const USERS = setting("BENCH_BRIDGE_USERS", 64);
const ITERATIONS = setting("BENCH_BRIDGE_ITERATIONS", 1_000_000);
/** So few that what else is done would show. */
const QUICK_ITERATIONS = 20_000;

const side = (name) => () => runSide("bridge-side.js", name, USERS, ITERATIONS);

/** The medians of each round, of wrong passwords of known users and of unknown ones. */
async function timesToSayNo() {
  const ratios = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const parameters = [pathOf("bridge-side.js"), "no", USERS * 4, QUICK_ITERATIONS];
    const { known, unknown } = JSON.parse((await runNode(parameters)).lastLine);
    ratios.push(median(unknown) / median(known));
  }
  return check("no to unknown / no to known", spread(ratios, 2), { least: 0.9, most: 1.1 });
}

export async function benchBridge() {
  const measures = await takeTurns({
    "bare verification": side("bare"),
    bridge: side("bridge"),
  });
  const title = `first sign-ins through the bridge, PBKDF2 of ${ITERATIONS} iterations`;
  const pairs = [["bridge", "bare verification", { least: 0.8 }]];
  return [resultOf(title, measures, pairs, [await timesToSayNo()])];
}
