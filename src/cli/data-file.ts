/** Where the embedded core has its users, and whether others may read its file. */

import { isOpenToOthers } from "../files/own-file.js";
import type { CoreConfig } from "./core-config.js";
import type { Terminal } from "./terminal.js";

/** In the working directory, where neither option nor configuration names another one. */
export const DEFAULT_DATA = "auth-core.db";

/** Whether `--data` names a database and no file; any URL does, so that a mistyped one makes no file. */
export function isUrl(data: string): boolean {
  return /^[a-z][\w+.-]+:\/\//i.test(data);
}

/** @param given by `--data` */
export function dataFileOf(given: string | undefined, config: CoreConfig): string {
  return given ?? config.data ?? DEFAULT_DATA;
}

/**
 * Looks at files that are about to be opened for writing, which takes them from other readers.
 *
 * @returns says so of those that were taken; to be called once they are open
 */
export function readersOf(paths: readonly string[], terminal: Terminal): () => void {
  const open = paths.filter(isOpenToOthers);
  return () => {
    for (const path of open) {
      if (isOpenToOthers(path)) continue;
      terminal.problem(
        `Other users of this machine could read ${path}. From now on it is its owner's alone (mode 0600); what they have read before, they know.`,
      );
    }
  };
}
