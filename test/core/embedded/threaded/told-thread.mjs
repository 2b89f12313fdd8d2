/** A thread for the tests in place of core-worker.js: answers how many calls came together, and dies of a call that says how. Here emails are only orders. */

import { parentPort, workerData } from "node:worker_threads";

const ORDERS = {
  exit: () => process.exit(0),
  throw: (secret) => {
    throw new Error(`thrown over ${secret}`);
  },
};

if (workerData.order !== undefined) ORDERS[workerData.order]();
parentPort.postMessage([[0, true, "told"]]);
parentPort.on("message", (calls) => {
  for (const [number, method, request] of calls) {
    if (method === "signIn") ORDERS[request.email](request.password);
    else if (method !== "probe") parentPort.postMessage([[number, true, calls.length]]);
  }
});
