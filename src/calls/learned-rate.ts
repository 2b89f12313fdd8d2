/** The rate that a core which turns calls away can take: learned from what it took, and tried again and again from below. Pure; it is told what happened and when. */

/** What a core took a moment ago is a little more than it takes for long: a step down goes so far below it. */
const STEP = 0.95;
/** How long it takes to get back up: the longer, the more often the rate has proved right. */
const LEAST_PERIOD_MS = 1000;
const MOST_PERIOD_MS = 20_000;
const PERIOD_GROWTH = 3;
/** Rates that differ by no more say the same. */
const SAME = 0.15;
/** How the rate grows beyond the one that was refused: by half in this time, and then ever faster. */
const GROWTH_MS = 8000;
const GROWTH = 0.5;
/** A run that has just begun isn't at its pace yet: nothing is learned so soon, unless more than this share of the calls is turned away. */
const COLD_MS = 3000;
const MOST_CALLS = 0.5;
/** Fewer refusals tell nothing: so many at first, so many later, and such a share of the calls. */
const FEW_AT_FIRST = 8;
const FEW = 2;
const SMALL_SHARE = 0.02;
/** What is counted: the last second. It is also how long a limiter's second may already be spent. */
const SECOND_MS = 1000;
/** A step down is judged by the calls that begin after that second, for so long. */
const TRIAL_MS = 1500;
/** After so many steps in a row that changed nothing, the rate isn't what the core refuses. From the third on each step halves it. */
const IN_VAIN = 5;
const DEEP_STEP = 0.5;
/** Nor is it the rate at so few calls a second. */
const LEAST = 10;
/** So long nothing is learned then. */
const DEAF_MS = 60_000;

interface Counts {
  answered: number;
  refused: number;
}

/** What the calls say that began a second after a step down, or later. */
interface Trial extends Counts {
  readonly from: number;
  /** The share that was turned away before. */
  readonly share: number;
}

/**
 * A core that limits its callers takes as many calls a second as its limit says, whatever is sent.
 * So the rate steps down to a little below what the core has taken. It grows back along a curve like
 * CUBIC's (RFC 9438 section 4.2): quickly at first, slowly around the rate that was refused, then ever
 * faster, since the limit may have gone.
 *
 * Some cores turn a share of the calls away at any rate, as one with a sick instance behind a balancer
 * does. They would be slowed down for nothing. So each step down is judged, and where steps to an
 * eighth change nothing, the rate is let go.
 */
export class LearnedRate {
  readonly #meter = new Meter();
  /** What the core took when it last turned calls away, in calls a second. */
  #ceiling = Number.POSITIVE_INFINITY;
  /** The last one that a step down below it helped against. */
  #proved = Number.POSITIVE_INFINITY;
  /** Where the rate began to grow again, and when. */
  #low = Number.POSITIVE_INFINITY;
  #since = Number.NEGATIVE_INFINITY;
  #period = LEAST_PERIOD_MS;
  #trial: Trial | null = null;
  /** When the first call began that was turned away. */
  #first = Number.POSITIVE_INFINITY;
  #inVain = 0;
  #deafUntil = Number.NEGATIVE_INFINITY;

