/** Gathers the pieces and blocks of a run that the next one is to know: those that are found again, and those whose rows are read and can be told. */

import type { Kept, KnownPieces } from "../checkpoint/known-pieces.js";
import { addSpan, type Span } from "../checkpoint/number-spans.js";
import type { Block, Piece } from "../source/bytes/pieces.js";
import type { Input } from "../source/inputs.js";
import { joinBlocks, type PieceAt } from "./join-blocks.js";
import type { FactsReader } from "./piece-facts.js";
import type { RecordedPiece } from "./record-pieces.js";

/** Pieces that are written together, some half a megabyte. */
const WRITTEN_AT_ONCE = 128;

/** A block that is known as such. */
interface KnownBlock {
  readonly id: number;
  readonly user: number;
  readonly rows: number;
  readonly pieces: readonly Span[];
}

/** Those of one input. */
class OfInput {
  /** Pieces that were found again. */
  readonly found: PieceAt[] = [];
  /** Pieces whose rows were read. */
  readonly read: PieceAt[] = [];
  readonly blocks: KnownBlock[] = [];
  /** Blocks that aren't known, and may be in the next run. */
  readonly others: Piece[] = [];
}

/** Whether the next run may leave out these rows of users. */
type IsSure = (input: Input, user: number, rows: number) => boolean;

export class KeptPieces {
  readonly #pieces: KnownPieces;
  readonly #facts: FactsReader;
  readonly #inputs = new Map<Input, OfInput>();
  #waiting: { readonly piece: RecordedPiece; readonly of: OfInput }[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(pieces: KnownPieces, facts: FactsReader) {
    this.#pieces = pieces;
    this.#facts = facts;
  }

  /** A piece that was found again. */
  find(input: Input, piece: PieceAt): void {
    this.#of(input).found.push(piece);
  }

  findBlock(input: Input, block: KnownBlock): void {
    this.#of(input).blocks.push(block);
  }

  /** A block that isn't known. */
  meet(input: Input, { from, to, digest }: Block): void {
    this.#of(input).others.push({ from, to, digest });
  }

  record(input: Input, piece: RecordedPiece): void {
    this.#waiting.push({ piece, of: this.#of(input) });
    if (this.#waiting.length >= WRITTEN_AT_ONCE) this.#write();
  }

  /**
   * The run has ended well.
   *
   * @param said is told what is kept
   * @returns whether any is kept
   * @throws SqliteFailure
   */
  async keep(isSure: IsSure, said: (kept: Keeping) => string): Promise<boolean> {
    this.#write();
    await this.#writing;
    const kept = new Keeping();
    for (const [input, { found, read, blocks, others }] of this.#inputs) {
      // What was found again was passed over: no other row has named its users, else all would be read.
      const pieces = [...found, ...read.filter(({ user, rows }) => isSure(input, user, rows))];
      for (const piece of pieces) kept.addPiece(piece);
      for (const block of blocks) kept.addBlock(block);
      const joined = joinBlocks(others, pieces, (id) => this.#factsOf(id));
      for (const id of await this.#pieces.addBlocks(joined)) kept.joinBlock(id);
    }
    await this.#pieces.keep(kept, said(kept));
    return kept.rows > 0;
  }

  #of(input: Input): OfInput {
    const known = this.#inputs.get(input);
    if (known !== undefined) return known;
    const made = new OfInput();
    this.#inputs.set(input, made);
    return made;
  }

  #factsOf(id: number) {
    const piece = this.#pieces.at(id);
    return piece === null ? null : this.#facts.ofPiece(piece.facts);
  }

  #write(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const written = this.#pieces.add(waiting.map(({ piece }) => piece)).then((ids) => {
      for (const [index, { piece, of }] of waiting.entries()) {
        const { from, to, user, rows } = piece;
        of.read.push({ id: ids[index] ?? 0, from, to, user, rows });
      }
    });
    this.#writing = Promise.all([this.#writing, written]).then(() => {});
    // Told when the run ends.
    this.#writing.catch(() => {});
  }
}

/** What is kept, so far. */
class Keeping implements Kept {
  readonly pieces: Span[] = [];
  readonly blocks: Span[] = [];
  /** The users of its rows. */
  readonly users: Span[] = [];
  rows = 0;

  addPiece({ id, user, rows }: PieceAt): void {
    addSpan(this.pieces, { first: id, last: id });
    this.#addRows(user, rows);
  }

  addBlock({ id, pieces, user, rows }: KnownBlock): void {
    this.joinBlock(id);
    for (const span of pieces) addSpan(this.pieces, span);
    this.#addRows(user, rows);
  }

  /** A block of pieces that are kept as such. */
  joinBlock(id: number): void {
    addSpan(this.blocks, { first: id, last: id });
  }

  #addRows(user: number, rows: number): void {
    addSpan(this.users, { first: user, last: user + rows - 1 });
    this.rows += rows;
  }
}
