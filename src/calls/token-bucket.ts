/** A token bucket: so many a second on average, smoothly, with a small burst that makes up for late timers. Pure; it is told the time and waits for nothing. */

interface TokenBucket {
  /** Milliseconds until a token is there at `rate` a second; 0 where one is, or where the rate is endless. */
  delay(now: number, rate: number): number;
  /** Takes a token, which {@link delay} said is there. */
  take(): void;
}

/** The bucket holds one token, and as many as come in this time: timers are late by a millisecond, and on a busy machine or under a container's quota by twenty. */
const BURST_SECONDS = 0.02;
/** What rounding may keep a token short of one. */
const EPSILON = 1e-9;

/** A full bucket. */
export function createTokenBucket(): TokenBucket {
  let tokens = 1;
  let filledAt: number | null = null;
  return {
    delay(now, rate) {
      const elapsed = now - (filledAt ?? now);
      filledAt = now;
      if (rate === Number.POSITIVE_INFINITY) {
        tokens = 1;
        return 0;
      }
      tokens = Math.min(1 + rate * BURST_SECONDS, tokens + (elapsed / 1000) * rate);
      return tokens >= 1 - EPSILON ? 0 : ((1 - tokens) / rate) * 1000;
    },
    take() {
      tokens -= 1;
    },
  };
}
