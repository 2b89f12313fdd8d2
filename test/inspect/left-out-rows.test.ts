import { expect, it } from "vitest";
import { HashColumn } from "../../src/inspect/hash-column.js";
import { Inspector } from "../../src/inspect/inspection.js";
import { NO_ROWS } from "../../src/inspect/known-sums.js";
import { leftOutRows } from "../../src/inspect/left-out-rows.js";
import type { RowRef } from "../../src/events/events.js";
import { inputOf } from "../run/support/batches.js";
import { record } from "../run/support/records.js";

const STRETCHES = 10;
const BYTES = 4096;
const ROWS = 30;
/** The row behind all that are known. */
const LAST = {
  offset: STRETCHES * BYTES,
  number: 1 + STRETCHES * ROWS,
  line: 2 + STRETCHES * ROWS,
};

/** Passes over rows of which an earlier run has left what it made of them. */
async function passAll(pass: (first: RowRef) => void, signal = new AbortController().signal) {
  const sums = { ...NO_ROWS, rows: ROWS, lines: ROWS };
  const known = Array.from({ length: STRETCHES }, (_, index) => {
    const place = { from: index * BYTES, to: (index + 1) * BYTES };
    return { ...place, rows: ROWS, lines: ROWS, sums, pass, compared: null };
  });
  let doubts = 0;
  const memory = {
    begin: async () => known,
    doubt: () => {
      doubts += 1;
    },
    conclude: () => {},
  };
  const input = inputOf("readers.csv", [], [1]);
  const inspector = new Inspector().begin(new HashColumn(), input);
  const rows = await leftOutRows(input, { inspector, memory, signal });
  return {
    before: (behind: typeof LAST) =>
      rows?.before({ kind: "record", record: record({}), ...behind }),
    doubts: () => doubts,
  };
}

it("passes over known rows where they stand, up to the row behind them", async () => {
  const places: RowRef[] = [];
  const { before, doubts } = await passAll((first) => places.push(first));
  expect(await before(LAST)).toBe(STRETCHES * ROWS);
  expect(places).toHaveLength(STRETCHES);
  expect(places[0]).toEqual({ file: "readers.csv", number: 1, line: 2 });
  expect(places.at(-1)).toEqual({ file: "readers.csv", number: 271, line: 272 });
  expect(doubts()).toBe(0);
});

it("doubts what is known where the row behind begins elsewhere", async () => {
  const places: RowRef[] = [];
  const { before, doubts } = await passAll((first) => places.push(first));
  await before({ ...LAST, offset: LAST.offset + 1 });
  expect(places).toEqual([]);
  expect(doubts()).toBe(1);
});

it("stops between known rows when the run is stopped meanwhile", async () => {
  const stop = new AbortController();
  let passed = 0;
  const { before } = await passAll(() => {
    passed += 1;
    if (passed === 1) setImmediate(() => stop.abort());
  }, stop.signal);
  await before(LAST);
  expect(passed).toBeGreaterThan(0);
  expect(passed).toBeLessThan(STRETCHES);
});
