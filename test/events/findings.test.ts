import fc from "fast-check";
import { expect, it } from "vitest";
import { countExample, joined, newExampleCounter } from "../../src/events/findings.js";
import { RefusalGroups } from "../../src/report/refusal-groups.js";

const ROWS = ["a.csv", "b.csv"].flatMap((file) =>
  [2, 9, 10].map((number) => ({ file, number, line: number + 1 })),
);

it("rows that stand as examples are the export's first, in whichever order their users end", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(ROWS), fc.nat({ max: ROWS.length }), (ended, cut) => {
      const first = ROWS.filter((row) => ended.includes(row)).slice(0, 3);
      const groups = new RefusalGroups();
      const counters = [newExampleCounter(), newExampleCounter(), newExampleCounter()];
      const [all = newExampleCounter(), ...parts] = counters;
      for (const [at, row] of ended.entries()) {
        const event = { type: "failure", code: "core_busy", hint: "", sourceId: null } as const;
        groups.add({ ...event, row });
        countExample(all, row);
        countExample(parts[at < cut ? 0 : 1] ?? all, row);
      }
      const expected = { count: ended.length, rows: first };
      expect(all).toEqual(expected);
      expect(joined(parts)).toEqual(expected);
      expect(groups.list().flatMap(({ examples }) => examples)).toEqual(first);
    }),
  );
});
