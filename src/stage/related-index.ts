/** Finds what objects of an input say of a user by their keys, in a private SQLite file: it holds digests, and where the rest stands. */

import { Bitset } from "../plan/bitset.js";
import { createDryDigester, keyBlob } from "../plan/digests.js";
import { RunError } from "../errors/run-error.js";
import type { RelatedItem } from "../source/source.js";
import { type Database, openScratch, type Statement } from "../sqlite/database.js";
import { inScratch } from "../sqlite/scratch-file.js";
import type { SealedPage } from "./sealed-pages.js";

const TABLE =
  "CREATE TEMP TABLE related (key BLOB, n INTEGER, nonce INTEGER, at INTEGER, bytes INTEGER, missed INTEGER)";

type Place = [n: number, nonce: number, at: number, bytes: number];

/** In one row: for a list of rows the driver takes a kilobyte that it never gives back. */
const FOUND = `
  SELECT json_group_array(json_array(n, nonce, at, bytes))
    FROM (SELECT * FROM related WHERE key = ? ORDER BY n)`;

/** Of objects that name several users: none of these has been asked for. */
const MISSED = "SELECT json_group_array(DISTINCT n) FROM related WHERE missed = 1";
const MET = "UPDATE related SET missed = 0 WHERE key = ? AND missed = 1";

/** Filled once, asked from then on. All methods throw RunError `disk`. */
export class RelatedIndex {
  readonly #directory: string;
  readonly #digester = createDryDigester();
  /** Objects that name a user, and those to which any key has led. */
  readonly #naming = new Bitset();
  readonly #found = new Bitset();
  readonly #foundByName = new Bitset();
  #alone = 0;
  #database: Database | null = null;
  #insert: Statement | null = null;
  #select: Statement<[string]> | null = null;
  /** Absent where no object names several users. */
  #met: Statement | null = null;
  #hasSeveral = false;

  /** @param directory for its file, which has no name and is gone with the process */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** @param number of the object's row */
  add(
    { keys, namesUser, namesSeveral = false }: Omit<RelatedItem, "says">,
    number: number,
    { nonce, at, bytes }: SealedPage,
  ): void {
    if (namesUser) {
      this.#naming.add(number);
      this.#alone += 1;
    }
    this.#hasSeveral ||= namesSeveral;
    const missed = namesSeveral ? 1 : 0;
    this.#attempt(() => {
      this.#insert ??= this.#open().prepare("INSERT INTO related VALUES (?, ?, ?, ?, ?, ?)");
      for (const key of keys) this.#insert.run(this.#keyOf(key), number, nonce, at, bytes, missed);
    });
  }

  /** Called once, after the last object. */
  finish(): void {
    this.#attempt(() => {
      if (this.#database === null) return;
      this.#database.exec("COMMIT; CREATE INDEX temp.related_by_key ON related (key, n)");
      this.#select = this.#database.prepare(FOUND);
      if (this.#hasSeveral) this.#met = this.#database.prepare(MET);
    });
  }

  /**
   * The objects under a key, in the order of their rows.
   *
   * @param byName the key is a name that another user may have as well
   * @throws RunError `input_damaged` where two users lead to an object by such a key
   */
  find(key: string, byName = false): SealedPage[] {
    return this.#attempt(() => {
      const places: Place[] = JSON.parse(this.#select?.get(this.#keyOf(key))?.[0] ?? "[]");
      if (places.length > 0) this.#met?.run(this.#keyOf(key));
      return places.map(([number, nonce, at, bytes]) => {
        if (this.isAlone(number)) this.#alone -= 1;
        this.#found.add(number);
        if (byName && this.#naming.has(number)) {
          if (this.#foundByName.has(number)) {
            const what = `Row ${number} says something of a user by a name that two users of the file have, one as a username and one as an email.`;
            throw new RunError("input_damaged", what, {
              hint: "Whose it is can't be told. Export by ids: manage.py dumpdata without --natural-foreign.",
            });
          }
          this.#foundByName.add(number);
        }
        return { nonce, at, bytes };
      });
    });
  }

  /** How many objects name a user, and no user had their keys. */
  get alone(): number {
    return this.#alone;
  }

  /** The objects that name several users of whom one was never asked for. */
  missing(): ReadonlySet<number> {
    if (this.#met === null) return new Set();
    const found = this.#attempt(() => this.#database?.prepare<[string]>(MISSED).get()?.[0] ?? "[]");
    return new Set(JSON.parse(found));
  }

  /** Whether an object is one of these. */
  isAlone(number: number): boolean {
    return this.#naming.has(number) && !this.#found.has(number);
  }

  close(): void {
    this.#database?.close();
    this.#database = null;
  }

  #keyOf(key: string): Buffer {
    return keyBlob(this.#digester.text(key));
  }

  #open(): Database {
    if (this.#database === null) {
      this.#database = openScratch(this.#directory);
      // Each write by itself would take three times as long.
      this.#database.exec(`${TABLE}; BEGIN`);
    }
    return this.#database;
  }

  #attempt<T>(work: () => T): T {
    return inScratch(this.#directory, () => this.#database, work);
  }
}
