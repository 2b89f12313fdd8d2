/** What a vault's file holds, opened with its key. */

import { randomBytes } from "node:crypto";
import { type Database, rollBack } from "../sqlite/database.js";
import {
  keyWrong,
  vaultElsewhere,
  vaultInvalid,
  vaultMissing,
  type WantedVault,
} from "./vault-file.js";
import { createVaultKeys, isSameKey, type VaultKeys } from "./vault-keys.js";

/** What a vault belongs to. */
interface VaultBinding {
  /** What names the migration's checkpoint; null where that isn't known, and any is taken. */
  readonly migration: string | null;
  /** The core, as the checkpoint names it. */
  readonly core: string;
}

/** How a vault is opened. */
export interface VaultOptions {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** What a new vault is bound to, and an old one must be; null takes any that is there. */
  readonly binding: VaultBinding | null;
  /** Refuse to make one; `vault_missing` instead. */
  readonly mustExist?: boolean;
  /** The vault on which users of the checkpoint depend. It must be there, as its last import left it or later, and follows the checkpoint to another core. */
  readonly wanted?: WantedVault | undefined;
}

/** What a vault says of itself. */
export interface OpenedVault {
  /** What tells it from every other vault, in hexadecimal. */
  readonly id: string;
  readonly keys: VaultKeys;
  readonly seed: Buffer;
  /** How many imports have written to it. */
  readonly imports: number;
}

/** The names of the boxes that aren't users'. */
const SEED = Buffer.from("seed");
export const IMPORTS = Buffer.from("imports");
const SEED_BYTES = 32;

/**
 * Opens the vault in a file, or makes it there.
 *
 * @throws RunError `vault_missing`, `vault_key_wrong`
 */
export function openVault(database: Database, options: VaultOptions): OpenedVault {
  const { key, binding, mustExist = false, wanted } = options;
  const { path } = database;
  if (binding !== null && !mustExist) makeIfNew(database, key, binding);
  const row = database
    .prepare<[Buffer, Buffer, Buffer, string | null, string]>(
      "SELECT id, seed, imports, migration, core FROM vault",
    )
    .get();
  if (row === undefined) throw vaultInvalid(path);
  const [idBytes, sealedSeed, sealedImports, migration, core] = row;
  const id = idBytes.toString("hex");
  // Before the key, which may be the other one's.
  if (wanted !== undefined && wanted.id !== id) throw vaultMissing(path, "is another one", wanted);
  const keys = openKeys(database, key);
  const seed = keys.open(SEED, sealedSeed);
  const imports = Number(keys.open(IMPORTS, sealedImports) ?? Number.NaN);
  if (seed === null || Number.isNaN(imports)) throw vaultInvalid(path);
  if (wanted !== undefined && imports < wanted.imports) {
    throw vaultMissing(path, "is an older copy", wanted);
  }
  if (wanted !== undefined && binding !== null && core !== binding.core) {
    database.prepare("UPDATE vault SET core = ?").run(binding.core);
  } else if (
    binding !== null &&
    !(core === binding.core && [null, migration].includes(binding.migration))
  ) {
    throw vaultElsewhere(path, core);
  }
  return { id, keys, seed: Buffer.from(seed, "base64"), imports };
}

function makeIfNew(database: Database, key: Uint8Array, { migration, core }: VaultBinding): void {
  if (database.prepare("SELECT 1 FROM vault").get() !== undefined) return;
  const id = randomBytes(16);
  const { check, seal } = createVaultKeys(key, id);
  const seed = seal(SEED, randomBytes(SEED_BYTES).toString("base64"));
  database
    .prepare("INSERT OR IGNORE INTO vault VALUES (1, ?, ?, ?, ?, 0, ?, ?)")
    .run(id, check, seed, seal(IMPORTS, "0"), migration, core);
}

/** @throws RunError `vault_key_wrong`, `vault_missing` */
export function openKeys(database: Database, key: Uint8Array): VaultKeys {
  const row = database.prepare<[Buffer, Buffer]>("SELECT id, key_check FROM vault").get();
  if (row === undefined) throw vaultInvalid(database.path);
  const keys = createVaultKeys(key, row[0]);
  if (!isSameKey(keys.check, row[1])) throw keyWrong(database.path);
  return keys;
}

