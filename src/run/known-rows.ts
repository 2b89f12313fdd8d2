/** Remembers from run to run the pieces of files whose rows change nothing, so that a newer export costs what has changed. A piece is left out of a reading only where all comes to the same as if it had been read; where that is in doubt, all is read. */

import type { KeptPiece, KnownPieces, PieceRows } from "../checkpoint/known-pieces.js";
import type { SettledRows } from "../checkpoint/settled-rows.js";
import type { HashColumn } from "../inspect/hash-column.js";
import type { RowMemory, RowWatch } from "../inspect/row-watch.js";
import { unpackRows } from "../inspect/compared-rows.js";
import type { Inspector } from "../inspect/inspection.js";
import { GrowingSums } from "../inspect/known-sums.js";
import type { Compared, KnownRows } from "../inspect/left-out-rows.js";
import type { RowFacts } from "../inspect/row-sums.js";
import type { RowRef } from "../events/events.js";
import type { PlannedUser } from "../plan/action.js";
import type { Piece } from "../source/bytes/pieces.js";
import type { Input } from "../source/inputs.js";
import type { LeftOut, SourceItem } from "../source/source.js";
import type { Comparing } from "./comparing.js";
import { type Facts, FactsReader, PieceRecorder } from "./record-pieces.js";
import { type Alike, addAlike, type SettledSpan, type SpanFinder } from "./settled-spans.js";

/** Pieces that are written together, some half a megabyte. */
const WRITTEN_AT_ONCE = 64;

/** A piece that the checkpoint has. */
interface Kept extends Pick<PieceRows, "user" | "rows"> {
  readonly id: number;
  readonly input: Input;
}

/** Rows that are passed over before anything else is done. */
const MOST_ROWS = 20_000;

/** Known pieces that follow each other in an input, of users whose numbers do. */
interface Stretch extends LeftOut, Pick<PieceRows, "user"> {
  rows: number;
  lines: number;
  to: number;
  readonly sums: GrowingSums;
  readonly alike: Alike[];
  /** Of the pieces. */
  readonly ids: number[];
  /** Their rows are compared in any case. */
  readonly isCompared: boolean;
}

/** A piece that is known, and what is kept of it. */
interface Found extends Pick<Facts, "sums" | "each" | "alike"> {
  readonly id: number;
  readonly user: number;
}

interface Remembering {
  readonly rows: SettledRows;
  readonly newFinder: () => SpanFinder;
  /** Null where every row is to be read. */
  readonly pieces: KnownPieces | null;
  /** Whether the run before has left pieces. */
  readonly isKnown: boolean;
  /** See {@link KnownPieces.contextOf}. */
  readonly context: string;
  readonly comparing: Comparing;
}

export class RememberedRows implements RowWatch, RowMemory {
  readonly needsOffsets = true;
  readonly #options: Remembering;
  #finder: SpanFinder;
  #comparing: Comparing;
  /** Rows that were passed over have to be compared. */
  #isUncompared = false;
  #usesPieces: boolean;
  #isInDoubt = false;
  #recorder: PieceRecorder | null = null;
  /** Rows that were left out before rows that the finder hasn't seen yet. */
  #passed: { readonly span: SettledSpan; readonly line: number }[] = [];
  #kept: Kept[] = [];
  #waiting: { readonly piece: KeptPiece; readonly input: Input }[] = [];
  #writing: Promise<void> = Promise.resolve();
  readonly #facts = new FactsReader();

  constructor(options: Remembering) {
    this.#options = options;
    this.#finder = options.newFinder();
    this.#comparing = options.comparing;
    this.#usesPieces = options.isKnown && options.pieces !== null;
  }

  get known(): RowMemory | null {
    return this.#options.pieces === null ? null : this;
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
    this.#usesPieces = this.#isUncompared && !this.#hasToReadAll;
    this.#finder = this.#options.newFinder();
    this.#comparing = this.#comparing.again();
    this.#isUncompared = false;
    this.#isInDoubt = false;
    this.#passed = [];
    this.#kept = [];
    this.#waiting = [];
  }

