/** Checks a source of one's own against files of its system, as the sources that come along are checked. */

import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { isDeepStrictEqual } from "node:util";
import { RunError, systemErrorCode } from "../errors/run-error.js";
import { readHead } from "../source/bytes/file.js";
import type { FieldsRead } from "../source/fields/field-watch.js";
import { SOURCES } from "../source/registry.js";
import type { FileHead, Source, SourceItem } from "../source/source.js";

/** What can be wrong with a source. Stable: docs/mappings.md has them. */
export type FaultCode =
  | "not_recognized"
  | "taken_by_another"
  | "takes_any"
  | "reading_failed"
  | "no_user"
  | "row_malformed"
  | "id_missing"
  | "contact_missing"
  | "field_without_fate"
  | "hint_tells"
  | "differs_again"
  | "differs_in_pieces"
  | "differs_in_form"
  | "cut_untold"
  | "left_open"
  | "not_as_expected";

/** One fault of a source, with one file. It holds nothing of any user's but numbers of rows. */
export interface Fault {
  readonly code: FaultCode;
  readonly file: string;
  readonly says: string;
}

/** What a checked file came to. */
export interface CheckedFile {
  readonly file: string;
  /** Rows that became users. */
  readonly users: number;
  readonly rows: number;
  /** Whether a file of what is expected lies beside it. */
  readonly expected: boolean;
  readonly faults: readonly Fault[];
  /** What such a file would hold. */
  readonly items: readonly object[];
}

/** Fixtures are read as on this day, so that a lock ends for all of them alike. */
const NOW = Date.UTC(2026, 0, 1);
export const EXPECTED = ".expected.json";
/** Files that any system could have written. */
const ANYTHING = [
  "id,email,name,created_at\n1,ann@example.com,Ann,2024-01-02\n",
  '[{"id":1,"email":"ann@example.com","name":"Ann","created_at":"2024-01-02"}]',
];
const CHUNKS = [1, 7, 1000];
const CUTS = 12;

/** @throws RunError what reading a file's start throws */
export async function checkSource(source: Source, file: string): Promise<CheckedFile> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new RunError("input_missing", `${file} can't be read (${systemErrorCode(error)})`, {
      hint: "Name files of the system's users, some twenty of them.",
    });
  });
  return new Checking(source, { file, bytes, head: await readHead(file) }).all();
}

/** What an item is, without what people are told. */
type Told = Omit<SourceItem & { readonly hint?: string }, "hint" | "raw">;

class Checking {
  readonly #source: Source;
  readonly #file: string;
  readonly #bytes: Buffer;
  readonly #head: FileHead;
  readonly #faults: Fault[] = [];

  constructor(
    source: Source,
    {
      file,
      bytes,
      head,
    }: { readonly file: string; readonly bytes: Buffer; readonly head: FileHead },
  ) {
    this.#source = source;
    this.#file = file;
    this.#bytes = bytes;
    this.#head = head;
  }

