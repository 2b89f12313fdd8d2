/** Finds the rows that change nothing while the inputs are read for their inspection, so that the run needs no second reading of them: a newer export is mostly such rows. What can't be told from the first reading for certain is read again. */

import type { HashColumn } from "../inspect/hash-column.js";
import { Bitset } from "../keys/bitset.js";
import type { SettledRows } from "../checkpoint/settled-rows.js";
import { type AlikeUsers, isFound } from "../events/tally.js";
import type { PlannedUser, Rules } from "../plan/action.js";
import { decide, NOTHING_SEEN } from "../plan/decide.js";
import { areSame, isSameNotices, noticesBefore, noticesOf } from "../plan/notices.js";
import { isRefusal, passwordOf } from "../plan/plan.js";
import type { Input } from "../source/inputs.js";
import type { RowSpan, SourceItem } from "../source/source.js";

/** Fewer rows are read as fast as they are passed over. */
const LEAST_ROWS = 8;
/** Some 30 MB; the rows behind them are read twice. */
const MOST_SPANS = 100_000;
/** Kinds of users in one span. */
const MOST_KINDS = 32;

/**
 * A broken row is told by the text behind it, as far as the end of a quotation is looked for: more
 * than the 16 MiB of csv-cutter, which looks again only when it has a quarter more.
 */
const REACH_BYTES = 32 * 1024 * 1024;

/** An export of which so few rows change nothing gains nothing by it. */
const TRIAL_ROWS = 20_000;
const LEAST_SHARE = 1 / 4;

/** Users of a span who count alike. */
export interface Alike extends AlikeUsers {
  rows: number;
}

/** Rows that follow each other, of users who do so in the checkpoint, and to whom nothing happens. */
export interface SettledSpan extends RowSpan {
  /** The entry's number of the first row's user. */
  readonly user: number;
  readonly alike: readonly Alike[];
  /** Whether an earlier run has noted of all of them together where they stand. */
  readonly arePlaced: boolean;
}

/** A span that may go on. */
interface OpenSpan extends SettledSpan {
  rows: number;
  to: number;
  lines: number;
  /** At which its first row begins. */
  readonly line: number;
  readonly alike: Alike[];
}

/** A row that changes nothing. */
export interface SettledRow extends Omit<Alike, "rows"> {
  readonly user: number;
  readonly number: number;
  readonly line: number;
  readonly offset: number;
}

/** What decides about the rows, as for the run itself. */
interface FinderOptions extends Rules {
  readonly rows: SettledRows;
  readonly namespace: string;
}

export class SpanFinder {
  readonly #options: FinderOptions;
  readonly #spans = new Map<Input, SettledSpan[]>();
  /** Users whom some row before has named. */
  readonly #named = new Bitset();
  /** Users of whom a later row may be told with their own. */
  readonly #outranked: number[] = [];
  /** Users whom some row names that doesn't stand for them. */
  readonly #elsewhere = new Bitset();
  /** Users of rows that aren't read. */
  readonly #skipped = new Bitset();
  #hasSkipped = false;
  #isNamedTwice = false;
  /** Some row names no user: it may be broken. */
  #hasUnknown = false;
  #found: SettledSpan[] = [];
  #open: OpenSpan | null = null;
  /** The newest row, where it changes nothing: where it ends, the next one shows. */
  #last: SettledRow | null = null;
  #soundFrom = 0;
  #count = 0;
  #read = 0;
  #settled = 0;
  #hasGivenUp = false;

  constructor(options: FinderOptions) {
    this.#options = options;
  }

