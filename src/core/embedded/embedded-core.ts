/** The authentication core inside this process, on one data file. Each answer waits until the write is durable. */

import { RunError } from "../../errors/run-error.js";
import {
  assembleCore,
  type CoreSettings,
  type EmbeddedCore,
  requireSettings,
} from "./assemble-core.js";
import { openSqliteStore } from "./sqlite/sqlite-store.js";
import type { Store } from "./store.js";
import { asOpenError } from "./store-failure.js";

export type { EmbeddedCore } from "./assemble-core.js";

/** What opening an embedded core needs. */
export interface EmbeddedCoreOptions extends CoreSettings {
  /** The data file; created, mode 0600, unless `mustExist`. */
  readonly file: string;
  /** Refuse to create the file; false by default. */
  readonly mustExist?: boolean;
  /** How long a call waits, in milliseconds, while another process writes to the file, before it is refused as `busy`; 10 000 by default. */
  readonly lockWaitMs?: number;
}

/**
 * Opens the core on a data file. Several processes may have one file open.
 *
 * @throws RunError `usage` (a file without a name), `data_unusable`, `config_invalid` (a signer key
 *   that can't be one), `outage` (another process holds the file), `disk`
 */
export function openEmbeddedCore(options: EmbeddedCoreOptions): EmbeddedCore {
  const { file, mustExist = false, lockWaitMs } = options;
  requireSettings(options);
  if (file === "") {
    // Of an empty one SQLite makes a database that is gone at the end.
    throw new RunError("usage", "A data file needs a name.", {
      hint: "Give file a path, as in auth-core.db.",
    });
  }
  let store: Store;
  try {
    store = openSqliteStore({ file, mustExist, lockWaitMs });
  } catch (error) {
    throw asOpenError(error, file);
  }
  return assembleCore(store, { kind: "embedded", file }, options);
}
