/**
 * `auth-migrate serve` under imports over HTTP, beside a bare `node:http` server that does the same
 * grouped insert. Servers and clients are processes of their own.
 *
 * Environment: BENCH_SERVE_USERS (50 000).
 */

import { KEY, withServedCore } from "./cores.js";
import { resultOf, takeTurns } from "./frame/compare.js";
import { runSide, withServer } from "./frame/processes.js";
import { pathOf, setting, withFiles } from "./frame/settings.js";

const USERS = setting("BENCH_SERVE_USERS", 50_000);
const CONCURRENCY = 64;

/** What 2.5 times as long as the bare server is. */
const TARGET = { least: 0.4 };

const load = (url) => runSide("raw-load.js", url, KEY, USERS, CONCURRENCY);

const withBareServer = (work) =>
  withFiles((fresh) => withServer([pathOf("bare-server.js"), fresh("core.db")], work));

/** With the server's processor time and memory in place of the client's. */
async function underLoad(withCore) {
  const { server, ...measure } = await withCore(load);
  const { cpuMilliseconds, megabytes } = server;
  return { ...measure, cpuMilliseconds, megabytes };
}

export async function benchServe() {
  const measures = await takeTurns({
    "bare node:http": () => underLoad(withBareServer),
    serve: () => underLoad(withServedCore),
  });
  const title = `imports over HTTP, ${CONCURRENCY} at once; processor time and memory are the server's`;
  return [resultOf(title, measures, [["serve", "bare node:http", TARGET]])];
}
