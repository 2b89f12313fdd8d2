/** Cuts a text into pieces by what stands in it, so that what is unchanged in a newer file is cut alike wherever it stands, and is known again by its digest. */

import { createHash, hash } from "node:crypto";
import { LF } from "./ascii.js";

/** Smaller pieces cost more in what is kept of each, larger ones more in what is read again for one changed row. */
const LEAST_BYTES = 8 * 1024;
const MOST_BYTES = 64 * 1024;

/** How much of a line decides whether a piece ends behind it, and one line in how many does. */
const LOOKED_AT = 32;
const ONE_IN = 16;

/** Far beyond any row: what has no line end there is no row. */
const MOST_WAITING = 4 * 1024 * 1024;

/** So that two pieces are never taken for one by chance. */
export const PIECE_DIGEST_BYTES = 16;

/** A stretch of a text, from one byte to another. Pieces follow each other without a gap. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly digest: Buffer;
}

/**
 * @param by what the text is read by: the digests of what is read otherwise are others
 * @returns all pieces in their order; the last one ends where the text does
 */
export async function* cutPieces(bytes: AsyncIterable<Buffer>, by: string): AsyncGenerator<Piece> {
  const seed = hash("sha256", by, "buffer");
  let rest: Buffer = Buffer.alloc(0);
  let from = 0;
  for await (const chunk of bytes) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = endOf(rest, 0); end > 0; end = endOf(rest, at)) {
      yield pieceOf(rest.subarray(at, end), from + at, seed);
      at = end;
    }
    from += at;
    rest = rest.subarray(at);
  }
  if (rest.length > 0) yield pieceOf(rest, from, seed);
}

function pieceOf(text: Buffer, from: number, seed: Buffer): Piece {
  const digest = createHash("sha256").update(seed).update(text).digest();
  return { from, to: from + text.length, digest: digest.subarray(0, PIECE_DIGEST_BYTES) };
}

/** Where the piece ends that begins at an offset: always behind a line; 0 where more bytes have to tell. */
function endOf(text: Buffer, from: number): number {
  let line = text.indexOf(LF, from + LEAST_BYTES) + 1;
  while (line > 0) {
    const end = text.indexOf(LF, line) + 1;
    if (end === 0) break;
    if (end - from >= MOST_BYTES || endsPiece(text, line, end)) return end;
    line = end;
  }
  return text.length - from > MOST_WAITING ? text.length : 0;
}

/** A line's beginning says whether a piece ends behind it: ids and contacts stand there. */
function endsPiece(text: Buffer, from: number, to: number): boolean {
  let mixed = 0;
  const end = Math.min(to, from + LOOKED_AT);
  for (let at = from; at < end; at += 1) mixed = Math.imul(mixed ^ (text[at] ?? 0), 0x01000193);
  // The upper bits: a product's lower ones know little of the bytes before.
  return (mixed >>> 16) % ONE_IN === 0;
}
