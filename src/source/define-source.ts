/** What all sources share: opening and closing the input, numbering rows, making items of drafts and of damage. A vendor's file holds only what is that vendor's. */

import { buildRecord } from "../record/build-record.js";
import type { UserDraft } from "../record/user-draft.js";
import { openInput } from "./file.js";
import { RowDamage } from "./row-damage.js";
import type { FileHead, ReadOptions, Source, SourceItem } from "./source.js";

/** Most items in a batch: large enough to spare event-loop turns, small enough to spare memory. */
const MAX_BATCH = 500;

/** Rows as one of our readers hands them on, in file order. */
type RowBatches<Row> = AsyncIterable<readonly (Row | RowDamage)[]>;

/** What a vendor's file has to say. */
export interface SourceDefinition {
  readonly name: string;
  readonly label: string;
  /** As {@link Source.generic}; false by default. */
  readonly generic?: boolean;
  /** As {@link Source.recognize}. */
  recognize(head: FileHead): string | null;
  /** @throws RunError `input_unrecognized`, at once or while it is read */
  open(head: FileHead, bytes: AsyncIterable<Buffer>, options: ReadOptions): RowBatches<UserDraft>;
}

/** Says what each row means; damage stays what it is. */
export async function* toDrafts<Row>(
  batches: RowBatches<Row>,
  toDraft: (row: Row) => UserDraft | RowDamage,
): AsyncGenerator<readonly (UserDraft | RowDamage)[]> {
  for await (const rows of batches) {
    yield rows.map((row) => (row instanceof RowDamage ? row : toDraft(row)));
  }
}

/** Makes a {@link Source} of a vendor's definition. */
export function defineSource(definition: SourceDefinition): Source {
  const { name, label } = definition;

  async function* read(
    path: string,
    bytes: AsyncIterable<Buffer>,
    options: ReadOptions,
  ): AsyncGenerator<readonly SourceItem[]> {
    const chunks = counted(bytes, options)[Symbol.asyncIterator]();
    try {
      const input = await openInput(path, chunks);
      const drafts = definition.open(input.head, input.bytes, options);
      for await (const batch of toItems(drafts)) {
        if (options.signal?.aborted === true) return;
        yield batch;
      }
    } finally {
      await chunks.return(undefined);
    }
  }

  return {
    name,
    label,
    generic: definition.generic ?? false,
    recognize: (head) => definition.recognize(head),
    read,
  };
}

/** The same bytes, with progress told; ending this iteration ends that of `bytes`. */
async function* counted(
  bytes: AsyncIterable<Buffer>,
  { onBytes }: ReadOptions,
): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    onBytes?.(chunk.length);
    yield chunk;
  }
}

async function* toItems(batches: RowBatches<UserDraft>): AsyncGenerator<readonly SourceItem[]> {
  let number = 0;
  for await (const drafts of batches) {
    for (let start = 0; start < drafts.length; start += MAX_BATCH) {
      const slice = drafts.slice(start, start + MAX_BATCH);
      const first = number + 1;
      number += slice.length;
      yield slice.map((draft, index) => toItem(first + index, draft));
    }
  }
}

function toItem(number: number, draft: UserDraft | RowDamage): SourceItem {
  if (draft instanceof RowDamage) {
    const { code, hint } = draft;
    return code === "truncated"
      ? { kind: "truncated", number, hint }
      : { kind: "reject", number, code, hint };
  }
  const record = buildRecord(draft);
  return "code" in record
    ? { kind: "reject", number, code: record.code, hint: record.hint }
    : { kind: "record", number, record };
}
