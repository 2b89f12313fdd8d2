/** Which data file the embedded core has. */

import { RunError } from "../errors/run-error.js";
import type { CoreConfig } from "./core-config.js";

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
