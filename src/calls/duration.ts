/** Durations as people write them: `30s`, `10m`, `1h30m`. The one parser and the one writer of them. Pure. */

const UNIT_MS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
const WRITTEN =
  /^(?:(?<d>\d+)d)?(?:(?<h>\d+)h)?(?:(?<m>\d+)m)?(?:(?<s>\d+(?:\.\d+)?)s)?(?:(?<ms>\d+)ms)?$/;

/** No timer of Node.js runs longer than 24.8 days. */
export const MOST_DURATION_MS = 20 * UNIT_MS.d;

/** Milliseconds; null for what isn't a duration, or is longer than {@link MOST_DURATION_MS}. */
export function parseDuration(text: string): number | null {
  const groups = WRITTEN.exec(text)?.groups;
  if (groups === undefined || text === "") return null;
  const { d = 0, h = 0, m = 0, s = 0, ms = 0 } = groups;
  const whole = Number(d) * UNIT_MS.d + Number(h) * UNIT_MS.h + Number(m) * UNIT_MS.m;
  const total = Math.round(whole + Number(s) * UNIT_MS.s + Number(ms));
  return total > MOST_DURATION_MS ? null : total;
}

/** The two largest units, rounded up: `1h30m`, `10m`, `45s`, `250ms`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < UNIT_MS.s) return `${Math.ceil(milliseconds)}ms`;
  const total = Math.ceil(milliseconds / UNIT_MS.s);
  const parts: [number, string][] = [
    [Math.floor(total / 86_400), "d"],
    [Math.floor(total / 3600) % 24, "h"],
    [Math.floor(total / 60) % 60, "m"],
    [total % 60, "s"],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount}${unit}`)
    .join("");
}
