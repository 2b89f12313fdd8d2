/** Preloaded into every side (`--import`): at its end it writes to descriptor 3 what the process took, as JSON. Times are milliseconds, from the end of Node's own start. */

import { readFileSync, writeSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** The high-water mark of this process alone; `maxRSS` may be that of the one that started it. */
function peakKilobytes() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}

if (isMainThread) {
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    const account = {
      milliseconds: performance.now() - performance.nodeTiming.bootstrapComplete,
      cpuMilliseconds: (user + system) / 1000,
      megabytes: (peakKilobytes() * 1024) / 1e6,
    };
    writeSync(3, JSON.stringify(account));
  });
}
