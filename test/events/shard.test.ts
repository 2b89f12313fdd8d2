import { describe, expect, it } from "vitest";
import { notedText, parseNoted } from "../../src/events/shard.js";

describe("what a checkpoint notes of a part", () => {
  it("comes back from its text", () => {
    const begun = { index: 3, count: 8, split: "0f".repeat(32), end: null };
    for (const noted of [begun, { ...begun, end: { read: 40_000, failed: 0 } }]) {
      expect(parseNoted(notedText(noted))).toEqual(noted);
    }
    for (const text of ["", "3/8", "a/8 0f", "9/8 0f", "0/8 0f", "1/501 0f"])
      expect(parseNoted(text)).toBeNull();
  });
});
