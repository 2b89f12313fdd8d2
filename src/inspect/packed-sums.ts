/** Sums of rows as they are kept from run to run: a text, and eight bytes a number for what rows are compared by. */

import { KEYS_A_ROW, type KnownSums, type OfRows } from "./known-sums.js";
import type { RowSums } from "./row-sums.js";

/** Everything that can be written as JSON; `lines` are those of each row itself. */
export type PackedSums = Omit<KnownSums, "keys">;

export function packSums(sums: RowSums): { readonly packed: PackedSums; readonly keys: Buffer } {
  const { keys, lines, lengths, ...others } = sums;
  const steps = lines.map((line, index) => line - (lines[index - 1] ?? line - 1));
  const packed = { ...others, lines: sameOrAll(steps), lengths: sameOrAll(lengths) };
  return { packed, keys: Buffer.from(Float64Array.from(keys).buffer) };
}

export function unpackSums(packed: PackedSums, keys: Buffer): KnownSums {
  // A number's bytes have to begin at a multiple of eight.
  const { buffer, byteOffset } = keys.byteOffset % 8 === 0 ? keys : new Uint8Array(keys);
  const numbers = new Float64Array(buffer, byteOffset, packed.rows * KEYS_A_ROW);
  const { lines } = packed;
  if (typeof lines === "number") return { ...packed, keys: numbers };
  let line = -1;
  return { ...packed, lines: lines.map((step) => (line += step)), keys: numbers };
}

function sameOrAll(numbers: readonly number[]): OfRows {
  const [first = 0] = numbers;
  return numbers.every((one) => one === first) ? first : numbers;
}
