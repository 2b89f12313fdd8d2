/** Known pieces and blocks that follow each other in an input, of users whose numbers do: their rows are passed over together. */

import { addSpan, type Span } from "../checkpoint/number-spans.js";
import type { LeftOut } from "../source/source.js";
import { type Facts, GrowingFacts } from "./piece-facts.js";

/** Rows that are passed over before anything else is done. */
const MOST_ROWS = 20_000;

/** A piece or block that is known. */
export interface KnownPart {
  readonly from: number;
  readonly to: number;
  /** The entry's number of the first row's user. */
  readonly user: number;
  readonly facts: Facts;
  /** The numbers of its pieces, in their order. */
  readonly pieces: readonly Span[];
}

export class Stretch implements LeftOut {
  readonly from: number;
  readonly user: number;
  readonly facts = new GrowingFacts();
  readonly pieces: Span[] = [];
  to: number;

  constructor(first: KnownPart) {
    this.from = first.from;
    this.to = first.from;
    this.user = first.user;
  }

  get rows(): number {
    return this.facts.sums.rows;
  }

  get lines(): number {
    return this.facts.sums.lines;
  }

  /** @returns whether it follows, and was added */
  add(part: KnownPart): boolean {
    const isNext = part.from === this.to && part.user === this.user + this.rows;
    if (!isNext || this.rows >= MOST_ROWS) return false;
    this.to = part.to;
    this.facts.add(part.facts);
    for (const span of part.pieces) addSpan(this.pieces, span);
    return true;
  }
}

/** Adds a part to the last stretch, or where that doesn't go on with it, to a new one. */
export function addPart(stretches: Stretch[], part: KnownPart): void {
  if (stretches.at(-1)?.add(part)) return;
  const stretch = new Stretch(part);
  stretch.add(part);
  stretches.push(stretch);
}
