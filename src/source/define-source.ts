/** What all sources share: opening and closing the input, numbering rows, making items of drafts and of damage. A vendor's file holds only what is that vendor's. */

import { buildRecord, type ContactRules, requireCountry } from "../account/build-record.js";
import type { UserDraft } from "../account/user-draft.js";
import { CutOff } from "./bytes/cut-off.js";
import { openInput } from "./bytes/file.js";
import { UTF_8 } from "./bytes/transcode.js";
import type { FieldTree } from "./fields/field-tree.js";
import { FieldWatch, type PathRead } from "./fields/field-watch.js";
import { refuseUnheard } from "./generic/field-map.js";
import { type RawForm, type RawRow, type RawRows, type RowBatch, withRaw } from "./raw/raw-row.js";
import { RelatedObject, RowDamage, Seeking } from "./row-damage.js";
import type { FileHead, Placed, ReadOptions, Source, SourceItem } from "./source.js";

/** Most items in a batch: large enough to spare event-loop turns, small enough to spare memory. */
const MAX_BATCH = 500;

const EXPORT_AGAIN = "Export the users again, or name the file that they are in.";

/** Rows as one of our readers hands them on, in file order. */
type RowBatches<Row> = AsyncIterable<RowBatch<Row>>;

/**
 * What a vendor's file has to say. A new vendor is a file in `vendors/`, a line in `registry.ts`, a
 * folder in `fixtures/sources/` and a guide in `docs/vendors/`; `test/source/acme.ts` is a whole example.
 */
export interface SourceDefinition {
  readonly name: string;
  /** As {@link Source.hashes}; the name by default. */
  readonly hashes?: string | undefined;
  /** As {@link Source.generic}; false by default. */
  readonly generic?: boolean;
  /** Whether fields of a file that the source's table doesn't name are heard, and `--map` says what they are; none are by default. A generic source isn't asked. */
  readonly hears?: (head: FileHead) => boolean;
  /** As {@link Source.noUsersHint}, where there is more to say than to export again. */
  readonly noUsersHint?: string | undefined;
  /** As {@link Source.recognize}. */
  recognize(head: FileHead): string | null;
  /** What the fields of its users are; a generic source finds that out by their names. */
  readonly fields?: FieldTree;
  /** The same of its tables, where these have names of their own. */
  readonly columns?: FieldTree;
  /** @throws RunError `input_unrecognized`, at once or while it is read */
  open(head: FileHead, bytes: AsyncIterable<Buffer>, options: OpenOptions): RowBatches<UserDraft>;
}

/** How a file is opened. */
interface OpenOptions extends ReadOptions {
  /** Follows the users of the file through their table of fields, one for the whole reading. */
  readonly watch: (
    fields: FieldTree,
    paths?: () => readonly PathRead[],
    bans?: readonly string[],
  ) => FieldWatch;
}

/**
 * Says what each row means; damage stays what it is.
 *
 * @param form how rejects are written, where the container alone doesn't say it
 */
export async function* toDrafts<Row>(
  batches: RowBatches<Row>,
  toDraft: (row: Row) => UserDraft | RowDamage,
  form?: RawForm,
): AsyncGenerator<RowBatch<UserDraft>> {
  for await (const rows of batches) {
    const { raw } = rows;
    const drafts: (UserDraft | RowDamage)[] = [];
    for (const row of rows) drafts.push(row instanceof RowDamage ? row : toDraft(row));
    yield withRaw(drafts, raw === undefined || form === undefined ? raw : { ...raw, form });
  }
}

/** Makes a {@link Source} of a vendor's definition. */
export function defineSource(definition: SourceDefinition): Source {
  const { name, generic = false, hears = () => false } = definition;

  async function* read(
    path: string,
    bytes: AsyncIterable<Buffer>,
    options: ReadOptions,
  ): AsyncGenerator<readonly SourceItem[]> {
    const { encoding = null, signal } = options;
    const { hasLines = true } = options;
    const rules = { hasLines, defaultCountry: requireCountry(options.defaultCountry) };
    const marked = encoding !== null && encoding !== UTF_8;
    const watched: FieldWatch[] = [];
    const watch: OpenOptions["watch"] = (fields, paths, bans = []) => {
      const one = new FieldWatch(fields, { ...options, paths, bans });
      watched.push(one);
      return one;
    };
    const input = await openInput(path, counted(bytes, options), encoding);
    try {
      const head = { ...input.head, of: hasLines ? undefined : ("database" as const) };
      if (!generic) refuseUnheard(path, name, options.map, hears(head));
      const drafts = definition.open(head, input.bytes, { ...options, watch });
      const origin = options.keepsRaw === true ? { source: name, marked } : null;
      for await (const batch of toItems(drafts, rules, origin)) {
        if (signal?.aborted === true) return;
        yield batch;
      }
    } finally {
      for (const one of watched) options.onFields?.(one.result());
      await input.close();
    }
  }

  return {
    name,
    ...(definition.hashes === undefined ? {} : { hashes: definition.hashes }),
    fields: [definition.fields ?? [], definition.columns ?? []].flat(),
    generic,
    noUsersHint: definition.noUsersHint ?? EXPORT_AGAIN,
    recognize: (head) => definition.recognize(head),
    read,
  };
}

