/** The cores that imports over HTTP are measured with, each a process of its own. */

import { writeFileSync } from "node:fs";
import { CLI, withServer } from "./frame/processes.js";
import { pathOf, withFiles } from "./frame/settings.js";

/** What the served core asks for; the others take any. */
export const KEY = "bench-key-bench-key-bench-key";

/** Milliseconds of work a call, and calls that are worked on at once. */
const LIMIT = [2, 8];

/** A core that keeps nobody and answers at once. */
export const withIdleCore = (work) => withServer([pathOf("idle-core.js")], work);

/** The same, which takes verified emails and metadata, too. */
export const withAccountsCore = (work) => withServer([pathOf("idle-core.js"), "accounts"], work);

/** A core that takes whole accounts in bulk, and has written them at once. */
export const withQueueCore = (work) => withServer([pathOf("queue-core.js")], work);

/** A core that keeps nobody and takes 4 000 calls a second at most. */
export const withLimitedCore = (work) => withServer([pathOf("idle-core.js"), ...LIMIT], work);

/** `auth-migrate serve` with a fresh data file. */
export function withServedCore(work) {
  return withFiles((fresh) => {
    const key = fresh("key");
    writeFileSync(key, KEY);
    const options = ["--port", 0, "--data", fresh("core.db"), "--api-key-file", key];
    return withServer([CLI, "serve", "--json", "--quiet", ...options], work);
  });
}

/** A core that keeps nobody and turns calls away as `bench/manners.js` says. */
export const withMannered = (manner, work) => withServer([pathOf("idle-core.js"), manner], work);
