/** Which columns a row fills, for the rows that a later run may leave out of its reading. */

import { type RowBatch, withRaw } from "../raw/raw-row.js";
import { RowDamage } from "../row-damage.js";
import { momentOf, timesOf } from "../point-in-time.js";
import { cell } from "./column-flags.js";

type Row = readonly string[];

/**
 * @param timed columns in which a point in time says something once it has come
 * @param now epoch milliseconds
 * @returns the filled columns' indexes; undefined for a row that may mean something else later
 */
export function fillsOf(
  row: Row,
  timed: readonly { readonly index: number }[],
  now: number,
): readonly number[] | undefined {
  if (timed.some(({ index }) => isToCome(cell(row, index).trim(), now))) return undefined;
  const filled: number[] = [];
  for (const index of row.keys()) if (cell(row, index) !== "") filled.push(index);
  return filled;
}

function isToCome(text: string, now: number): boolean {
  return text !== "" && Math.max(now, momentOf(text) ?? now, ...timesOf(text)) > now;
}

/** The rows, which can be asked for what they fill. */
export async function* withFills(
  batches: AsyncIterable<RowBatch<Row>>,
  fills: (row: Row) => readonly number[] | undefined,
): AsyncGenerator<RowBatch<Row>> {
  for await (const rows of batches) {
    const { raw } = rows;
    const fillsAt = (index: number): readonly number[] | undefined => {
      const row = rows[index];
      return row === undefined || row instanceof RowDamage ? undefined : fills(row);
    };
    yield withRaw(rows, raw && { ...raw, fills: fillsAt });
  }
}
