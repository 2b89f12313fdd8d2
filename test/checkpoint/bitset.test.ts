import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBitset } from "../../src/checkpoint/absent.js";

describe("the set of entries that a run has met", () => {
  it("holds exactly what was added, in any order", () => {
    const id = fc.integer({ min: 1, max: 200_000 });
    fc.assert(
      fc.property(fc.array(id), fc.array(id), (added, asked) => {
        const seen = createBitset();
        for (const each of added) seen.add(each);
        const model = new Set(added);
        for (const each of [...added, ...asked]) expect(seen.has(each)).toBe(model.has(each));
      }),
      { numRuns: 50 },
    );
  });

  it("knows nothing of ids beyond what it has grown to", () => {
    const seen = createBitset();
    expect(seen.has(1_000_000)).toBe(false);
    seen.add(1_000_000);
    expect(seen.has(1_000_000)).toBe(true);
    expect(seen.has(999_999)).toBe(false);
  });
});
