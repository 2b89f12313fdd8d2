/** Reads an input whose objects say something of each other: its rows wait in a private file until the last is read, and each user then comes with what the others say. An input of users alone passes through. */

import { tmpdir } from "node:os";
import type { AccountParts } from "../account/account-parts.js";
import { FACTOR_NOTICES } from "../account/factor-notices.js";
import { type Related, withRelated } from "../account/related.js";
import type { UserRecord } from "../account/user-record.js";
import { rowOf } from "../errors/place.js";
import { RunError } from "../errors/run-error.js";
import { countExample, type ExampleCounter, newExampleCounter } from "../events/findings.js";
import type { Input, ReadRun } from "../source/inputs.js";
import { isNaturalKey } from "../source/mapping/related.js";
import type { RawForm, RawRow } from "../source/raw/raw-row.js";
import type { RelatedItem, SourceItem } from "../source/source.js";
import { RelatedIndex } from "./related-index.js";
import { type SealedPage, SealedPages } from "./sealed-pages.js";

interface JoinedReading extends Omit<ReadRun, "signal" | "onBytes"> {
  readonly signal: AbortSignal;
  /** Told how many more bytes were read. */
  readonly progress?: { readBytes(bytes: number): void } | undefined;
  /** Where rows wait, in files without a name; the temporary folder by default. */
  readonly directory?: string | undefined;
  /** Told, at the end, of objects that no user of the input has. */
  readonly onAlone?: ((alone: ExampleCounter) => void) | undefined;
}

/**
 * Reads an input's rows in batches, each user with what other objects of the input say of them.
 *
 * @throws RunError what reading throws, `disk`, and `input_damaged` for an input that was cut off
 *   while its users wait: what is missing might keep them out. So might an object of nobody's that
 *   says of a factor or a ban
 */
export async function* readJoined(
  input: Input,
  { directory = tmpdir(), onAlone, progress, ...reading }: JoinedReading,
): AsyncGenerator<readonly SourceItem[]> {
  let held: HeldRows | null = null;
  try {
    const onBytes = (bytes: number): void => progress?.readBytes(bytes);
    for await (const items of input.read({ ...reading, onBytes })) {
      if (held === null && !items.some((item) => "seeks" in item || "related" in item)) {
        yield items;
        continue;
      }
      held ??= new HeldRows(directory, input.path);
      held.take(items);
    }
    if (held === null || reading.signal.aborted) return;
    for (const items of held.joined()) {
      if (reading.signal.aborted) return;
      yield items;
    }
    const { alone, deciding } = held.alone();
    if (deciding.count > 0) throw ownerless(input.path, deciding);
    if (alone.count > 0) onAlone?.(alone);
  } finally {
    held?.close();
  }
}

type Row = Exclude<SourceItem, { readonly kind: "truncated" }>;

interface Written {
  readonly row: Row;
  /** Of the record, or of what the object says. */
  readonly account: AccountParts | undefined;
  readonly raw: (Omit<RawRow, "form"> & { readonly form: number }) | undefined;
}

/** The rows of one input, sealed under a key that lives in memory alone. All methods throw RunError `disk`. */
class HeldRows {
  readonly #path: string;
  readonly #file: SealedPages;
  readonly #index: RelatedIndex;
  readonly #pages: SealedPage[] = [];
  /** They can't be written, and an input has one or two. */
  readonly #forms: RawForm[] = [];

  constructor(directory: string, path: string) {
    this.#path = path;
    this.#file = new SealedPages(directory);
    this.#index = new RelatedIndex(directory);
  }

  /** @throws RunError `input_damaged` */
  take(items: readonly SourceItem[]): void {
    const rows = items.map((item) => {
      if (item.kind === "truncated") {
        throw new RunError("input_damaged", `${this.#path} was cut off before its end.`, {
          hint: "Export it again whole: its objects say more of each other's users, and what is missing may keep some of them out.",
        });
      }
      const written = this.#written(item);
      const related = relatedOf(item);
      if (related !== null) this.#index.add(related, item.number, this.#seal(written));
      return written;
    });
    this.#pages.push(this.#seal(rows));
  }

  /** All rows in their order, some at a time. */
  *joined(): Iterable<readonly SourceItem[]> {
    this.#index.finish();
    for (const page of this.#pages) {
      yield this.#open<Written[]>(page).map((written) => this.#join(written));
    }
  }

