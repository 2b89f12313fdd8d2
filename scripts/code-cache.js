/**
 * Keeps what V8 compiles of the program's large files, as they are at the end of the run into which
 * this is imported: with the functions that it called. See src/cli/code-cache.ts.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";

const { codePath, compiled, digestOf } = await import("../dist/program/code-cache.js");

process.on("exit", () => {
  // V8 takes code back only under the flags that it was kept under: V8's own value, as at the start (src/cli/young-objects.ts).
  setFlagsFromString("--semi-space-growth-factor=2");
  for (const [path, script] of compiled) {
    const code = script.createCachedData();
    const digest = digestOf(readFileSync(path), code);
    writeFileSync(codePath(path), Buffer.concat([digest, code]));
  }
});
