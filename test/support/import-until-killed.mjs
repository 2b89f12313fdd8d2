// Imports users into the embedded core until it is killed, and tells each one on stdout as soon as
// its import was answered. Runs the built package: a child process has no test runner around it.

import { writeSync } from "node:fs";
import { openEmbeddedCore } from "../../dist/core/embedded/embedded-core.js";

const [file, run, passwordHash] = process.argv.slice(2);
const core = openEmbeddedCore({ file });
let next = 0;

async function importOneAfterTheOther() {
  for (;;) {
    const email = `user.${run}.${next++}@example.com`;
    await core.importUser({ email, passwordHash });
    writeSync(1, `${email}\n`);
  }
}

await Promise.all(Array.from({ length: 64 }, importOneAfterTheOther));
