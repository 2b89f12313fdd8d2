/** Reads `Retry-After` (RFC 9110 section 10.2.3). */

/** The wait in milliseconds, never negative, or undefined where the header is absent or unreadable. */
export function retryAfterMs(header: unknown, nowMs: number): number | undefined {
  if (typeof header !== "string") return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse alone would take "-5" for a year.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
