import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { onlyRows } from "../../../src/migration/proof/only-rows.js";
import type { Input } from "../../../src/migration/inputs.js";
import { inputOf } from "../support/batches.js";
import { record } from "../support/records.js";

const RECORDS = Array.from({ length: 40 }, (_, index) => record({ sourceId: `r-${index + 1}` }));

async function numbersIn(inputs: readonly Input[]): Promise<string[]> {
  const numbers: string[] = [];
  for (const input of inputs) {
    for await (const items of input.read({})) {
      numbers.push(...items.map(({ number }) => `${input.path}:${number}`));
    }
  }
  return numbers;
}

describe("inputs reduced to some rows", () => {
  it("hold exactly these, in the files' order, whatever the batches are", async () => {
    const number = fc.integer({ min: 1, max: 40 });
    const size = fc.integer({ min: 1, max: 15 });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(number, { minLength: 1, maxLength: 6 }),
        fc.array(size, { minLength: 1, maxLength: 4 }),
        async (rows, sizes) => {
          const wanted = rows.map((row) => ({ file: "a.csv", number: row }));
          const inputs = onlyRows([inputOf("a.csv", RECORDS, sizes)], wanted);
          const sorted = rows.toSorted((one, other) => one - other);
          expect(await numbersIn(inputs)).toEqual(sorted.map((row) => `a.csv:${row}`));
        },
      ),
      { numRuns: 50 },
    );
  });

  it("leave out the files that have none", async () => {
    const inputs = ["a.csv", "b.csv", "c.csv"].map((path) => inputOf(path, RECORDS, [7]));
    const rows = [
      { file: "c.csv", number: 2 },
      { file: "a.csv", number: 9 },
    ];
    const reduced = onlyRows(inputs, rows);
    expect(reduced.map(({ path }) => path)).toEqual(["a.csv", "c.csv"]);
    expect(await numbersIn(reduced)).toEqual(["a.csv:9", "c.csv:2"]);
  });

  it("are read no further than the last of them", async () => {
    const input = inputOf("a.csv", RECORDS, [5]);
    let read = 0;
    async function* counted(...given: Parameters<typeof input.read>) {
      for await (const items of input.read(...given)) {
        read += items.length;
        yield items;
      }
    }
    const counting = { ...input, read: counted };
    await numbersIn(onlyRows([counting], [{ file: "a.csv", number: 5 }]));
    expect(read).toBe(5);
  });
});
