/** The authentication core inside this process, its users on a PostgreSQL database. Each answer waits until the write is durable. */

import {
  assembleCore,
  type CoreSettings,
  type EmbeddedCore,
  requireSettings,
} from "../assemble-core.js";
import { Batches } from "../batches.js";
import type { Script } from "../script.js";
import type { BatchKind, Store } from "../store.js";
import { type Connections, openConnections, runScript } from "./connections.js";
import { isOnesFault } from "./database-failure.js";
import { prepareTables } from "./prepare-tables.js";
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
 * @throws RunError `config_invalid` (a signer key that can't be one), `core_unreachable`,
 *   `key_refused`, `data_unusable`, `disk`, `outage` (the server takes no connection now)
 */
export async function openPostgresCore(options: PostgresCoreOptions): Promise<EmbeddedCore> {
  requireSettings(options);
  const { database, mustExist = false } = options;
  const target = targetOf(database);
  const connections = await openConnections(database);
  try {
    const coreId = await prepareTables(connections, target.database, mustExist);
    return assembleCore(postgresStore(connections, coreId), target, options);
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/** Batches of one kind at a time: while one waits for the disk, another one is on its way to the server. */
export const LANES = 2;
/** Calls in one statement. */
export const MOST_IN_BATCH = 1000;
/** How long counting all users may take. */
const COUNT_MS = 1_200_000;

function postgresStore({ transact, close }: Connections, coreId: string): Store {
  const all: Pick<Batches<never, never>, "settled">[] = [];
  const run = <T>(script: () => Script<T>, mayTake?: number): Promise<T> =>
    transact((ask) => runScript(ask, script()), mayTake);

  return {
    coreId,
    batched<Item, Result>(
      _kind: BatchKind,
      perform: (items: readonly Item[]) => Script<readonly Result[]>,
    ) {
      const batches = new Batches({
        perform: (items: readonly Item[]) => run(() => perform(items)),
        lanes: LANES,
        most: MOST_IN_BATCH,
        isOnesFault,
      });
      all.push(batches);
      return batches.add.bind(batches);
    },
    change: run,
    read: run,
    readAll: (script) => run(script, COUNT_MS),
    async probe() {
      await transact((ask) => ask("SELECT 1"));
    },
    async close() {
      await Promise.all(all.map((batches) => batches.settled()));
      await close();
    },
  };
}
