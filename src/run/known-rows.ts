/** Remembers from run to run the pieces of files whose rows change nothing, so that a newer export costs what has changed. A piece is left out of a reading only where all comes to the same as if it had been read; where that is in doubt, all is read. */

import type { KnownPieces } from "../checkpoint/known-pieces.js";
import { numbersIn } from "../checkpoint/number-spans.js";
import type { SettledRows } from "../checkpoint/settled-rows.js";
import type { HashColumn } from "../inspect/hash-column.js";
import type { HeardRows, RowMemory, RowWatch } from "../inspect/row-watch.js";
import { unpackRows } from "../inspect/compared-rows.js";
import type { Inspector } from "../inspect/inspection.js";
import type { Compared, KnownRows } from "../inspect/left-out-rows.js";
import type { RowRef } from "../events/events.js";
import type { Block, Piece } from "../source/bytes/pieces.js";
import type { Input } from "../source/inputs.js";
import type { Comparing, Left } from "./comparing.js";
import { KeptPieces } from "./kept-pieces.js";
import { addPart, type KnownPart, type Stretch } from "./known-stretches.js";
import { FactsReader } from "./piece-facts.js";
import { PieceRecorder } from "./record-pieces.js";
import type { SettledSpan, SpanFinder } from "./settled-spans.js";

/** What a run says of the pieces that it leaves. */
export interface Said {
  readonly certain: Left | null;
  /** Whether it has noted of the users of each piece together where they stand. */
  readonly arePlaced: boolean;
}

interface Remembering {
  readonly rows: SettledRows;
  readonly newFinder: () => SpanFinder;
  /** Null where every row is to be read. */
  readonly pieces: KnownPieces | null;
  /** Of the run before; null where it has left no pieces. */
  readonly said: Said | null;
  /** See {@link KnownPieces.contextOf}. */
  readonly context: string;
  readonly comparing: Comparing;
}

/** What is known of an input, and the pieces that have to be read. */
interface Looked {
  readonly stretches: Stretch[];
  readonly others: Piece[];
}

export class RememberedRows implements RowWatch, RowMemory {
  readonly needsOffsets = true;
  readonly #options: Remembering;
  readonly #facts = new FactsReader();
  #finder: SpanFinder;
  #comparing: Comparing;
  #kept: KeptPieces | null;
  /** Rows that were passed over have to be compared. */
  #isUncompared = false;
  #usesPieces: boolean;
  #isInDoubt = false;
  /** Some rows of the input are left out. */
  #leaves = false;
  #recorder: PieceRecorder | null = null;
  /** Rows that were left out before rows that the finder hasn't seen yet. */
  #passed: { readonly span: SettledSpan; readonly line: number }[] = [];

  constructor(options: Remembering) {
    const { pieces, said, newFinder, comparing } = options;
    this.#options = options;
    this.#finder = newFinder();
    this.#comparing = comparing;
    this.#kept = pieces === null ? null : new KeptPieces(pieces, this.#facts);
    this.#usesPieces = said !== null && pieces !== null;
  }

  get known(): RowMemory | null {
    return this.#kept === null ? null : this;
  }

  get isInDoubt(): boolean {
    return this.#isUncompared || this.#hasToReadAll;
  }

