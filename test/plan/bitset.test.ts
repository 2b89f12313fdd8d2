import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bitset } from "../../src/plan/bitset.js";

describe("the set of entries that a run has met", () => {
  it("holds exactly what was added and not removed since, in any order", () => {
    const id = fc.integer({ min: 1, max: 200_000 });
    fc.assert(
      fc.property(fc.array(id), fc.array(id), (added, asked) => {
        const seen = new Bitset();
        for (const each of added) seen.add(each);
        const model = new Set(added);
        for (const each of [...added, ...asked]) expect(seen.has(each)).toBe(model.has(each));
        for (const each of asked) expect(seen.remove(each)).toBe(model.delete(each));
        for (const each of [...added, ...asked]) expect(seen.has(each)).toBe(model.has(each));
      }),
      { numRuns: 50 },
    );
  });

  it("has all of a stretch where it has each of its ids", () => {
    const stretch = fc.tuple(fc.integer({ min: 0, max: 70_000 }), fc.integer({ min: 0, max: 40 }));
    fc.assert(
      fc.property(fc.array(stretch), fc.array(stretch, { minLength: 1 }), (added, asked) => {
        const seen = new Bitset();
        const model = new Set<number>();
        for (const [first, count] of added) {
          for (const id of idsOf(first, count)) {
            seen.add(id);
            model.add(id);
          }
        }
        for (const [first, count] of [...added, ...asked]) {
          const ids = idsOf(first - 1, count + 2);
          expect(ids.map((id) => seen.has(id))).toEqual(ids.map((id) => model.has(id)));
          const inIt = idsOf(first, count).filter((id) => model.has(id)).length;
          expect(seen.hasAll(first, count)).toBe(inIt === count);
        }
      }),
    );
  });

  function idsOf(first: number, count: number): number[] {
    return Array.from({ length: count }, (_, index) => first + index).filter((id) => id >= 0);
  }

  it("knows nothing of ids beyond what it has grown to", () => {
    const seen = new Bitset();
    expect(seen.has(1_000_000)).toBe(false);
    seen.add(1_000_000);
    expect(seen.has(1_000_000)).toBe(true);
    expect(seen.has(999_999)).toBe(false);
  });
});
