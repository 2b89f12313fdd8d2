import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TokenBucket } from "../../src/calls/token-bucket.js";

describe("a token bucket", () => {
  it("lets one in, and the next when its time has come", () => {
    const bucket = new TokenBucket();
    expect(bucket.delay(0, 0.5)).toBe(0);
    bucket.take();
    expect(bucket.delay(0, 0.5)).toBe(2000);
    expect(bucket.delay(1500, 0.5)).toBe(500);
    expect(bucket.delay(2000, 0.5)).toBe(0);
  });

  it("holds nobody back where there is no rate", () => {
    const bucket = new TokenBucket();
    for (let calls = 0; calls < 1000; calls += 1) {
      expect(bucket.delay(0, Number.POSITIVE_INFINITY)).toBe(0);
      bucket.take();
    }
  });

  it("owes a call that was made without asking", () => {
    const bucket = new TokenBucket();
    expect(bucket.delay(0, 10)).toBe(0);
    bucket.take();
    bucket.take();
    expect(bucket.delay(0, 10)).toBe(200);
  });

  it("never lets in more than the rate and its burst allow, and no less where timers are late", () => {
    const rate = fc.double({ min: 0.1, max: 5000, noNaN: true });
    const lateness = fc.array(fc.nat(15), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(rate, lateness, (perSecond, late) => {
        const bucket = new TokenBucket();
        let now = 0;
        let calls = 0;
        for (; calls < 300; calls += 1) {
          for (let delay = bucket.delay(now, perSecond); delay > 0; ) {
            // A timer is never early, and on a busy machine some milliseconds late.
            now += delay + (late[calls % late.length] ?? 0);
            delay = bucket.delay(now, perSecond);
          }
          bucket.take();
          expect(calls + 1).toBeLessThanOrEqual(2 + perSecond * (now / 1000 + 0.02) + 1e-6);
        }
        const slowest = ((calls - 1) / perSecond) * 1000;
        expect(now).toBeLessThanOrEqual(slowest + 20);
      }),
    );
  });
});
