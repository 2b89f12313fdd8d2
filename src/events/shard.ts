/** One of several processes that import an export together. Each imports a part that `split` wrote. */

/** Shard `index` of `count`, from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The facts about a part that its import needs beside its files. */
export interface Part extends Shard {
  /** Rows of the whole export. */
  readonly exportRows: number;
  /** Tells one split from another: 64 hexadecimal digits. */
  readonly split: string;
}

/** What a summary says of its shard. */
export type ShardSummary = Omit<Part, "split">;

/** @param part undefined for a whole export */
export function shardSummary(part: Part | undefined): ShardSummary | null {
  if (part === undefined) return null;
  const { index, count, exportRows } = part;
  return { index, count, exportRows };
}

/** The checkpoint's note on the part that it imported last. */
export interface NotedPart extends Shard, Pick<Part, "split"> {
  /** Null until an import has come to the part's end. */
  readonly end: { readonly read: number; readonly failed: number } | null;
}

/** Parts are written at once, and a system gives a process about a thousand handles. */
export const MOST_SHARDS = 500;

/** @returns null for text that {@link shardText} didn't write */
function parseShard(text: string): Shard | null {
  const match = /^(\d{1,3})\/(\d{1,3})$/.exec(text);
  if (match === null) return null;
  const [index, count] = [Number(match[1]), Number(match[2])];
  return index >= 1 && index <= count && count <= MOST_SHARDS ? { index, count } : null;
}

/** `3/8`, as it is told and kept. */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** As the checkpoint keeps it. */
export function notedText({ split, end, ...shard }: NotedPart): string {
  return [shardText(shard), split, ...(end === null ? [] : [end.read, end.failed])].join(" ");
}

/** @returns null for what {@link notedText} didn't write */
export function parseNoted(text: string): NotedPart | null {
  const [name = "", split, read, failed] = text.split(" ");
  const shard = parseShard(name);
  if (shard === null || split === undefined) return null;
  const end = read === undefined ? null : { read: Number(read), failed: Number(failed) };
  return { ...shard, split, end };
}
