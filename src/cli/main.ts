/** The process's own part: the command line runs with its streams and signals, and its exit code is the process's. */

import { setFlagsFromString } from "node:v8";
import { processIo } from "./io.js";
import { run } from "./run.js";

// Users on their way outlive a collection or two, and are garbage right behind it. V8 would let a
// hundred megabytes of that gather; with less than as much as is alive it would collect all the time.
setFlagsFromString("--heap-growing-percent=100");

process.exitCode = await run(processIo());
