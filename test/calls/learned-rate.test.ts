import { describe, expect, it } from "vitest";
import { LearnedRate } from "../../src/calls/learned-rate.js";

const ENDLESS = Number.POSITIVE_INFINITY;

interface Calls {
  readonly from: number;
  readonly seconds: number;
  /** How many are made, where the rate allows it. */
  readonly perSecond: number;
  /** Whether the core turns a call away, of so many in this second of the clock before it. */
  readonly isRefused?: (call: number, inSecond: number) => boolean;
}

/** Calls at the pace that the rate allows, each answered at once; answers the end and the share refused. */
function calls(
  rate: LearnedRate,
  { from, seconds, perSecond, isRefused = () => false }: Calls,
): { readonly now: number; readonly refused: number } {
  const until = from + 1000 * seconds;
  let now = from;
  let [made, refused, second, inSecond] = [0, 0, 0, 0];
  while (now < until) {
    if (Math.floor(now / 1000) !== second) inSecond = 0;
    second = Math.floor(now / 1000);
    if (isRefused(made, inSecond)) {
      refused += 1;
      rate.refused(now, now);
    } else {
      inSecond += 1;
      rate.answered(now, now);
    }
    made += 1;
    now += 1000 / Math.min(perSecond, rate.at(now));
  }
  return { now, refused: refused / made };
}

const above =
  (limit: number) =>
  (_call: number, inSecond: number): boolean =>
    inSecond >= limit;
const every =
  (nth: number) =>
  (call: number): boolean =>
    call % nth === nth - 1;

describe("the rate that a core can take", () => {
  it("is endless until calls are turned away", () => {
    const rate = new LearnedRate();
    const { now } = calls(rate, { from: 0, seconds: 5, perSecond: 1000 });
    expect(rate.at(now)).toBe(ENDLESS);
  });

  it("is a little below what a core takes that limits its callers, and then few are turned away", () => {
    const rate = new LearnedRate();
    const limit = { perSecond: 2000, isRefused: above(200) };
    const { now } = calls(rate, { ...limit, from: 0, seconds: 10 });
    for (let from = now; from < now + 60_000; ) {
      const next = calls(rate, { ...limit, from, seconds: 10 });
      expect(rate.at(next.now)).toBeGreaterThan(180);
      expect(rate.at(next.now)).toBeLessThan(220);
      expect(next.refused).toBeLessThan(0.02);
      from = next.now;
    }
  });

  it("isn't learned from one call in eighty", () => {
    const rate = new LearnedRate();
    const { now } = calls(rate, { from: 0, seconds: 20, perSecond: 500, isRefused: every(80) });
    expect(rate.at(now)).toBe(ENDLESS);
  });

  it("isn't learned from a core that takes nothing at all", () => {
    const rate = new LearnedRate();
    const { now } = calls(rate, { from: 0, seconds: 5, perSecond: 20, isRefused: () => true });
    rate.closed(now, 5000, true);
    expect(rate.at(now)).toBe(ENDLESS);
  });

  it.each([2, 3, 10, 30])(
    "is let go within fifteen seconds where one call in %i is refused at any rate",
    (nth) => {
      const rate = new LearnedRate();
      const share = { perSecond: 500, isRefused: every(nth) };
      const { now } = calls(rate, { ...share, from: 0, seconds: 15 });
      expect(rate.at(now)).toBe(ENDLESS);
      const later = calls(rate, { ...share, from: now, seconds: 45 });
      expect(rate.at(later.now)).toBe(ENDLESS);
    },
  );

  it("is learned again once many more are refused than what it was let go for", () => {
    const rate = new LearnedRate();
    const first = calls(rate, { from: 0, seconds: 15, perSecond: 500, isRefused: every(10) });
    expect(rate.at(first.now)).toBe(ENDLESS);
    const limit = { perSecond: 500, isRefused: above(100) };
    const { now } = calls(rate, { ...limit, from: first.now, seconds: 10 });
    expect(rate.at(now)).toBeLessThan(120);
  });

  it("isn't learned from some calls in the first seconds, but from most of them", () => {
    const [few, most] = [new LearnedRate(), new LearnedRate()];
    const share = { from: 0, seconds: 2.9, perSecond: 500, isRefused: every(3) };
    expect(few.at(calls(few, share).now)).toBe(ENDLESS);
    const { now } = calls(most, { ...share, isRefused: above(100) });
    expect(most.at(now)).toBeLessThan(120);
  });

  it("is found again within forty seconds where it was taken for far too low", () => {
    const rate = new LearnedRate();
    const slow = { perSecond: 2000, isRefused: above(20) };
    const fast = { perSecond: 2000, isRefused: above(1000) };
    const { now } = calls(rate, { ...slow, from: 0, seconds: 120 });
    expect(rate.at(now)).toBeLessThan(25);
    const later = calls(rate, { ...fast, from: now, seconds: 40 });
    expect(rate.at(later.now)).toBeGreaterThan(100);
  });

  it("is held for the wait of all calls, and for a second after it", () => {
    const rate = new LearnedRate();
    const { now } = calls(rate, { from: 0, seconds: 5, perSecond: 200 });
    rate.refused(now, now);
    rate.closed(now, 30_000, true);
    const low = rate.at(now);
    expect([rate.at(now + 30_000), rate.at(now + 31_000)]).toEqual([low, low]);
    expect(low).toBeGreaterThan(150);
    expect(low).toBeLessThan(200);
  });

  it("isn't lowered again by calls that began before it was", () => {
    const rate = new LearnedRate();
    const isRefused = (call: number): boolean => call === 0;
    const { now } = calls(rate, { from: 0, seconds: 5, perSecond: 200, isRefused });
    for (let count = 0; count < 8; count += 1) rate.refused(now, now - 10);
    const once = rate.at(now);
    expect(once).toBeLessThan(200);
    for (let count = 0; count < 60; count += 1) rate.refused(now + 900, now - 10);
    expect(rate.at(now + 900)).toBe(once);
  });
});
