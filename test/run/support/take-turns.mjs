// Takes a checkpoint's lock again and again, and purges it now and then. Whoever is inside makes a
// file that nobody else may have made, and says "two" where somebody has. Runs the built package.

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { openCheckpoint } from "../../../dist/checkpoint/checkpoint.js";
import { purgeCheckpoint } from "../../../dist/checkpoint/purge.js";

const [, , path, turns] = process.argv;
const inside = `${path}.inside`;
let entered = 0;
let problem = "";

for (let turn = 0; entered < Number(turns) && turn < 100_000 && problem === ""; turn += 1) {
  try {
    if (turn % 2 === 0) {
      const checkpoint = openCheckpoint(path);
      entered += 1;
      try {
        closeSync(openSync(inside, "wx"));
        rmSync(inside);
      } catch (error) {
        problem = `two inside: ${error.code}`;
      }
      checkpoint.close();
    } else purgeCheckpoint(path);
  } catch (error) {
    const expected = ["in_use", "checkpoint_missing", "checkpoint_invalid"];
    if (!expected.includes(error.code)) problem = `${error.code} ${error.message}`;
  }
}
writeSync(1, problem === "" ? "well\n" : `${problem}\n`);
