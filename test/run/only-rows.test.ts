import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { onlyRows } from "../../src/run/only-rows.js";
import type { Input } from "../../src/source/inputs.js";
import { inputOf } from "./support/batches.js";
import { record } from "./support/records.js";

const RECORDS = Array.from({ length: 40 }, (_, index) => record({ sourceId: `r-${index + 1}` }));

async function numbersIn(input: Input): Promise<number[]> {
  const numbers: number[] = [];
  for await (const items of input.read({})) numbers.push(...items.map(({ number }) => number));
  return numbers;
}

const ROW = fc.integer({ min: 1, max: 40 });
const SIZES = fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 4 });

describe("an input reduced to some rows", () => {
  it("holds exactly these, in the file's order, whatever the batches are", async () => {
    const rows = fc.uniqueArray(ROW, { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(rows, SIZES, async (numbers, sizes) => {
        const input = inputOf("a.csv", RECORDS, sizes);
        const wanted = numbers.map((number) => ({ file: "a.csv", number }));
        const all = RECORDS.map((_record, index) => index + 1);
        expect(await numbersIn(onlyRows(input, wanted))).toEqual(
          all.filter((number) => numbers.includes(number)),
        );
      }),
      { numRuns: 50 },
    );
  });

  it("knows the rows of other files apart", async () => {
    const input = inputOf("a.csv", RECORDS.slice(0, 3), [7]);
    const rows = [
      { file: "c.csv", number: 2 },
      { file: "a.csv", number: 3 },
    ];
    expect(await numbersIn(onlyRows(input, rows))).toEqual([3]);
  });

  it("is read no further than the last of them", async () => {
    const input = inputOf("a.csv", RECORDS, [5]);
    let read = 0;
    async function* counted(...given: Parameters<typeof input.read>) {
      for await (const items of input.read(...given)) {
        read += items.length;
        yield items;
      }
    }
    const counting = { ...input, read: counted };
    await numbersIn(onlyRows(counting, [{ file: "a.csv", number: 5 }]));
    expect(read).toBe(5);
  });
});
