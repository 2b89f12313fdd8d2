/** The store on SQLite: one file, every statement prepared once, and calls in flight share a commit. */

import { type Database, openDatabase } from "../../../sqlite/database.js";
import { GroupCommit } from "../../../sqlite/group-commit.js";
import type { AccountOutcome } from "../../core.js";
import { CoreFailure } from "../../core-failure.js";
import { Batches } from "../batches.js";
import { importAccounts } from "../parts/account.js";
import type { Consumed, Consuming, NewAccount, Store } from "../store.js";
import { asCoreFailure } from "../store-failure.js";
import { userById, userOrNull } from "../user-row.js";
import { Devices } from "./devices.js";
import { DATA_FILE } from "./schema.js";
import { SqliteScripts } from "./sqlite-scripts.js";
import { Users } from "./users.js";

/** Four times of what is usual takes a tenth off an import; copying it takes an eighth of a second. */
const LOG_MIB = 128;

/** Of more in one statement the list gets too long for the processor's cache; as many as come share a commit. */
const OF_ONE_STATEMENT = 256;
const MOST_ACCOUNTS = 4096;

export interface SqliteStoreOptions {
  readonly file: string;
  readonly mustExist: boolean;
  /** How long a write waits while another process is writing, in milliseconds; 10 000 by default. */
  readonly lockWaitMs?: number | undefined;
  readonly cacheMiB?: number | undefined;
}

/** @throws SqliteFailure as `openDatabase` */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  const { file, mustExist, lockWaitMs = 10_000, cacheMiB } = options;
  const database = openDatabase(file, {
    ...DATA_FILE,
    mustExist,
    logMiB: LOG_MIB,
    ...(cacheMiB === undefined ? {} : { cacheMiB }),
  });
  return sqliteStore(database, lockWaitMs);
}

function sqliteStore(database: Database, lockWaitMs: number): Store {
  const group = new GroupCommit(database, { lockWaitMs });
  const users = new Users(database);
  const devices = new Devices(database);
  const scripts = new SqliteScripts(database);
  const coreId = database.prepare<[string]>("SELECT core_id FROM core").get()?.[0] ?? "";

  const write = <T>(work: () => T): Promise<T> => asCore(() => group.run(work));

  const accounts = new Batches({
    perform: (items: readonly NewAccount[]) => write(() => importEach(scripts, items)),
    lanes: 1,
    most: MOST_ACCOUNTS,
    isOnesFault: (error) => error instanceof CoreFailure && error.kind === "broken",
  });

  return {
    coreId,
    importUser: (user, email, passwordHash) =>
      write(() => users.importPassword(user, email, passwordHash)),
    importAccount: accounts.add.bind(accounts),
    addDevice: (device) => write(() => devices.add(device)),
    removeDevices: (createdBefore) => write(() => devices.removeOld(createdBefore)),
    consume: (preAuthSessionId, judge, newUser) =>
      write(() => consume(users, devices, { preAuthSessionId, judge, newUser })),
    getUser: (userId) => asCore(() => userOrNull(scripts.run(userById(userId)))),
    findUsers: (contact) => asCore(() => users.byContact(contact)),
    countUsers: (recipes) => asCore(() => users.count(recipes)),
    change: (script) => write(() => scripts.run(script())),
    read: (script) => asCore(() => scripts.run(script())),
    async probe() {},
    async close() {
      await accounts.settled();
      group.close();
      await asCore(() => database.close());
    },
  };
}

/** Does what reads or writes; what the file refuses, fails as the core's. */
async function asCore<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asCoreFailure(error);
  }
}

function importEach(scripts: SqliteScripts, items: readonly NewAccount[]): AccountOutcome[] {
  const outcomes: AccountOutcome[] = [];
  for (let from = 0; from < items.length; from += OF_ONE_STATEMENT) {
    outcomes.push(...scripts.run(importAccounts(items.slice(from, from + OF_ONE_STATEMENT))));
  }
  return outcomes;
}

function consume(
  users: Users,
  devices: Devices,
  { preAuthSessionId, judge, newUser }: Consuming,
): Consumed {
  const device = devices.find(preAuthSessionId);
  if (device === null) return { action: "leave" };
  const judgement = judge(device);
  if (judgement.action === "count") devices.count(preAuthSessionId, judgement.failedAttempts);
  if (judgement.action === "end") devices.remove(preAuthSessionId);
  if (judgement.action !== "accept") return judgement;
  devices.removeOf(device.contact);
  return { action: "accept", device, ...users.signInUp(device.contact, newUser) };
}
