/** The process's own part: the command line runs with its streams and signals, and its exit code is the process's. */

import { setFlagsFromString } from "node:v8";
import { processIo } from "./io.js";
import { run } from "./run.js";
import { boundYoungObjects } from "./young-objects.js";

/** @returns the exit code, once all is done */
export function main(): Promise<number> {
  // Users on their way outlive a collection or two, and are garbage right behind it. V8 would let a
  // hundred megabytes of that gather; with 40 in place of 60 % of what is alive it would take a tenth
  // more processor time.
  setFlagsFromString("--heap-growing-percent=60");
  boundYoungObjects();

  // Behind the run's own last handler Node.js would print the error whole where a flag has it abort.
  process.setUncaughtExceptionCaptureCallback((error) => process.emit("uncaughtException", error));
  // The report of a fatal error, where a flag asks for one, would hold keys; from Node.js 22.13 on.
  // SQLite's driver makes a report, too: with the network it looks up a name for each connection, and
  // all waits for that, five seconds long where no server of names answers.
  Object.assign(process.report, { excludeEnv: true, excludeNetwork: true });

  return run(processIo());
}
