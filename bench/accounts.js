/** An embedded import with all parts of every account beside one of the same users that carries none of them. */

import { resultOf, takeTurns } from "./frame/compare.js";
import { check, spread } from "./frame/figures.js";
import { runCli } from "./frame/processes.js";
import { USERS, withFiles } from "./frame/settings.js";
import { embeddedImport } from "./embedded.js";
import { writeAccountsCsv } from "./users.js";

const TARGET = { least: 0.6 };
/** A tenth is the spread of one side. */
const MEMORY = { least: 0.9 };

/** What columns of the file are read as, beside what their names say. */
const MAPS = ["--map", "roles=groups", "--map", "metadata.plan=plan", "--map", "totp=totp"];
const ALL_PARTS = [...MAPS, "--roles", "create"];
const NO_PARTS = [...MAPS, "--carry", "none", "--on-lost-factor", "accept"];

export function benchAccounts() {
  return withFiles(async (fresh) => {
    const csv = fresh("users.csv");
    await writeAccountsCsv(csv, USERS);
    const bring = (options) =>
      withFiles((own) =>
        runCli([...embeddedImport(csv, own("core.db"), own("checkpoint")), ...options]),
      );
    const measures = await takeTurns({
      "no parts": () => bring(NO_PARTS),
      "all parts": () => bring(ALL_PARTS),
    });
    const ofBoth = (figure) =>
      spread(
        measures["no parts"].map(
          (without, round) => figure(without) / figure(measures["all parts"][round]),
        ),
        2,
      );
    return [
      resultOf(
        `embedded import of ${USERS} users with all parts of their accounts`,
        measures,
        [["all parts", "no parts", TARGET]],
        [
          check(
            "processor time, no parts / all parts",
            ofBoth(({ cpuMilliseconds: ms }) => ms),
          ),
          check(
            "peak memory, no parts / all parts",
            ofBoth(({ megabytes: mb }) => mb),
            MEMORY,
          ),
        ],
      ),
    ];
  });
}
