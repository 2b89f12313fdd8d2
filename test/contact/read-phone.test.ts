import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Country, readCountry } from "../../src/contact/country.js";
import { normalizePhone } from "../../src/contact/phone.js";
import { readPhone } from "../../src/contact/read-phone.js";
import { runs } from "../support/repeated.js";

describe("readPhone of a number with its calling code", () => {
  test.each([
    ["+15550100001"],
    [" +1 (555) 010-0001 "],
    ["\t+15550100001"],
    ["+15550100001\u00a0"],
    ["tel:+15550100001"],
    ["(+1) 555 010 0001"],
    ["＋1 555 010 0001"],
  ])("is E.164 and nothing mended (%#)", (text) => {
    expect(readPhone(text, null)).toEqual({ value: "+15550100001", mended: [] });
  });

  test.each([
    ["'+15550100001", "unescaped"],
    ["'+15550100001'", "unescaped"],
    ['"+15550100001"', "unescaped"],
    ['="+15550100001"', "unescaped"],
    ["=+15550100001", "unescaped"],
    ["\u202a+1 555 010 0001\u202c", "unescaped"],
    ["+15550100001.0", "without decimal"],
    ["+15550100001.00", "without decimal"],
    ["+1 555 010 0001 ext. 5", "without extension"],
    ["tel:+1-555-010-0001;ext=12", "without extension"],
    ["+1 555 010 0001 x5", "without extension"],
    ["+1-555-0-10000-1 #7", "without extension"],
  ])("names what was mended (%#)", (text, mending) => {
    expect(readPhone(text, null)).toEqual({ value: "+15550100001", mended: [mending] });
  });

  test("names each of several mendings once", () => {
    expect(readPhone('="\'+15550100001.0"', null)).toEqual({
      value: "+15550100001",
      mended: ["unescaped", "without decimal"],
    });
  });

  test("is the same whatever the default country", () => {
    for (const country of ["US", "DE", "IT", "SG"] as const) {
      expect(readPhone("+39 06 698 12345", country)).toEqual({
        value: "+390669812345",
        mended: [],
      });
    }
  });
});

describe("readPhone of what no number can be got from", () => {
  test.each([
    ["1.55501E+10", "phone_scientific_notation"],
    ["+1.55501e+10", "phone_scientific_notation"],
    ["1,55501E+10", "phone_scientific_notation"],
    ["2E10", "phone_scientific_notation"],
    ["'4.91511E+12", "phone_scientific_notation"],
    ["+15550100001, +15550100002", "phone_several"],
    ["+15550100001;+15550100002", "phone_several"],
    ["+15550100001 / 5550100002", "phone_several"],
    ["+15550100001\n+15550100002", "phone_several"],
    ["+15550100001 +15550100002", "phone_several"],
    ["+15550100001+15550100002", "phone_several"],
    ["5550100001 or 5550100002", "phone_several"],
    ["ann@example.com", "phone_holds_email"],
    ["15550100001", "phone_country_missing"],
    ["15550100001.0", "phone_country_missing"],
    ["'5550100001", "phone_country_missing"],
    ["(555) 010-0001 x7", "phone_country_missing"],
    ["0049 151 12345678", "phone_country_missing"],
    ["+1-800-FLOWERS", "phone_invalid"],
    ["call me", "phone_invalid"],
    ["+", "phone_invalid"],
    ["0", "phone_invalid"],
    ["112", "phone_invalid"],
    ["+12", "phone_invalid"],
    ["########", "phone_invalid"],
    ["+1 555 010 0001 home", "phone_invalid"],
    ["555-010-0001 +1", "phone_invalid"],
    ["+1555010\u00000001", "phone_invalid"],
    ["1".repeat(500), "phone_invalid"],
  ])("says why (%#)", (text, code) => {
    expect(readPhone(text, null)).toEqual({ code });
  });
});

