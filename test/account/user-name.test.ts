import { describe, expect, it } from "vitest";
import { readUserName, userNamesOf } from "../../src/account/user-name.js";
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

  it("may have been the email's first part at the vendor, the email or the id", () => {
    const ann = record({ sourceId: "u-1", email: email("ann.lee@example.com") });
    expect(userNamesOf(ann)).toEqual(["ann.lee", "ann.lee@example.com", "u-1"]);
    expect(userNamesOf(record({ sourceId: null }))).toEqual([]);
  });
});