  /** @returns of each row what is known of it where it changes nothing; null where it may */
  take(
    input: Input,
    items: readonly SourceItem[],
    users: readonly (PlannedUser | null)[],
  ): readonly (SettledRow | null)[] {
    if (this.#hasGivenUp) return items.map(() => null);
    this.#options.rows.expect(users.flatMap((user) => user?.keys ?? []));
    const settled = items.map((item, index) => this.#next(input, item, users[index] ?? null));
    this.#read += items.length;
    this.#hasGivenUp =
      !this.#hasSkipped && this.#read > TRIAL_ROWS && this.#settled < this.#read * LEAST_SHARE;
    return settled;
  }

  /**
   * Takes rows that aren't read, and stand where the next row would.
   *
   * @param line at which the first of them begins
   */
  skip(span: SettledSpan, line: number): void {
    const { user, rows, from, number } = span;
    if (this.#last?.number === number - 1) this.#extend(this.#last, from, line);
    this.#close();
    this.#last = null;
    this.#hasSkipped = true;
    // Of the rows before it isn't known whom they name.
    if (this.#hasGivenUp) this.#isNamedTwice = true;
    if (this.#named.hasAny(user, rows)) this.#isNamedTwice = true;
    this.#named.addAll(user, rows);
    this.#skipped.addAll(user, rows);
    this.#settled += rows;
    this.#read += rows;
    this.#options.rows.passOver(user + rows - 1);
    const before = this.#found.at(-1);
    if (before === undefined || !follows(before, span)) this.#found.push(span);
    else this.#found.splice(-1, 1, joinedSpan(before, span));
  }

  /** Whether a row that was read names a user of rows that weren't, or might have reached into them. */
  get isInDoubt(): boolean {
    return this.#isNamedTwice || (this.#hasSkipped && this.#hasUnknown);
  }

  /** Whether a row that isn't the user's own first one, or changes something, names one of these users. */
  namesElsewhere(first: number, count: number): boolean {
    return this.#elsewhere.hasAny(first, count);
  }

  /** Whether spans may be passed over of an input that was read to its end. */
  hasSpans(input: Input): boolean {
    return !this.#hasGivenUp && this.#spans.has(input);
  }

  end(input: Input, column: HashColumn): void {
    this.#close();
    this.#last = null;
    this.#soundFrom = 0;
    if (column.judgesAlone()) this.#spans.set(input, this.#found);
    this.#found = [];
  }

  /** The rows of an input that a run passes over, in their order. */
  spansOf(input: Input): readonly SettledSpan[] {
    // Of the rows behind the trial nothing is known.
    const spans = this.#hasGivenUp ? [] : (this.#spans.get(input) ?? []);
    if (this.#outranked.length === 0) return spans;
    const outranked = new Bitset();
    for (const user of this.#outranked) outranked.add(user);
    return spans.filter(({ user, rows }) => !outranked.hasAny(user, rows));
  }

  #next(input: Input, item: SourceItem, user: PlannedUser | null): SettledRow | null {
    const { offset, line = 0, number } = item;
    const last = this.#last;
    // Rows of the file that the input doesn't hand on stand between others.
    const isNext = number === (last?.number ?? 0) + 1;
    if (last !== null && offset !== undefined && isNext) this.#extend(last, offset, line);
    else this.#close();
    if (user === null) this.#hasUnknown = true;
    if (user === null && offset !== undefined) this.#soundFrom = offset + REACH_BYTES;
    const settled = user === null ? null : this.#settledRow(input, item, user);
    this.#last = settled;
    if (settled === null) this.#close();
    else this.#settled += 1;
    return settled;
  }

  /** Notes that a row names users by whom nothing of them is told. */
  #nameElsewhere(users: readonly number[]): void {
    for (const id of users) {
      if (this.#skipped.has(id)) this.#isNamedTwice = true;
      this.#named.add(id);
      this.#elsewhere.add(id);
    }
  }

  /** Null for a row that is to be read by the run. */
  #settledRow(input: Input, item: SourceItem, user: PlannedUser): SettledRow | null {
    const { rows, namespace } = this.#options;
    const { keys, plan } = user;
    const { offset, line = 0, number } = item;
    const scope = { source: input.source.name, namespace };
    const entry = isRefusal(plan) ? null : rows.entryOf(keys, scope);
    if (entry === null || isRefusal(plan)) {
      const { users, outranked } = rows.named(keys);
      this.#nameElsewhere(users);
      this.#outranked.push(...outranked);
      return null;
    }
    // Such a row names its own user alone.
    const isFirst = !this.#named.has(entry.id);
    if (isFirst) this.#named.add(entry.id);
    else this.#nameElsewhere([entry.id]);
    const isPlaced = offset !== undefined && offset >= this.#soundFrom && item.origin === undefined;
    if (!isFirst || !isPlaced) return null;
    const matched = { plan, keys, entry, coreId: null };
    const action = decide(matched, NOTHING_SEEN, this.#options);
    if (action.kind !== "keep" || action.outcome !== "unchanged") return null;
    const notices = noticesBefore(matched, action);
    // Written out: a spread copy of every user's row is dear.
    const task = { plan, keys, entry, coreId: null, action };
    const isNews = !isSameNotices(entry.notices, noticesOf(task));
    const password = passwordOf(plan);
    if (isNews || notices.some(isFound) || password === "bridged") return null;
    return { kind: plan.kind, password, notices, user: entry.id, number, line, offset };
  }

  #extend(last: SettledRow, to: number, line: number): void {
    let span = this.#open;
    const follows = span !== null && span.user + span.rows === last.user;
    if (span === null || !follows || span.alike.length === MOST_KINDS) {
      this.#close();
      const { number, offset: from, line: first, user } = last;
      const none = { rows: 0, lines: 0, alike: [], arePlaced: false };
      span = { number, from, to, line: first, user, ...none };
      this.#open = span;
    }
    span.rows += 1;
    span.to = to;
    span.lines = line - span.line;
    addAlike(span.alike, last, 1);
  }

  #close(): void {
    const span = this.#open;
    this.#open = null;
    if (span === null || span.rows < LEAST_ROWS || this.#count === MOST_SPANS) return;
    this.#count += 1;
    this.#found.push(span);
  }
}

/** Whether a span goes on where another one ends. */
function follows(before: SettledSpan, span: SettledSpan): boolean {
  const { number, from, user, alike } = span;
  if (before.arePlaced !== span.arePlaced) return false;
  const isNext = before.number + before.rows === number && before.to === from;
  return (
    isNext && before.user + before.rows === user && before.alike.length + alike.length <= MOST_KINDS
  );
}

function joinedSpan(before: SettledSpan, span: SettledSpan): SettledSpan {
  const alike = before.alike.map((one) => ({ ...one }));
  for (const kind of span.alike) addAlike(alike, kind, kind.rows);
  const { to } = span;
  return { ...before, to, rows: before.rows + span.rows, lines: before.lines + span.lines, alike };
}

/** Counts rows to those that count alike. */
export function addAlike(
  alike: Alike[],
  { kind, password, notices }: Omit<Alike, "rows">,
  rows: number,
): void {
  const known = alike.find(
    (one) => one.kind === kind && one.password === password && areSame(one.notices, notices),
  );
  if (known === undefined) alike.push({ kind, password, notices, rows });
  else known.rows += rows;
}
