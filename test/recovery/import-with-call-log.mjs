// Imports into an embedded core on a thread, as the command line has it, whose calls are logged: `node import-with-call-log.mjs CSV DATA CHECKPOINT LOG MOST [keep-ids]`.
// A line goes to the log before each call that brings a user, and a number to stdout every 20 of them.
// Calls behind the first MOST are never answered: a kill that comes late still meets the run.

import { openSync, writeSync } from "node:fs";
import { openThreadedCore } from "../../dist/core/embedded/threaded/threaded-core.js";
import { importUsers, openInputs } from "../../dist/index.js";

const [csv, file, checkpoint, log, most, keepIds] = process.argv.slice(2);
const core = await openThreadedCore({ file });
const descriptor = openSync(log, "a");
let calls = 0;
/** @param subjectsOf those whom a call brings */
function logged(name, subjectsOf) {
  return (request) => {
    // The timer keeps the process alive.
    if (calls >= Number(most)) return new Promise(() => setInterval(() => {}, 60_000));
    for (const subject of subjectsOf(request)) {
      writeSync(descriptor, `${subject}\n`);
      calls += 1;
      if (calls % 20 === 0) writeSync(1, `${calls}\n`);
    }
    return core[name](request);
  };
}
const contactOf = ({ email, phoneNumber }) => email ?? phoneNumber;
const summary = await importUsers({
  inputs: await openInputs([csv]),
  core: {
    ...core,
    importUser: logged("importUser", (request) => [request.email]),
    importAccount: logged("importAccount", ({ wayIn }) => [contactOf(wayIn)]),
    createCode: logged("createCode", (request) => [contactOf(request)]),
    mapUserId: logged("mapUserId", (request) => [`id ${request.externalUserId}`]),
  },
  checkpoint,
  // Of 128 users in flight two share a place.
  concurrency: 128,
  policy: { keepIds: keepIds === "keep-ids" },
});
await core.close();
writeSync(1, `${JSON.stringify(summary)}\n`);
