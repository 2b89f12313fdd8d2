/** Sums of rows as they are kept from run to run: a text, and eight bytes a number for what rows are compared by. */

import { KEYS_A_ROW, type KnownSums } from "./row-sums.js";

/** Of each row a number; one alone where all have the same. */
type OfRows = number | readonly number[];

/** Everything that can be written as JSON. */
export interface PackedSums extends Omit<KnownSums, "keys" | "lines" | "lengths"> {
  /** Of each row, how many lines behind the row before. */
  readonly lines: OfRows;
  readonly lengths: OfRows;
}

export function packSums(sums: KnownSums): { readonly packed: PackedSums; readonly keys: Buffer } {
  const { keys, lines, lengths, ...others } = sums;
  const steps = lines.map((line, index) => line - (lines[index - 1] ?? line - 1));
  const packed = { ...others, lines: sameOrAll(steps), lengths: sameOrAll(lengths) };
  return { packed, keys: Buffer.from(Float64Array.from(keys).buffer) };
}

export function unpackSums({ lines, lengths, ...others }: PackedSums, keys: Buffer): KnownSums {
  const { rows } = others;
  // A number's bytes have to begin at a multiple of eight.
  const numbers = new Float64Array(rows * KEYS_A_ROW);
  Buffer.from(numbers.buffer).set(keys);
  let line = -1;
  const places = unpacked(lines, rows).map((step) => (line += step));
  return { ...others, lines: places, lengths: unpacked(lengths, rows), keys: numbers };
}

function sameOrAll(numbers: readonly number[]): OfRows {
  const [first = 0] = numbers;
  return numbers.every((one) => one === first) ? first : numbers;
}

function unpacked(numbers: OfRows, rows: number): readonly number[] {
  return typeof numbers === "number" ? new Array<number>(rows).fill(numbers) : numbers;
}
