import { expect, it } from "vitest";
import { cutBlocks } from "../../src/source/bytes/pieces.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { bcryptOf, bytesOf } from "./support/hashes.js";
import type { Step } from "./support/history-side.js";
import { type Played, playBoth, runsThatTell } from "./support/known-history.js";
import { tableOf } from "./support/reader-table.js";

const newPath = temporaryPaths();
const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 2);
const BLOCKS = "SELECT group_concat(id) FROM blocks";

/** So long that a block holds less than a hundred. */
function longRow(number: number): string {
  const id = `u-${number}`;
  const about = bytesOf(id, 1000).toString("hex");
  return `${id},reader.${number}@example.com,true,${bcryptOf(number)},${about}`;
}

const ROWS = Array.from({ length: 300 }, (_, number) => longRow(number));
const CHANGED = ROWS.with(100, ROWS[100]?.replace(bcryptOf(100), bcryptOf(1000)) ?? "");

function stepOf(text: string, now = START): Step {
  const sizes = { hashes: 20, share: 1 / 2, addresses: 1000 };
  return { files: [{ name: "readers.csv", text }], policy: {}, cutsOver: false, now, sizes };
}

function play(exports: readonly (readonly string[])[]): Promise<Played> {
  const steps = exports.map((rows) => stepOf(tableOf(rows)));
  return playBoth(newPath, steps, BLOCKS);
}

/** How many blocks are known behind each run. */
function blocksOf({ answers }: Played): number[] {
  return answers.map((ids) => (ids === null ? 0 : `${ids}`.split(",").length));
}

it("blocks are known at once, and one with a changed row once more when that row changes nothing", async () => {
  const played = await play([ROWS, ROWS, ROWS, CHANGED, CHANGED, CHANGED]);
  expect(blocksOf(played)).toEqual([0, 3, 3, 2, 3, 3]);
  const [, second, third, , fifth, sixth] = played.answers;
  // Blocks that were put together of their pieces once more would have other numbers.
  expect([third, sixth]).toEqual([second, fifth]);
  const [, , usual = 0, atTheChange, , after] = played.known;
  expect(usual).toBeGreaterThan(250);
  expect(atTheChange).toBeLessThan(usual);
  expect(after).toBe(usual);
  expect(played.uncompared).toEqual(played.known);
});

it("a block with a user whom a second row names isn't known, though its other pieces are", async () => {
  const twice = [...ROWS, ROWS[100] ?? ""];
  const played = await play([ROWS, ROWS, twice, twice, ROWS, ROWS]);
  expect(blocksOf(played)).toEqual([0, 3, 2, 2, 3, 3]);
  const [, , , beside = 0, , after = 0] = played.known;
  expect(beside).toBeGreaterThan(200);
  expect(after).toBeGreaterThan(beside);
  expect(played.readings).toEqual([3, 3, 4, 3, 3, 3]);
});

it("a block with a row that is refused isn't known, though its other pieces are", async () => {
  const refused = ROWS.with(100, longRow(100).replace(/true,[^,]*/, "false,"));
  const played = await play([refused, refused, refused]);
  expect(blocksOf(played)).toEqual([0, 2, 2]);
  expect(played.known[2]).toBeGreaterThan(200);
});

/** @returns how many rows stand before some piece in the midst of the second block */
async function rowsBeforePiece(): Promise<number> {
  const text = Buffer.from(tableOf(ROWS));
  for await (const { from, pieces } of cutBlocks(iterated(text), "")) {
    const [, , third] = pieces();
    if (from > 0) return text.toString("utf8", 0, third?.from).split("\n").length - 2;
  }
  return 0;
}

async function* iterated(text: Buffer): AsyncGenerator<Buffer> {
  yield text;
}

it("a block of pieces whose users came in another order isn't known, though its pieces are", async () => {
  const rows = await rowsBeforePiece();
  const moved = [...ROWS.slice(rows), ...ROWS.slice(0, rows)];
  const played = await play([moved, ROWS, ROWS, ROWS]);
  expect(blocksOf(played)).toEqual([0, 2, 2, 2]);
  expect(played.known[3]).toBeGreaterThan(250);
});

it("a block that was read once a lock was over is read again by a run as of a day before", async () => {
  const locked = new Date(START + 2 * DAY).toISOString();
  const lines = ROWS.map((row, number) => `${row},${number === 100 ? locked : ""}`);
  const text = tableOf(lines, "locked_until");
  const steps = [4, 5, 6, 0, 7].map((day) => stepOf(text, START + day * DAY));
  const played = await playBoth(newPath, steps, BLOCKS);
  expect(blocksOf(played)).toEqual([0, 3, 3, 2, 3]);
});

it("users of a known block are told where they share a hash with users of others", async () => {
  const hash = bcryptOf("shared");
  const alike = ROWS.map((row, number) =>
    number < 200 ? row.replace(bcryptOf(number), hash) : row,
  );
  const played = await play([alike, alike, alike, alike]);
  expect(runsThatTell(played, "hash_shared")).toEqual([1, 2, 3, 4]);
  expect(played.known[3]).toBeGreaterThan(250);
  expect(played.answers[3]).toBe(played.answers[1]);
  // Their pieces are there as well.
  expect(played.readings).toEqual([3, 3, 3, 3]);
});

it("a block's text that comes twice in a file is read both times", async () => {
  const played = await play([ROWS, ROWS, [...ROWS, ...ROWS], ROWS]);
  expect(blocksOf(played)).toEqual([0, 3, 0, 3]);
});

it("blocks are known wherever their rows stand, in one file or several", async () => {
  const files = (...parts: readonly (readonly string[])[]): Step => ({
    ...stepOf(""),
    files: parts.map((rows, index) => ({ name: `part-${index}.csv`, text: tableOf(rows) })),
  });
  const [first, second] = [ROWS.slice(0, 200), ROWS.slice(200)];
  const steps = [
    files(ROWS),
    files(ROWS),
    files(first, second),
    files(second, first),
    files([...second, ...first]),
    files(ROWS),
  ];
  const played = await playBoth(newPath, steps, BLOCKS);
  expect(Math.min(...played.known.slice(2))).toBeGreaterThan(50);
});