/**
 * Passes bytes on and tells the progress. Ending this iteration ends that of `bytes`. A stream that
 * the signal has broken off just ends, and nothing read from it later is handed on.
 */
async function* counted(
  bytes: AsyncIterable<Buffer>,
  { onBytes, signal }: ReadOptions,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of bytes) {
      onBytes?.(chunk.length);
      yield chunk;
    }
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

/** @param origin null where items keep no raw row */
async function* toItems(
  batches: RowBatches<UserDraft>,
  rules: ContactRules & Required<Pick<ReadOptions, "hasLines">>,
  origin: Pick<RawRow, "source" | "marked"> | null,
): AsyncGenerator<readonly SourceItem[]> {
  let number = 0;
  try {
    for await (const drafts of batches) {
      for (let start = 0; start < drafts.length; start += MAX_BATCH) {
        const { raw } = drafts;
        const items: SourceItem[] = [];
        for (const [index, draft] of drafts.slice(start, start + MAX_BATCH).entries()) {
          number += 1;
          const line = rules.hasLines ? raw?.line?.(start + index) : undefined;
          const place = { number, line, origin: raw?.origin?.(start + index) };
          items.push(toItem(place, draft, rules));
        }
        yield origin === null || raw === undefined
          ? items
          : items.map((item, index) => withRawRow(item, raw, start + index, origin));
      }
    }
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
    yield [{ kind: "truncated", number: number + 1, hint: error.hint }];
  }
}

/** The item beside its row as it stood. */
function withRawRow(
  item: SourceItem,
  raw: RawRows,
  index: number,
  { source, marked }: Pick<RawRow, "source" | "marked">,
): SourceItem {
  if (item.kind === "truncated") return item;
  // Copies with one property more would cost as much as reading the row does.
  const rawRow = (): RawRow => {
    const { text, state } = raw.at(index);
    return { text, state, source, marked, form: raw.form };
  };
  return Object.assign(item, { raw: rawRow });
}

function toItem(place: Placed, draft: UserDraft | RowDamage, rules: ContactRules): SourceItem {
  if (draft instanceof RowDamage) {
    const { code, hint } = draft;
    if (code === "truncated") return { ...place, kind: code, hint };
    const item = {
      ...place,
      kind: code === "other_model" ? "skip" : "reject",
      code,
      hint,
    } as const;
    if (draft instanceof RelatedObject) return { ...item, related: relatedItem(draft, rules) };
    return draft instanceof Seeking ? { ...item, seeks: draft.seeks } : item;
  }
  const record = buildRecord(draft, rules);
  if (!("code" in record)) {
    const { number, line, origin } = place;
    const item = { kind: "record", number, line, origin, record } as const;
    const { seeks, listed } = draft;
    return seeks === undefined ? item : { ...item, seeks, listed: listed ?? [] };
  }
  const { code, hint, sourceId } = record;
  const known = sourceId === null ? {} : { sourceId };
  const seeks = draft.seeks && { seeks: [...draft.seeks, ...(draft.listed ?? [])] };
  return { ...place, kind: "reject", code, hint, ...known, ...seeks };
}

/** An address that can't be used says nothing. */
function relatedItem(
  { keys, namesUser, namesSeveral, says, isMark }: RelatedObject,
  rules: ContactRules,
) {
  const item = { keys, namesUser, ...(namesSeveral && { namesSeveral }) };
  if (says instanceof RowDamage) return { ...item, says: { code: says.code, hint: says.hint } };
  const record = buildRecord(says, rules);
  const bare = "code" in record ? buildRecord({ ...says, email: "", phone: "" }, rules) : record;
  return { ...item, says: "code" in bare ? bare : { record: bare, isMark } };
}
