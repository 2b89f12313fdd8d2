/** Pieces of files that the run before has read, whose rows changed nothing, and blocks of such pieces: a newer export has most of them, and they needn't be read again. */

import { createCipheriv, hash } from "node:crypto";
import { packageVersion } from "../files/package-version.js";
import type { Database } from "../sqlite/database.js";
import type { Commit } from "../sqlite/group-commit.js";
import { DigestTable, type FoundRows, type KeptRows } from "./digest-table.js";
import { getMeta, removeMeta, setMeta } from "./meta.js";
import type { Span } from "./number-spans.js";
import { RowsAhead } from "./rows-ahead.js";

export interface KeptPiece extends KeptRows {
  /** What its rows are compared by, as numbers. */
  readonly keys: Buffer;
}

/** The numbers of pieces and blocks. */
export interface Kept {
  readonly pieces: readonly Span[];
  readonly blocks: readonly Span[];
}

export class KnownPieces {
  readonly #database: Database;
  readonly #commit: Commit;
  readonly #salt: string;
  readonly #mask: Buffer;
  readonly #pieces: DigestTable;
  readonly #blocks: DigestTable;
  readonly #keys: RowsAhead<[number, Buffer, Buffer]>;

  /** @param salt the checkpoint's */
  constructor(database: Database, commit: Commit, salt: string) {
    this.#database = database;
    this.#commit = commit;
    this.#salt = salt;
    this.#mask = hash("sha256", `${salt}pieces`, "buffer");
    this.#pieces = new DigestTable(database, "pieces", ["keys"]);
    this.#blocks = new DigestTable(database, "blocks");
    this.#keys = new RowsAhead(database, "SELECT id, digest, keys FROM pieces");
  }

  /**
   * Begins a run, of which nothing is known until {@link keep}: whatever it does to users and
   * however it ends, no later run takes a piece of before for one of its own.
   *
   * @returns what the run before has said of its pieces; null where it has left none
   */
  begin(): string | null {
    const said = getMeta(this.#database, "pieces");
    if (said === undefined) this.#database.exec("DELETE FROM pieces; DELETE FROM blocks");
    else removeMeta(this.#database, "pieces");
    return said ?? null;
  }

  /** What rows come to by this program and these options, as a text that says nothing of them. */
  contextOf(options: string): string {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    // V8's own tag is another one with each flag of its memory, which a run sets on its way.
    const program = [packageVersion(), ...Object.values(process.versions), timeZone].join(" ");
    return hash("sha256", `${this.#salt}pieces\n${program}\n${options}`);
  }

  /** Those that are looked for in the order in which they were added are found soonest. */
  find(digest: string): FoundRows | null {
    return this.#pieces.find(digest);
  }

  findBlock(digest: string): FoundRows | null {
    return this.#blocks.find(digest);
  }

  /** A piece that the run before or this one has left; null where it isn't there any more. */
  at(id: number): FoundRows | null {
    return this.#pieces.at(id);
  }

  /** What a piece's rows are compared by; null where it isn't there any more. */
  keysOf(piece: number): Buffer | null {
    const row = this.#keys.from(piece);
    return row?.[0] === piece ? this.#masked(row[2], row[1]) : null;
  }

  /**
   * @returns their numbers
   * @throws SqliteFailure
   */
  add(pieces: readonly KeptPiece[]): Promise<number[]> {
    return this.#commit.run(() =>
      pieces.map(({ keys, ...piece }) =>
        this.#pieces.add(piece, this.#masked(keys, Buffer.from(piece.digest, "latin1"))),
      ),
    );
  }

  /** As {@link add}. */
  addBlocks(blocks: readonly KeptRows[]): Promise<number[]> {
    return this.#commit.run(() => blocks.map((block) => this.#blocks.add(block)));
  }

  /**
   * The run has ended well: these are known to the next one, and no others.
   *
   * @param said of all of them
   * @throws SqliteFailure
   */
  async keep({ pieces, blocks }: Kept, said: string): Promise<void> {
    await this.#commit.run(() => {
      this.#pieces.keep(pieces);
      this.#blocks.keep(blocks);
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