  async begin(input: Input, signal: AbortSignal): Promise<readonly KnownRows[]> {
    const others: Piece[] = [];
    const stretches: Stretch[] = [];
    const by = `${this.#options.context} ${input.vendor}`;
    let last: Piece | null = null;
    this.#recorder = null;
    try {
      for await (const piece of input.pieces?.(signal, by) ?? []) {
        // Behind rows that are left out another one has to begin, so the last piece is read.
        const known = last === null ? null : this.#find(last, input);
        if (last !== null && known === null) others.push(last);
        if (last !== null && known !== null) addPiece(stretches, last, known);
        last = piece;
      }
    } catch {
      // What is wrong with the input, its reading says.
      if (this.#usesPieces) this.doubt();
      return [];
    }
    if (last !== null) others.push(last);
    this.#recorder = new PieceRecorder(others, input.now, (piece) => this.#record(piece, input));
    return stretches.map((stretch) => ({
      ...stretch,
      pass: (first) => this.#pass(stretch, first),
      compared: this.#needsComparing(stretch) ? this.#compared(stretch) : null,
    }));
  }

  take(
    input: Input,
    items: readonly SourceItem[],
    users: readonly (PlannedUser | null)[],
    _hasContests: boolean,
    facts: readonly RowFacts[],
  ): void {
    let start = 0;
    for (const { span, line } of this.#passed) {
      const place = items.findIndex(({ number }) => number > span.number);
      this.#takeRead(input, { items, users, facts }, start, place);
      this.#recorder?.endAt(span.from, line);
      this.#finder.skip(span, line);
      start = place;
    }
    this.#passed = [];
    this.#takeRead(input, { items, users, facts }, start, items.length);
  }

  conclude(inspector: Pick<Inspector, "boundsWith">): void {
    this.#isUncompared = this.#comparing.conclude(inspector);
  }

  end(input: Input, column: HashColumn): void {
    this.#finder.end(input, column);
    if (this.#usesPieces && !this.#finder.hasSpans(input)) this.doubt();
  }

  /** See {@link SpansOf}. */
  spansOf(input: Input): readonly SettledSpan[] {
    return this.#finder.spansOf(input);
  }

  /**
   * The run has ended well, and has passed over all spans: the next one may leave these rows out.
   *
   * @throws SqliteFailure
   */
  async keep(): Promise<void> {
    const { pieces, rows } = this.#options;
    if (pieces === null) return;
    this.#writeWaiting(pieces);
    await this.#writing;
    const finder = this.#finder;
    const ids = this.#kept.filter(
      ({ input, user, rows }) => finder.hasSpans(input) && !finder.namesElsewhere(user, rows),
    );
    const kept = ids.reduce((sum, { rows }) => sum + rows, 0);
    await pieces.keep(new Set(ids.map(({ id }) => id)), this.#comparing.left(kept));
    if (ids.length > 0) rows.indexKeys();
  }

  /** Null for a piece that isn't known. */
  #find({ digest }: Piece, input: Input): Found | null {
    const found = this.#usesPieces ? this.#options.pieces?.find(digest) : null;
    if (!found) return null;
    const { id, user } = found;
    const { now, sums, each, alike } = this.#facts.of(found.facts);
    if (now > input.now) return null;
    this.#kept.push({ id, user, rows: sums.rows, input });
    this.#comparing.find(sums);
    return { id, user, sums, each, alike };
  }

  #needsComparing({ isCompared }: Stretch): boolean {
    const isNeeded = isCompared || this.#comparing.isNeeded;
    if (!isNeeded) this.#comparing.pass();
    return isNeeded;
  }

  #pass(stretch: Stretch, { number, line = 0 }: RowRef): void {
    const { from, to, user, rows, lines, alike } = stretch;
    this.#passed.push({ span: { from, to, user, rows, lines, alike, number }, line });
  }

  *#compared({ ids }: Stretch): Generator<Compared> {
    for (const id of ids) {
      // Read only now: of ten million users it would take hundreds of megabytes.
      const kept = this.#options.pieces?.read(id);
      if (!kept) return this.doubt();
      const { each, sums } = this.#facts.of(kept.facts);
      yield { rows: unpackRows(sums.rows, each, kept.keys), lines: sums.lines };
    }
  }

  #takeRead(input: Input, { items, users, facts }: ReadRows, start: number, end: number): void {
    if (start === end) return;
    const part = items.slice(start, end);
    const planned = users.slice(start, end);
    const settled = this.#finder.take(input, part, planned);
    for (const [index, item] of part.entries()) {
      this.#comparing.read(item, planned[index] ?? null);
      const plan = planned[index]?.plan;
      const ofRow = facts[start + index];
      const row = plan === undefined || ofRow === undefined ? null : { item, plan, facts: ofRow };
      this.#recorder?.take(item, row, settled[index] ?? null);
    }
  }

  #record(piece: KeptPiece, input: Input): void {
    this.#waiting.push({ piece, input });
    const { pieces } = this.#options;
    if (pieces !== null && this.#waiting.length >= WRITTEN_AT_ONCE) this.#writeWaiting(pieces);
  }

  #writeWaiting(pieces: KnownPieces): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const kept = this.#kept;
    const written = pieces.add(waiting.map(({ piece }) => piece)).then((ids) => {
      for (const [index, { piece, input }] of waiting.entries()) {
        const { user, rows } = piece;
        kept.push({ id: ids[index] ?? 0, user, rows, input });
      }
    });
    this.#writing = Promise.all([this.#writing, written]).then(() => {});
    // Told when the run ends.
    this.#writing.catch(() => {});
  }
}

/** What the finder takes, of the same indexes. */
interface ReadRows {
  readonly items: readonly SourceItem[];
  readonly users: readonly (PlannedUser | null)[];
  readonly facts: readonly RowFacts[];
}

/** Adds a piece to the last stretch, where that goes on with it. */
function addPiece(stretches: Stretch[], { from, to }: Piece, piece: Found): void {
  const { id, user, sums, each, alike } = piece;
  // The lengths of argon2 hashes are compared within their column.
  const isCompared = each.lengths !== 0;
  const last = stretches.at(-1);
  const isNext =
    last?.to === from &&
    last.user + last.rows === user &&
    last.rows < MOST_ROWS &&
    last.isCompared === isCompared;
  const stretch = isNext ? last : emptyStretch({ from, to, user, isCompared });
  if (!isNext) stretches.push(stretch);
  stretch.to = to;
  stretch.rows += sums.rows;
  stretch.lines += sums.lines;
  stretch.sums.add(sums);
  for (const users of alike) addAlike(stretch.alike, users, users.rows);
  stretch.ids.push(id);
}

function emptyStretch(given: Pick<Stretch, "from" | "to" | "user" | "isCompared">): Stretch {
  return { ...given, rows: 0, lines: 0, sums: new GrowingSums(), alike: [], ids: [] };
}
