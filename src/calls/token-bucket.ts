/** A token bucket: so many a second on average, smoothly, with a small burst that makes up for late timers. Pure; it is told the time and waits for nothing. */

/** The bucket holds one token, and as many as come in this time: timers are late by a millisecond, and on a busy machine or under a container's quota by twenty. */
const BURST_SECONDS = 0.02;
/** What rounding may keep a token short of one. */
const EPSILON = 1e-9;

/** It begins full. */
export class TokenBucket {
  #tokens = 1;
  #filledAt: number | null = null;

  /** Milliseconds until a token is there at `rate` a second; 0 where one is, or where the rate is endless. */
  delay(now: number, rate: number): number {
    const elapsed = now - (this.#filledAt ?? now);
    this.#filledAt = now;
    if (rate === Number.POSITIVE_INFINITY) {
      this.#tokens = 1;
      return 0;
    }
    this.#tokens = Math.min(1 + rate * BURST_SECONDS, this.#tokens + (elapsed / 1000) * rate);
    return this.#tokens >= 1 - EPSILON ? 0 : ((1 - this.#tokens) / rate) * 1000;
  }

  /** Takes a token, which {@link delay} said is there. */
  take(): void {
    this.#tokens -= 1;
  }
}