  async all(): Promise<CheckedFile> {
    this.#recognition();
    const expected = await this.#expectation();
    const fields: FieldsRead[] = [];
    const first = (await this.#read(this.#bytes, (read) => fields.push(read))) ?? [];
    const items = first.map(shown);
    if (first.length > 0) {
      this.#users(first, fields);
      await this.#again(items);
      await this.#cut(first);
      await this.#closing();
      this.#same("not_as_expected", expected ?? items, items, `${this.#file}${EXPECTED}`);
    }
    const file = this.#file;
    const users = first.filter(hasRecord).length;
    const isThere = expected !== null;
    return { file, users, rows: first.length, expected: isThere, faults: this.#faults, items };
  }

  #fault(code: FaultCode, says: string): void {
    this.#faults.push({ code, file: this.#file, says });
  }

  #recognition(): void {
    const takes = (source: Source, head: FileHead): boolean => {
      try {
        return source.recognize(head) !== null;
      } catch {
        return false;
      }
    };
    if (!takes(this.#source, this.#head)) {
      this.#fault("not_recognized", "none of the lists of recognize is in it");
    }
    const others = SOURCES.filter(({ generic, name }) => !generic && name !== this.#source.name);
    const taking = others.filter((other) => takes(other, this.#head)).map(({ name }) => name);
    if (taking.length > 0) this.#fault("taken_by_another", `it is recognized as ${taking.join()}`);
    const any = ANYTHING.map((text) => ({ path: "any", text, complete: true }));
    if (any.some((head) => takes(this.#source, head))) {
      this.#fault("takes_any", "a table of id, email, name and created_at is recognized, too");
    }
  }

  async #expectation(): Promise<readonly Told[] | null> {
    try {
      const { items } = JSON.parse(await readFile(`${this.#file}${EXPECTED}`, "utf8"));
      return items;
    } catch (error) {
      if (systemErrorCode(error) === "ENOENT") return null;
      this.#fault("not_as_expected", `${this.#file}${EXPECTED} has no items as JSON`);
      return null;
    }
  }

  /** Null where it can't be read, which is told once. */
  async #read(
    bytes: Buffer,
    onFields?: (fields: FieldsRead) => void,
    chunk = 65_536,
  ): Promise<SourceItem[] | null> {
    const options = { map: new Map(), now: NOW, onFields };
    try {
      const items: SourceItem[] = [];
      for await (const batch of this.#source.read(this.#file, pieces(bytes, chunk), options))
        items.push(...batch);
      return items;
    } catch (error) {
      if (onFields === undefined) return null;
      const code = error instanceof RunError ? error.code : "an error of its own";
      this.#fault("reading_failed", `it ends with ${code}`);
      return null;
    }
  }

  #users(items: readonly SourceItem[], fields: readonly FieldsRead[]): void {
    const rowsWhere = (is: (item: SourceItem) => boolean): string =>
      items.flatMap((item) => (is(item) ? item.number : [])).join(", ");
    if (!items.some(({ kind }) => kind === "record")) this.#fault("no_user", "no row is a user");
    for (const [code, says, is] of [
      ["row_malformed", "the source fails at row", (item) => hasCode(item, "row_malformed")],
      ["id_missing", "no id in row", (item) => hasRecord(item) && item.record.sourceId === null],
      ["hint_tells", "a hint holds data in row", (item) => tells(item, this.#bytes)],
    ] satisfies [FaultCode, string, (item: SourceItem) => boolean][]) {
      const rows = rowsWhere(is);
      if (rows !== "") this.#fault(code, `${says} ${rows}`);
    }
    const reached = items.some(
      (item) => hasRecord(item) && (item.record.email !== null || item.record.phone !== null),
    );
    if (!reached) this.#fault("contact_missing", "no user has an email or a phone");
    const unknown = fields.flatMap((read) => read.unknown.map(({ path }) => path));
    if (unknown.length > 0) this.#fault("field_without_fate", unknown.join(", "));
  }

  async #again(said: readonly Told[]): Promise<void> {
    const check = async (code: FaultCode, bytes: Buffer, how: string, chunk?: number) => {
      const items = await this.#read(bytes, undefined, chunk);
      this.#same(code, said, items?.map(shown) ?? [], how);
    };
    await check("differs_again", this.#bytes, "a second reading");
    for (const chunk of CHUNKS) {
      await check("differs_in_pieces", this.#bytes, `pieces of ${chunk} bytes`, chunk);
    }
    await check("differs_in_form", gzipSync(this.#bytes), "the file compressed");
    const marked = Buffer.concat([Buffer.from("\uFEFF"), this.#bytes]);
    await check("differs_in_form", marked, "a byte-order mark before it");
  }

  /** What is cut off gives the rows before, and tells it. */
  async #cut(first: readonly SourceItem[]): Promise<void> {
    const ids = first.map(idOf);
    const isTable = !/^\s*[[{]/.test(this.#head.text);
    for (let at = 1; at < CUTS; at++) {
      const end = Math.floor((this.#bytes.length * at) / CUTS);
      const items = await this.#read(this.#bytes.subarray(0, end));
      const whole = (items ?? []).filter(({ kind }) => kind !== "truncated").map(idOf);
      // A table's last row may be cut within its last id.
      const sure = isTable ? whole.slice(0, -1) : whole;
      if (isDeepStrictEqual(sure, ids.slice(0, sure.length))) continue;
      this.#fault("cut_untold", `other users come of the first ${end} bytes`);
      return;
    }
  }

  async #closing(): Promise<void> {
    let isOpen = true;
    const bytes = this.#bytes;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        yield bytes;
        for (let more = 0; more < 1000; more++) yield Buffer.alloc(8192, "\n");
      } finally {
        isOpen = false;
      }
    }
    const options = { map: new Map(), now: NOW };
    try {
      for await (const batch of this.#source.read(this.#file, endless(), options))
        if (batch.length > 0) break;
    } catch {
      // A document that goes on with line breaks may be refused; it has to be closed all the same.
    }
    if (isOpen) this.#fault("left_open", "the file stays open where the reading is broken off");
  }

  #same(code: FaultCode, said: readonly Told[], other: readonly Told[], what: string): void {
    if (isDeepStrictEqual(said, other)) return;
    const length = Math.max(said.length, other.length);
    const row = Array.from({ length }, (_, at) => at).find(
      (at) => !isDeepStrictEqual(said[at], other[at]),
    );
    this.#fault(code, `row ${(row ?? 0) + 1} differs from ${what}`);
  }
}

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function hasRecord(item: SourceItem): item is Extract<SourceItem, { readonly kind: "record" }> {
  return item.kind === "record";
}

function hasCode(item: SourceItem, code: string): boolean {
  return "code" in item && item.code === code;
}

function idOf(item: SourceItem): unknown {
  return hasRecord(item) ? (item.record.sourceId ?? item.number) : item.number;
}

/** An item as an expectation has it. */
function shown(item: SourceItem): Told {
  const plain: unknown = JSON.parse(JSON.stringify(item));
  const { hint: _hint, ...rest } = plain as SourceItem & { readonly hint?: string };
  if (!("record" in rest)) return rest;
  const { emailAsWritten: _asWritten, because: _because, ...record } = rest.record;
  return { ...rest, record } as Told;
}

/** Addresses and hashes of the file; a hint may show numbers as examples. */
function tells(item: SourceItem, bytes: Buffer): boolean {
  if (!("hint" in item)) return false;
  const held = bytes.toString().match(/[\w.+-]+@[\w-]+\.\w+|\$[\w$./,=+]{30,}/g) ?? [];
  return held.some((data) => item.hint.includes(data));
}
