/** Writes down what comes of the rows of a file's pieces as they are read, where all of them change nothing and can be told by sums. */

import type { KeptPiece } from "../checkpoint/known-pieces.js";
import { packKeys, sameOrAll } from "../inspect/compared-rows.js";
import { type ReadRow, summedRow } from "../inspect/row-sums.js";
import type { Piece } from "../source/bytes/pieces.js";
import { GrowingFacts, type PieceFacts } from "./piece-facts.js";
import { addAlike, type SettledRow } from "./settled-spans.js";

/** A piece of which all rows so far can be told. */
interface OpenPiece {
  readonly piece: Piece;
  /** The entry's number of the first row's user. */
  readonly user: number;
  /** At which its first row begins. */
  readonly line: number;
  readonly facts: GrowingFacts;
  /** Of each row, where it begins, and what is compared. */
  readonly starts: number[];
  readonly keys: number[];
}

/** A piece of which all rows can be told. */
export interface RecordedPiece extends KeptPiece, Pick<Piece, "from" | "to"> {
  readonly rows: number;
}

export class PieceRecorder {
  readonly #pieces: readonly Piece[];
  readonly #now: number;
  readonly #write: (piece: RecordedPiece) => void;
  #place = 0;
  #open: OpenPiece | null = null;

  /**
   * @param pieces of one file, in their order
   * @param now when the file is read, in epoch milliseconds
   * @param write is told of each whose rows can all be told
   */
  constructor(pieces: readonly Piece[], now: number, write: (piece: RecordedPiece) => void) {
    this.#pieces = pieces;
    this.#now = now;
    this.#write = write;
  }

  /**
   * Takes the next row that is read.
   *
   * @param row null for one that names no user
   * @param settled null for one that may change something
   */
  take({ offset, line }: Place, row: ReadRow | null, settled: SettledRow | null): void {
    if (offset === undefined || line === undefined) {
      this.#open = null;
      return;
    }
    this.endAt(offset, line);
    while ((this.#pieces[this.#place]?.to ?? Number.POSITIVE_INFINITY) <= offset) this.#place += 1;
    const piece = this.#pieces[this.#place];
    if (piece?.from === offset) this.#open = this.#begin(piece, line, settled);
    else if (piece === undefined || piece.to !== this.#open?.piece.to) this.#open = null;
    if (this.#open !== null && !this.#add(this.#open, line, row, settled)) this.#open = null;
  }

  /**
   * Closes the piece that ends where other rows begin, those that aren't read among them.
   *
   * @param line of the first of them
   */
  endAt(offset: number, line: number): void {
    if (this.#open?.piece.to === offset) this.#close(this.#open, line);
  }

  #begin(piece: Piece, line: number, settled: SettledRow | null): OpenPiece | null {
    if (settled === null) return null;
    const of = { starts: [], keys: [] };
    return { piece, line, user: settled.user, facts: new GrowingFacts(this.#now), ...of };
  }

  /** @returns whether the row can be told */
  #add(
    { user, facts: { sums, alike }, line: first, ...of }: OpenPiece,
    line: number,
    row: ReadRow | null,
    settled: SettledRow | null,
  ): boolean {
    const summed = row === null ? null : summedRow(row);
    if (summed === null || settled?.user !== user + sums.rows) return false;
    // How many lines a row takes, the next one tells.
    sums.lines = line - first;
    sums.add(summed.sums);
    of.starts.push(line);
    of.keys.push(...summed.keys);
    addAlike(alike, settled, 1);
    return true;
  }

  /** @param line of the row behind it */
  #close({ piece, user, line: first, facts, ...of }: OpenPiece, line: number): void {
    this.#open = null;
    facts.sums.lines = line - first;
    const lines = of.starts.map((start, index) => (of.starts[index + 1] ?? line) - start);
    const { rows } = facts.sums;
    const text = JSON.stringify({ ...facts, lines: sameOrAll(lines) } satisfies PieceFacts);
    this.#write({ ...piece, user, rows, facts: text, keys: packKeys(of.keys) });
  }
}

/** Where a row stands. */
interface Place {
  readonly offset?: number | undefined;
  readonly line?: number | undefined;
}
