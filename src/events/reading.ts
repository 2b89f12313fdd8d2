/** What a shard's run notes of the export that it has read to the end, so that all shards together can be proved. Types and their text; it reads nothing. */

/** Rows, and the sum over what is in them; see `row-sum.ts`. */
export interface RowTotal {
  readonly rows: number;
  /** 32 hexadecimal digits. */
  readonly sum: string;
}

/** What one shard read: all of the export, and what of it was its own. */
export interface ShardReading {
  readonly whole: RowTotal;
  readonly own: RowTotal;
}

/** As the checkpoint keeps it. */
export function readingText({ whole, own }: ShardReading): string {
  return [whole.rows, whole.sum, own.rows, own.sum].join(" ");
}

/** @returns null for what {@link readingText} didn't write */
export function parseReading(text: string): ShardReading | null {
  const match = /^(\d+) ([\da-f]{32}) (\d+) ([\da-f]{32})$/.exec(text);
  if (match === null) return null;
  const [, rows = "", sum = "", ownRows = "", ownSum = ""] = match;
  return { whole: { rows: Number(rows), sum }, own: { rows: Number(ownRows), sum: ownSum } };
}
