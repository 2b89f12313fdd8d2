/** Pieces of files that the run before has read, whose rows changed nothing: a newer export has most of them, and they needn't be read again. */

import { createCipheriv, createHash, hash } from "node:crypto";
import { packageVersion } from "../files/package-version.js";
import type { Database, Statement } from "../sqlite/database.js";
import type { Commit } from "../sqlite/group-commit.js";
import { getMeta, removeMeta, setMeta } from "./meta.js";
import { RowsAhead } from "./rows-ahead.js";

/** Rows that follow each other in a file, of users whose numbers do. */
export interface PieceRows {
  /** The entry's number of the first row's user. */
  readonly user: number;
  readonly rows: number;
  readonly lines: number;
}

/** A piece as it is kept. */
export interface KeptPiece extends PieceRows {
  /** Of the piece and of what it was read by. */
  readonly digest: Buffer;
  /** What came of its rows, as texts of its keeper. */
  readonly facts: string;
  /** What its rows are compared by, as numbers. */
  readonly keys: Buffer;
}

/** A piece of the run before. */
export interface FoundPiece extends PieceRows, Pick<KeptPiece, "facts"> {
  readonly id: number;
}

export class KnownPieces {
  readonly #database: Database;
  readonly #commit: Commit;
  readonly #salt: string;
  readonly #mask: Buffer;
  readonly #idOf: Statement<[number]>;
  readonly #insert: Statement;
  readonly #found: RowsAhead<[number, Buffer, number, number, number, string]>;
  readonly #read: RowsAhead<[number, Buffer, number, string, Buffer]>;
  /** Where the piece stands that is looked for next, if it is the next one. */
  #next = 0;

  /** @param salt the checkpoint's */
  constructor(database: Database, commit: Commit, salt: string) {
    this.#database = database;
    this.#commit = commit;
    this.#salt = salt;
    this.#mask = hash("sha256", `${salt}pieces`, "buffer");
    this.#idOf = database.prepare("SELECT id FROM pieces WHERE digest = ?");
    const found = 'SELECT id, digest, user, "rows", lines, facts FROM pieces';
    this.#found = new RowsAhead(database, found);
    this.#read = new RowsAhead(database, "SELECT id, digest, lines, facts, keys FROM pieces");
    this.#insert = database.prepare(
      `INSERT OR REPLACE INTO pieces (digest, user, "rows", lines, facts, keys)
       VALUES (?, ?, ?, ?, ?, ?)`,
    );
  }

  /**
   * Begins a run, of which nothing is known until {@link keep}: whatever it does to users and
   * however it ends, no later run takes a piece of before for one of its own.
   *
   * @returns what the run before has said of its pieces; null where it has left none
   */
  begin(): string | null {
    const said = getMeta(this.#database, "pieces");
    if (said === undefined) this.#database.exec("DELETE FROM pieces");
    else removeMeta(this.#database, "pieces");
    return said ?? null;
  }

  /** What rows come to by this program and these options, as a text that says nothing of them. */
  contextOf(options: string): string {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    // V8's own tag is another one with each flag of its memory, which a run sets on its way.
    const program = [packageVersion(), ...Object.values(process.versions), timeZone].join(" ");
    return createHash("sha256").update(`${this.#salt}pieces\n${program}\n${options}`).digest("hex");
  }

  /** Pieces that are looked for in the order in which they were added are found soonest. */
  find(digest: Buffer): FoundPiece | null {
    const next = this.#found.from(this.#next);
    const found = next?.[1].equals(digest) ? next : this.#byDigest(digest);
    if (found === undefined) return null;
    const [id, , user, rows, lines, facts] = found;
    this.#next = id + 1;
    return { id, user, rows, lines, facts };
  }

  #byDigest(digest: Buffer) {
    const [row] = this.#idOf.all(digest);
    return row === undefined ? undefined : this.#found.from(row[0]);
  }

  /** What is kept of a piece that was found; null where it isn't there any more. */
  read(id: number): Pick<KeptPiece, "lines" | "facts" | "keys"> | null {
    const row = this.#read.from(id);
    if (row?.[0] !== id) return null;
    const [, digest, lines, facts, keys] = row;
    return { lines, facts, keys: this.#masked(keys, digest) };
  }

  /**
   * @returns their numbers
   * @throws SqliteFailure
   */
  add(pieces: readonly KeptPiece[]): Promise<number[]> {
    return this.#commit.run(() =>
      pieces.map(({ digest, user, rows, lines, facts, keys }) =>
        Number(
          this.#insert.run(digest, user, rows, lines, facts, this.#masked(keys, digest))
            .lastInsertRowid,
        ),
      ),
    );
  }

  /**
   * The run has ended well: these pieces are known to the next one, and no others.
   *
   * @param said of all of them
   * @throws SqliteFailure
   */
  async keep(ids: ReadonlySet<number>, said: string): Promise<void> {
    const all = this.#database.prepare<[number]>("SELECT id FROM pieces").all();
    const remove = this.#database.prepare("DELETE FROM pieces WHERE id = ?");
    await this.#commit.run(() => {
      for (const [id] of all) if (!ids.has(id)) remove.run(id);
      setMeta(this.#database, "pieces", said);
    });
  }

  /**
   * Masks what rows are compared by, or takes the mask away: without the salt, as everywhere in the
   * file, no guess of an address can be tested against it, nor two checkpoints be compared.
   */
  #masked(keys: Buffer, digest: Buffer): Buffer {
    return createCipheriv("aes-256-ctr", this.#mask, digest).update(keys);
  }
}
