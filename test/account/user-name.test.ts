import { describe, expect, it } from "vitest";
import { readUserName, sameUserName, userNamesOf } from "../../src/account/user-name.js";
import { email, record } from "../run/support/records.js";

describe("what a user is called by", () => {
  it("is read as whatever it can be", () => {
    const ann = " Ann@Example.com ";
    expect(readUserName(ann)).toEqual({
      email: "ann@example.com",
      phone: null,
      id: "Ann@Example.com",
    });
    expect(readUserName("+1 (555) 010-0001")).toMatchObject({ email: null, phone: "+15550100001" });
    expect(readUserName("u-17")).toEqual({ email: null, phone: null, id: "u-17" });
  });

  it.each([
    ["ann@example.com", "ANN@example.com", true],
    ["+15550100001", "tel:+1-555-010-0001", true],
    ["u-17", "u-17 ", true],
    ["u-17", "U-17", false],
    ["u-17", "u-18", false],
    ["ann@example.com", "ben@example.com", false],
  ])("is compared as what it is: %s and %s", (one, other, same) => {
    expect(sameUserName(readUserName(one), readUserName(other))).toBe(same);
  });

  it("may have been the email's first part at the vendor, the email or the id", () => {
    const ann = record({ sourceId: "u-1", email: email("ann.lee@example.com") });
    expect(userNamesOf(ann)).toEqual(["ann.lee", "ann.lee@example.com", "u-1"]);
    expect(userNamesOf(record({ sourceId: null }))).toEqual([]);
  });
});
