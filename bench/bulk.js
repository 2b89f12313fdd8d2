/**
 * An import by the core's queue beside one by calls of each user's own, both durable and of the same
 * accounts: at cores that answer at once, with verified emails and metadata and with contact and hash
 * alone, and at `auth-migrate serve`.
 *
 * Environment: BENCH_BULK_USERS (1 000 000, at the instant cores), BENCH_BULK_SERVED (100 000).
 */

import { withAccountsCore, withQueueCore, withServedCore } from "./cores.js";
import { resultOf, takeTurns } from "./frame/compare.js";
import { check, spread } from "./frame/figures.js";
import { runCli } from "./frame/processes.js";
import { setting, withFiles } from "./frame/settings.js";
import { remoteImport } from "./remote.js";
import { writeCsv } from "./users.js";

const USERS = setting("BENCH_BULK_USERS", 1_000_000);
const SERVED_USERS = setting("BENCH_BULK_SERVED", 100_000);
const [BULK, SINGLE] = ["by the queue", "by single calls"];
const TARGETS = { speed: { least: 2.5 }, calls: { most: 1.02 }, megabytes: { most: 300 } };
const BARE = ["--carry", "none"];

/** Both ways at cores of their kinds, with what `options` add. */
function bothWays(csv, cores, options = []) {
  const side = (withCore, bulk) => () =>
    withCore((url) =>
      withFiles((own) => runCli([...remoteImport(csv, url, own), "--bulk", bulk, ...options])),
    );
  const { [SINGLE]: singleCore, [BULK]: queueCore } = cores;
  return { [SINGLE]: side(singleCore, "never"), [BULK]: side(queueCore, "always") };
}

const INSTANT = { [SINGLE]: withAccountsCore, [BULK]: withQueueCore };
const SERVED = { [SINGLE]: withServedCore, [BULK]: withServedCore };

/** What both ways must have brought of each account; the queue brings the day of joining besides. */
function requireSame(measures, parts) {
  for (const { summary } of Object.values(measures).flat()) {
    const carried = summary.carried.filter((part) => part !== "joined");
    if (summary.imported === summary.read && carried.join() === parts.join()) continue;
    throw new Error(`imported ${summary.imported} of ${summary.read} users with ${carried}`);
  }
}

const each = (measures, figure, places) => spread(measures.map(figure), places);

/** Calls that bring users, and the processor time, which says more on a busy machine. */
function figuresOf({ [SINGLE]: single, [BULK]: bulk }) {
  const broughtBy = ({ import: imports, part }) => imports + part;
  const calls = ({ summary }) => broughtBy(summary.calls) / summary.read;
  return [
    check("calls a user, by single calls", each(single, calls, 2)),
    check(
      "calls for 10,000 users, by the queue",
      each(bulk, (measure) => calls(measure) * 10_000, 2),
      TARGETS.calls,
    ),
    check(
      "peak memory in MB, by the queue",
      each(bulk, ({ megabytes }) => megabytes, 0),
      TARGETS.megabytes,
    ),
    check(
      "processor time, by single calls / by the queue",
      spread(
        single.map((measure, round) => measure.cpuMilliseconds / bulk[round].cpuMilliseconds),
        2,
      ),
    ),
  ];
}

export function benchBulk() {
  return withFiles(async (fresh) => {
    const files = { [USERS]: fresh("users.csv"), [SERVED_USERS]: fresh("served.csv") };
    for (const [users, file] of Object.entries(files)) await writeCsv(file, Number(users));
    const compared = async (title, sides, parts, target) => {
      const measures = await takeTurns(sides);
      requireSame(measures, parts);
      return resultOf(title, measures, [[BULK, SINGLE, target]], figuresOf(measures));
    };
    const whole = ["verified", "metadata", "social"];
    return [
      await compared(
        "bulk import at instant cores, verified emails and metadata",
        bothWays(files[USERS], INSTANT),
        whole,
        TARGETS.speed,
      ),
      await compared(
        "bulk import at instant cores, contact and hash alone",
        bothWays(files[USERS], INSTANT, BARE),
        [],
      ),
      await compared("bulk import at auth-migrate serve", bothWays(files[SERVED_USERS], SERVED), [
        ...whole,
        "totp",
      ]),
    ];
  });
}
