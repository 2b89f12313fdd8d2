import { describe, expect, test } from "vitest";
import { chooseContact } from "../../src/account/choose-contact.js";

const home = { value: "ann@example.com", verified: false };
const work = { value: "ann@example.org", verified: true };
const school = { value: "ann@example.test", verified: true };

describe("chooseContact", () => {
  test("takes the primary one, also where another is verified", () => {
    expect(chooseContact([work, school, { ...home, primary: true }])).toEqual({
      value: "ann@example.com",
      verified: false,
      others: 2,
    });
  });

  test("takes the first verified one where none is primary", () => {
    expect(chooseContact([home, work, school])).toEqual({
      value: "ann@example.org",
      verified: true,
      others: 2,
    });
  });

  test("takes the first where none is primary or verified", () => {
    const unknown = { value: "ann@example.org", verified: null };
    expect(chooseContact([home, unknown])).toEqual({
      value: "ann@example.com",
      verified: false,
      others: 1,
    });
  });

  test("gives an empty one where there is none", () => {
    const none = { value: "", verified: null, others: 0 };
    expect(chooseContact([])).toEqual(none);
    expect(chooseContact([{ value: "", verified: true, primary: true }])).toEqual(none);
    expect(
      chooseContact([
        { value: " ", verified: true },
        { value: "", verified: false },
      ]),
    ).toEqual(none);
  });

  test("passes over an empty primary one", () => {
    const empty = { value: "", verified: null, primary: true };
    expect(chooseContact([empty, home, work])).toEqual({
      value: "ann@example.org",
      verified: true,
      others: 1,
    });
  });

  test("counts what is listed twice once, and hears both places", () => {
    const primary = { value: "Ann@example.org", verified: null, primary: true };
    expect(chooseContact([primary, home, { ...work, value: " ann@EXAMPLE.org" }])).toEqual({
      value: "Ann@example.org",
      verified: true,
      others: 1,
    });
  });

  test("holds a contact for unverified where two places say different things", () => {
    expect(chooseContact([work, { ...work, verified: false }])).toEqual({
      value: "ann@example.org",
      verified: false,
      others: 0,
    });
    expect(chooseContact([home, { ...home, verified: true }]).verified).toBe(false);
  });
});
