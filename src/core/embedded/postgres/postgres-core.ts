/** The authentication core inside this process, its users on a PostgreSQL database. Each answer waits until the write is durable. */

import {
  assembleCore,
  type CoreSettings,
  type EmbeddedCore,
  requireSettings,
} from "../assemble-core.js";
import { importAccounts } from "../parts/account.js";
import type { Store } from "../store.js";
import { type BatchOptions, Batches } from "../batches.js";
import { type Connections, openConnections, runScript } from "./connections.js";
import { consumeAll } from "./consume.js";
import { isOnesFault } from "./database-failure.js";
import { addDevices, removeOldDevices } from "./devices.js";
import { importAll } from "./imports.js";
import { countUsers, usersByContact, usersById } from "./lookups.js";
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
  const store = await openPostgresStore(database, mustExist);
  return assembleCore(store, targetOf(database), options);
}

/** Batches of one kind at a time: while one waits for the disk, another one is on its way to the server. */
export const LANES = 2;
/** Calls in one statement. */
export const MOST_IN_BATCH = 1000;

/**
 * @param mustExist refuse to make the tables of a core that isn't there
 * @throws RunError as `prepareTables`
 */
async function openPostgresStore(settings: DatabaseSettings, mustExist: boolean): Promise<Store> {
  const connections = await openConnections(settings);
  try {
    const { database } = targetOf(settings);
    return postgresStore(connections, await prepareTables(connections, database, mustExist));
  } catch (error) {
    await connections.close();
    throw error;
  }
}

function postgresStore(connections: Connections, coreId: string): Store {
  const batched = <Item, Result>(perform: BatchOptions<Item, Result>["perform"]) =>
    new Batches({ perform, lanes: LANES, most: MOST_IN_BATCH, isOnesFault });
  const imports = batched((items: Parameters<typeof importAll>[1]) =>
    importAll(connections, items),
  );
  const accounts = batched((items: Parameters<typeof importAccounts>[0]) =>
    connections.transact((ask) => runScript(ask, importAccounts(items))),
  );
  const newDevices = batched((items: Parameters<typeof addDevices>[1]) =>
    addDevices(connections, items),
  );
  const consumes = batched((items: Parameters<typeof consumeAll>[1]) =>
    consumeAll(connections, items),
  );
  const byId = batched((ids: readonly string[]) => usersById(connections, ids));
  const byContact = batched((contacts: Parameters<typeof usersByContact>[1]) =>
    usersByContact(connections, contacts),
  );
  const all = [imports, accounts, newDevices, consumes, byId, byContact];

  return {
    coreId,
    importUser: (user, email, passwordHash) => imports.add({ user, email, passwordHash }),
    importAccount: (account) => accounts.add(account),
    addDevice: (device) => newDevices.add(device),
    removeDevices: (createdBefore) => removeOldDevices(connections, createdBefore),
    consume: (preAuthSessionId, judge, newUser) =>
      consumes.add({ preAuthSessionId, judge, newUser }),
    getUser: (userId) => byId.add(userId),
    findUsers: (contact) => byContact.add(contact),
    countUsers: (recipe) => countUsers(connections, recipe),
    change: (script) => connections.transact((ask) => runScript(ask, script())),
    read: (script) => runScript(connections.read, script()),
    async probe() {
      await connections.read("SELECT 1");
    },
    async close() {
      await Promise.all(all.map((batches) => batches.settled()));
      await connections.close();
    },
  };
}
