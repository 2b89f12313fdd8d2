/** The vault: one file of old hashes that no core takes, each opened by its user's first sign-in and erased after it. */

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import type { RawHash } from "../hash/hash.js";
import type { AskedUpstream, KeptPassword } from "../hash/legacy/kept-password.js";
import { type Database, openDatabase, rollBack } from "../sqlite/database.js";
import { pragma } from "../sqlite/driver.js";
import { lockPathOf, takeLock } from "../sqlite/file-lock.js";
import { GroupCommit } from "../sqlite/group-commit.js";
import { SqliteFailure } from "../sqlite/sqlite-failure.js";
import { takeAttempt } from "./attempts.js";
import { makeStandIn, type StandIn } from "./stand-in.js";
import { VAULT_FILE, vaultElsewhere, vaultError, vaultInvalid } from "./vault-file.js";
import { createVaultKeys, emailDigest, type VaultKeys } from "./vault-keys.js";
import { openKeys, openRecord, openRecords, SELECT_RECORD } from "./vault-records.js";

/** What is kept of one user: all that verifying the old password takes, and what stands at the core for it. */
export type VaultRecord = KeptPassword & {
  /** What the core got in its place, the newest first: a change that was killed may have left it one from before. */
  readonly standIns: readonly StandIn[];
};

/** What a vault belongs to. */
interface VaultBinding {
  /** What names the migration's checkpoint; null where that isn't known, and any is taken. */
  readonly migration: string | null;
  /** The core, as the checkpoint names it. */
  readonly core: string;
}

/** How a vault is opened. */
interface VaultOptions {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** What a new vault is bound to, and an old one must be; null takes any that is there. */
  readonly binding: VaultBinding | null;
  /** Refuse to make one; `vault_missing` instead. */
  readonly mustExist?: boolean;
}

const SEED = Buffer.from("seed");
const SEED_BYTES = 32;
/** How long a process that only reads is waited for: an erasure holds up all sign-ins meanwhile. */
const READERS_MS = 250;

/**
 * An open vault. Emails are given as a core normalizes them. Everything that it writes is durable
 * before the promise resolves; a process that is killed leaves each record whole, or not there.
 */
export class Vault {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #keys: VaultKeys;
  readonly #seed: Buffer;
  readonly #unlock: () => void;

  private constructor(database: Database, keys: VaultKeys, seed: Buffer, unlock: () => void) {
    this.#database = database;
    this.#unlock = unlock;
    this.#commit = new GroupCommit(database);
    this.#keys = keys;
    this.#seed = seed;
  }

  /**
   * Opens a vault, or makes one: mode 0600, bound to a migration and a core for good, and locked
   * against other processes until it is closed. Between an import's record and its call a bridge
   * would take the user's password for one that was set since.
   *
   * @throws RunError `vault_missing`, `vault_invalid`, `vault_key_wrong`, `vault_elsewhere`,
   *   `vault_locked`, `file_not_private`, `disk`
   */
  static open(path: string, { key, binding, mustExist = false }: VaultOptions): Vault {
    try {
      if (mustExist && !existsSync(path)) throw new SqliteFailure("missing", `${path} isn't there`);
      const unlock = takeLock(lockPathOf(path), VAULT_FILE.applicationId);
      let database: Database | null = null;
      try {
        database = openDatabase(path, { ...VAULT_FILE, mustExist, busyTimeoutMs: READERS_MS });
        pragma(database, "secure_delete = ON");
        return new Vault(database, ...Vault.#load(database, key, binding), unlock);
      } catch (error) {
        database?.close();
        unlock();
        throw error;
      }
    } catch (error) {
      throw vaultError(error, path);
    }
  }

  static #load(
    database: Database,
    key: Uint8Array,
    binding: VaultBinding | null,
  ): readonly [keys: VaultKeys, seed: Buffer] {
    if (binding !== null && database.prepare("SELECT 1 FROM vault").get() === undefined) {
      const id = randomBytes(16);
      const { check, seal } = createVaultKeys(key, id);
      database
        .prepare("INSERT OR IGNORE INTO vault VALUES (1, ?, ?, ?, ?, ?)")
        .run(
          id,
          check,
          seal(SEED, randomBytes(SEED_BYTES).toString("base64")),
          binding.migration,
          binding.core,
        );
    }
    const keys = openKeys(database, key);
    const row = database
      .prepare<[Buffer, string, string]>("SELECT seed, migration, core FROM vault")
      .get();
    if (row === undefined) throw vaultInvalid(database.path);
    const [sealed, migration, core] = row;
    const isOurs =
      binding === null || (core === binding.core && [null, migration].includes(binding.migration));
    if (!isOurs) throw vaultElsewhere(database.path, core);
    const seed = keys.open(SEED, sealed);
    if (seed === null) throw vaultInvalid(database.path);
    return [keys, Buffer.from(seed, "base64")];
  }

