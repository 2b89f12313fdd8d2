/** The store on SQLite: one file, and calls in flight share a commit. */

import { openDatabase } from "../../../sqlite/database.js";
import { GroupCommit } from "../../../sqlite/group-commit.js";
import { CoreFailure } from "../../core-failure.js";
import { Batches } from "../batches.js";
import type { Script } from "../script.js";
import type { BatchKind, Store } from "../store.js";
import { asCoreFailure } from "../store-failure.js";
import { DATA_FILE } from "./schema.js";
import { SqliteScripts } from "./sqlite-scripts.js";

/** Four times of what is usual takes a tenth off an import; copying it takes an eighth of a second. */
const LOG_MIB = 128;

/** Of more in one statement the list gets too long for the processor's cache; as many as come share a commit. */
const OF_ONE_STATEMENT = 256;
const MOST_IN_BATCH = 4096;

interface SqliteStoreOptions {
  readonly file: string;
  readonly mustExist: boolean;
  /** How long a write waits while another process is writing, in milliseconds; 10 000 by default. */
  readonly lockWaitMs?: number | undefined;
}

/** @throws SqliteFailure as `openDatabase` */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  const { file, mustExist, lockWaitMs = 10_000 } = options;
  const database = openDatabase(file, { ...DATA_FILE, mustExist, logMiB: LOG_MIB });
  const group = new GroupCommit(database, { lockWaitMs });
  const scripts = new SqliteScripts(database);
  const all: Pick<Batches<never, never>, "settled">[] = [];
  const coreId = database.prepare<[string]>("SELECT core_id FROM core").get()?.[0] ?? "";

  const write = <T>(work: () => T): Promise<T> => asCore(() => group.run(work));
  const read = <T>(script: () => Script<T>): Promise<T> => asCore(() => scripts.run(script()));

  return {
    coreId,
    batched<Item, Result>(kind: BatchKind, perform: Perform<Item, Result>) {
      if (kind === "read") {
        return async (item: Item) => (await read(() => perform([item])))[0] as Result;
      }
      const batches = new Batches({
        perform: (items: readonly Item[]) => write(() => performEach(scripts, perform, items)),
        lanes: 1,
        most: MOST_IN_BATCH,
        isOnesFault: (error) => error instanceof CoreFailure && error.kind === "broken",
      });
      all.push(batches);
      return batches.add.bind(batches);
    },
    change: (script) => write(() => scripts.run(script())),
    read,
    readAll: read,
    async probe() {},
    async close() {
      await Promise.all(all.map((batches) => batches.settled()));
      group.close();
      await asCore(() => database.close());
    },
  };
}

type Perform<Item, Result> = (items: readonly Item[]) => Script<readonly Result[]>;

/** Does what reads or writes; what the file refuses, fails as the core's. */
async function asCore<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asCoreFailure(error);
  }
}

function performEach<Item, Result>(
  scripts: SqliteScripts,
  perform: Perform<Item, Result>,
  items: readonly Item[],
): Result[] {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += OF_ONE_STATEMENT) {
    results.push(...scripts.run(perform(items.slice(from, from + OF_ONE_STATEMENT))));
  }
  return results;
}
