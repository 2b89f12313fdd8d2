/** What a vault's file holds, opened with its key. */

import type { Database } from "../sqlite/database.js";
import { keyWrong, vaultInvalid } from "./vault-file.js";
import { createVaultKeys, isSameKey, type VaultKeys } from "./vault-keys.js";

/** @throws RunError `vault_key_wrong`, `vault_invalid` */
export function openKeys(database: Database, key: Uint8Array): VaultKeys {
  const row = database.prepare<[Buffer, Buffer]>("SELECT id, key_check FROM vault").get();
  if (row === undefined) throw vaultInvalid(database.path);
  const keys = createVaultKeys(key, row[0]);
  if (!isSameKey(keys.check, row[1])) throw keyWrong(database.path);
  return keys;
}

/** Bytes also where damage has made another type of one: the driver ends the process at a text that isn't UTF-8. */
export const SELECT_RECORD =
  "SELECT coalesce(CAST(digest AS BLOB), x''), coalesce(CAST(box AS BLOB), x'') FROM record";

/**
 * All records, read a thousand at a time.
 *
 * @throws RunError `vault_invalid`
 */
export function* openRecords(
  database: Database,
  keys: VaultKeys,
): Generator<readonly [digest: Buffer, text: string]> {
  const page = database.prepare<[Buffer, Buffer]>(
    `${SELECT_RECORD} WHERE digest > ? ORDER BY digest LIMIT 1000`,
  );
  let last: Buffer | undefined = Buffer.alloc(0);
  while (last !== undefined) {
    const rows = page.all(last);
    for (const [digest, box] of rows) yield [digest, openRecord(database, keys, [digest, box])];
    last = rows.at(-1)?.[0];
  }
}

/** @throws RunError `vault_invalid` */
export function openRecord(
  { path }: Pick<Database, "path">,
  keys: VaultKeys,
  [digest, box]: readonly [Buffer, Buffer],
): string {
  const text = keys.open(digest, box);
  if (text === null) throw vaultInvalid(path);
  return text;
}
