/** Reads points in time as PostgreSQL and JSON write them. */

import { timeOf } from "../../point-in-time.js";

/** `2024-06-29 20:25:06.126079+00`, also with a T, a Z, minutes in its zone, or no zone, which is UTC. */
const TIME = /^(\d{4,6})-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d(?::?\d\d)?)?$/;

/** PostgreSQL leaves its minutes out; JavaScript's dates need them. */
const ZONE = /([+-]\d\d)(?::?(\d\d))?$/;

/** Beyond what JavaScript's dates are written with; `ban_duration` can lead there. */
const LAST_YEAR = 9999;

/**
 * @returns milliseconds of the epoch, `Infinity` for `infinity` and years of five digits, NaN for
 *   text that is no point in time
 */
export function readTime(text: string): number {
  if (/^-?infinity$/.test(text)) return text === "infinity" ? Infinity : -Infinity;
  const year = TIME.exec(text)?.[1];
  if (year === undefined) return Number.NaN;
  if (Number(year) > LAST_YEAR) return Infinity;
  const zoned = text.replace(ZONE, (_zone, hours, minutes = "00") => `${hours}:${minutes}`);
  return timeOf(zoned) ?? Number.NaN;
}
