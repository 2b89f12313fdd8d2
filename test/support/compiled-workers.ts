/** Threads run compiled code alone: the source's workers are those of the build, which tests always follow. */

import { pathToFileURL } from "node:url";
import type { Plugin } from "vitest/config";

const WORKER = /new URL\("(\.\/[\w-]+-worker\.js)", import\.meta\.url\)/g;

/** Leads a module of the source to the compiled worker beside its own place in dist/. */
export const compiledWorkers: Plugin = {
  name: "compiled-workers",
  transform(code, id) {
    if (!id.includes("/src/") || code.search(WORKER) < 0) return undefined;
    const compiled = pathToFileURL(id.replace("/src/", "/dist/")).href;
    return code.replaceAll(WORKER, `new URL("$1", ${JSON.stringify(compiled)})`);
  },
};
