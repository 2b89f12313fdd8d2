/** Reads points in time as PostgreSQL and JSON write them. */

/** `2024-06-29 20:25:06.126079+00`, also with a T, a Z, minutes in its zone, or no zone, which is UTC. */
const TIME = /^(\d{4,6})(-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d(?::?\d\d)?)?$/;

/** Beyond what JavaScript's dates are written with; `ban_duration` can lead there. */
const LAST_YEAR = 9999;

/**
 * @returns milliseconds of the epoch, `Infinity` for `infinity` and years of five digits, NaN for
 *   text that is no point in time
 */
export function readTime(text: string): number {
  if (text === "infinity") return Infinity;
  if (text === "-infinity") return -Infinity;
  const [, year, day, clock, fraction = "", zone = "Z"] = TIME.exec(text) ?? [];
  if (year === undefined || day === undefined || clock === undefined) return NaN;
  if (Number(year) > LAST_YEAR) return Infinity;
  return Date.parse(`${year}${day}T${clock}${fraction.slice(0, 4)}${isoZone(zone)}`);
}

function isoZone(zone: string): string {
  if (zone === "Z") return zone;
  const minutes = zone.slice(3).replace(":", "");
  return `${zone.slice(0, 3)}:${minutes === "" ? "00" : minutes}`;
}
