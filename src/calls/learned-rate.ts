/** The rate that a core which limits its callers seems to allow: learned from what it refuses, tried again and again from below. Pure; it is told what happened and when. */

export interface LearnedRate {
  /** Calls a second at `now`; endless while nothing speaks for a limit. */
  at(now: number): number;
  answered(now: number): void;
  /**
   * A call was refused (429, 503).
   *
   * @param isNews it is the first of those that were in flight together
   * @param pauseMs no call is made for so long
   */
  refused(now: number, isNews: boolean, pauseMs: number): void;
}

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
/** Where one call in so few goes on being refused, however low the rate, refusals may not speak of it. */
const FEW_CALLS = 300;
const MOST_IN_VAIN = 6;
/** For so long they are then taken to mean nothing; twice as long each time. */
const LIFT_MS = 300_000;
const MOST_LIFT_MS = 3_600_000;
/** Unless more than this part of the calls is refused. */
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
export function createLearnedRate(): LearnedRate {
  let ceiling = Number.POSITIVE_INFINITY;
  let start = STEP_DOWN;
  let since = 0;
  let certainty = LEAST_PERIOD_MS;
  let period = LEAST_PERIOD_MS;
  let inVain = 0;
  let liftedUntil = Number.NEGATIVE_INFINITY;
  let liftMs = LIFT_MS;
  let takenInLift = 0;
  let refusedInLift = 0;
  let takenSince = 0;
  let refusedAt = Number.NEGATIVE_INFINITY;
  const meter = createMeter();

  const at = (now: number): number => {
    if (ceiling === Number.POSITIVE_INFINITY) return ceiling;
    const part = Math.max(0, now - since) / period - 1;
    return ceiling * (1 + (part < 0 ? 1 - start : GROWTH_ABOVE) * part ** 3);
  };

  /** A trial without a rate, while refusals seem not to speak of it. */
  const isLifted = (now: number): boolean => {
    if (now >= liftedUntil) return false;
    refusedInLift += 1;
    if (
      refusedInLift < ENOUGH_REFUSALS ||
      refusedInLift < TOO_MANY * (refusedInLift + takenInLift)
    ) {
      return true;
    }
    // They do.
    liftedUntil = now;
    return false;
  };

  const lift = (now: number): void => {
    ceiling = Number.POSITIVE_INFINITY;
    inVain = refusedInLift = takenInLift = 0;
    liftedUntil = now + liftMs;
    liftMs = Math.min(MOST_LIFT_MS, 2 * liftMs);
  };

  return {
    at,
    answered(now) {
      meter.count(now);
      takenSince += 1;
      takenInLift += 1;
    },
    refused(now, isNews, pauseMs) {
      if (isLifted(now) || !isNews) return;
      const current = at(now);
      const taken = meter.perSecond(now) || takenSince / ((now - refusedAt) / 1000);
      const perSecond = taken * LASTING;
      const isVain = takenSince > 0 && takenSince < FEW_CALLS;
      takenSince = 0;
      refusedAt = now;
      const elapsed = now - since;
      const isKnown = current < Number.POSITIVE_INFINITY;
      const again = isKnown && elapsed < period / 3;
      if (again && elapsed < ROUND_MS) {
        if (elapsed >= LEAST_ELAPSED_MS && perSecond > 0) ceiling = Math.min(ceiling, perSecond);
        return;
      }
      inVain = Math.max(0, inVain + (isVain ? 1 : -1));
      if (inVain >= MOST_IN_VAIN) return lift(now);
      // Where nothing was taken, that tells of trouble, and of no rate.
      const tells = perSecond > 0;
      if (!tells && !isKnown) return;
      const proves = tells && perSecond < ceiling * SAME && perSecond * SAME > ceiling;
      certainty = proves ? Math.min(MOST_PERIOD_MS, CERTAINTY_GROWTH * certainty) : LEAST_PERIOD_MS;
      if (tells) ceiling = perSecond;
      start = isKnown ? STEP_DOWN : FIRST_STEP_DOWN;
      if (again) start = Math.min(STEP_DOWN, (current * STEP_DOWN_AGAIN) / ceiling);
      since = now + pauseMs;
      period = certainty * Math.max(1, pauseMs / 1000);
    },
  };
}

interface Meter {
  count(now: number): void;
  /** How many a second were counted, over the last second or since the first. */
  perSecond(now: number): number;
}

function createMeter(): Meter {
  const counts = new Array<number>(SLOTS).fill(0);
  const slots = new Array<number>(SLOTS).fill(Number.NEGATIVE_INFINITY);
  let from: number | null = null;
  return {
    count(now) {
      from ??= now;
      const slot = Math.floor(now / SLOT_MS);
      const index = slot % SLOTS;
      counts[index] = slots[index] === slot ? (counts[index] ?? 0) + 1 : 1;
      slots[index] = slot;
    },
    perSecond(now) {
      const oldest = Math.floor(now / SLOT_MS) - SLOTS + 1;
      const counted = counts.filter((_, index) => (slots[index] ?? 0) >= oldest);
      const elapsed = now - Math.max(from ?? now, oldest * SLOT_MS);
      const total = counted.reduce((sum, count) => sum + count, 0);
      return (total / Math.max(LEAST_ELAPSED_MS, elapsed)) * 1000;
    },
  };
}
