/** A thread for the pool's tests in place of verification-worker.js: says what it was sent, and answers or dies when the test tells it to. Here passwords are only names. */

import { BroadcastChannel, parentPort, workerData } from "node:worker_threads";

const channel = new BroadcastChannel("told-worker");
let current = null;
let number = 0;

const ORDERS = {
  verify: () => parentPort.postMessage([[number, true, true]]),
  exit: () => process.exit(3),
  throw: () => {
    throw new Error(`thrown over ${current}`);
  },
};

parentPort.on("message", ([[asked, { password }]]) => {
  number = asked;
  current = password;
  channel.postMessage({ started: password });
});

channel.onmessage = ({ data }) => {
  if (data.end) process.exit();
  if (data.ping) channel.postMessage({ pong: workerData.signerKey });
  if (data.password === current) ORDERS[data.order]?.();
};
