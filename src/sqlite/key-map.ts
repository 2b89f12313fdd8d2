/** Numbers by keys, in a file without a name: it holds as much in memory with ten thousand keys as with a hundred million. */

import { type Database, openScratch, type Statement } from "./database.js";
import { inScratch } from "./scratch-file.js";

/** Keys that are held in memory before they are written. For as many at all no file is opened. */
const HELD = 4096;

/** Keys are texts of Latin-1 characters, one as long as the other. */
export class KeyMap {
  readonly #directory: string;
  readonly #held = new Map<string, number>();
  readonly #most: number;
  #database: Database | null = null;
  #select: Statement<[number]> | null = null;

  /**
   * @param directory for the file, which takes some 40 bytes a key
   * @param most keys that are held in memory; fewer in tests
   */
  constructor(directory: string, most = HELD) {
    this.#directory = directory;
    this.#most = most;
  }

  /** @throws RunError `disk` */
  get(key: string): number | undefined {
    const select = this.#select;
    const held = this.#held.get(key);
    if (held !== undefined || select === null) return held;
    return this.#attempt(() => select.get(Buffer.from(key, "latin1"))?.[0]);
  }

  /**
   * Gives a key a number, in place of the one that it may have.
   *
   * @param number a safe integer
   * @throws RunError `disk`
   */
  set(key: string, number: number): void {
    this.#held.set(key, number);
    if (this.#held.size < this.#most) return;
    this.#attempt(() => this.#write());
    this.#held.clear();
  }

  close(): void {
    this.#database?.close();
    this.#database = null;
    this.#select = null;
  }

  #attempt<T>(work: () => T): T {
    return inScratch(this.#directory, () => this.#database, work);
  }

  #write(): void {
    this.#database ??= this.#open();
    const keys = Buffer.from([...this.#held.keys()].join(""), "latin1");
    const bytes = keys.length / this.#held.size;
    const insert = this.#database.prepare(
      `INSERT OR REPLACE INTO numbers
       SELECT substr(?1, 1 + ${bytes} * each.key, ${bytes}) AS name, each.value
       FROM json_each(?2) each ORDER BY name`,
    );
    insert.run(keys, JSON.stringify([...this.#held.values()]));
  }

  #open(): Database {
    const database = openScratch(this.#directory);
    database.exec("CREATE TEMP TABLE numbers (key BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID");
    this.#select = database.prepare("SELECT number FROM numbers WHERE key = ?");
    return database;
  }
}
