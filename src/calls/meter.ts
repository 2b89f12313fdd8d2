/** Counts calls over the last seconds, by how they ended. Pure. */

export interface Counts {
  answered: number;
  refused: number;
}

const SLOT_MS = 50;
/** What was counted in a shorter time says nothing of a second. */
const LEAST_MS = 250;

export class Meter {
  readonly #longestMs: number;
  readonly #slots: (Counts & { readonly at: number })[] = [];

  /** @param longestMs what it can look back at */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  count(now: number, how: keyof Counts): void {
    const at = now - (now % SLOT_MS);
    let slot = this.#slots.at(-1);
    if (slot?.at !== at) {
      slot = { at, answered: 0, refused: 0 };
      this.#slots.push(slot);
      while ((this.#slots[0]?.at ?? now) < now - this.#longestMs) this.#slots.shift();
    }
    slot[how] += 1;
  }

  /** For how long calls have been counted, at most as long as it looks back. */
  since(now: number): number {
    return now - (this.#slots[0]?.at ?? now);
  }

  /** What was counted in the last `ms`. */
  over(now: number, ms: number): Counts {
    const sum = { answered: 0, refused: 0 };
    for (const { at, answered, refused } of this.#slots) {
      if (at < now - ms) continue;
      sum.answered += answered;
      sum.refused += refused;
    }
    return sum;
  }

  /** Calls answered a second in the last `ms`. */
  perSecond(now: number, ms: number): number {
    const elapsed = Math.min(ms, this.since(now));
    return (this.over(now, ms).answered / Math.max(LEAST_MS, elapsed)) * 1000;
  }
}
