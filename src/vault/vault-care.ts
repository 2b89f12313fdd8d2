/** What is done with a vault beside verifying: looking who is left in it, also while a bridge runs, and removing it. */

import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { removeLocked, lockPathOf, takeLock } from "../sqlite/file-lock.js";
import type { Database } from "../sqlite/database.js";
import { isLockedExclusively, openForReading } from "../sqlite/reading.js";
import { SqliteFailure } from "../sqlite/sqlite-failure.js";
import type { VaultRecord } from "./vault.js";
import { VAULT_FILE, vaultError, type WantedVault } from "./vault-file.js";
import { countRecords, openKeys, openRecords } from "./vault-records.js";

/** What a vault shows of itself. */
interface VaultStatus {
  /** Users who are left in it. */
  readonly users: number;
  /** Of how many of them the core had something else than the vault says when their right password came. */
  readonly unmatched: number;
  /** The core that it belongs to, as its checkpoint names it. */
  readonly core: string;
}

/**
 * Reads a vault that a bridge or an import may be using.
 *
 * @throws RunError `vault_missing`, `file_not_private`, `disk`
 */
export function readVault(path: string): VaultStatus {
  return reading(path, (database) => {
    const [row] = database.prepare<[string]>("SELECT core FROM vault").all();
    if (row === undefined) throw new SqliteFailure("foreign", `${path} holds no vault`);
    return { ...countRecords(database), core: row[0] };
  });
}

/**
 * Looks for a checkpoint's vault where it was named, and then beside the checkpoint; also while a
 * bridge uses it.
 *
 * @param folder the checkpoint's
 * @returns the file that was looked at, what it is, as far as it shows without a key, how many
 *   users are left in it, and of the right one whether it is in use
 */
export function lookForVault(
  { file: named, id, imports }: Pick<WantedVault, "file" | "id" | "imports">,
  folder: string,
) {
  const beside = join(folder, named);
  const isBeside = !isAbsolute(named) && !existsSync(named) && existsSync(beside);
  const file = isBeside ? beside : named;
  if (!existsSync(file)) return { file, found: "missing", left: null } as const;
  try {
    return reading(file, (database) => {
      const select = database.prepare<[Buffer, number]>("SELECT id, told_imports FROM vault");
      const [row] = select.all();
      if (row === undefined) return { file, found: "unreadable", left: null } as const;
      if (row[0].toString("hex") !== id) return { file, found: "other", left: null } as const;
      const { users: left } = countRecords(database);
      const inUse = isLockedExclusively(lockPathOf(file));
      return { file, found: row[1] < imports ? "older" : "latest", left, inUse } as const;
    });
  } catch {
    return { file, found: "unreadable", left: null } as const;
  }
}

/**
 * The vendor's ids of the users who are left, also while a bridge runs.
 *
 * @param key 32 bytes
 * @returns the ids, sorted, and how many more users have none that may be told
 * @throws RunError as {@link readVault}, and `vault_key_wrong`
 */
export function remainingUsers(
  path: string,
  key: Uint8Array,
): { readonly ids: readonly string[]; readonly unnamed: number } {
  return reading(path, (database) => {
    const keys = openKeys(database, key);
    const ids: string[] = [];
    let unnamed = 0;
    for (const [, text] of openRecords(database, keys)) {
      const { id } = JSON.parse(text) as VaultRecord;
      if (id === undefined) unnamed += 1;
      else ids.push(id);
    }
    return { ids: ids.sort(), unnamed };
  });
}

function reading<T>(path: string, work: (database: Database) => T): T {
  try {
    const database = openForReading(path, VAULT_FILE);
    try {
      return work(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw vaultError(error, path);
  }
}

/**
 * Removes a vault with all that is in it: users who are left need a reset then.
 *
 * @returns what stood in it, and the files that were there and are gone
 * @throws RunError as {@link readVault}, and `in_use`
 */
export function purgeVault(path: string): VaultStatus & { readonly removed: readonly string[] } {
  try {
    // Before a lock is put beside it: it may be a stranger's file.
    if (!existsSync(lockPathOf(path))) readVault(path);
    const unlock = takeLock(lockPathOf(path), VAULT_FILE.applicationId);
    try {
      return { ...readVault(path), removed: removeLocked(path) };
    } finally {
      unlock();
    }
  } catch (error) {
    throw vaultError(error, path);
  }
}
