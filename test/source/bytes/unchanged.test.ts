import { describe, expect, it } from "vitest";
import { requireUnchanged } from "../../../src/source/bytes/unchanged.js";

const BEFORE = { size: 1200, mtimeMs: 1_700_000_000_000, isFile: () => true };

describe("a file that is looked at again", () => {
  it("is the same by its size and its time", () => {
    expect(() => requireUnchanged("users.csv", BEFORE, { ...BEFORE })).not.toThrow();
  });

  it.each([
    ["size", { size: 1201 }],
    ["time", { mtimeMs: 1_700_000_000_004 }],
  ])("has changed where its %s has", (_what, change) => {
    expect(() => requireUnchanged("users.csv", BEFORE, { ...BEFORE, ...change })).toThrow(
      "users.csv has changed since it was first looked at",
    );
  });

  it("may have any size and time where it is a device or a pipe", () => {
    const device = { size: 0, mtimeMs: 0, isFile: () => false };
    expect(() => requireUnchanged("/dev/fd/63", device, { ...BEFORE })).not.toThrow();
  });
});