  /** The password, and its hash, that stand at the core for what is kept of a user; the same each time. */
  standIn(email: string, kept: RawHash | AskedUpstream): Promise<StandIn> {
    return makeStandIn(this.#seed, email, JSON.stringify(kept));
  }

  /** Keeps a user's record in the place of any that was there. */
  put(email: string, record: VaultRecord): Promise<void> {
    const digest = emailDigest(this.#seed, email);
    const box = this.#keys.seal(digest, JSON.stringify(record));
    return this.#write(() => {
      this.#database
        .prepare("INSERT INTO record (digest, box) VALUES (?, ?) ON CONFLICT DO UPDATE SET box = ?")
        .run(digest, box, box);
    });
  }

  /**
   * A user's record; null where there is none.
   *
   * @throws RunError `vault_invalid` for one that doesn't open, which is damage; `disk`
   */
  get(email: string): VaultRecord | null {
    return this.#read(emailDigest(this.#seed, email), "WHERE digest = ?");
  }

  /**
   * Another user's record, against which a password is verified for a user without one, so that
   * both take as long. The same one for an email as long as no record comes or goes beside it; null
   * in an empty vault.
   */
  decoy(email: string): VaultRecord | null {
    const digest = emailDigest(this.#seed, email);
    return (
      this.#read(digest, "WHERE digest > ? ORDER BY digest LIMIT 1") ??
      this.#read(digest, "WHERE digest < ? ORDER BY digest LIMIT 1")
    );
  }

  #read(digest: Buffer, which: string): VaultRecord | null {
    try {
      const row = this.#database.prepare<[Buffer, Buffer]>(`${SELECT_RECORD} ${which}`).get(digest);
      if (row === undefined) return null;
      return JSON.parse(openRecord(this.#database, this.#keys, row)) as VaultRecord;
    } catch (error) {
      throw vaultError(error, this.#database.path);
    }
  }

  /** @throws RunError `disk` */
  async #write<T>(work: () => T, behind = (): void => {}): Promise<T> {
    try {
      const done = await this.#commit.run(work);
      behind();
      return done;
    } catch (error) {
      throw vaultError(error, this.#database.path);
    }
  }

  /**
   * Erases a user's record and attempts. They are overwritten in the file, and the log is cut off.
   * While another process reads the vault the log stays, until the next erasure or the end.
   *
   * @throws RunError `disk`
   */
  async erase(email: string): Promise<void> {
    const digest = emailDigest(this.#seed, email);
    await this.#write(
      () => {
        for (const table of ["record", "attempt"]) {
          this.#database.prepare(`DELETE FROM ${table} WHERE digest = ?`).run(digest);
        }
      },
      () => void pragma(this.#database, "wal_checkpoint(TRUNCATE)"),
    );
  }

  /**
   * How many users are left.
   *
   * @throws RunError `vault_invalid`, `disk`
   */
  count(): number {
    try {
      return this.#database.prepare<[number]>("SELECT count(*) FROM record").all()[0]?.[0] ?? 0;
    } catch (error) {
      throw vaultError(error, this.#database.path);
    }
  }

  /**
   * Takes one of the attempts that a user has in a quarter of an hour, known here or not; kept over
   * restarts. Taken before the password is looked at, so that attempts at once don't exceed them.
   *
   * @param now in epoch milliseconds
   * @returns null, or in how many milliseconds the next attempt is free
   */
  takeAttempt(email: string, now: number): Promise<number | null> {
    const digest = emailDigest(this.#seed, email);
    return this.#write(() => takeAttempt(this.#database, digest, now));
  }

  /** Gives a user all attempts back, after a right password. */
  async forgetAttempts(email: string): Promise<void> {
    const digest = emailDigest(this.#seed, email);
    await this.#write(() => {
      this.#database.prepare("DELETE FROM attempt WHERE digest = ?").run(digest);
    });
  }

  /**
   * Seals everything anew under another key, all or nothing. The vault is closed afterwards: it is
   * to be opened with the new key.
   *
   * @param key 32 bytes
   */
  rekey(key: Uint8Array): void {
    const database = this.#database;
    const [id] = database.prepare<[Buffer]>("SELECT id FROM vault").all()[0] ?? [];
    if (id === undefined) throw vaultInvalid(database.path);
    const keys = createVaultKeys(key, id);
    database.exec("BEGIN IMMEDIATE");
    try {
      const update = database.prepare("UPDATE record SET box = ? WHERE digest = ?");
      for (const [digest, text] of openRecords(database, this.#keys)) {
        update.run(keys.seal(digest, text), digest);
      }
      database
        .prepare("UPDATE vault SET key_check = ?, seed = ?")
        .run(keys.check, keys.seal(SEED, this.#seed.toString("base64")));
      database.exec("COMMIT");
    } catch (error) {
      rollBack(database);
      throw vaultError(error, database.path);
    }
    this.close();
  }

  /**
   * Writes what is waiting, cuts the log off and closes the file.
   *
   * @throws RunError `disk`
   */
  close(): void {
    try {
      this.#commit.close();
      this.#database.close();
    } catch (error) {
      throw vaultError(error, this.#database.path);
    } finally {
      this.#unlock();
    }
  }
}
