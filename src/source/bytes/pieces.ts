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
  /** Its pieces in their order. */
  readonly pieces: () => Piece[];
}

/**
 * @param by what the text is read by: the digests of what is read otherwise are others
 * @returns all blocks in their order; the last one ends where the text does
 */
export async function* cutBlocks(bytes: AsyncIterable<Buffer>, by: string): AsyncGenerator<Block> {
  const seed = hash("sha256", by, "buffer");
  const blockOf = (text: Buffer, from: number): Block => ({
    ...pieceOf(text, from, seed),
    pieces: () => cutPieces(text, from, seed),
  });
  let rest: Buffer = Buffer.alloc(0);
  let from = 0;
  for await (const chunk of bytes) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = endOf(rest, 0, BLOCKS); end > 0; end = endOf(rest, at, BLOCKS)) {
      yield blockOf(rest.subarray(at, end), from + at);
      at = end;
    }
    from += at;
    rest = rest.subarray(at);
  }
  if (rest.length > 0) yield blockOf(rest, from);
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
