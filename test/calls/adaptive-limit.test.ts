import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AdaptiveLimit } from "../../src/calls/adaptive-limit.js";

/** So many calls of 20 ms are answered, with the limit made use of. */
function answer(limit: AdaptiveLimit, count: number, latencyMs = 20): void {
  for (let calls = 0; calls < count; calls += 1) limit.answered("import", latencyMs, true, true);
}

/** A round in which calls fail. */
function fail(limit: AdaptiveLimit, count = 1): void {
  for (let calls = 0; calls < count; calls += 1) limit.failed();
  limit.lower();
}

describe("the limit of calls in flight", () => {
  it("begins low and is all that the operator allows after a few rounds", () => {
    const limit = new AdaptiveLimit(64);
    expect(limit.current).toBe(4);
    answer(limit, 60);
    expect(limit.current).toBe(64);
    answer(limit, 1000);
    expect(limit.current).toBe(64);
  });

  it("never begins above what the operator allows", () => {
    expect(new AdaptiveLimit(1).current).toBe(1);
  });

  it("is halved at once by the first failure, and by every round of them", () => {
    const limit = new AdaptiveLimit(64);
    answer(limit, 60);
    const after: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      fail(limit, 64);
      after.push(limit.current);
    }
    expect(after).toEqual([31, 15, 7, 3, 1].map((most) => expect.toSatisfy((n) => n <= most + 15)));
    expect(after.at(-1)).toBeLessThanOrEqual(3);
  });

  it("goes up slowly after that", () => {
    const limit = new AdaptiveLimit(64);
    answer(limit, 60);
    fail(limit, 64);
    const lowered = limit.current;
    answer(limit, lowered);
    expect(limit.current - lowered).toBeGreaterThanOrEqual(2);
    expect(limit.current - lowered).toBeLessThanOrEqual(5);
  });

  it("is only trimmed where one call in many fails", () => {
    const limit = new AdaptiveLimit(64);
    answer(limit, 500);
    fail(limit);
    expect(limit.current).toBeGreaterThan(55);
  });

  it("isn't raised by calls that don't make use of it", () => {
    const limit = new AdaptiveLimit(64);
    for (let calls = 0; calls < 100; calls += 1) limit.answered("import", 20, false, true);
    expect(limit.current).toBe(4);
  });

  it("is lowered where answers take three times as long as at first, before anything fails", () => {
    const limit = new AdaptiveLimit(64);
    answer(limit, 60);
    answer(limit, 64, 59);
    expect(limit.current).toBe(64);
    answer(limit, 64, 120);
    expect(limit.current).toBeLessThan(45);
  });

  it("isn't lowered by answers within 25 ms, however much quicker the first ones were", () => {
    const limit = new AdaptiveLimit(64);
    answer(limit, 60, 1);
    answer(limit, 200, 24);
    expect(limit.current).toBe(64);
  });

  it("judges each kind of call by its own best", () => {
    const limit = new AdaptiveLimit(64);
    for (let calls = 0; calls < 400; calls += 1) {
      limit.answered("lookup", 30, true, true);
      limit.answered("import", 300, true, true);
    }
    expect(limit.current).toBe(64);
  });

  it("doesn't take the latency of a load that is over for one of the load now", () => {
    const limit = new AdaptiveLimit(64);
    answer(limit, 60);
    for (let calls = 0; calls < 200; calls += 1) limit.answered("import", 900, true, false);
    expect(limit.current).toBe(64);
  });

  it("gets used to a longer way once a single call takes it", () => {
    const limit = new AdaptiveLimit(64);
    answer(limit, 60);
    answer(limit, 3000, 400);
    expect(limit.current).toBe(64);
  });

  it("stays whole, from 1 to what is allowed, whatever happens", () => {
    const event = fc.oneof(
      fc.record({
        what: fc.constant("answer" as const),
        latency: fc.nat(5000),
        full: fc.boolean(),
      }),
      fc.record({ what: fc.constant("fail" as const), count: fc.nat(100) }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.array(event), (most, events) => {
        const limit = new AdaptiveLimit(most);
        for (const one of events) {
          if (one.what === "fail") fail(limit, one.count);
          else limit.answered("code", one.latency, one.full, true);
          expect(Number.isInteger(limit.current)).toBe(true);
          expect(limit.current).toBeGreaterThanOrEqual(1);
          expect(limit.current).toBeLessThanOrEqual(most);
        }
      }),
    );
  });
});