  /** Calls a second at `now`; endless while nothing speaks for a limit. */
  at(now: number): number {
    if (this.#ceiling === Number.POSITIVE_INFINITY || this.#trial !== null) return this.#low;
    const left = 1 - (now - this.#since) / this.#period;
    if (left > 0) return this.#ceiling - (this.#ceiling - this.#low) * left ** 2;
    const beyond = -left * this.#period;
    // The first guess may be far too low.
    if (!this.#isProved) return this.#ceiling * 2 ** (beyond / LEAST_PERIOD_MS);
    return this.#ceiling * (1 + GROWTH * (beyond / GROWTH_MS) ** 3);
  }

  /** A call that began at `began` was answered. */
  answered(now: number, began: number): void {
    this.#count(now, began, "answered");
  }

  /** A call that began at `began` was turned away: refused (429, 503), or failed at (500). */
  refused(now: number, began: number): void {
    this.#count(now, began, "refused");
    this.#first = Math.min(this.#first, began);
    if (this.#trial !== null || began < this.#since) return;
    const counts = this.#meter.lately(now);
    const share = shareOf(counts);
    const isFirst = this.#ceiling === Number.POSITIVE_INFINITY;
    if (isFirst && (this.#meter.since(now) < SECOND_MS || this.#isTooSoon(now, share))) return;
    const few = isFirst ? FEW_AT_FIRST : FEW;
    if (counts.refused >= few && share > SMALL_SHARE) this.#stepDown(now, share);
  }

  /** No call gets through, so that all wait. */
  closed(now: number, waitMs: number): void {
    this.#period = LEAST_PERIOD_MS;
    this.#stepDown(now, shareOf(this.#meter.lately(now)), waitMs);
  }

  get #isProved(): boolean {
    return this.#period > LEAST_PERIOD_MS;
  }

  /** Nothing speaks for a limit yet, or not long ago the rate was let go. */
  #isTooSoon(now: number, share: number): boolean {
    const isCold = now - this.#first < COLD_MS && share < MOST_CALLS;
    return isCold || now < this.#deafUntil;
  }

  #count(now: number, began: number, how: keyof Counts): void {
    this.#meter.count(now, how);
    const trial = this.#trial;
    if (trial === null || began < trial.from) return;
    trial[how] += 1;
    if (now - trial.from >= TRIAL_MS) this.#judge(now, trial);
  }

  #stepDown(now: number, share: number, waitMs = 0): void {
    const taken = this.#meter.perSecond(now);
    // Where nothing was taken, that tells of trouble and of no rate.
    if (taken === 0) return;
    this.#ceiling = taken;
    this.#try(now + waitMs, STEP * this.#ceiling, share);
  }

  #try(now: number, rate: number, share: number): void {
    this.#low = rate;
    this.#since = now;
    this.#trial = { from: now + SECOND_MS, share, answered: 0, refused: 0 };
  }

  /** Where as many are turned away after the step as before, it isn't for the rate. */
  #judge(now: number, trial: Trial): void {
    const share = shareOf(trial);
    this.#trial = null;
    this.#since = now;
    if (share <= Math.max(SMALL_SHARE, trial.share / 2)) {
      const isSame = Math.abs(this.#ceiling / this.#proved - 1) < SAME;
      const longer = Math.min(MOST_PERIOD_MS, PERIOD_GROWTH * this.#period);
      this.#period = isSame ? longer : LEAST_PERIOD_MS;
      this.#proved = this.#ceiling;
      this.#inVain = 0;
      return;
    }
    this.#inVain += 1;
    if (this.#inVain === IN_VAIN || this.#low < LEAST) this.#letGo(now);
    else if (this.#inVain === 1) this.#stepDown(now, trial.share);
    else this.#try(now, DEEP_STEP * this.#low, trial.share);
  }

  #letGo(now: number): void {
    this.#inVain = 0;
    this.#ceiling = this.#low = Number.POSITIVE_INFINITY;
    this.#period = LEAST_PERIOD_MS;
    this.#deafUntil = now + DEAF_MS;
  }
}

function shareOf({ answered, refused }: Counts): number {
  return refused / (answered + refused);
}

const SLOT_MS = 50;
/** What was counted in a shorter time says nothing of a second. */
const LEAST_MS = 250;

/** Counts calls over the last second, by how they ended; it knows of one more whether there were any. */
class Meter {
  readonly #slots: (Counts & { readonly at: number })[] = [];

  count(now: number, how: keyof Counts): void {
    const at = now - (now % SLOT_MS);
    let slot = this.#slots.at(-1);
    if (slot?.at !== at) {
      slot = { at, answered: 0, refused: 0 };
      this.#slots.push(slot);
      while ((this.#slots[0]?.at ?? now) < now - 2 * SECOND_MS) this.#slots.shift();
    }
    slot[how] += 1;
  }

  since(now: number): number {
    return now - (this.#slots[0]?.at ?? now);
  }

  /** What was counted in the last second. */
  lately(now: number): Counts {
    const sum = { answered: 0, refused: 0 };
    for (const { at, answered, refused } of this.#slots) {
      if (at < now - SECOND_MS) continue;
      sum.answered += answered;
      sum.refused += refused;
    }
    return sum;
  }

  /** Calls answered a second, by the last one. */
  perSecond(now: number): number {
    const elapsed = Math.min(SECOND_MS, this.since(now));
    return (this.lately(now).answered / Math.max(LEAST_MS, elapsed)) * 1000;
  }
}
