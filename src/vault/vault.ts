/** The vault: one file of old hashes that no core takes, each opened by its user's first sign-in and erased after it. */

import { existsSync } from "node:fs";
import type { RawHash } from "../hash/hash.js";
import type { AskedUpstream, KeptPassword } from "../hash/legacy/kept-password.js";
import { type Database, openDatabase } from "../sqlite/database.js";
import { pragma } from "../sqlite/driver.js";
import { lockPathOf, takeLock } from "../sqlite/file-lock.js";
import { GroupCommit } from "../sqlite/group-commit.js";
import { SqliteFailure } from "../sqlite/sqlite-failure.js";
import { takeAttempt } from "./attempts.js";
import { makeStandIn, type StandIn } from "./stand-in.js";
import { VAULT_FILE, vaultError, vaultMissing } from "./vault-file.js";
import { emailDigest, type VaultKeys } from "./vault-keys.js";
import {
  countRecords,
  findDecoy,
  findRecord,
  hasRecord,
  IMPORTS,
  type OpenedVault,
  openVault,
  sealAnew,
  type VaultOptions,
} from "./vault-records.js";

/** What is kept of one user: all that verifying the old password takes, and what stands at the core for it. */
export type VaultRecord = KeptPassword & {
  /** What the core got in its place, the newest first: a change that was killed may have left it one from before. */
  readonly standIns: readonly StandIn[];
};

/** How long a process that only reads is waited for: an erasure holds up all sign-ins meanwhile. */
const READERS_MS = 250;

/**
 * An open vault. Emails are given as a core normalizes them. Everything that it writes is durable
 * before the promise resolves; a process that is killed leaves each record whole, or not there.
 */
export class Vault {
  /** What tells it from every other vault, in hexadecimal. */
  readonly id: string;
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #keys: VaultKeys;
  readonly #seed: Buffer;
  readonly #unlock: () => void;
  #imports: number;

  private constructor(
    database: Database,
    { id, keys, seed, imports }: OpenedVault,
    unlock: () => void,
  ) {
    this.id = id;
    this.#database = database;
    this.#unlock = unlock;
    this.#commit = new GroupCommit(database);
    this.#keys = keys;
    this.#seed = seed;
    this.#imports = imports;
  }

  /**
   * Opens a vault, or makes one: mode 0600, bound to a migration and a core for good, and locked
   * against other processes until it is closed. Between an import's record and its call a bridge
   * would take the user's password for one that was set since.
   *
   * @throws RunError `vault_missing`, `vault_key_wrong`, `in_use`,
   *   `file_not_private`, `disk`
   */
  static open(path: string, options: VaultOptions): Vault {
    const { mustExist = false, wanted } = options;
    try {
      if (mustExist && !existsSync(path)) {
        if (wanted !== undefined) throw vaultMissing(path, "isn't there", wanted);
        throw new SqliteFailure("missing", `${path} isn't there`);
      }
      const unlock = takeLock(lockPathOf(path), VAULT_FILE.applicationId);
      let database: Database | null = null;
      try {
        database = openDatabase(path, { ...VAULT_FILE, mustExist, busyTimeoutMs: READERS_MS });
        pragma(database, "secure_delete = ON");
        return new Vault(database, openVault(database, options), unlock);
      } catch (error) {
        database?.close();
        unlock();
        throw error;
      }
    } catch (error) {
      throw vaultError(error, path);
    }
  }

  /**
   * The password, and its hash, that stand at the core for what is kept of a user; the same each time.
   *
   * @param salt the hash's: 16 bytes
   */
  standIn(email: string, kept: RawHash | AskedUpstream, salt: Buffer): Promise<StandIn> {
    return makeStandIn(this.#seed, email, JSON.stringify(kept), salt);
  }

  /**
   * Counts an import that is about to write to the vault.
   *
   * @param before how many there were of a later state of it, which is lost
   * @returns how many there are
   * @throws RunError `disk`
   */
  countImport(before = 0): Promise<number> {
    const imports = Math.max(this.#imports, before) + 1;
    const box = this.#keys.seal(IMPORTS, String(imports));
    this.#imports = imports;
    return this.#write(() => {
      this.#database.prepare("UPDATE vault SET imports = ?, told_imports = ?").run(box, imports);
      return imports;
    });
  }

  /** Keeps a user's record in the place of any that was there. */
  put(email: string, record: VaultRecord): Promise<void> {
    const digest = emailDigest(this.#seed, email);
    const box = this.#keys.seal(digest, JSON.stringify(record));
    return this.#write(() => {
      this.#database
        .prepare(
          "INSERT INTO record (digest, box) VALUES (?, ?) ON CONFLICT DO UPDATE SET box = ?, unmatched = 0",
        )
        .run(digest, box, box);
    });
  }

  /**
   * A user's record; null where there is none.
   *
   * @throws RunError `vault_missing` for one that doesn't open, which is damage; `disk`
   */
  get(email: string): VaultRecord | null {
    const digest = emailDigest(this.#seed, email);
    const text = this.#read((database) => findRecord(database, this.#keys, digest));
    return text === null ? null : (JSON.parse(text) as VaultRecord);
  }

  /**
   * Another user's record, against which a password is verified for a user without one, so that
   * both take as long. The same one for an email as long as no record comes or goes beside it; null
   * in an empty vault. A damaged one is passed over: it says nothing of the user who is asked for.
   */
  decoy(email: string): VaultRecord | null {
    const digest = emailDigest(this.#seed, email);
    const text = this.#read((database) => findDecoy(database, this.#keys, digest));
    return text === null ? null : (JSON.parse(text) as VaultRecord);
  }

  /** @throws RunError `vault_missing`, `disk` */
  #read<T>(work: (database: Database) => T): T {
    try {
      return work(this.#database);
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
  erase(email: string): Promise<void> {
    return this.eraseNamed(emailDigest(this.#seed, email));
  }

  /**
   * What the vault calls a user, the same for good: a keyed digest of the email; null where it has no
   * record of the user.
   *
   * @throws RunError `vault_missing`, `disk`
   */
  nameOf(email: string): Buffer | null {
    const digest = emailDigest(this.#seed, email);
    return this.#read((database) => hasRecord(database, digest)) ? digest : null;
  }

  /** As {@link erase}, of a user whose email isn't known any more. */
  async eraseNamed(digest: Buffer): Promise<void> {
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
   * @throws RunError `vault_missing`, `disk`
   */
  count(): number {
    return this.#read((database) => countRecords(database).users);
  }

  /**
   * Notes of a user that their right old password came, and the core had something else than the
   * record says.
   *
   * @throws RunError `disk`
   */
  async markUnmatched(email: string): Promise<void> {
    const digest = emailDigest(this.#seed, email);
    await this.#write(() => {
      this.#database.prepare("UPDATE record SET unmatched = 1 WHERE digest = ?").run(digest);
    });
  }

  /** How many imports have written to it. */
  get imports(): number {
    return this.#imports;
  }

  /** How many users have that note. @throws as {@link count} */
  countUnmatched(): number {
    return this.#read((database) => countRecords(database).unmatched);
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
    const opened = { id: this.id, keys: this.#keys, seed: this.#seed, imports: this.#imports };
    this.#read((database) => sealAnew(database, opened, key));
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
