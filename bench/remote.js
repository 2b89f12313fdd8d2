/**
 * An import over HTTP with `--assume-empty` and a checkpoint, beside a bare undici loop and the
 * script that people write today, at a core that is idle, at one that is the limit, and at
 * `auth-migrate serve`.
 *
 * Environment: BENCH_REMOTE_USERS (1 000 000, at the idle core), BENCH_LIMITED_USERS (100 000),
 * BENCH_SERVED_USERS (100 000), and BENCH_SCRIPT_USERS (100 000) for today's script in the rounds:
 * what it takes grows with its users, so that it runs with all of them once.
 */

import { writeFileSync } from "node:fs";
import { KEY, withIdleCore, withLimitedCore, withServedCore } from "./cores.js";
import { resultOf, takeTurns } from "./frame/compare.js";
import { runCli, runSide } from "./frame/processes.js";
import { setting, withFiles } from "./frame/settings.js";
import { DEFAULT_CONCURRENCY } from "../dist/run/defaults.js";
import { writeCsv } from "./users.js";

const REMOTE_USERS = setting("BENCH_REMOTE_USERS", 1_000_000);
const SCRIPT_USERS = Math.min(REMOTE_USERS, setting("BENCH_SCRIPT_USERS", 100_000));
const LIMITED_USERS = setting("BENCH_LIMITED_USERS", 100_000);
const SERVED_USERS = setting("BENCH_SERVED_USERS", 100_000);

const [OURS, LOOP, SCRIPT] = ["import", "undici loop", "today's script"];
const AT_LEAST = { idle: { least: 0.5 }, limited: { least: 0.9 }, script: { least: 5 } };

/** A call for each user, which brings contact and hash. */
const LIKE_THE_LOOP = ["--bulk", "never", "--carry", "none"];

/** The arguments of an import into a remote core that is known to be empty. */
export function remoteImport(csv, url, fresh) {
  const key = fresh("key");
  writeFileSync(key, KEY);
  const core = ["--core", url, "--api-key-file", key, "--assume-empty"];
  return ["import", csv, ...core, "--checkpoint", fresh("checkpoint")];
}

/** The sides of a comparison, each with a core of its own from `withCore`. */
function sidesAt(withCore, csv, users) {
  return {
    [LOOP]: () =>
      withCore((url) => runSide("bare-undici.js", url, KEY, users, DEFAULT_CONCURRENCY.remote)),
    [OURS]: () =>
      withCore((url) =>
        withFiles((fresh) => runCli([...remoteImport(csv, url, fresh), ...LIKE_THE_LOOP])),
      ),
  };
}

const scriptAt = (withCore, csv) => () =>
  withCore((url) => runSide("todays-script.js", csv, url, KEY));

export function benchRemote() {
  return withFiles(async (fresh) => {
    const files = {};
    for (const users of new Set([REMOTE_USERS, SCRIPT_USERS, LIMITED_USERS, SERVED_USERS])) {
      files[users] = fresh(`${users}.csv`);
      await writeCsv(files[users], users);
    }
    const { [REMOTE_USERS]: all, [SCRIPT_USERS]: some } = files;
    const idle = sidesAt(withIdleCore, all, REMOTE_USERS);
    const idleMeasures = await takeTurns({ ...idle, [SCRIPT]: scriptAt(withIdleCore, some) });
    const once = await takeTurns({ [OURS]: idle[OURS], [SCRIPT]: scriptAt(withIdleCore, all) }, 1);
    const limited = await takeTurns(sidesAt(withLimitedCore, files[LIMITED_USERS], LIMITED_USERS));
    const served = await takeTurns({
      ...sidesAt(withServedCore, files[SERVED_USERS], SERVED_USERS),
      [SCRIPT]: scriptAt(withServedCore, some),
    });
    const loop = (target) => [OURS, LOOP, target];
    const script = (target) => [OURS, SCRIPT, target];
    return [
      resultOf("remote import at an idle core", idleMeasures, [loop(AT_LEAST.idle), script()]),
      resultOf("the same beside today's script with as many users", once, [
        script(AT_LEAST.script),
      ]),
      resultOf("remote import at a core that is the limit", limited, [loop(AT_LEAST.limited)]),
      resultOf("remote import at auth-migrate serve", served, [loop(), script()]),
    ];
  });
}
