/** A reading that leaves rows out: their bytes don't come to the reader, and the rows behind them keep their places. */

import type { ByteSpan } from "./bytes/chunk-reader.js";
import type { RawRows } from "./raw/raw-row.js";
import type { LeftOut, Placed } from "./source.js";

/** The text without the rows that are left out. */
export function withoutRows(
  bytes: AsyncIterable<Buffer>,
  spans: readonly ByteSpan[],
): AsyncIterable<Buffer> {
  return spans.length === 0 ? bytes : rest(bytes, spans);
}

async function* rest(
  bytes: AsyncIterable<Buffer>,
  spans: readonly ByteSpan[],
): AsyncGenerator<Buffer> {
  /** What lies before, between and behind the spans. */
  const kept = [{ to: 0 }, ...spans].map(({ to }, index) => ({
    from: to,
    to: spans[index]?.from ?? Number.POSITIVE_INFINITY,
  }));
  let start = 0;
  let place = 0;
  for await (const chunk of bytes) {
    const end = start + chunk.length;
    // Together: each piece would be a batch of its own.
    const pieces: Buffer[] = [];
    for (let one = kept[place]; one !== undefined && one.from < end; one = kept[place]) {
      pieces.push(chunk.subarray(Math.max(0, one.from - start), one.to - start));
      if (one.to > end) break;
      place += 1;
    }
    const text = Buffer.concat(pieces);
    if (text.length > 0) yield text;
    start = end;
  }
}

/** Where the rows of a reading stand in the file. */
export class Places {
  readonly #spans: readonly LeftOut[];
  readonly #tellsOffset: boolean;
  #place = 0;
  #number = 0;
  /** Of the rows that were left out so far. */
  #lines = 0;
  #bytes = 0;

  /** @param tellsOffset whether rows may be left out of the next reading */
  constructor(spans: readonly LeftOut[], tellsOffset: boolean) {
    this.#spans = spans;
    this.#tellsOffset = tellsOffset;
  }

  /** The place of the next row, which stands at an index of a batch. */
  next(raw: RawRows | undefined, index: number): Placed {
    const { length } = this.#spans;
    const at = this.#tellsOffset || this.#place < length ? raw?.offset?.(index) : undefined;
    if (this.#place < length) this.#passSpans(at ?? Number.POSITIVE_INFINITY);
    this.#number += 1;
    const line = raw?.line?.(index);
    const offset = this.#tellsOffset && at !== undefined ? at + this.#bytes : undefined;
    return {
      number: this.#number,
      line: line === undefined ? undefined : line + this.#lines,
      offset,
      origin: raw?.origin?.(index),
      fills: this.#tellsOffset ? raw?.fills?.(index) : undefined,
    };
  }

  /** @param at where the next row begins in the text without the rows that are left out */
  #passSpans(at: number): void {
    for (;;) {
      const span = this.#spans[this.#place];
      if (span === undefined || span.from - this.#bytes > at) return;
      this.#place += 1;
      this.#number += span.rows;
      this.#lines += span.lines;
      this.#bytes += span.to - span.from;
    }
  }
}