/** Bytes also where damage has made another type of one: the driver ends the process at a text that isn't UTF-8. */
const SELECT_RECORD =
  "SELECT coalesce(CAST(digest AS BLOB), x''), coalesce(CAST(box AS BLOB), x'') FROM record";

/** How many records there are, and of how many the core had something else when their user came. */
export function countRecords(database: Database): Record<"users" | "unmatched", number> {
  const [row] = database
    .prepare<[number, number]>("SELECT count(*), coalesce(sum(unmatched), 0) FROM record")
    .all();
  const [users = 0, unmatched = 0] = row ?? [];
  return { users, unmatched };
}

/** Whether there is a record of a digest, which may be damaged. */
export function hasRecord(database: Database, digest: Buffer): boolean {
  return selectRecords(database, "WHERE digest = ?", digest).length > 0;
}

/**
 * The record of a digest; null where there is none.
 *
 * @throws RunError `vault_missing` for one that is damaged
 */
export function findRecord(database: Database, keys: VaultKeys, digest: Buffer): string | null {
  const [row] = selectRecords(database, "WHERE digest = ?", digest);
  return row === undefined ? null : openRecord(database, keys, row);
}

/** A record beside a digest; null where there is none that opens. */
export function findDecoy(database: Database, keys: VaultKeys, digest: Buffer): string | null {
  for (const which of NEIGHBORS) {
    for (const [name, box] of selectRecords(database, which, digest)) {
      const text = keys.open(name, box);
      if (text !== null) return text;
    }
  }
  return null;
}

/** In the order in which they are tried: it is nearly always the first that opens. */
const NEIGHBORS = [
  "WHERE digest > ? ORDER BY digest LIMIT 1",
  "WHERE digest < ? ORDER BY digest LIMIT 1",
  "WHERE digest > ? ORDER BY digest LIMIT 100",
  "WHERE digest < ? ORDER BY digest LIMIT 100",
] as const;

type RecordRow = [digest: Buffer, box: Buffer];

function selectRecords(database: Database, which: string, digest: Buffer): RecordRow[] {
  return database.prepare<RecordRow>(`${SELECT_RECORD} ${which}`).all(digest);
}

/**
 * All records, read a thousand at a time.
 *
 * @throws RunError `vault_missing`
 */
export function* openRecords(
  database: Database,
  keys: VaultKeys,
): Generator<readonly [digest: Buffer, text: string]> {
  const which = "WHERE digest > ? ORDER BY digest LIMIT 1000";
  let last: Buffer | undefined = Buffer.alloc(0);
  while (last !== undefined) {
    const rows = selectRecords(database, which, last);
    for (const [digest, box] of rows) yield [digest, openRecord(database, keys, [digest, box])];
    last = rows.at(-1)?.[0];
  }
}

/** @throws RunError `vault_missing` */
function openRecord(
  { path }: Pick<Database, "path">,
  keys: VaultKeys,
  [digest, box]: Readonly<RecordRow>,
): string {
  const text = keys.open(digest, box);
  if (text === null) throw vaultInvalid(path);
  return text;
}

/** Seals everything anew under another key, all or nothing. */
export function sealAnew(
  database: Database,
  { id, keys, seed, imports }: OpenedVault,
  key: Uint8Array,
): void {
  const { check, seal } = createVaultKeys(key, Buffer.from(id, "hex"));
  database.exec("BEGIN IMMEDIATE");
  try {
    const update = database.prepare("UPDATE record SET box = ? WHERE digest = ?");
    for (const [digest, text] of openRecords(database, keys)) {
      update.run(seal(digest, text), digest);
    }
    database
      .prepare("UPDATE vault SET key_check = ?, seed = ?, imports = ?")
      .run(check, seal(SEED, seed.toString("base64")), seal(IMPORTS, String(imports)));
    database.exec("COMMIT");
  } catch (error) {
    rollBack(database);
    throw error;
  }
}
