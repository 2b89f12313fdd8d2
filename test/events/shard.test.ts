import { describe, expect, it } from "vitest";
import { parseReading, readingText } from "../../src/events/reading.js";
import { parseShard, requireShard, shardText } from "../../src/events/shard.js";

describe("a shard", () => {
  it("is read as it is written", () => {
    for (const text of ["1/1", "3/8", "10000/10000"]) {
      const shard = parseShard(text);
      expect(shard === null ? null : shardText(shard)).toBe(text);
    }
  });

  it.each(["", "3", "0/8", "9/8", "1/0", "1/10001", "-1/8", "1.5/8", "3/8/2", " 3/8", "a/b"])(
    "isn't %j",
    (text) => {
      expect(parseShard(text)).toBeNull();
    },
  );

  it("is refused with what to write where a caller's numbers name none", () => {
    expect(() => requireShard({ index: 9, count: 8 })).toThrow(/no shard 9\/8/);
    expect(requireShard({ index: 8, count: 8 })).toEqual({ index: 8, count: 8 });
  });
});

describe("what a shard has read", () => {
  it("comes back from the text that the checkpoint keeps", () => {
    const sum = "0123456789abcdef0123456789abcdef";
    const reading = { whole: { rows: 40_000, sum }, own: { rows: 0, sum: "0".repeat(32) } };
    expect(parseReading(readingText(reading))).toEqual(reading);
    expect(parseReading("")).toBeNull();
    expect(parseReading("1 2 3 4")).toBeNull();
  });
});
