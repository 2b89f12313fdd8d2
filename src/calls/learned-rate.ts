/** The rate that a core which limits its callers seems to allow: learned from what it refuses, tried again and again from below. Pure; it is told what happened and when. */

/** What the core took a moment ago is a little more than it takes for long: what was put by is in it. */
const LASTING = 0.985;
/** Below that by so much: the first time, when there is little to go by, later, and where that didn't help. */
const FIRST_STEP_DOWN = 0.6;
const STEP_DOWN = 0.95;
const STEP_DOWN_AGAIN = 0.85;
/** How fast the rate grows beyond the one that was refused: by half in the period that follows. */
const GROWTH_ABOVE = 0.5;
/** Refusals within this time after a step down are of the same trouble. */
const ROUND_MS = 1000;
/**
 * How long it takes to get back to the rate that was refused: short while that rate is little more
 * than a guess, longer each time that it proves right, and longer where a refusal costs a pause.
 */
const LEAST_PERIOD_MS = 1500;
const MOST_PERIOD_MS = 20_000;
const CERTAINTY_GROWTH = 4;
/** Rates that differ by no more say the same. */
const SAME = 1.2;
/** If one call in so many is still refused, however low the rate, the rate may not be the cause. */
const FEW_CALLS = 300;
const MOST_IN_VAIN = 6;
/** How long refusals are then ignored; twice as long each time. */
const LIFT_MS = 300_000;
const MOST_LIFT_MS = 3_600_000;
/** Refusals count all the same if more than this share of the calls is refused. */
const TOO_MANY = 0.15;
const ENOUGH_REFUSALS = 20;
/** Calls are counted over the last second, at least over a quarter of it. */
const SLOTS = 10;
const SLOT_MS = 100;
const LEAST_ELAPSED_MS = 250;

/**
 * A refusal says that the core takes no more than it took in the second before it. From a step below
 * that the rate goes back up along CUBIC's curve (RFC 9438 section 4.2, with a period in place of its
 * constant): fast at first, slowly around the rate that was refused, then ever faster, since the
 * limit may have gone. The AWS SDKs' adaptive retry mode does so with a token bucket, too.
 *
 * A core that refuses now and then whatever the rate would bring such a curve down to nothing. So
 * where refusals stay as frequent as they were, the rate is lifted for a trial.
 */
export class LearnedRate {
  #ceiling = Number.POSITIVE_INFINITY;
  #start = STEP_DOWN;
  #since = 0;
  #certainty = LEAST_PERIOD_MS;
  #period = LEAST_PERIOD_MS;
  #inVain = 0;
  #liftedUntil = Number.NEGATIVE_INFINITY;
  #liftMs = LIFT_MS;
  #takenInLift = 0;
  #refusedInLift = 0;
  #takenSince = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  readonly #meter = new Meter();

  /** Calls a second at `now`; endless while nothing speaks for a limit. */
  at(now: number): number {
    if (this.#ceiling === Number.POSITIVE_INFINITY) return this.#ceiling;
    const part = Math.max(0, now - this.#since) / this.#period - 1;
    return this.#ceiling * (1 + (part < 0 ? 1 - this.#start : GROWTH_ABOVE) * part ** 3);
  }

  answered(now: number): void {
    this.#meter.count(now);
    this.#takenSince += 1;
    this.#takenInLift += 1;
  }

  /**
   * A call was refused (429, 503).
   *
   * @param isNews it is the first of those that were in flight together
   * @param pauseMs no call is made for so long
   */
  refused(now: number, isNews: boolean, pauseMs: number): void {
    if (this.#isLifted(now) || !isNews) return;
    const current = this.at(now);
    const taken = this.#meter.perSecond(now) || this.#takenSince / ((now - this.#refusedAt) / 1000);
    const perSecond = taken * LASTING;
    const isVain = this.#takenSince > 0 && this.#takenSince < FEW_CALLS;
    this.#takenSince = 0;
    this.#refusedAt = now;
    const elapsed = now - this.#since;
    const isKnown = current < Number.POSITIVE_INFINITY;
    const again = isKnown && elapsed < this.#period / 3;
    // Where nothing was taken, that tells of trouble, and of no rate.
    const tells = perSecond > 0;
    if (again && elapsed < ROUND_MS) {
      if (elapsed >= LEAST_ELAPSED_MS && tells) this.#ceiling = Math.min(this.#ceiling, perSecond);
      return;
    }
    this.#inVain = Math.max(0, this.#inVain + (isVain ? 1 : -1));
    if (this.#inVain >= MOST_IN_VAIN) this.#lift(now);
    else if (tells || isKnown) {
      this.#learn(tells ? perSecond : null);
      this.#start = isKnown ? STEP_DOWN : FIRST_STEP_DOWN;
      if (again) this.#start = Math.min(STEP_DOWN, (current * STEP_DOWN_AGAIN) / this.#ceiling);
      this.#since = now + pauseMs;
      this.#period = this.#certainty * Math.max(1, pauseMs / 1000);
    }
  }

  /** @param perSecond what the core took; null where that isn't known */
  #learn(perSecond: number | null): void {
    const proves =
      perSecond !== null && perSecond < this.#ceiling * SAME && perSecond * SAME > this.#ceiling;
    this.#certainty = proves
      ? Math.min(MOST_PERIOD_MS, CERTAINTY_GROWTH * this.#certainty)
      : LEAST_PERIOD_MS;
    if (perSecond !== null) this.#ceiling = perSecond;
  }

  /** A trial without a rate, while refusals seem not to speak of it. */
  #isLifted(now: number): boolean {
    if (now >= this.#liftedUntil) return false;
    this.#refusedInLift += 1;
    const all = this.#refusedInLift + this.#takenInLift;
    if (this.#refusedInLift < ENOUGH_REFUSALS || this.#refusedInLift < TOO_MANY * all) return true;
    // They do.
    this.#liftedUntil = now;
    return false;
  }

  #lift(now: number): void {
    this.#ceiling = Number.POSITIVE_INFINITY;
    this.#inVain = 0;
    this.#refusedInLift = 0;
    this.#takenInLift = 0;
    this.#liftedUntil = now + this.#liftMs;
    this.#liftMs = Math.min(MOST_LIFT_MS, 2 * this.#liftMs);
  }
}

class Meter {
  readonly #counts = new Array<number>(SLOTS).fill(0);
  readonly #slots = new Array<number>(SLOTS).fill(Number.NEGATIVE_INFINITY);
  #from: number | null = null;

  count(now: number): void {
    this.#from ??= now;
    const slot = Math.floor(now / SLOT_MS);
    const index = slot % SLOTS;
    this.#counts[index] = this.#slots[index] === slot ? (this.#counts[index] ?? 0) + 1 : 1;
    this.#slots[index] = slot;
  }

  /** How many a second were counted, over the last second or since the first. */
  perSecond(now: number): number {
    const oldest = Math.floor(now / SLOT_MS) - SLOTS + 1;
    const counted = this.#counts.filter((_, index) => (this.#slots[index] ?? 0) >= oldest);
    const elapsed = now - Math.max(this.#from ?? now, oldest * SLOT_MS);
    const total = counted.reduce((sum, count) => sum + count, 0);
    return (total / Math.max(LEAST_ELAPSED_MS, elapsed)) * 1000;
  }
}
