/** What the rows of a piece are compared by, with each other and with all other rows: of each row a few numbers, as they are kept from run to run. */

/** Of each row a number; one alone where all have the same. */
export type OfRows = number | readonly number[];

/** What stands where in {@link ComparedRows.keys}, and how many numbers a row has there. */
export const KEY = { hash: 0, id: 1, email: 2, note: 3 } as const;
export const KEYS_A_ROW = 4;

/** Rows that follow each other. */
export interface ComparedRows {
  readonly rows: number;
  /** How many lines each row takes. */
  readonly lines: OfRows;
  /** Of each row the digests of hash, id and email, and the note of its address; 0 for what it doesn't have. */
  readonly keys: ArrayLike<number>;
}

export function sameOrAll(numbers: readonly number[]): OfRows {
  const [first = 0] = numbers;
  return numbers.every((one) => one === first) ? first : numbers;
}

/** Eight bytes a number. */
export function packKeys(keys: readonly number[]): Buffer {
  return Buffer.from(Float64Array.from(keys).buffer);
}

export function unpackRows(rows: number, lines: OfRows, packed: Buffer): ComparedRows {
  // A number's bytes have to begin at a multiple of eight.
  const { buffer, byteOffset } = packed.byteOffset % 8 === 0 ? packed : new Uint8Array(packed);
  return { rows, lines, keys: new Float64Array(buffer, byteOffset, rows * KEYS_A_ROW) };
}

/** How many lines behind the first row each of them begins. */
export function linesAhead({ lines }: Pick<ComparedRows, "lines">): (index: number) => number {
  if (typeof lines === "number") return (index) => lines * index;
  const ahead = [0];
  for (const each of lines) ahead.push((ahead.at(-1) ?? 0) + each);
  return (index) => ahead[index] ?? 0;
}
