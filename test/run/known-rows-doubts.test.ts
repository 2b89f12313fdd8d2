import { expect, it } from "vitest";
import { temporaryPaths } from "../support/temporary-folder.js";
import { argon2Of, bcryptOf } from "./support/hashes.js";
import { Side, type Step } from "./support/history-side.js";
import { plainRow, READERS, tableOf } from "./support/reader-table.js";

const newPath = temporaryPaths();
const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 2);

function stepOf(text: string, now = START): Step {
  return { files: [{ name: "readers.csv", text }], policy: {}, cutsOver: false, now };
}

/** What the runs did that needn't read known pieces. */
interface Played {
  /** How many rows were known to each. */
  readonly known: readonly number[];
  /** How often each read the file. */
  readonly readings: readonly number[];
}

/** Plays a history on both sides, which have to come to the same. */
async function play(steps: readonly Step[]): Promise<Played> {
  const [side, whole] = [new Side("changed", newPath), new Side("twice", newPath)];
  const known: number[] = [];
  const readings: number[] = [];
  for (const step of steps) {
    const before = { known: side.known, readings: side.readings };
    expect(await side.run(step)).toEqual(await whole.run(step));
    known.push(side.known - before.known);
    readings.push(side.readings - before.readings);
  }
  return { known, readings };
}

const CLAIMS = `u-new,reader.90@example.com,true,${bcryptOf(1000)},claims another user's address`;
const CLAIMS_LESS = CLAIMS.replace("true", "false");

it.each([
  ["comes once more before its piece", [READERS[120] ?? "", ...READERS]],
  ["comes once more behind its piece", [...READERS, READERS[100] ?? ""]],
  ["has an address that a new row claims", [CLAIMS, ...READERS]],
  ["has an address that a new row behind claims", [...READERS, CLAIMS]],
  ["has an address that a new row behind claims by a lesser right", [...READERS, CLAIMS_LESS]],
])("a user of a known piece who %s is told as if all rows were read", async (_what, rows) => {
  const { known } = await play(
    [READERS, READERS, READERS, rows].map((one) => stepOf(tableOf(one))),
  );
  expect(known[2]).toBeGreaterThan(0);
});

it("a piece with a user whom a second row names as well is read, so that no reading is in vain", async () => {
  const twice = [...READERS, READERS[100] ?? ""];
  const { known, readings } = await play(
    [READERS, READERS, READERS, twice, twice].map((one) => stepOf(tableOf(one))),
  );
  const [, , before = 0, , after = 0] = known;
  expect(after).toBeGreaterThan(0);
  expect(after).toBeLessThan(before);
  const [, , usual = 0, atFirst, later] = readings;
  // The first run that meets the second row finds that out only on its way.
  expect(atFirst).toBe(usual + 1);
  expect(later).toBe(usual);
});

it("an export in which nothing can be known is read no oftener than the first time", async () => {
  const damaged = argon2Of("damaged").replace(/.$/, "B");
  const rows = [...READERS, `u-new,reader.900@example.com,true,"${damaged}",`];
  const { known, readings } = await play(Array(4).fill(stepOf(tableOf(rows))));
  expect(known).toEqual([0, 0, 0, 0]);
  expect(readings).toEqual([3, 3, 3, 3]);
});

it("a piece that was read once a lock was over is read again by a run as of a day before", async () => {
  const locked = new Date(START + 2 * DAY).toISOString();
  const lines = READERS.map((row, number) => `${row},${number === 100 ? locked : ""}`);
  const text = tableOf(lines, "locked_until");
  const { known } = await play([4, 5, 6, 0].map((day) => stepOf(text, START + day * DAY)));
  expect(known[2]).toBeGreaterThan(100);
});

it("a new row whose quotation ends in a known piece takes the rows between with it", async () => {
  const ending = plainRow(100).replace(/[^,]*$/, '"\n1 2 3"');
  const lines = READERS.with(100, ending);
  const open = READERS[10]?.replace(/[^,]*$/, '"not closed');
  const newer = lines.with(10, open ?? "");
  const { known } = await play([lines, lines, lines, newer].map((one) => stepOf(tableOf(one))));
  expect(known[2]).toBeGreaterThan(100);
});
