/** The stage: every row of a run with its planned user, as it was read once. What would name or open an account is sealed, under a key that lives in memory alone. */

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { PlannedUser } from "../plan/action.js";
import type { Input } from "../source/inputs.js";
import type { SourceItem } from "../source/source.js";
import { createScratchFile, type ScratchFile } from "../sqlite/scratch-file.js";
import { rowsOfPage } from "./page-reader.js";
import { type Kept, PageForm, PageWriter } from "./page-writer.js";
import type { StagedRow } from "./staged-row.js";

/** Rows of a page. */
const PAGE_ROWS = 500;

const CIPHER = "aes-256-gcm";
const TAG_BYTES = 16;

/** Where a page stands, and what it holds. */
interface Page {
  readonly index: number;
  readonly input: Input;
  readonly first: number;
  readonly last: number;
  readonly at: number;
  readonly bytes: number;
}

/** Which rows are read; all of them by default. */
export type RowChoice =
  | { readonly only: ReadonlySet<number> }
  | { readonly allBut: ReadonlySet<number> };

export const EVERY_ROW: RowChoice = { allBut: new Set() };

/** All rows of one run, in their order. */
export class Stage {
  readonly #scratch: ScratchFile;
  readonly #key = randomBytes(32);
  readonly #pages: Page[] = [];
  readonly #form: PageForm;
  #page: PageWriter;
  #input: Input | null = null;
  #bytes = 0;

  /**
   * @param directory where its file is made, which has no name and is gone with the process
   * @param kept of each row
   */
  constructor(directory: string, kept: Kept = "all") {
    this.#scratch = createScratchFile(directory);
    this.#form = new PageForm(kept);
    this.#page = new PageWriter(this.#form);
  }

  /**
   * Takes rows as they are read, those of one input after another's.
   *
   * @param users of the same indexes; null for a row that names no user
   * @throws RunError `disk`
   */
  take(input: Input, items: readonly SourceItem[], users: readonly (PlannedUser | null)[]): void {
    if (input !== this.#input) this.#write();
    this.#input = input;
    for (const [at, item] of items.entries()) {
      const { kind, number, line, origin } = item;
      const { code = "", hint = "" } = kind === "record" ? {} : { code: "", ...item };
      const raw = kind === "truncated" ? undefined : item.raw;
      this.#page.add({ kind, number, line, origin, code, hint, raw, user: users[at] ?? null });
      if (this.#page.rows === PAGE_ROWS) this.#write();
    }
  }

  /**
   * The rows of an input in their order, a page at a time.
   *
   * @throws RunError `disk`
   */
  *read(input: Input, choice: RowChoice = EVERY_ROW): Iterable<readonly StagedRow[]> {
    this.#write();
    for (const page of this.#pages) {
      if (page.input !== input || !mayHave(page, choice)) continue;
      const rows = this.#rowsOf(page).filter(({ kind, number }) =>
        "only" in choice
          ? choice.only.has(number)
          : kind === "truncated" || !choice.allBut.has(number),
      );
      if (rows.length > 0) yield rows;
    }
  }

  close(): void {
    this.#scratch.close();
  }

  #write(): void {
    const { rows } = this.#page;
    const input = this.#input;
    if (rows === 0 || input === null) return;
    const cipher = createCipheriv(CIPHER, this.#key, nonceOf(this.#pages.length));
    const sealed = [cipher.update(this.#page.end()), cipher.final(), cipher.getAuthTag()];
    const bytes = Buffer.concat(sealed);
    this.#scratch.write(bytes, this.#bytes);
    const { first, last } = this.#page;
    const index = this.#pages.length;
    this.#pages.push({ index, input, first, last, at: this.#bytes, bytes: bytes.length });
    this.#bytes += bytes.length;
    this.#page = new PageWriter(this.#form);
  }

  #rowsOf(page: Page): StagedRow[] {
    const bytes = Buffer.allocUnsafe(page.bytes);
    this.#scratch.read(bytes, page.at);
    const decipher = createDecipheriv(CIPHER, this.#key, nonceOf(page.index));
    const end = page.bytes - TAG_BYTES;
    decipher.setAuthTag(bytes.subarray(end));
    const opened = Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]);
    return rowsOfPage(opened, page.input.path, this.#form);
  }
}

function mayHave({ first, last }: Page, choice: RowChoice): boolean {
  if (!("only" in choice)) return true;
  for (const number of choice.only) if (number >= first && number <= last) return true;
  return false;
}

/** No two pages of a stage have the same, and no two stages have one key. */
function nonceOf(page: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32LE(page);
  return nonce;
}
