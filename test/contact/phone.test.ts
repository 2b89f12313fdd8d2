import fc from "fast-check";
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { describe, expect, test } from "vitest";
import { normalizePhone } from "../../src/contact/phone.js";
import { runs } from "../support/repeated.js";

describe("normalizePhone", () => {
  test.each([
    ["+15550100001", "+15550100001"],
    [" +1 (555) 010-0001 ", "+15550100001"],
    ["+1.555.010.0001", "+15550100001"],
    ["+1/555/010/0001", "+15550100001"],
    ["+1\u2010555\u2011010\u20130001", "+15550100001"],
    ["++15550100001", "+15550100001"],
    ["tel:+15550100001", "+15550100001"],
    ["tel:+1-555-010-0001;ext=12", "+15550100001"],
    ["+1 555 010 0001 ext. 5", "+15550100001"],
    ["\uff0b15550100001", "+15550100001"],
    ["+\uff11\uff15\uff15\uff15\uff10\uff11\uff10\uff10\uff10\uff10\uff11", "+15550100001"],
    ["+٤٤٧٩١١١٢٣٤٥٦", "+447911123456"],
    ["+49 (0)151 12345678", "+4915112345678"],
    ["+44 07911 123456", "+447911123456"],
    ["+4407911123456", "+447911123456"],
    ["+39 06 698 12345", "+390669812345"],
    ["+225 01 02 03 04 05", "+2250102030405"],
    ["+999123456789", "+999123456789"],
    ["+52 1 55 1234 5678", "+525512345678"],
    ["+5215512345678", "+525512345678"],
    ["+525512345678", "+525512345678"],
    ["+1415555", "+1415555"],
    ["(+49) 151 12345678", "+4915112345678"],
  ])("writes an international number as E.164 (%#)", (text, expected) => {
    expect(normalizePhone(text)).toBe(expected);
  });

  test.each([
    ["zeros that libphonenumber takes off one by one", "+600000000000"],
    ["nothing", ""],
    ["a lone plus", "+"],
    ["no leading plus", "5550100001"],
    ["the international prefix in place of the plus", "0015550100001"],
    ["a plus at the end", "555-010-0001 +1"],
    ["words", "call me"],
    ["a number spelled with letters", "+1-800-FLOWERS"],
    ["a note behind a number", "+1 555 010 0001 home"],
    ["two letters", "+1 555 010 00ab"],
    ["too few digits", "+12"],
    ["too many digits", "+1 555 010 00012345678"],
    ["a calling code that begins with 0", "+0155501000"],
    ["two numbers", "+15550100001, +15550100002"],
    ["a NUL character", "+1555010\u00000001"],
    ["a spreadsheet's rounding", "+1.55501E+10"],
  ])("refuses %s", (_name, text) => {
    expect(normalizePhone(text)).toBeNull();
  });

  test("never throws, and what it returns it returns unchanged", () => {
    const digits = fc.string({ unit: fc.constantFrom(..."+0123456789 -().x"), maxLength: 25 });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), digits), (text) => {
        const phone = normalizePhone(text);
        if (phone === null) return;
        expect(phone).toMatch(/^\+[1-9]\d{6,14}$/);
        expect(normalizePhone(phone)).toBe(phone);
      }),
      { numRuns: runs(2000) },
    );
  });

  test("its short cut agrees with libphonenumber on valid numbers", () => {
    const callingCode = fc.constantFrom("1", "7", "20", "44", "49", "52", "61", "91", "358", "971");
    const national = fc.string({
      unit: fc.constantFrom(..."0123456789"),
      minLength: 7,
      maxLength: 11,
    });
    fc.assert(
      fc.property(callingCode, national, (code, rest) => {
        const parsed = parsePhoneNumberFromString(`+${code}${rest}`);
        if (parsed?.isValid() !== true) return;
        const expected = parsed.number.replace(/^\+521(?=\d{10}$)/, "+52");
        expect(normalizePhone(`+${code}${rest}`)).toBe(expected);
      }),
      { numRuns: runs(1500) },
    );
  });
});
