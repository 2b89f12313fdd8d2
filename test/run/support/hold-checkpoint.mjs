// Opens a checkpoint, says so on stdout and holds it until it is killed. Runs the built package: a
// child process has no test runner around it.

import { writeSync } from "node:fs";
import { openCheckpoint } from "../../../dist/checkpoint/checkpoint.js";

openCheckpoint(process.argv[2]);
writeSync(1, "open\n");
setInterval(() => {}, 1000);
