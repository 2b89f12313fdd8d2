/** Helpers of the source tests: bytes in pieces, items in one list. */

import { RowDamage } from "../../src/source/row-damage.js";
import type { ReadOptions } from "../../src/source/source.js";

export const PLAIN: ReadOptions = { map: new Map(), now: 0 };

export async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function* splitAt(bytes: Buffer, position: number): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, position);
  yield bytes.subarray(position);
}

export async function collect<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

/** Rows as they are, and the codes of those that are damaged. */
export async function rowsOf<T>(
  batches: AsyncIterable<readonly (T | RowDamage)[]>,
): Promise<(T | string)[]> {
  const rows = await collect(batches);
  return rows.map((row) => (row instanceof RowDamage ? row.code : row));
}
