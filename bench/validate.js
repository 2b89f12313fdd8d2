/** `validate`, from its first module to its exit, beside csv-parse alone on the same file. */

import { resultOf, takeTurns } from "./frame/compare.js";
import { runCli, runSide } from "./frame/processes.js";
import { USERS, withFiles } from "./frame/settings.js";
import { writeCsv } from "./users.js";

const TARGET = { least: 0.4 };

export function benchValidate() {
  return withFiles(async (fresh) => {
    const csv = fresh("users.csv");
    await writeCsv(csv, USERS);
    const measures = await takeTurns({
      validate: () => runCli(["validate", csv]),
      "csv-parse": () => runSide("reading-side.js", "csv-parse", csv, USERS),
    });
    const title = `validate of ${USERS} users from CSV`;
    return [resultOf(title, measures, [["validate", "csv-parse", TARGET]])];
  });
}
