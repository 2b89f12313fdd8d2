/** Preloaded into a side that is profiled (`--import`): has its threads profiled as well, those that are given arguments of their own and so wouldn't inherit `--cpu-prof`. */

import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

const PROFILING = process.execArgv.filter((argument) => argument.startsWith("--cpu-prof"));

class ProfiledWorker extends threads.Worker {
  constructor(entry, options = {}) {
    const { execArgv = process.execArgv } = options;
    super(entry, { ...options, execArgv: [...new Set([...execArgv, ...PROFILING])] });
  }
}

if (threads.isMainThread) {
  threads.Worker = ProfiledWorker;
  syncBuiltinESMExports();
}
