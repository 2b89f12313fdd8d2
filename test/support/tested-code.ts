/** Which code is tested: the source, transformed as it is asked for, or with `--mode built` what was built of it. */

import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin } from "vitest/config";

const WORKER = /new URL\("(\.\/[\w-]+-worker\.js)", import\.meta\.url\)/g;

const BUILT = "AUTH_MIGRATE_TEST_BUILT";

/** Threads run compiled code alone: leads a module of the source to the worker beside its own place in dist/. */
const compiledWorkers: Plugin = {
  name: "compiled-workers",
  transform(code, id) {
    if (!id.includes("/src/") || code.search(WORKER) < 0) return undefined;
    const compiled = pathToFileURL(id.replace("/src/", "/dist/")).href;
    return code.replaceAll(WORKER, `new URL("$1", ${JSON.stringify(compiled)})`);
  },
};

/** Leads a test's import of the source to its place in dist/, which Node.js loads by itself: nothing is transformed. */
const builtSource: Plugin = {
  name: "built-source",
  enforce: "pre",
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith("../") || !source.includes("/src/")) {
      return undefined;
    }
    return fileURLToPath(new URL(source, pathToFileURL(importer))).replace("/src/", "/dist/");
  },
};

/**
 * What a configuration has for the code under test.
 *
 * @param mode Vitest's
 */
export function testedCode(mode: string) {
  // A project reads its configuration once more, in the same process, and isn't told the mode.
  if (mode === "built") process.env[BUILT] = "yes";
  const isBuilt = process.env[BUILT] !== undefined;
  return {
    plugins: [isBuilt ? builtSource : compiledWorkers],
    server: { deps: { external: isBuilt ? [/\/dist\//] : [] } },
  };
}
