/** The authentication core inside this process, its users on a PostgreSQL database. Each answer waits until the write is durable. */

import {
  assembleCore,
  type CoreSettings,
  type EmbeddedCore,
  requireSettings,
} from "../assemble-core.js";
import { openPostgresStore } from "./postgres-store.js";
import { type DatabaseSettings, targetOf } from "./settings.js";

/** What opening a core on PostgreSQL needs. */
export interface PostgresCoreOptions extends CoreSettings {
  /** Where its users are, and who logs in there. */
  readonly database: DatabaseSettings;
  /** Refuse a database that has no core yet; false by default, which makes the tables. */
  readonly mustExist?: boolean;
}

/**
 * Opens the core on a database. Any number of processes may share it. Its tables are in the schema
 * `auth_core`; they are made, or brought to this version, once.
 *
 * @throws RunError `config_invalid` (a signer key that can't be one), `database_unreachable`,
 *   `database_refused`, `database_missing`, `database_invalid`, `database_read_only`, `disk`,
 *   `outage` (the server takes no connection now)
 */
export async function openPostgresCore(options: PostgresCoreOptions): Promise<EmbeddedCore> {
  requireSettings(options);
  const { database, mustExist = false } = options;
  const store = await openPostgresStore(database, mustExist);
  return assembleCore(store, targetOf(database), options);
}
