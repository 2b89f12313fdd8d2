/** Which data file the embedded core has, and whether others may read it. */

import { RunError } from "../errors/run-error.js";
import { isOpenToOthers } from "../files/own-file.js";
import type { CoreConfig } from "./core-config.js";
import type { Terminal } from "./terminal.js";

/** In the working directory, where neither option nor configuration names another one. */
export const DEFAULT_DATA = "auth-core.db";

/**
 * @param given by `--data`
 * @throws RunError `usage` for a name that is empty, as an unset variable in a shell makes one:
 *   SQLite takes it for a database that is gone at the end
 */
export function dataFileOf(given: string | undefined, config: CoreConfig): string {
  if (given !== "") return given ?? config.data ?? DEFAULT_DATA;
  throw new RunError("usage", "A data file needs a name", { hint: "As in auth-core.db." });
}

/** Says of files that are about to be opened for writing whether that takes them from other readers. */
export function tellOfReaders(paths: readonly string[], terminal: Terminal): void {
  for (const path of paths.filter(isOpenToOthers)) {
    terminal.problem(
      `Other users of this machine could read ${path}. From now on it is its owner's alone (mode 0600); what they have read before, they know.`,
    );
  }
}
