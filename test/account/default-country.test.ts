import { describe, expect, test } from "vitest";
import { requireCountry } from "../../src/account/build-record.js";

describe("requireCountry", () => {
  test("takes two letters in any case, and none for none", () => {
    expect(requireCountry("de")).toBe("DE");
    expect(requireCountry(null)).toBeNull();
    expect(requireCountry(undefined)).toBeNull();
  });

  test.each(["", "UK", "Germany", "49"])("stops the run for what is no country (%#)", (text) => {
    expect(() => requireCountry(text)).toThrow(
      expect.objectContaining({ code: "usage", hint: expect.stringContaining("ISO 3166-1") }),
    );
  });
});
