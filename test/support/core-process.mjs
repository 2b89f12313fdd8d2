// An embedded core in a process of its own, for a test that sends it calls. Runs the built package:
// a child process has no test runner around it.

import { openEmbeddedCore } from "../../dist/core/embedded/embedded-core.js";

const core = openEmbeddedCore(JSON.parse(process.argv[2]));

process.on("message", async ({ id, method, argument }) => {
  try {
    process.send({ id, outcome: await core[method](argument) });
  } catch (error) {
    const { kind, reached, message } = error;
    process.send({ id, failure: { kind, reached, message } });
  }
  if (method === "close") process.disconnect();
});
process.send({ ready: true });
