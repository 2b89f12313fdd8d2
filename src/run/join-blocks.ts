/** Joins the pieces of a file that are kept to blocks: a block that is unchanged in the next export is known at once. */

import type { KeptRows } from "../checkpoint/digest-table.js";
import { addSpan, type Span } from "../checkpoint/number-spans.js";
import type { Piece } from "../source/bytes/pieces.js";
import { type BlockFacts, type Facts, GrowingFacts } from "./piece-facts.js";

/** A piece that the checkpoint has. */
export interface PieceAt {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  readonly user: number;
  readonly rows: number;
}

/**
 * @param blocks of one file, in their order
 * @param pieces of that file
 * @param factsOf a piece; null where the checkpoint doesn't have it any more
 * @returns the blocks of which every piece is kept, and whose users' numbers follow each other
 */
export function joinBlocks(
  blocks: readonly Piece[],
  pieces: readonly PieceAt[],
  factsOf: (id: number) => Facts | null,
): KeptRows[] {
  const ordered = pieces.toSorted((one, other) => one.from - other.from);
  const joined: KeptRows[] = [];
  let place = 0;
  for (const { from, to, digest } of blocks) {
    while ((ordered[place]?.from ?? from) < from) place += 1;
    const first = place;
    while ((ordered[place]?.from ?? to) < to) place += 1;
    const own = ordered.slice(first, place);
    const facts = isWhole(own, from, to) ? factsOfAll(own, factsOf) : null;
    const user = own[0]?.user;
    if (facts === null || user === undefined) continue;
    joined.push({ digest, user, facts: JSON.stringify(facts) });
  }
  return joined;
}

/** Whether these are all of a block's pieces. */
function isWhole(pieces: readonly PieceAt[], from: number, to: number): boolean {
  return (
    pieces.every((piece, index) => {
      const before = pieces[index - 1];
      if (before === undefined) return piece.from === from;
      return piece.from === before.to && piece.user === before.user + before.rows;
    }) && pieces.at(-1)?.to === to
  );
}

function factsOfAll(
  pieces: readonly PieceAt[],
  factsOf: (id: number) => Facts | null,
): BlockFacts | null {
  const all = new GrowingFacts();
  const spans: Span[] = [];
  for (const { id } of pieces) {
    const facts = factsOf(id);
    if (facts === null) return null;
    all.add(facts);
    addSpan(spans, { first: id, last: id });
  }
  return { ...all, pieces: spans };
}
