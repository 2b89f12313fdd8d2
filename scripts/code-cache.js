/**
 * Keeps what V8 compiles of the program's large files, as they are at the end of the run into which
 * this is imported: with the functions that it called. See src/cli/code-cache.ts.
 */

import { readFileSync, writeFileSync } from "node:fs";

const { codePath, compiled, digestOf } = await import("../dist/program/code-cache.js");

process.on("exit", () => {
  for (const [path, script] of compiled) {
    const code = script.createCachedData();
    const digest = digestOf(readFileSync(path), code);
    writeFileSync(codePath(path), Buffer.concat([digest, code]));
  }
});
