/** Points in time as databases write them into exports. */

/** `2024-01-02…`, also of years to come that no calendar has, or epoch seconds and longer; not the zero date that some databases write. */
const POINT_IN_TIME = /^(?:(?!0000-)\d{4,6}-\d\d-\d\d|\d{9,})/;
/** `31/12/2024 23:59:59 +00:00`, with the day or the month first, as .NET and spreadsheets write it in a country's own way. */
const LOCAL_DATE = /^(\d{1,2})([/.-])(\d{1,2})\2((?:19|[2-9]\d)\d\d)(?!\d)(.*)$/;
/** `2024/1/2 3:04` of spreadsheets in East Asia, and `2024-01-02 03:04:05 UTC` of Ruby and BigQuery. */
const YEAR_FIRST = /^((?:19|[2-9]\d)\d\d)([/.-])(\d{1,2})\2(\d{1,2})(?: +(\d{1,2}:\d\d.*))?$/;
/** MySQL, .NET, PostgreSQL's epoch, and nothing at all. */
const ZERO_DATE =
  /^(?:0000-00-00|0001-01-01|1970([/.-])0?1\1(?:01|1)[ T]0?0:00|1601-01-01|0+$|0?1([/.-])0?1\2(?:0001|1601|1970 (?:0?0|12):00))/;
