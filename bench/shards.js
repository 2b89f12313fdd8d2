/**
 * One export into an idle core: by one process, and by four with a part each. The time of four is
 * that of the last one to end. Beside the rates stands how many processors the import and the core
 * kept busy: where that is all there are, more processes can't be quicker.
 *
 * Environment: BENCH_SHARDS (4), BENCH_SHARD_USERS (1 000 000).
 */

import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { KEY, withIdleCore } from "./cores.js";
import { resultOf, takeTurns } from "./frame/compare.js";
import { check, spread } from "./frame/figures.js";
import { runCli, runNode, CLI } from "./frame/processes.js";
import { setting, withFiles } from "./frame/settings.js";
import { remoteImport } from "./remote.js";
import { writeCsv } from "./users.js";

const SHARDS = setting("BENCH_SHARDS", 4);
const USERS = setting("BENCH_SHARD_USERS", 1_000_000);

const ONE = "one process";
const PARTS = `${SHARDS} processes with a part each`;
const TARGET = { least: 1.5 };

/** All shards at once, as one measure. */
async function runShards(argumentsOf) {
  const numbers = Array.from({ length: SHARDS }, (_, at) => at + 1);
  const measures = await Promise.all(numbers.map((index) => runCli(argumentsOf(index))));
  const sum = (of) => measures.reduce((total, one) => total + of(one), 0);
  return {
    users: sum(({ users }) => users),
    milliseconds: Math.max(...measures.map(({ milliseconds }) => milliseconds)),
    cpuMilliseconds: sum(({ cpuMilliseconds }) => cpuMilliseconds),
    megabytes: sum(({ megabytes }) => megabytes),
  };
}

/** The arguments of a part's import. */
function partImport(manifest, url, fresh, index) {
  const key = fresh("key");
  writeFileSync(key, KEY);
  const core = ["--core", url, "--api-key-file", key, "--assume-empty"];
  const own = ["--manifest", manifest, "--shard", index, "--checkpoint", fresh("checkpoint")];
  return ["import", ...core, ...own];
}

function sides(csv, manifest) {
  return {
    [ONE]: () => withIdleCore((url) => withFiles((fresh) => runCli(remoteImport(csv, url, fresh)))),
    [PARTS]: () =>
      withIdleCore((url) =>
        withFiles((fresh) => runShards((index) => partImport(manifest, url, fresh, index))),
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

export function benchShards() {
  return withFiles(async (fresh) => {
    const csv = fresh("users.csv");
    await writeCsv(csv, USERS);
    const folder = fresh("parts");
    await runNode([CLI, "split", csv, "--shards", SHARDS, "--out-dir", folder, "--json"]);
    const measures = await takeTurns(sides(csv, join(folder, "manifest.json")));
    for (const { users } of Object.values(measures).flat()) {
      if (users !== USERS) throw new Error(`${users} of ${USERS} users were read`);
    }
    return [
      resultOf(
        `an import in shards at an idle core, ${availableParallelism()} processors`,
        measures,
        [[PARTS, ONE, TARGET]],
        Object.entries(measures).map(([side, values]) =>
          check(`processors busy, ${side} and its core`, busy(values)),
        ),
      ),
    ];
  });
}
