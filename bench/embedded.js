/** An import into the embedded core with a checkpoint, from CSV to durable users, beside the store alone in the same groups; and the same without parts of accounts, as both were before there were any. */

import { resultOf, takeTurns } from "./frame/compare.js";
import { check, rateOf, spread } from "./frame/figures.js";
import { runCli, runSide } from "./frame/processes.js";
import { USERS, withFiles } from "./frame/settings.js";
import { writeCsv } from "./users.js";

const TARGET = { least: 0.75 };
const TARGET_RATE = { least: 25_000 };

/** The store alone, with a data file that is gone afterwards. */
export const storeAlone = (users, writes = "accounts") =>
  withFiles((fresh) => runSide("store-alone.js", fresh("core.db"), users, writes));

/** The arguments of an import into the embedded core. */
export const embeddedImport = (csv, data, checkpoint) => [
  ...["import", csv, "--data", data, "--checkpoint", checkpoint],
];

export function benchEmbedded() {
  return withFiles(async (fresh) => {
    const csv = fresh("users.csv");
    await writeCsv(csv, USERS);
    const bring = (...options) =>
      withFiles((own) =>
        runCli([...embeddedImport(csv, own("core.db"), own("checkpoint")), ...options]),
      );
    const measures = await takeTurns({
      "store alone": () => storeAlone(USERS),
      import: () => bring(),
      "store alone, passwords": () => storeAlone(USERS, "passwords"),
      "import --carry none": () => bring("--carry", "none"),
    });
    const rates = spread(measures.import.map(rateOf));
    return [
      resultOf(
        `embedded import of ${USERS} users with passwords`,
        measures,
        [
          ["import", "store alone", TARGET],
          ["import --carry none", "store alone, passwords"],
        ],
        [check("import, users a second", rates, TARGET_RATE)],
      ),
    ];
  });
}