  /** Objects that no user has, and those of them that would decide about one. */
  alone(): Readonly<Record<"alone" | "deciding", ExampleCounter>> {
    const counted = { alone: newExampleCounter(), deciding: newExampleCounter() };
    const missing = this.#index.missing();
    if (this.#index.alone + missing.size === 0) return counted;
    for (const page of this.#pages) {
      for (const written of this.#open<Written[]>(page)) {
        const { row } = written;
        const isAlone = this.#index.isAlone(row.number);
        if (!isAlone && !missing.has(row.number)) continue;
        if (isAlone) countExample(counted.alone, rowOf(this.#path, row));
        if (decides(written)) countExample(counted.deciding, rowOf(this.#path, row));
      }
    }
    return counted;
  }

  close(): void {
    this.#index.close();
    this.#file.close();
  }

  /** A user who is kept out by what can't be read of an object is rejected with it. */
  #join(written: Written): SourceItem {
    const { seeks: sought = [], listed = [], ...row } = written.row;
    // A username may be the email.
    const seeks = [...new Set(sought)];
    const found = [...seeks, ...listed].map((key) =>
      this.#index.find(key, isNaturalKey(key)).map((page) => this.#open<Written>(page)),
    );
    const others = [...new Map(found.flat().map((one) => [one.row.number, one])).values()];
    const { raw } = written;
    const isPart = relatedOf(row) !== null;
    // What says something of users stands beside each of them where rows are written out.
    const raws = others.flatMap((other) => other.raw ?? []);
    const whole = raw && { raw: () => this.#rawOf(isPart ? [] : [raw, ...raws], raw) };
    if (row.kind !== "record") return { ...row, ...whole };
    const record = recordOf(row.record, written.account);
    const related: Related[] = [];
    for (const { row: other, account } of others) {
      const says = "related" in other ? other.related?.says : undefined;
      if (says === undefined) continue;
      if ("code" in says) {
        const { number, line, origin } = row;
        const id = record.sourceId === null ? {} : { sourceId: record.sourceId };
        return { number, line, origin, kind: "reject", ...says, ...id, ...whole };
      }
      related.push({ ...says, record: recordOf(says.record, account) });
    }
    const isResolved =
      listed.length > 0 && found.slice(seeks.length).every((one) => one.length > 0);
    const joined = related.length > 0 ? withRelated(record, related, isResolved) : record;
    return { ...row, record: joined, ...whole };
  }

  #written(row: Row): Written {
    const says = "related" in row ? row.related?.says : undefined;
    const record = row.kind === "record" ? row.record : says && "record" in says && says.record;
    const raw = row.raw?.();
    return {
      row,
      account: record ? record.account?.() : undefined,
      raw: raw && { ...raw, form: this.#indexOf(raw.form) },
    };
  }

  /** @param like another one of the same form */
  #rawOf(rows: readonly NonNullable<Written["raw"]>[], like: NonNullable<Written["raw"]>): RawRow {
    const form = this.#forms[like.form];
    if (form === undefined) throw new RangeError("A row's form is unknown.");
    return { ...like, form, text: rows.map(({ text }) => text).join(APART) };
  }

  #indexOf(form: RawForm): number {
    const known = this.#forms.findIndex(({ key }) => key === form.key);
    return known === -1 ? this.#forms.push(ofSeveral(form)) - 1 : known;
  }

  #seal(value: object): SealedPage {
    return this.#file.write(Buffer.from(JSON.stringify(value)));
  }

  #open<Value>(page: SealedPage): Value {
    return JSON.parse(this.#file.read(page).toString());
  }
}

/** Whether an object says what keeps its user out, or how they are let in: a ban, a factor, an address that is none of theirs; or can't be read. */
function decides({ row, account }: Written): boolean {
  const says = relatedOf(row)?.says;
  if (says === undefined) return false;
  if ("code" in says) return true;
  const { exclusions, email, notices } = says.record;
  return (
    exclusions.length > 0 ||
    email?.verified === false ||
    notices.some((code) => FACTOR_NOTICES.has(code)) ||
    (account !== undefined && (account.losesFactor || account.totp.length > 0))
  );
}

/** What an object says of users; null of any other row. */
function relatedOf(row: SourceItem): RelatedItem | null {
  return "related" in row && row.related !== undefined ? row.related : null;
}

function recordOf(record: UserRecord, account: AccountParts | undefined): UserRecord {
  return account === undefined ? record : { ...record, account: () => account };
}

/** Stands in no text of JSON. */
const APART = "\u001e";

/** Writes a row and behind it those that say more of its user, so that all are read again. */
function ofSeveral(form: RawForm): RawForm {
  return {
    ...form,
    write({ text, state }, reason) {
      const [own = "", ...others] = text.split(APART);
      const beside = { ...reason, code: "", hint: "" };
      return [
        own === "" ? "" : form.write({ text: own, state }, reason),
        ...others.map((other) => form.write({ text: other, state: "whole" }, beside)),
      ].join("");
    },
  };
}

function ownerless(path: string, { count, rows }: ExampleCounter): RunError {
  const which = rows.map(({ number }) => number).join(", ");
  return new RunError(
    "input_damaged",
    `${path} holds ${count.toLocaleString("en-US")} objects that say whether a user may sign in and how, and none of its users is theirs: rows ${which}${count > rows.length ? ", …" : ""}.`,
    {
      hint: "Export the users together with them, in one file; the vendor's guide says how. Where their users are gone, take them out.",
    },
  );
}
