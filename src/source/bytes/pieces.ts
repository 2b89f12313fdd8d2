/** Cuts a text into blocks, and these into pieces, by what stands in them: what is unchanged in a newer file is cut alike wherever it stands, and is known again by its digest. */

import { createHash, hash } from "node:crypto";
import { LF } from "./ascii.js";

/** Where a text is cut. */
interface Cutting {
  readonly least: number;
  readonly most: number;
  /** Behind the least, one line in how many ends a part. */
  readonly oneIn: number;
}

/** A block is known at once. Larger ones cost more where a line has changed, since their pieces are looked for then. */
const BLOCKS: Cutting = { least: 64 * 1024, most: 1024 * 1024, oneIn: 32 };
/** Smaller pieces cost more in what is kept of each, larger ones more in what is read again for one changed row. */
const PIECES: Cutting = { least: 4 * 1024, most: 64 * 1024, oneIn: 8 };

/** How much of a line decides whether a part ends behind it. */
const LOOKED_AT = 32;

/** Far beyond any row: what has no line end there is no row. */
const MOST_WAITING = 4 * 1024 * 1024;

/** What is cut at first: a few blocks. */
const WAITING_BYTES = 1024 * 1024;

/** So that two parts are never taken for one by chance. */
export const DIGEST_BYTES = 16;

/** A stretch of a text, from one byte to another. Those of a text follow each other without a gap. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  /** {@link DIGEST_BYTES} as Latin-1, which take less memory so. */
  readonly digest: string;
}

export interface Block extends Piece {
  /** Nothing stands behind it. */
  readonly isLast: boolean;
  /** Its pieces in their order; they can be asked for until the next block is. */
  readonly pieces: () => Piece[];
}

/**
 * @param by what the text is read by: the digests of what is read otherwise are others
 * @returns all blocks in their order; the last one ends where the text does
 */
export async function* cutBlocks(bytes: AsyncIterable<Buffer>, by: string): AsyncGenerator<Block> {
  const seed = hash("sha256", by, "buffer");
  const waiting = new Waiting();
  let from = 0;
  const next = (length: number, isLast: boolean): Block => {
    const text = waiting.take(length);
    const start = from;
    from += length;
    return { ...pieceOf(text, start, seed), isLast, pieces: () => cutPieces(text, start, seed) };
  };
  for await (const chunk of bytes) {
    waiting.add(chunk);
    for (;;) {
      const { text } = waiting;
      const end = endOf(text, 0, BLOCKS);
      // Whether it is the last one, the next chunk shows.
      if (end === 0 || (end === text.length && end < MOST_WAITING)) break;
      yield next(end, false);
    }
  }
  if (waiting.text.length > 0) yield next(waiting.text.length, true);
}

/** A text that is waited for, in memory that is used again: what is taken of it stays until more is added. */
class Waiting {
  #memory = Buffer.allocUnsafe(WAITING_BYTES);
  #from = 0;
  #to = 0;

  get text(): Buffer {
    return this.#memory.subarray(this.#from, this.#to);
  }

  add(chunk: Buffer): void {
    if (this.#to + chunk.length > this.#memory.length) this.#makeRoom(chunk.length);
    this.#to += chunk.copy(this.#memory, this.#to);
  }

  take(length: number): Buffer {
    const taken = this.text.subarray(0, length);
    this.#from += length;
    return taken;
  }

  #makeRoom(length: number): void {
    const { text } = this;
    const needed = text.length + length;
    const isEnough = needed <= this.#memory.length;
    const memory = isEnough ? this.#memory : Buffer.allocUnsafe(2 * needed);
    text.copy(memory);
    this.#memory = memory;
    this.#from = 0;
    this.#to = text.length;
  }
}

function cutPieces(block: Buffer, from: number, seed: Buffer): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < block.length; ) {
    const end = endOf(block, at, PIECES) || block.length;
    pieces.push(pieceOf(block.subarray(at, end), from + at, seed));
    at = end;
  }
  return pieces;
}

function pieceOf(text: Buffer, from: number, seed: Buffer): Piece {
  const digest = createHash("sha256").update(seed).update(text).digest();
  return { from, to: from + text.length, digest: digest.toString("latin1", 0, DIGEST_BYTES) };
}

/** Where the part ends that begins at an offset: always behind a line; 0 where more bytes have to tell. */
function endOf(text: Buffer, from: number, { least, most, oneIn }: Cutting): number {
  let line = text.indexOf(LF, from + least) + 1;
  while (line > 0) {
    const end = text.indexOf(LF, line) + 1;
    if (end === 0) break;
    if (end - from >= most || endsPart(text, line, end, oneIn)) return end;
    line = end;
  }
  return text.length - from > MOST_WAITING ? text.length : 0;
}

/** A line's beginning says whether a part ends behind it: ids and contacts stand there. */
function endsPart(text: Buffer, from: number, to: number, oneIn: number): boolean {
  let mixed = 0;
  const end = Math.min(to, from + LOOKED_AT);
  for (let at = from; at < end; at += 1) mixed = Math.imul(mixed ^ (text[at] ?? 0), 0x01000193);
  // The upper bits: a product's lower ones know little of the bytes before.
  return (mixed >>> 16) % oneIn === 0;
}
