/** Checks a source of one's own against files of its system, as the sources that come along are checked. */

import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { isDeepStrictEqual } from "node:util";
import { RunError, systemErrorCode } from "../errors/run-error.js";
import { readHead } from "../source/bytes/file.js";
import { BESIDE, type FieldsRead, KIND } from "../source/fields/field-watch.js";
import { isJson } from "../source/format.js";
import { SOURCES } from "../source/registry.js";
import {
  asFarAsSaid,
  type Expectation,
  EXPECTED,
  expectationText,
  readExpectation,
  shown,
  type Told,
} from "./expectation.js";
import type { FileHead, ReadOptions, Source, SourceItem } from "../source/source.js";

/** What can be wrong with a source. Stable: docs/mappings.md has them. */
type FaultCode =
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
  | "differs_when_cut"
  | "left_open"
  | "not_as_expected";

/** One fault of a source. It holds nothing of any user's but numbers of rows. */
interface Fault {
  readonly code: FaultCode;
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
}

/** Fixtures are read as on this day, so that a lock ends for all of them alike. */
const NOW = Date.UTC(2026, 0, 1);
/** Files that any system could have written. */
const ANYTHING = [
  "id,email,name,created_at\n1,ann@example.com,Ann,2024-01-02\n",
  '[{"id":1,"email":"ann@example.com","name":"Ann","created_at":"2024-01-02"}]',
];
const CHUNKS = [1, 7, 1000];
const CUTS = 12;

/**
 * @returns what the file came to, and the text of an expectation that it meets; null for that where
 *   it can't be read to its end or has no user
 * @throws RunError `input_unreadable`, and what reading a file's start throws
 */
export async function checkSource(
  source: Source,
  file: string,
): Promise<{ readonly checked: CheckedFile; readonly met: string | null }> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new RunError("input_unreadable", `${file} can't be read (${systemErrorCode(error)})`, {
      hint: "Name files of the system's users, some twenty of them.",
    });
  });
  return new Checking(source, { file, bytes, head: await readHead(file) }).all();
}

class Checking {
  readonly #source: Source;
  readonly #file: string;
  readonly #bytes: Buffer;
  readonly #head: FileHead;
  readonly #faults: Fault[] = [];
  #map: ReadOptions["map"] = new Map();

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

  async all(): ReturnType<typeof checkSource> {
    const expected = await readExpectation(this.#file);
    this.#map = new Map(Object.entries(expected.map));
    this.#recognition();
    const fields: FieldsRead[] = [];
    const read = await this.#read(this.#bytes, (one) => fields.push(one));
    const first = read ?? [];
    const items = first.map(shown);
    if (read !== null) this.#users(first, fields);
    if (first.length > 0) {
      await this.#again(items);
      await this.#cut(first);
      await this.#closing();
    }
    this.#expected(expected, read === null ? null : items);
    const users = first.filter(hasRecord).length;
    const counts = { users, rows: first.length, expected: expected.isThere };
    return {
      checked: { file: this.#file, ...counts, faults: this.#faults },
      met: users === 0 ? null : expectationText({ ...expected, items }),
    };
  }

  #expected({ isThere, items }: Expectation, read: readonly Told[] | null): void {
    const beside = `${this.#file}${EXPECTED}`;
    if (items !== null && read !== null) {
      this.#same("not_as_expected", items, asFarAsSaid(read, items), beside);
    } else if (isThere && items === null) {
      this.#fault("not_as_expected", `${beside} has no items as JSON`);
    }
  }

  #fault(code: FaultCode, says: string): void {
    this.#faults.push({ code, says });
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

  /** Null where it can't be read, which is told once. */
  async #read(
    bytes: Buffer,
    onFields?: (fields: FieldsRead) => void,
    chunk = 65_536,
  ): Promise<SourceItem[] | null> {
    const options = { map: this.#map, now: NOW, onFields, keepsAccount: "all" } as const;
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
    // Addresses and hashes; a hint may show numbers as examples.
    const held = this.#bytes.toString().match(/[\w.+-]+@[\w-]+\.\w+|\$[\w$./,=+]{30,}/g) ?? [];
    const users = items.filter(hasRecord);
    if (users.length === 0) this.#fault("no_user", "no row is a user");
    for (const [code, says, is] of [
      [
        "row_malformed",
        "the source fails at row",
        (item) => "code" in item && item.code === "row_malformed",
      ],
      ["id_missing", "no id in row", (item) => hasRecord(item) && item.record.sourceId === null],
      [
        "hint_tells",
        "a hint holds data in row",
        (item) => "hint" in item && held.some((data) => item.hint.includes(data)),
      ],
    ] satisfies [FaultCode, string, (item: SourceItem) => boolean][]) {
      const rows = items.flatMap((item) => (is(item) ? item.number : []));
      if (rows.length > 0) this.#fault(code, `${says} ${rows.join(", ")}`);
    }
    const isOut = users.every(({ record }) => record.email === null && record.phone === null);
    if (users.length > 0 && isOut)
      this.#fault("contact_missing", "no user has an email or a phone");
    const all = fields.flatMap((read) => read.unknown);
    const unknown = all
      .filter(({ types }) => !types.includes(KIND) && !types.includes(BESIDE))
      .map(({ path }) => path);
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

  /** What is cut off gives the rows before. */
  async #cut(first: readonly SourceItem[]): Promise<void> {
    const ids = first.map(idOf);
    for (let at = 1; at < CUTS; at++) {
      const end = Math.floor((this.#bytes.length * at) / CUTS);
      const items = await this.#read(this.#bytes.subarray(0, end));
      const whole = (items ?? []).filter(({ kind }) => kind !== "truncated").map(idOf);
      // A table's last row may be cut within its last id.
      const sure = isJson(this.#head) ? whole : whole.slice(0, -1);
      if (isDeepStrictEqual(sure, ids.slice(0, sure.length))) continue;
      this.#fault("differs_when_cut", `other users come of the first ${end} bytes`);
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
    const options = { map: this.#map, now: NOW };
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
    const longer = said.length > other.length ? said : other;
    const row = longer.findIndex((_, at) => !isDeepStrictEqual(said[at], other[at]));
    this.#fault(code, `row ${row + 1} differs from ${what}`);
  }
}

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function hasRecord(item: SourceItem): item is Extract<SourceItem, { readonly kind: "record" }> {
  return item.kind === "record";
}

function idOf(item: SourceItem): unknown {
  return hasRecord(item) ? (item.record.sourceId ?? item.number) : item.number;
}
