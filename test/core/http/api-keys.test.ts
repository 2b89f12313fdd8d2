import { describe, expect, it } from "vitest";
import { givenKey, keyCheck } from "../../../src/core/http/api-keys.js";

const KEYS = ["press-room-key-0001", "print-shop-key-0002"];

describe("a key", () => {
  it("passes where it is one of the configured ones, whole", () => {
    const isKey = keyCheck(KEYS);
    for (const key of KEYS) expect(isKey(key)).toBe(true);
    const others = [undefined, "", "press-room-key-000", "press-room-key-00011", KEYS.join(", ")];
    for (const key of others) expect(isKey(key)).toBe(false);
  });

  it("is never an empty one, even if such a one is configured", () => {
    const isKey = keyCheck(["", ...KEYS]);
    for (const key of ["", undefined]) expect(isKey(key)).toBe(false);
  });

  it("isn't asked for where none is configured", () => {
    const isKey = keyCheck([]);
    for (const key of [undefined, "", "anything"]) expect(isKey(key)).toBe(true);
  });
});

describe("the header of a key", () => {
  it.each([
    ["api-key", " k-1 ", undefined, "k-1"],
    ["a bearer token where there is no api-key", undefined, "bearer k-1", "k-1"],
    ["api-key even if it is empty", "", "Bearer k-1", ""],
    ["none", undefined, undefined, undefined],
  ])("is %s", (_, apiKey, authorization, expected) => {
    expect(givenKey(apiKey, authorization)).toBe(expected);
  });
});
