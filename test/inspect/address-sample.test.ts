import { describe, expect, it } from "vitest";
import { createAddressSample } from "../../src/inspect/address-sample.js";
import { digest } from "../../src/inspect/digest.js";

const keysOf = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => digest(`reader.${index}@example.com`));

describe("a sample with room for all", () => {
  it("knows every key, with the note of its first time", () => {
    const sample = createAddressSample();
    const keys = keysOf(20_000);
    for (const [index, key] of keys.entries()) expect(sample.add(key, index)).toBeNull();
    for (const [index, key] of keys.entries()) expect(sample.add(key, 7)).toBe(index);
    expect(sample.oneIn()).toBe(1);
    expect(keys.every((key) => sample.has(key) && sample.includes(key))).toBe(true);
    expect(sample.has(digest("somebody.else@example.com"))).toBe(false);
  });

  it("keeps notes of 32 bits", () => {
    const sample = createAddressSample();
    sample.add(1, 0xffff_ffff);
    expect(sample.add(1, 0)).toBe(0xffff_ffff);
  });
});

describe("a sample with room for a part", () => {
  it("keeps the same fair part of all keys, whenever they come", () => {
    const sample = createAddressSample(512);
    const keys = keysOf(20_000);
    for (const key of keys) if (sample.includes(key)) sample.add(key, 5);
    const oneIn = sample.oneIn();
    expect(oneIn).toBeGreaterThanOrEqual(32);
    expect(oneIn).toBeLessThanOrEqual(128);
    const kept = keys.filter((key) => sample.has(key));
    expect(kept).toEqual(keys.filter((key) => sample.includes(key)));
    expect(kept.length).toBeGreaterThan(keys.length / oneIn / 2);
    expect(kept.length).toBeLessThan((keys.length / oneIn) * 2);
    for (const key of kept) expect(sample.add(key, 9)).toBe(5);
  });
});
