/**
 * An import by the core's queue beside one by calls of each user's own, both durable: at cores that
 * answer at once, and at `auth-migrate serve`.
 *
 * Environment: BENCH_BULK_USERS (1 000 000, at the instant cores), BENCH_BULK_SERVED (100 000).
 */

import { withIdleCore, withQueueCore, withServedCore } from "./cores.js";
import { resultOf, takeTurns } from "./frame/compare.js";
import { runCli } from "./frame/processes.js";
import { setting, withFiles } from "./frame/settings.js";
import { remoteImport } from "./remote.js";
import { writeCsv } from "./users.js";

const USERS = setting("BENCH_BULK_USERS", 1_000_000);
const SERVED_USERS = setting("BENCH_BULK_SERVED", 100_000);
const [BULK, SINGLE] = ["by the queue", "by single calls"];

export function benchBulk() {
  return withFiles(async (fresh) => {
    const files = { [USERS]: fresh("users.csv"), [SERVED_USERS]: fresh("served.csv") };
    for (const [users, file] of Object.entries(files)) await writeCsv(file, Number(users));
    const side = (withCore, csv, bulk) => () =>
      withCore((url) =>
        withFiles((own) => runCli([...remoteImport(csv, url, own), "--bulk", bulk])),
      );
    const instant = await takeTurns({
      [SINGLE]: side(withIdleCore, files[USERS], "never"),
      [BULK]: side(withQueueCore, files[USERS], "always"),
    });
    const served = await takeTurns({
      [SINGLE]: side(withServedCore, files[SERVED_USERS], "never"),
      [BULK]: side(withServedCore, files[SERVED_USERS], "always"),
    });
    return [
      resultOf("bulk import at instant cores", instant, [[BULK, SINGLE, { least: 2.5 }]]),
      resultOf("bulk import at auth-migrate serve", served, [[BULK, SINGLE]]),
    ];
  });
}
