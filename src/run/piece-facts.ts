/** What is kept of the rows of a piece or block: what came of them, as a text. */

import type { Span } from "../checkpoint/number-spans.js";
import type { OfRows } from "../inspect/compared-rows.js";
import { GrowingSums, type KnownSums } from "../inspect/known-sums.js";
import { type Alike, addAlike } from "./settled-spans.js";

/** Of rows that follow each other. */
export interface Facts {
  /** When they were read, in epoch milliseconds: what was over then is over later. */
  readonly now: number;
  readonly sums: KnownSums;
  readonly alike: readonly Alike[];
}

export interface PieceFacts extends Facts {
  /** How many lines each row takes. */
  readonly lines: OfRows;
}

export interface BlockFacts extends Facts {
  /** The numbers of its pieces, in their order. */
  readonly pieces: readonly Span[];
}

/** Facts that those of the rows behind are added to. */
export class GrowingFacts implements Facts {
  now: number;
  readonly sums = new GrowingSums();
  readonly alike: Alike[] = [];

  constructor(now = 0) {
    this.now = now;
  }

  add({ now, sums, alike }: Facts): void {
    this.now = Math.max(this.now, now);
    this.sums.add(sums);
    for (const users of alike) addAlike(this.alike, users, users.rows);
  }
}

/** Different texts whose facts are remembered: of most pieces they are those of others with as many rows. */
const MOST_TEXTS = 1000;

/** Reads what was written. */
export class FactsReader {
  readonly #read = new Map<string, PieceFacts>();

  /** The same ones for the same text: they must not be changed. */
  ofPiece(text: string): PieceFacts {
    const known = this.#read.get(text);
    if (known !== undefined) return known;
    if (this.#read.size === MOST_TEXTS) this.#read.clear();
    // Of our own file: it was written as such.
    const facts = JSON.parse(text) as PieceFacts;
    this.#read.set(text, facts);
    return facts;
  }

  ofBlock(text: string): BlockFacts {
    return JSON.parse(text) as BlockFacts;
  }
}
