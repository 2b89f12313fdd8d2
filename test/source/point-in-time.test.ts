import { expect, it } from "vitest";
import { momentOf, orderOf } from "../../src/source/point-in-time.js";

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const two = (number: number): string => String(number).padStart(2, "0");

/** A day in every way in which exports write one. */
function written(year: number, month: number, day: number): string[] {
  const [mm, dd, name] = [two(month), two(day), MONTHS[month - 1] ?? ""];
  return [
    `${year}-${mm}-${dd}`,
    `${year}-${mm}-${dd}T10:20:30Z`,
    `${year}-${mm}-${dd} 10:20:30`,
    `${year}-${mm}-${dd} 10:20:30.123456+02`,
    `${year}-${mm}-${dd} 10:20:30 UTC`,
    `${year}-${month}-${day}`,
    `${year}/${month}/${day} 3:04`,
    `${year}${mm}${dd}102030Z`,
    `${dd}.${mm}.${year} 10:20`,
    `${day}/${month}/${year} 10:20:30`,
    `${month}/${day}/${year} 10:20:30 AM`,
    `${name} ${day}, ${year} 10:20:30 UTC`,
    `${day} ${name} ${year} 10:20:30 UTC`,
    `Mon, ${dd} ${name} ${year} 10:20:30 GMT`,
    `Mon ${name} ${dd} ${year} 10:20:30 GMT+0200`,
  ];
}

it("a day that no calendar has is no moment, in whatever way it is written", () => {
  const impossible = [
    [2021, 2, 29],
    [2021, 2, 30],
    [2024, 2, 30],
    [2021, 4, 31],
    [2023, 11, 31],
    [2021, 6, 32],
  ] as const;
  for (const [year, month, day] of impossible) {
    for (const text of written(year, month, day))
      expect([text, momentOf(text)]).toEqual([text, null]);
  }
  for (const text of ["-5", "-5.0", "+7", "(5)", "x 5"]) expect(momentOf(text)).toBeNull();
});

it("a day that there is stays that day", () => {
  const days = [
    [2021, 2, 28],
    [2024, 2, 29],
    [2021, 12, 31],
    [2020, 1, 31],
    [2019, 10, 13],
  ] as const;
  for (const [year, month, day] of days) {
    for (const text of written(year, month, day)) {
      const read = momentOf(text);
      // What JavaScript doesn't read at all was never one.
      if (read === null) continue;
      expect([text, Math.abs(read - Date.UTC(year, month - 1, day, 10, 20)) < 86_400_000]).toEqual([
        text,
        true,
      ]);
    }
    expect(momentOf(`${year}-${two(month)}-${two(day)}T00:30:00+02:00`)).not.toBeNull();
    expect(momentOf(`${MONTHS[month - 1]} ${day}, ${year} 23:30:00 GMT-0200`)).not.toBeNull();
  }
  expect(momentOf("1704164645")).toBe(1_704_164_645_000);
  expect(momentOf("1704164645.25")).toBe(1_704_164_645_250);
});

it("what is said of the order of a day and its month is how it is read", () => {
  const said = new Set<string | null>();
  for (let first = 1; first <= 31; first += 1) {
    for (let second = 1; second <= 31; second += 1) {
      for (const sign of ["/", ".", "-"]) {
        const text = `${two(first)}${sign}${two(second)}/2023`.replaceAll("/", sign);
        const order = orderOf(text);
        said.add(order);
        const read = momentOf(text);
        const at = { day: [second, first], month: [first, second] } as const;
        const isOne = order !== null && order !== "unclear";
        const time = isOne ? Date.UTC(2023, at[order][0] - 1, at[order][1]) : null;
        if (order !== null) expect([text, read]).toEqual([text, time]);
        else if (first !== second) expect([text, read]).toEqual([text, null]);
      }
    }
  }
  expect([...said].sort()).toEqual(["day", "month", null, "unclear"]);
  for (const text of ["2023-01-13", "1704164645", "13 Jan 2023", ""])
    expect(orderOf(text)).toBeNull();
});
