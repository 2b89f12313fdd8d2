/**
 * One export into an idle core: by one process, and by a process for each of eight parts, as many
 * at a time as there are processors. Their time is from the first start to the last end, and their
 * processor time all of theirs. Beside the rates stands how many processors the imports and the core
 * kept busy: where that is all there are, more processes can't be quicker. And splitting itself.
 *
 * Environment: BENCH_SHARDS (8), BENCH_SHARD_USERS (1 000 000).
 */

import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import { KEY, withIdleCore } from "./cores.js";
import { resultOf, takeTurns } from "./frame/compare.js";
import { check, spread } from "./frame/figures.js";
import { runCli, runNode, CLI } from "./frame/processes.js";
import { setting, withFiles } from "./frame/settings.js";
import { remoteImport } from "./remote.js";
import { writeCsv } from "./users.js";

const SHARDS = setting("BENCH_SHARDS", 8);
const USERS = setting("BENCH_SHARD_USERS", 1_000_000);

const ONE = "one process";
const PARTS = `${SHARDS} processes with a part each`;
const SPLIT = `split into ${SHARDS} parts`;
const TARGET = { least: 1.5 };
/** What a user takes of the processors beside what an import by one process takes. */
const TIME_TARGETS = { [SPLIT]: { most: 0.25 }, [PARTS]: { most: 1.15 } };

/** All shards as one measure. */
async function runShards(argumentsOf) {
  const atOnce = Math.min(SHARDS, availableParallelism());
  const limit = pLimit(atOnce);
  const numbers = Array.from({ length: SHARDS }, (_, at) => at + 1);
  const start = performance.now();
  const measures = await limit.map(numbers, (index) => runCli(argumentsOf(index)));
  const milliseconds = performance.now() - start;
  const sum = (of) => measures.reduce((total, one) => total + of(one), 0);
  return {
    users: sum(({ users }) => users),
    milliseconds,
    cpuMilliseconds: sum(({ cpuMilliseconds }) => cpuMilliseconds),
    megabytes: atOnce * Math.max(...measures.map(({ megabytes }) => megabytes)),
  };
}

/** Splits the export into a new folder. */
async function runSplit(csv, folder) {
  const parts = ["--shards", SHARDS, "--out-dir", folder, "--quiet", "--json"];
  const { lastLine, ...account } = await runNode([CLI, "split", csv, ...parts]);
  return { ...account, users: JSON.parse(lastLine).rows };
}

/** The arguments of a part's import. */
function partImport(folder, url, fresh, index) {
  const key = fresh("key");
  writeFileSync(key, KEY);
  const core = ["--core", url, "--api-key-file", key, "--assume-empty"];
  const own = ["--checkpoint", fresh("checkpoint")];
  return ["import", join(folder, `part-${index}`), ...core, ...own];
}

function sides(csv, folder) {
  return {
    [SPLIT]: () => withFiles((fresh) => runSplit(csv, fresh("parts"))),
    [ONE]: () => withIdleCore((url) => withFiles((fresh) => runCli(remoteImport(csv, url, fresh)))),
    [PARTS]: () =>
      withIdleCore((url) =>
        withFiles((fresh) => runShards((index) => partImport(folder, url, fresh, index))),
      ),
  };
}

/** Processors that a side and its core kept busy on average. */
const busy = (measures) =>
  spread(
    measures.map(
      ({ cpuMilliseconds, server, milliseconds }) =>
        (cpuMilliseconds + server.cpuMilliseconds) / milliseconds,
    ),
    2,
  );

/** A side's processor time for a user, of one process' in the same round. */
const shareOf = (measures, side) =>
  spread(
    measures[side].map((one, round) => one.cpuMilliseconds / measures[ONE][round].cpuMilliseconds),
    2,
  );

export function benchShards() {
  return withFiles(async (fresh) => {
    const csv = fresh("users.csv");
    await writeCsv(csv, USERS);
    const folder = fresh("parts");
    await runSplit(csv, folder);
    const measures = await takeTurns(sides(csv, folder));
    for (const { users } of Object.values(measures).flat()) {
      if (users !== USERS) throw new Error(`${users} of ${USERS} users were read`);
    }
    return [
      resultOf(
        `an import in shards at an idle core, ${availableParallelism()} processors`,
        measures,
        [[PARTS, ONE, TARGET]],
        [
          ...[ONE, PARTS].map((side) =>
            check(`processors busy, ${side} and its core`, busy(measures[side])),
          ),
          ...Object.entries(TIME_TARGETS).map(([side, target]) =>
            check(`processor time, ${side} / ${ONE}`, shareOf(measures, side), target),
          ),
        ],
      ),
    ];
  });
}