describe("readPhone with a default country", () => {
  test.each<[string, Country, string]>([
    ["0151 12345678", "DE", "+4915112345678"],
    ["(0)151/12345678", "DE", "+4915112345678"],
    ["0049 151 12345678", "DE", "+4915112345678"],
    ["0043 1 5138 900", "DE", "+4315138900"],
    ["011 49 151 12345678", "US", "+4915112345678"],
    ["(555) 010-0001", "US", "+15550100001"],
    ["1 555 010 0001", "US", "+15550100001"],
    ["15550100001", "CA", "+15550100001"],
    ["07911 123456", "GB", "+447911123456"],
    ["7911 123456", "GB", "+447911123456"],
    ["447911123456", "GB", "+447911123456"],
    ["06 12 34 56 78", "FR", "+33612345678"],
    ["06 698 12345", "IT", "+390669812345"],
    ["8 (916) 123-45-67", "RU", "+79161234567"],
    ["tel:0151-12345678", "DE", "+4915112345678"],
  ])("reads a number without its + as one of that country (%#)", (text, country, value) => {
    expect(readPhone(text, country)).toEqual({ value, mended: ["country assumed"] });
  });

  test("takes digits that are written as the country writes its own, whatever else they could be", () => {
    // With a + it would be a valid number of Norway.
    expect(normalizePhone("+4782123456")).toBe("+4782123456");
    expect(readPhone("(478) 212-3456", "US")).toMatchObject({ value: "+14782123456" });
    expect(readPhone("4782123456", "US")).toMatchObject({ value: "+14782123456" });
  });

  test.each<[string, string, Country]>([
    ["a German mobile without its 0, or a Texan number without its +", "15123456789", "DE"],
    ["a German number of a German area, or one that lost its +", "491511234567", "DE"],
    ["an American number too long by a digit, or a Swiss one without its +", "41555526712", "US"],
    ["another country's number that lost its +", "4915112345678", "US"],
    ["another country's toll-free number", "1-800-356-9377", "DE"],
  ])("refuses to guess between %s", (_what, text, country) => {
    expect(readPhone(text, country)).toEqual({ code: "phone_country_unclear" });
  });

  test.each<[string, Country]>([
    ["5550100", "US"],
    ["00000000", "DE"],
    ["40000000000000", "DE"],
    ["0049 151 12345678", "US"],
    ["112", "DE"],
  ])("refuses what isn't possible there (%#)", (text, country) => {
    expect(readPhone(text, country)).toEqual({ code: "phone_invalid" });
  });

  test("names mendings beside the country", () => {
    expect(readPhone("'555 010 0001 x5", "US")).toEqual({
      value: "+15550100001",
      mended: ["unescaped", "without extension", "country assumed"],
    });
    expect(readPhone("15550100001.0", "US")).toEqual({
      value: "+15550100001",
      mended: ["without decimal", "country assumed"],
    });
  });

  test.each<[string, string]>([
    ["1.55501E+10", "phone_scientific_notation"],
    ["5550100001, 5550100002", "phone_several"],
    ["ann@example.com", "phone_holds_email"],
  ])("still names damage (%#)", (text, code) => {
    expect(readPhone(text, "US")).toEqual({ code });
  });
});

describe("readPhone of anything", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."+0123456789 -().x'=,E"), maxLength: 25 });
  const spoiled = fc
    .tuple(
      fc.constantFrom("", "'", "=", '="', "\t", "tel:", "00", "+"),
      fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 5, maxLength: 15 }),
      fc.constantFrom("", ".0", '"', "'", " x12", ";ext=3", "E+10"),
    )
    .map((parts) => parts.join(""));
  const text = fc.oneof(fc.string({ unit: "binary" }), digits, spoiled);
  const country = fc.constantFrom(null, "US", "DE", "GB", "IT", "RU", "SG", "BR", "FR");

  test("never throws, and gives E.164 or a code", () => {
    fc.assert(
      fc.property(text, country, (written, where) => {
        const reading = readPhone(written, where);
        if ("value" in reading) expect(reading.value).toMatch(/^\+[1-9]\d{6,14}$/);
        else expect(reading.code).toMatch(/^phone_[a-z_]+$/);
      }),
      { numRuns: runs(1500) },
    );
  });

  test("reads what it gave as the same number, with nothing left to mend", () => {
    fc.assert(
      fc.property(text, country, (written, where) => {
        const reading = readPhone(written, where);
        if (!("value" in reading)) return;
        expect(readPhone(reading.value, where)).toEqual({ value: reading.value, mended: [] });
      }),
      { numRuns: runs(1500) },
    );
  });

  test("assumes no country where none is named, and says so wherever it does", () => {
    fc.assert(
      fc.property(spoiled, country, (written, where) => {
        const reading = readPhone(written, where);
        if (!("value" in reading)) return;
        const assumed = reading.mended.includes("country assumed");
        expect(assumed).toBe(where !== null && !written.includes("+"));
      }),
      { numRuns: runs(1000) },
    );
  });

  // With work that grew with the square of the length, or by powers, it would never come to an end.
  test("comes to an end on hostile input", () => {
    expect(readPhone(`+${"1 ".repeat(5_000_000)}`, "US")).not.toHaveProperty("value");
    for (const text of [`'${"(".repeat(119)}`, `${"1 ".repeat(59)}x`, `800${"a.".repeat(58)}`]) {
      expect(readPhone(text, "US")).not.toHaveProperty("value");
      expect(readPhone(text, "DE")).not.toHaveProperty("value");
    }
  });
});

describe("readCountry", () => {
  test.each([
    ["DE", "DE"],
    ["de", "DE"],
    [" gb ", "GB"],
    ["xk", "XK"],
  ])("takes a country's two letters in any case (%#)", (text, country) => {
    expect(readCountry(text)).toBe(country);
  });

  test.each(["", "UK", "EU", "XX", "DEU", "Germany", "+49", "__proto__", "constructor"])(
    "refuses what no country with numbers of its own is called (%#)",
    (text) => {
      expect(readCountry(text)).toBeNull();
    },
  );
});
