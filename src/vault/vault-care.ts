/** What is done with a vault without its key: looking how many are left in it, and removing it. */

import { existsSync } from "node:fs";
import { removeLocked, lockPathOf, takeLock } from "../sqlite/file-lock.js";
import { openForReading } from "../sqlite/reading.js";
import { SqliteFailure } from "../sqlite/sqlite-failure.js";
import { VAULT_FILE, vaultError } from "./vault-file.js";

/** What a vault shows of itself. */
interface VaultStatus {
  /** Users who are left in it. */
  readonly users: number;
  /** The core that it belongs to, as its checkpoint names it. */
  readonly core: string;
}

/**
 * Reads a vault that a bridge or an import may be using.
 *
 * @throws RunError `vault_missing`, `vault_invalid`, `file_not_private`, `disk`
 */
export function readVault(path: string): VaultStatus {
  try {
    const database = openForReading(path, VAULT_FILE);
    try {
      const [row] = database
        .prepare<[number, string]>("SELECT (SELECT count(*) FROM record), core FROM vault")
        .all();
      if (row === undefined) throw new SqliteFailure("foreign", `${path} holds no vault`);
      return { users: row[0], core: row[1] };
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
 * @throws RunError as {@link readVault}, and `vault_locked`
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
