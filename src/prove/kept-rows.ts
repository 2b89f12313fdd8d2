/** Rows of a reading, kept sealed for test users who are named once all are read: a pipe can't be read again, and a file may have changed. */

import type { UserRecord } from "../account/user-record.js";
import type { Policy } from "../plan/policy.js";
import type { Input } from "../source/inputs.js";
import type { SourceItem } from "../source/source.js";
import { type SealedPage, SealedPages } from "../stage/sealed-pages.js";
import { type FoundUser, UserSearch } from "./find-users.js";

const PAGE_ROWS = 500;

type RecordItem = Extract<SourceItem, { readonly kind: "record" }>;

export class KeptRows {
  readonly #file: SealedPages;
  readonly #pages: { readonly input: Input; readonly page: SealedPage }[] = [];
  #input: Input | null = null;
  #rows: RecordItem[] = [];
  #answered = (record: UserRecord): UserRecord => record;

  /** @param directory of its file, which has no name */
  constructor(directory: string) {
    this.#file = new SealedPages(directory);
  }

  /** Takes rows in their order, those of one input after another's. @throws RunError `disk` */
  take(input: Input, items: readonly SourceItem[]): void {
    if (input !== this.#input) this.#write();
    this.#input = input;
    for (const item of items) if (item.kind === "record") this.#rows.push(item);
    if (this.#rows.length >= PAGE_ROWS) this.#write();
  }

  /** After the last row. @param answered a record with what a password export says of its hash */
  settle(answered: (record: UserRecord) => UserRecord): void {
    this.#answered = answered;
  }

  /** Finds users as {@link UserSearch} does. @throws RunError `disk` */
  find(names: readonly string[], policy: Policy): (FoundUser | null)[] {
    this.#write();
    const search = new UserSearch(names, policy);
    for (const { input, page } of this.#pages) {
      const rows: RecordItem[] = JSON.parse(this.#file.read(page).toString());
      if (search.take(input, rows)) break;
    }
    search.settle(this.#answered);
    return search.found();
  }

  close(): void {
    this.#file.close();
  }

  #write(): void {
    const [input, rows] = [this.#input, this.#rows];
    if (input === null || rows.length === 0) return;
    this.#rows = [];
    // JSON leaves the text of the row and the parts of the account out, which no proof asks for.
    const page = this.#file.write(Buffer.from(JSON.stringify(rows)));
    this.#pages.push({ input, page });
  }
}
