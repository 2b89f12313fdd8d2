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

  it("has all of a stretch only where each of it was added", () => {
    const eights = fc.integer({ min: 0, max: 20 }).map((eight) => eight * 8);
    fc.assert(
      fc.property(eights, eights, fc.integer({ min: 0, max: 200 }), (first, count, left) => {
        const seen = createBitset();
        for (let id = 0; id < 200; id += 1) if (id !== left) seen.add(id);
        const isIn = left >= first && left < first + count;
        expect(seen.hasAll(first, count)).toBe(!isIn && first + count <= 200);
        expect(seen.hasAll(first, 8192)).toBe(false);
      }),
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
