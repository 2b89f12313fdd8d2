/** A thread for the tests in place of core-worker.js: answers how many calls came together, and dies of a call that says how. */

import { parentPort } from "node:worker_threads";

const ORDERS = {
  exit: () => process.exit(0),
  throw: (secret) => {
    throw new Error(`thrown over ${secret}`);
  },
};

parentPort.on("message", (calls) => {
  for (const [number, { order, password }] of calls) {
    if (order === "count") parentPort.postMessage([[number, true, calls.length]]);
    else ORDERS[order]?.(password);
  }
});
