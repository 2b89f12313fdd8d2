/** The stage: every row of a run with its planned user, as it was read once. What would name or open an account is sealed, under a key that lives in memory alone. */

import { rowOf } from "../errors/place.js";
import type { RowRef } from "../events/events.js";
import { type ExampleCounter, type FindingCode, joined } from "../events/findings.js";
import type { PlannedUser } from "../plan/action.js";
import type { Digester, Key } from "../plan/digests.js";
import type { Input } from "../source/inputs.js";
import type { RawRow } from "../source/raw/raw-row.js";
import type { SourceItem } from "../source/source.js";
import { FactTable, type SharedFacts } from "./facts.js";
import { KeyTable } from "./keys-table.js";
import { lineOf, PageReader } from "./page-reader.js";
import { type Kept, PageForm, PageWriter } from "./page-writer.js";
import { EVERY_ROW, isChosen, mayHave, type RowChoice } from "./row-choice.js";
import { joinedTo, joinRows, type JoinableRows } from "./rows-of-one.js";
import { type SealedPage, SealedPages } from "./sealed-pages.js";
import { type EarlierRuns, settleRows } from "./settle.js";
import type { StagedRow, StagedUser } from "./staged-row.js";
import { isWaiting, type Waiting } from "./waiting.js";

/** Rows of a page. */
const PAGE_ROWS = 500;

/** Where a page stands, and what it holds. */
interface Page extends SealedPage {
  readonly input: Input;
  readonly from: number;
  /** In the input. */
  readonly first: number;
  readonly last: number;
  /** By how much a row's line is more than its number, null without lines; undefined where its rows' places have no such rule. */
  readonly shift: number | null | undefined;
  /** Whether a row waits among its. */
  readonly waits: boolean;
}

