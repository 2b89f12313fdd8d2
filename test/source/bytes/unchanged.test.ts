import { describe, expect, it } from "vitest";
import { requireUnchanged } from "../../../src/source/bytes/file.js";

const BEFORE = {
  ...{ size: 1200, mtimeMs: 1_700_000_000_000, ctimeMs: 1_700_000_000_001 },
  ...{ mode: 0o100600, uid: 1000, gid: 1000, nlink: 1 },
  isFile: () => true,
};
const LATER = { ctimeMs: 1_700_000_000_099 };

describe("a file that is looked at again", () => {
  it("is the same by its size and its time", () => {
    expect(() => requireUnchanged("users.csv", BEFORE, { ...BEFORE })).not.toThrow();
  });

  it.each([
    ["size", { size: 1201 }],
    ["time", { mtimeMs: 1_700_000_000_004 }],
    ["time of any change, with the other one put back,", LATER],
  ])("has changed where its %s has", (_what, change) => {
    expect(() => requireUnchanged("users.csv", BEFORE, { ...BEFORE, ...change })).toThrow(
      "users.csv has changed since it was first looked at",
    );
  });

  it.each([
    ["the rights were changed", { mode: 0o100640 }],
    ["it has another owner", { uid: 0, gid: 0 }],
    ["it got another name", { nlink: 2 }],
    ["it was deleted", { nlink: 0 }],
  ])("is the same where %s", (_what, change) => {
    const now = { ...BEFORE, ...LATER, ...change };
    expect(() => requireUnchanged("users.csv", BEFORE, now)).not.toThrow();
  });

  it("is the same where it was moved away", () => {
    const now = { ...BEFORE, ...LATER };
    expect(() => requireUnchanged("users.csv", BEFORE, now, false)).not.toThrow();
  });

  it("may have any size and time where it is a device or a pipe", () => {
    const device = { ...BEFORE, size: 0, mtimeMs: 0, isFile: () => false };
    expect(() => requireUnchanged("/dev/fd/63", device, { ...BEFORE })).not.toThrow();
  });
});