  get #hasToReadAll(): boolean {
    return this.#isInDoubt || (this.#usesPieces && this.#finder.isInDoubt);
  }

  doubt(): void {
    this.#isInDoubt = true;
  }

  get leavesOut(): boolean {
    return this.#usesPieces;
  }

  startOver(): void {
    const { pieces, newFinder } = this.#options;
    this.#usesPieces = this.#isUncompared && !this.#hasToReadAll;
    this.#finder = newFinder();
    this.#comparing = this.#comparing.again();
    this.#kept = pieces === null ? null : new KeptPieces(pieces, this.#facts);
    this.#isUncompared = false;
    this.#isInDoubt = false;
    this.#passed = [];
  }

  async begin(input: Input, signal: AbortSignal): Promise<readonly KnownRows[]> {
    const looked: Looked = { stretches: [], others: [] };
    const by = `${this.#options.context} ${input.vendor}`;
    this.#recorder = null;
    this.#leaves = false;
    try {
      for await (const block of input.blocks?.(signal, by) ?? []) {
        this.#look(input, block, looked);
      }
    } catch {
      // What is wrong with the input, its reading says.
      if (this.#usesPieces) this.doubt();
      return [];
    }
    const { stretches, others } = looked;
    this.#leaves = stretches.length > 0;
    this.#recorder = new PieceRecorder(others, input.now, (piece) =>
      this.#kept?.record(input, piece),
    );
    return stretches.map((stretch) => this.#knownRows(stretch));
  }

  take(input: Input, rows: HeardRows): void {
    const { items } = rows;
    let start = 0;
    for (const { span, line } of this.#passed) {
      const place = items.findIndex(({ number }) => number > span.number);
      this.#takeRead(input, rows, start, place);
      this.#recorder?.endAt(span.from, line);
      this.#finder.skip(span, line);
      start = place;
    }
    this.#passed = [];
    this.#takeRead(input, rows, start, items.length);
  }

  conclude(inspector: Pick<Inspector, "boundsWith">): void {
    this.#isUncompared = this.#comparing.conclude(inspector);
  }

  end(input: Input, column: HashColumn): void {
    this.#finder.end(input, column);
    if (this.#leaves && !this.#finder.hasSpans(input)) this.doubt();
  }

  /** See {@link SpanFinder.spansOf}. */
  spansOf(input: Input): readonly SettledSpan[] {
    return this.#finder.spansOf(input);
  }

  /**
   * The run has ended well, and has passed over all spans: the next one may leave these rows out.
   *
   * @throws SqliteFailure
   */
  async keep(): Promise<void> {
    const finder = this.#finder;
    const { rows } = this.#options;
    const isKept = await this.#kept?.keep(
      (input, user, count) => finder.hasSpans(input) && !finder.namesElsewhere(user, count),
      (kept) => {
        const arePlaced = kept.users.every(({ first, last }) =>
          rows.arePlaced(first, last - first + 1),
        );
        const certain = this.#comparing.left(kept.rows);
        return JSON.stringify({ certain, arePlaced } satisfies Said);
      },
    );
    if (isKept) rows.indexKeys();
  }

  /** Looks for a block, and where it isn't known for its pieces. */
  #look(input: Input, block: Block, { stretches, others }: Looked): void {
    const known = block.isLast ? null : this.#findBlock(input, block);
    if (known !== null) {
      addPart(stretches, known);
      return;
    }
    this.#kept?.meet(input, block);
    const pieces = block.pieces();
    // Behind rows that are left out another one has to begin, so the last piece is read.
    const last = block.isLast ? pieces.at(-1) : undefined;
    for (const piece of pieces) {
      const part = piece === last ? null : this.#find(input, piece);
      if (part === null) others.push(piece);
      else addPart(stretches, part);
    }
  }

  #findBlock(input: Input, { from, to, digest }: Block): KnownPart | null {
    const found = this.#usesPieces ? this.#options.pieces?.findBlock(digest) : null;
    if (!found) return null;
    const { id, user } = found;
    const facts = this.#facts.ofBlock(found.facts);
    if (facts.now > input.now) return null;
    const { pieces, sums } = facts;
    this.#kept?.findBlock(input, { id, user, rows: sums.rows, pieces });
    this.#comparing.find(sums);
    return { from, to, user, facts, pieces };
  }

  #find(input: Input, { from, to, digest }: Piece): KnownPart | null {
    const found = this.#usesPieces ? this.#options.pieces?.find(digest) : null;
    if (!found) return null;
    const { id, user } = found;
    const facts = this.#facts.ofPiece(found.facts);
    if (facts.now > input.now) return null;
    const { sums } = facts;
    this.#kept?.find(input, { id, from, to, user, rows: sums.rows });
    this.#comparing.find(sums);
    return { from, to, user, facts, pieces: [{ first: id, last: id }] };
  }

  #knownRows(stretch: Stretch): KnownRows {
    const { from, to, rows, lines } = stretch;
    return {
      from,
      to,
      rows,
      lines,
      sums: stretch.facts.sums,
      pass: (first) => this.#pass(stretch, first),
      compared: this.#comparing.isNeeded ? this.#compared(stretch) : null,
    };
  }

  #pass({ from, to, user, rows, lines, facts }: Stretch, { number, line = 0 }: RowRef): void {
    const { alike } = facts;
    const arePlaced = this.#options.said?.arePlaced === true;
    this.#passed.push({ span: { from, to, user, rows, lines, alike, number, arePlaced }, line });
  }

  /** Read only now: of ten million users it would take hundreds of megabytes. */
  *#compared({ pieces }: Stretch): Generator<Compared> {
    for (const id of numbersIn(pieces)) {
      const piece = this.#options.pieces?.at(id);
      const keys = this.#options.pieces?.keysOf(id);
      if (!piece || !keys) return this.doubt();
      const { lines, sums } = this.#facts.ofPiece(piece.facts);
      yield { rows: unpackRows(sums.rows, lines, keys), lines: sums.lines };
    }
  }

  #takeRead(input: Input, { items, users, facts }: HeardRows, start: number, end: number): void {
    if (start === end) return;
    const part = items.slice(start, end);
    const planned = users.slice(start, end);
    const settled = this.#finder.take(input, part, planned);
    for (const [index, item] of part.entries()) {
      const ofItem = settled[index] ?? null;
      this.#comparing.read(item, planned[index] ?? null, ofItem !== null);
      const plan = planned[index]?.plan;
      const ofRow = facts[start + index];
      const row = plan === undefined || ofRow === undefined ? null : { item, plan, facts: ofRow };
      this.#recorder?.take(item, row, ofItem);
    }
  }
}