/** Generalized time of LDAP (RFC 4517 3.3.13), as `20240102030405Z`. */
const GENERALIZED = /^((?:19|20)\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z?$/;
const WITH_ZONE = /(?:z|[a-z]{3,5})$|[+-]\d\d(?::?\d\d)?$/i;

/** Of epoch seconds from 1973 on. Fewer are a spreadsheet's days, a year, or `20240102`. */
const FEWEST_DIGITS = 9;
/** 1990 in milliseconds. As many seconds are a year that no calendar has, and so with milliseconds and microseconds: the year 9999, by which a lock without an end is written, counts as what it is. */
const FIRST_MILLISECONDS = 631_152_000_000;
const FIRST_MICROSECONDS = 1000 * FIRST_MILLISECONDS;
/** From so many digits on a number counts Windows' 100 nanoseconds since 1601. */
const FILE_TIME = 17;
const FILE_TIME_EPOCH = 11_644_473_600_000;

/** True for a point in time, as columns like `email_verified_at` have it. */
export function isPointInTime(text: string): boolean {
  return POINT_IN_TIME.test(text) || LOCAL_DATE.test(text) || YEAR_FIRST.test(text);
}

/** True for what a database writes where there never was such a time. */
export function isZeroDate(text: string): boolean {
  return ZERO_DATE.test(text);
}

/** What stands first in a date that is written in a country's own way. */
export type DateOrder = "day" | "month" | "unclear";

/** Null for any other text, and for a day and a month of one number. */
export function orderOf(text: string): DateOrder | null {
  const [, first = "", sign, second = "", year = ""] = LOCAL_DATE.exec(text.trim()) ?? [];
  if (Number(first) === Number(second)) return null;
  const isDayFirst = isDay(Number(year), Number(second), Number(first));
  const isMonthFirst = isDay(Number(year), Number(first), Number(second));
  if (isDayFirst) return isMonthFirst && sign !== "." ? "unclear" : "day";
  return isMonthFirst ? "month" : null;
}

/** Epoch milliseconds; a time without a zone is UTC. Two where day and month can't be told apart, none where it can't be read. */
export function timesOf(text: string): readonly number[] {
  const local = LOCAL_DATE.exec(text.trim());
  if (local !== null) return localTimes(local);
  const time = timeOf(text);
  return Number.isNaN(time) ? [] : [time];
}

/** @param parts as {@link LOCAL_DATE} has them */
function localTimes(parts: readonly string[]): readonly number[] {
  const [, first = "", sign, second = "", year = "", hours = ""] = parts;
  const days = [
    [second, first],
    [first, second],
  ] as const;
  const real = days.filter(([month, day]) => isDay(Number(year), Number(month), Number(day)));
  const read = real.map(([month, day]) => parseAmerican(`${month}/${day}/${year}`, hours));
  const times = read.filter((time) => !Number.isNaN(time));
  // No country writes the month first with dots (CLDR, dateFormats).
  return sign === "." ? times.slice(0, 1) : [...new Set(times)];
}

/** A date with its month first, as JavaScript reads it with most hours and zones. */
function parseAmerican(date: string, hours: string): number {
  return Date.parse(`${date} ${hours}${WITH_ZONE.test(hours) ? "" : " UTC"}`);
}

/** Not a number where it can't be read. */
function timeOf(text: string): number {
  const [, ...parts] = GENERALIZED.exec(text) ?? [];
  const iso =
    parts.length > 0
      ? `${parts.slice(0, 3).join("-")}T${parts.slice(3).join(":")}Z`
      : withMinutes(text.trim()).replace(" ", "T").replace(" ", "");
  // A column with gaps is one of fractions in some tools, as in 1704164645.0.
  const [, digits] = /^(\d+)(?:\.\d+)?$/.exec(iso) ?? [];
  if (digits !== undefined) return digits.length < FEWEST_DIGITS ? Number.NaN : ofNumber(digits);
  const time = Date.parse(iso.includes("T") && !WITH_ZONE.test(iso.slice(10)) ? `${iso}Z` : iso);
  const [, year, , month, day, hours = ""] =
    (Number.isNaN(time) && YEAR_FIRST.exec(text.trim())) || [];
  return year === undefined ? time : parseAmerican(`${month}/${day}/${year}`, hours);
}

/** PostgreSQL leaves the minutes of a zone out; JavaScript's dates need them. */
function withMinutes(text: string): string {
  return text.replace(/(:\d\d(?:\.\d+)?) ?([+-]\d\d)$/, "$1$2:00");
}

function ofNumber(digits: string): number {
  const number = Number(digits);
  if (digits.length >= FILE_TIME) return number / 10_000 - FILE_TIME_EPOCH;
  if (number >= FIRST_MICROSECONDS) return number / 1000;
  return number >= FIRST_MILLISECONDS ? number : number * 1000;
}

/** As most exports and databases write it. */
const ISO_TIME = /^([12]\d{3}-\d\d-(\d\d))[T ](\d\d:\d\d:\d\d(?:\.\d{1,6})?)(?:Z|\+00)?$/;

const DAY = /^(\d{4,6})([/.-])(\d{1,2})\2(\d{1,2})(?!\d)/;
/** A day before or behind the letters of its month. */
const DAY_OF_MONTH =
  /(?:(?<![\d:])(\d{1,2})[ -]*)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[., -]*(?:(\d{1,2})(?![\d:]))?/i;
const DAY_MS = 86_400_000;

/** Whether a time's day stands in the text that it was read from: JavaScript takes 30 February for 2 March, and -5 for a day in May. */
function hasDay(text: string, time: number): boolean {
  const [, year, , month, day] = DAY.exec(text) ?? [];
  if (year !== undefined) return isDay(Number(year), Number(month), Number(day));
  const [, years, months, days] = GENERALIZED.exec(text) ?? [];
  if (years !== undefined) return isDay(Number(years), Number(months), Number(days));
  const [words, before, behind] = DAY_OF_MONTH.exec(text) ?? [];
  if (words === undefined) return /^\d/.test(text);
  const near = [-DAY_MS, 0, DAY_MS].map((zone) => new Date(time + zone).getUTCDate());
  return near.includes(Number(before ?? behind));
}

function isDay(year: number, month: number, day: number): boolean {
  const read = new Date(Date.UTC(year, month - 1, day));
  return read.getUTCMonth() === month - 1 && read.getUTCDate() === day;
}

/** Whole epoch milliseconds, from whatever vendors write of a user; seconds have a fraction or ten digits. Null where it can't be read, may be of two days, or is the zero date. */
export function momentOf(text: string): number | null {
  const [, date = "", day, hours] = ISO_TIME.exec(text) ?? [];
  const plain = date === "" ? Number.NaN : Date.parse(`${date}T${hours}Z`);
  if (plain > 0) return new Date(date).getUTCDate() === Number(day) ? plain : null;
  if (/^\d{9,10}\.\d+$/.test(text)) return Math.round(Number(text) * 1000);
  const [read = 0, other] = /^\d/.test(text) ? timesOf(text) : [Date.parse(withMinutes(text))];
  const time = other === undefined ? Math.trunc(read) : 0;
  return Number.isSafeInteger(time) && time > 0 && hasDay(text.trim(), time) ? time : null;
}
