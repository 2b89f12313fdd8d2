import { describe, expect, test } from "vitest";
import { readTime } from "../../../../src/source/vendors/supabase/postgres-time.js";

const MOMENT = Date.UTC(2024, 5, 29, 20, 25, 6, 126);

describe("a point in time", () => {
  test.each([
    "2024-06-29 20:25:06.126079+00",
    "2024-06-29 22:25:06.126+02",
    "2024-06-29 14:55:06.126-05:30",
    "2024-06-29 14:55:06.126-0530",
    "2024-06-29T20:25:06.126079Z",
    "2024-06-29T20:25:06.126079+00:00",
    "2024-06-29 20:25:06.126",
  ])("is read as PostgreSQL and JSON write it: %s", (text) => {
    expect(readTime(text)).toBe(MOMENT);
  });

  test("may have no end, no beginning, or a year beyond the calendar", () => {
    expect(readTime("infinity")).toBe(Infinity);
    expect(readTime("-infinity")).toBe(-Infinity);
    expect(readTime("12024-06-29 20:25:06+00")).toBe(Infinity);
  });

  test.each(["", "true", "29/06/2024 20:25", "2024-06-29", "2024-13-29 20:25:06+00", "1719692706"])(
    "is none in %j",
    (text) => {
      expect(readTime(text)).toBeNaN();
    },
  );
});
