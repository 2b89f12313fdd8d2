/** Reads `Retry-After` (RFC 9110 section 10.2.3). In doubt it takes the longer wait: a shorter one than was asked for isn't ours to choose. */

/** Some services send fractions, which the RFC doesn't know. */
const SECONDS = /^\d+(?:\.\d+)?$/;
/** Each of the RFC's three forms of a date begins with a day's name. `Date.parse` alone would take "-5" for a year. */
const DATE = /^[A-Z][a-z]{2}/;
/** Of asctime's form, which is Universal Time without saying so. */
const HAS_ZONE = /(?:GMT|UTC|[+-]\d{4})$/;

/**
 * The wait in milliseconds, never negative, or undefined where the header is absent or unreadable.
 *
 * @param header as it came; a list where there were several, of which the longest wait counts
 * @param sentAt the answer's own `Date` as it came: a date to wait for is by the same clock, which
 *   may differ from ours
 * @param nowMs our clock, where the answer has no `Date`
 */
export function retryAfterMs(header: unknown, sentAt: unknown, nowMs: number): number | undefined {
  const waits = (Array.isArray(header) ? header : [header]).flatMap(
    (one) => waitOf(one, sentAt, nowMs) ?? [],
  );
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function waitOf(header: unknown, sentAt: unknown, nowMs: number): number | undefined {
  if (typeof header !== "string") return undefined;
  const text = header.trim();
  if (SECONDS.test(text)) return Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(Number(text) * 1000));
  const until = dateOf(text);
  return until === undefined ? undefined : Math.max(0, until - (dateOf(sentAt) ?? nowMs));
}

function dateOf(header: unknown): number | undefined {
  if (typeof header !== "string" || !DATE.test(header)) return undefined;
  const time = Date.parse(HAS_ZONE.test(header) ? header : `${header} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
