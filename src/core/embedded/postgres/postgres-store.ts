/** The store on PostgreSQL: many processes may share one database. What is asked for at a time goes in one statement, and every promise to be the only one is kept by the database itself. */

import { type BatchOptions, createBatches } from "./batches.js";
import type { Store } from "../store.js";
import { changeContacts, mapId, mappingOf, removeUser } from "./changes.js";
import { type Connections, openConnections } from "./connections.js";
import { isOnesFault } from "./database-failure.js";
import { consumeAll } from "./consume.js";
import { addDevices, removeOldDevices } from "./devices.js";
import { findPassword, importAll } from "./imports.js";
import { countUsers, listPage, someHash } from "./lists.js";
import { usersByContact, usersById } from "./lookups.js";
import { prepareTables } from "./prepare-tables.js";
import { type DatabaseSettings, targetOf } from "./settings.js";

/** Batches of one kind at a time: while one waits for the disk, another one is on its way to the server. */
export const LANES = 2;
/** Calls in one statement. */
export const MOST_IN_BATCH = 1000;

/**
 * @param mustExist refuse to make the tables of a core that isn't there
 * @throws RunError as `prepareTables`
 */
export async function openPostgresStore(
  settings: DatabaseSettings,
  mustExist: boolean,
): Promise<Store> {
  const connections = await openConnections(settings);
  try {
    const { database: name } = targetOf(settings);
    const coreId = await prepareTables(connections, { name, mustExist });
    return postgresStore(connections, coreId);
  } catch (error) {
    await connections.close();
    throw error;
  }
}

function postgresStore(connections: Connections, coreId: string): Store {
  const batched = <Item, Result>(perform: BatchOptions<Item, Result>["perform"]) =>
    createBatches({ perform, lanes: LANES, most: MOST_IN_BATCH, isOnesFault });
  const imports = batched((items: Parameters<typeof importAll>[1]) =>
    importAll(connections, items),
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
  const all = [imports, newDevices, consumes, byId, byContact];

  return {
    coreId,
    importUser: (user, email, passwordHash) => imports.add({ user, email, passwordHash }),
    findPassword: (email) => findPassword(connections, email),
    addDevice: (device) => newDevices.add(device),
    removeDevices: (createdBefore) => removeOldDevices(connections, createdBefore),
    consume: (preAuthSessionId, judge, newUser) =>
      consumes.add({ preAuthSessionId, judge, newUser }),
    updateUser: (userId, change) => changeContacts(connections, userId, change),
    removeUser: (userId) => removeUser(connections, userId),
    getUser: (userId) => byId.add(userId),
    findUsers: (contact) => byContact.add(contact),
    listUsers: (query) => listPage(connections, query),
    countUsers: (recipe) => countUsers(connections, recipe),
    mapUserId: (request) => mapId(connections, request),
    findMapping: (userId) => mappingOf(connections, userId),
    someHash: (point) => someHash(connections, point),
    async probe() {
      await connections.read("SELECT 1");
    },
    async close() {
      await Promise.all(all.map((batches) => batches.settled()));
      await connections.close();
    },
  };
}