/** All rows of one run, in their order. */
export class Stage {
  /** Where its files are made. */
  readonly directory: string;
  readonly #file: SealedPages;
  readonly #pages: Page[] = [];
  /** The page that was opened last for a row. */
  #open: { readonly page: Page | null; readonly rows: readonly StagedRow[] } = {
    page: null,
    rows: [],
  };
  readonly #form: PageForm;
  #page: PageWriter;
  readonly #keys: KeyTable;
  readonly #facts: FactTable;
  readonly #earlier: EarlierRuns | null;
  #hasJoined = false;
  #input: Input | null = null;
  /** How many rows there are. */
  #rows = 0;

  /**
   * @param directory where its file is made, which has no name and is gone with the process
   * @param kept of each row
   * @param earlier what earlier runs know; by default nothing
   */
  constructor(directory: string, kept: Kept = "all", earlier: EarlierRuns | null = null) {
    this.directory = directory;
    this.#file = new SealedPages(directory);
    this.#form = new PageForm(kept);
    this.#page = new PageWriter(this.#form);
    this.#keys = new KeyTable(directory, earlier?.database);
    this.#facts = new FactTable(this.#keys, (row) => this.#placeOf(row));
    this.#earlier = earlier;
  }

  /**
   * Takes a row as it is read, those of one input after another's, and keeps none of its objects.
   *
   * @param user null for a row that names no user
   * @throws RunError `disk`
   */
  take(input: Input, item: SourceItem, user: StagedUser | Waiting | null): void {
    if (input !== this.#input) this.#write();
    this.#input = input;
    const { kind, number, line, origin } = item;
    const code = "code" in item ? item.code : "";
    const hint = "hint" in item ? item.hint : "";
    const raw = kind === "truncated" ? undefined : item.raw;
    this.#rows += 1;
    if (user !== null && !isWaiting(user)) this.#takeKeys(this.#rows, user);
    this.#page.add({ kind, number, line, origin, code, hint, raw }, user);
    if (this.#page.rows === PAGE_ROWS) this.#write();
  }

  /**
   * Plans the rows that wait, in their order, after the last row.
   *
   * @param plan the user of a row, or what it waits with further
   * @throws RunError `disk`, and what `plan` throws
   */
  planWaiting(plan: (input: Input, row: RowRef, waiting: Waiting) => StagedUser | Waiting): void {
    this.#write();
    for (const [index, page] of this.#pages.entries()) {
      if (!page.waits) continue;
      const { input } = page;
      this.#rewrite(index, (number, { waiting, ...row }) => {
        const user = waiting && plan(input, rowOf(input.path, row), waiting);
        if (user !== undefined && !isWaiting(user)) {
          this.#keys.goTo(number);
          this.#takeKeys(number, user);
        }
        return user;
      });
    }
    this.#keys.goTo(this.#rows + 1);
  }

  /**
   * Asks what all rows make of each, once, after the last; those of one user that a join has multiplied
   * become one.
   *
   * @param digester makes the keys of these anew
   * @returns what the users who are brought have in common, and what is found of them
   * @throws RunError `disk`
   */
  settle(digester: Digester): SharedFacts {
    this.#write();
    const rows = {
      userAt: (row: number) => this.#rowAt(row).user,
      placeOf: (row: number) => this.#placeOf(row),
    };
    this.#facts.begin();
    const file = this.#file;
    const joinable: JoinableRows = {
      userAt: rows.userAt,
      found: (row, before, after) => this.#facts.again(row, before, after),
      seal: (user) => file.write(Buffer.from(JSON.stringify(user))),
      open: (sealed) => JSON.parse(file.read(sealed).toString()),
      rewrite: (usersOf) => this.#replace(usersOf),
    };
    const repeated = (): void => {
      this.#hasJoined = joinRows(this.#keys, joinable, digester);
    };
    settleRows(this.#keys, rows, this.#earlier, repeated);
    return this.#facts.ask();
  }

  /** The rows of an input in their order, a page at a time. @throws RunError `disk` */
  *read(input: Input, choice: RowChoice = EVERY_ROW): Iterable<readonly StagedRow[]> {
    for (const page of this.#pages) {
      if (page.input !== input) continue;
      if (!mayHave(page, choice)) continue;
      const rows = this.#amongOthers(page).filter((row) => isChosen(row, choice));
      if (rows.length > 0) yield rows;
    }
  }

  /** Of the first users who are yet to be brought, those of whom one of `NEW_USER` is found. @throws RunError `disk` */
  newUsers(found: number, most: number): ExampleCounter {
    return this.#facts.newUsers(found, most);
  }

  /** Users of files of whom a finding says something. @throws RunError `disk` */
  found(code: FindingCode, files: ReadonlySet<string>): ExampleCounter {
    const asked = ({ input }: Page, at: number): ExampleCounter | [] =>
      files.has(input.path) ? this.#facts.between(code, this.#rowsIn(at)) : [];
    return joined(this.#pages.flatMap(asked));
  }

  /** A row as it stood, where texts are kept; undefined for one that isn't among them. */
  rawAt(row: RowRef): RawRow | undefined {
    const number = this.#numberOf(row);
    return number === null ? undefined : this.#rowAt(number).raw?.();
  }

  /** The other rows of the user of a row, which go with it, in their order. */
  joinedTo(row: RowRef): readonly RowRef[] {
    const number = this.#hasJoined ? this.#numberOf(row) : null;
    if (number === null) return [];
    return joinedTo(this.#keys, number).map((other) => this.#placeOf(other));
  }

  /** The identity of the row with which a row of the run goes: its user's first one, or the one that gets its contact. Null where none names a user. */
  leader(row: number): Key | null {
    return this.#keys.leader(row);
  }

  /** How many rows are of users whom an earlier run has brought. */
  brought(): number {
    return this.#keys.brought();
  }

  close(): void {
    this.#keys.close();
    this.#file.close();
  }

  #takeKeys(number: number, user: StagedUser): void {
    this.#keys.take(number, user, this.#facts.take(number, user));
  }

  #write(): void {
    const { rows } = this.#page;
    const input = this.#input;
    if (rows === 0 || input === null) return;
    const { first, last, shift } = this.#page;
    const from = this.#rows - rows + 1;
    this.#pages.push({ input, from, first, last, shift, ...this.#seal(this.#page) });
    this.#page = new PageWriter(this.#form);
  }

  /** Writes a page behind all others. */
  #seal(page: PageWriter): SealedPage & Pick<Page, "waits"> {
    return { waits: page.waits, ...this.#file.write(page.end()) };
  }

  /** A page's rows with what the others make of them. */
  #amongOthers(page: Page): StagedRow[] {
    const rows = this.#rowsOf(page, this.#form.kept === "counted");
    for (const [number, among] of this.#keys.said(page.from, page.from + rows.length - 1)) {
      const at = number - page.from;
      const row = rows[at];
      if (row !== undefined) rows[at] = { ...row, among };
    }
    return rows;
  }

  /** Writes the rows of a page anew, with those users who are others by now. */
  #rewrite(
    index: number,
    userOf: (number: number, row: StagedRow) => PlannedUser | Waiting | undefined,
  ): void {
    const page = this.#pages[index];
    if (page === undefined) return;
    const writer = new PageWriter(this.#form);
    const { rows } = this.#open.page === page ? this.#open : { rows: this.#rowsOf(page) };
    for (const [at, row] of rows.entries()) {
      const { waiting, ...others } = row;
      writer.add(others, userOf(page.from + at, row) ?? waiting ?? row.user);
    }
    this.#pages[index] = { ...page, ...this.#seal(writer) };
  }

  #replace(usersOf: Parameters<JoinableRows["rewrite"]>[0]): void {
    for (const index of this.#pages.keys()) {
      const users = usersOf(...this.#rowsIn(index));
      if (users.size > 0) this.#rewrite(index, (number) => users.get(number));
    }
  }

  #rowsIn(index: number): [first: number, last: number] {
    const next = this.#pages[index + 1]?.from ?? this.#rows + 1;
    return [this.#pages[index]?.from ?? next, next - 1];
  }

  /** The number in the run of a row; null for one that isn't in it. */
  #numberOf({ file, number }: RowRef): number | null {
    const has = ({ input, first, last }: Page): boolean =>
      input.path === file && number >= first && number <= last;
    const { page: open } = this.#open;
    const page = open !== null && has(open) ? open : this.#pages.find(has);
    return page === undefined ? null : page.from + number - page.first;
  }

  /** Where a row of the run stood. */
  #placeOf(row: number): RowRef {
    const page = this.#pageOf(row);
    const { input, first, shift } = page;
    const number = first + row - page.from;
    // Rows without such a rule are few, and looked for in the page itself.
    if (shift === undefined) return rowOf(input.path, this.#rowAt(row));
    return rowOf(input.path, { number, line: lineOf(number, shift) });
  }

  #rowAt(row: number): StagedRow {
    const page = this.#pageOf(row);
    if (this.#open.page !== page) this.#open = { page, rows: this.#rowsOf(page) };
    const found = this.#open.rows[row - page.from];
    if (found === undefined) throw new RangeError(`There is no row ${row}.`);
    return found;
  }

  #pageOf(row: number): Page {
    let [from, to] = [0, this.#pages.length];
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if ((this.#pages[middle]?.from ?? row) <= row) from = middle;
      else to = middle;
    }
    const page = this.#pages[from];
    if (page === undefined) throw new RangeError(`There is no row ${row}.`);
    return page;
  }

  #rowsOf(page: Page, isCounted = false): StagedRow[] {
    return new PageReader(this.#file.read(page), page.input.path, this.#form, isCounted).rows();
  }
}
