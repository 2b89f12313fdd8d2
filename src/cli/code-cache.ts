/** Runs a large file of the program from what V8 compiled of it when it was built: 0.75 of the processor time of a small dry run. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

/** A file's module, which Node.js gives each; `_compile` is what Node.js itself calls for a file. */
interface RunningModule {
  exports: object;
  _compile(source: string, path: string): void;
}

/** In bytes. */
const DIGEST = 32;

/** What was compiled, by its path: for the build, which keeps it (scripts/code-cache.js). */
export const compiled = new Map<string, Script>();

/** Where the code of a file lies. V8 itself refuses code of another version or of other flags, but not of another processor. */
export function codePath(path: string): string {
  return `${path}.${process.version}-${process.arch}.code`;
}

/** What code begins with that is whole and of this source: V8 itself compares no more than the source's length. */
export function digestOf(source: Buffer, code: Buffer): Buffer {
  return createHash("sha256").update(source).update(code).digest();
}

/** @param module whose exports become those of the file */
export function runCompiled(path: string, module: RunningModule): void {
  const source = readFileSync(path);
  // What is run from its code has no source map.
  if (process.sourceMapsEnabled) {
    module._compile(source.toString(), path);
    return;
  }
  const cachedData = codeOf(path, source);
  // On the first line as Node.js itself would have it, for the places that errors name.
  const text = `(function (exports, require, module, __filename, __dirname) {\n${source}\n})`;
  const script = new Script(text, {
    filename: path,
    lineOffset: -1,
    ...(cachedData === null ? {} : { cachedData }),
  });
  compiled.set(path, script);
  const run: (...scope: unknown[]) => void = script.runInThisContext();
  run(module.exports, createRequire(path), module, path, dirname(path));
}

/** Null where there is none of this source for this Node.js. */
function codeOf(path: string, source: Buffer): Buffer | null {
  let file: Buffer;
  try {
    file = readFileSync(codePath(path));
  } catch {
    return null;
  }
  const code = file.subarray(DIGEST);
  return file.subarray(0, DIGEST).equals(digestOf(source, code)) ? code : null;
}
