import { expect, it } from "vitest";
import { temporaryPaths } from "../support/temporary-folder.js";
import { argon2Of, bcryptOf } from "./support/hashes.js";
import type { Step } from "./support/history-side.js";
import { playBoth, type Played, runsThatTell } from "./support/known-history.js";
import { plainRow, READERS, tableOf } from "./support/reader-table.js";

const newPath = temporaryPaths();

/** So little is remembered that rows of a short file needn't be compared. */
const SIZES = { hashes: 20, share: 1 / 2, addresses: 1000 };
const SHARED = "hash_shared";
const IN_CAPITALS = "emails_case_colliding";
const LOOKALIKE = "email_lookalike";

function stepOf(rows: readonly string[], sizes = SIZES): Step {
  const files = [{ name: "readers.csv", text: tableOf(rows, "phone", "phone_verified") }];
  return { files, policy: {}, cutsOver: false, sizes };
}

/** Plays exports of one file. */
function play(exports: readonly (readonly string[])[], sizes = SIZES): Promise<Played> {
  return playBoth(
    newPath,
    exports.map((rows) => stepOf(rows.map(filled), sizes)),
  );
}

/** With nothing in the columns behind that it doesn't say. */
function filled(row: string): string {
  const { length } = row.replaceAll(/"[^"]*"/g, "").split(",");
  return `${row}${",".repeat(7 - length)}`;
}

function withHash(row: string, number: number, hash: string): string {
  return row.replace(bcryptOf(number), hash);
}

function written(row: string): string {
  return row.replace("reader.", "Reader.");
}

/** A user who signs in by a phone, and whose address the vendor hasn't verified. */
function byPhone(number: number, email = `reader.${number}@example.com`): string {
  const [, , , , about = ""] = plainRow(number).split(",");
  return `u-${number},${email},false,,${about},+1555010${1000 + number},true`;
}

/** So many users have one hash. Rows of the piece in which the header stands are always read. */
function sharing(users: number, hash = bcryptOf("shared")): string[] {
  const has = (number: number): boolean => number >= 30 && number < 30 + users;
  return READERS.map((row, number) => (has(number) ? withHash(row, number, hash) : row));
}

function newUsers(count: number, hash = bcryptOf("shared")): string[] {
  const row = (_: unknown, number: number): string =>
    `v-${number},new.${number}@example.com,true,${hash},`;
  return Array.from({ length: count }, row);
}

it("known rows that share nothing aren't compared", async () => {
  const { known, uncompared, readings } = await play([READERS, READERS, READERS]);
  expect(known[2]).toBeGreaterThan(100);
  expect(uncompared).toEqual(known);
  expect(readings[2]).toBe(readings[1]);
});

it("a hash that many known rows share is told by every run, which compares them at once", async () => {
  const played = await play(Array(4).fill(sharing(150)));
  expect(runsThatTell(played, SHARED)).toEqual([1, 2, 3, 4]);
  expect(played.known[3]).toBeGreaterThan(100);
  expect(played.uncompared).toEqual([0, 0, 0, 0]);
  expect(new Set(played.readings)).toEqual(new Set([3]));
});

it("a hash that some known rows have is told once so many new rows have it as well", async () => {
  const alike = sharing(20);
  // Of the few rows that are read each hash would be counted.
  const few = await play([alike, alike, [...alike, ...newUsers(3)]], { ...SIZES, hashes: 50 });
  expect(few.uncompared[2]).toBeGreaterThan(100);
  expect(few.readings).toEqual([3, 3, 3]);
  const many = await play([alike, alike, [...alike, ...newUsers(190)]]);
  expect(runsThatTell(many, SHARED)).toEqual([3]);
  expect(many.uncompared[2]).toBeGreaterThan(100);
  expect(many.readings).toEqual([3, 3, 4]);
});

it("a hash that ever more rows have is told though each run has brought only some of them", async () => {
  const exports = [0, 0, 60, 60, 120].map((count) => [...READERS, ...newUsers(count)]);
  const played = await play(exports, { ...SIZES, share: 1 / 3 });
  expect(runsThatTell(played, SHARED)).toEqual([5]);
  expect(played.uncompared[2]).toBeGreaterThan(100);
});

it("a known row's hash is told where one new user comes so many times with it", async () => {
  const again = Array<string>(100).fill(newUsers(1, bcryptOf(155)).join());
  const sizes = { ...SIZES, hashes: 50, share: 1 / 4 };
  const played = await play([READERS, READERS, [...READERS, ...again]], sizes);
  expect(runsThatTell(played, SHARED)).toEqual([3]);
  expect(played.uncompared[2]).toBeGreaterThan(100);
});

it("two users' one hash is told once the export has shrunk so far that each hash is counted", async () => {
  const alike = sharing(2);
  const shrunk = alike.slice(0, 70);
  const sizes = { ...SIZES, hashes: 70 };
  const played = await play([alike, alike, alike, shrunk, shrunk], sizes);
  expect(runsThatTell(played, SHARED)).toEqual([4, 5]);
  expect(played.uncompared[2]).toBeGreaterThan(100);
  expect(played.readings).toEqual([3, 3, 3, 4, 3]);
});

it("known rows aren't compared in any run, however often others are read beside them", async () => {
  const { known, uncompared } = await play(Array(7).fill(READERS));
  expect(known[6]).toBeGreaterThan(100);
  expect(uncompared).toEqual(known);
});

it.each([
  ["in capitals", READERS, "u-x,Reader.50@example.com,false,no hash,"],
  ["in capitals and verified", READERS, "u-x,Reader.50@example.com,true,no hash,"],
  ["in small letters", READERS.map(written), "u-x,reader.50@example.com,false,no hash,"],
])(
  "a known user's address that a refused row has %s is told, and rows are compared in vain once",
  async (_how, rows, row) => {
    const more = [...rows, row];
    const played = await play([rows, rows, more, more, more, rows, rows]);
    expect(runsThatTell(played, IN_CAPITALS)).toEqual([3, 4, 5]);
    expect(played.known[4]).toBeGreaterThan(100);
    expect(played.readings).toEqual([3, 3, 4, 3, 3, 3, 3]);
    expect(played.uncompared[6]).toBe(played.known[6]);
  },
);

it("a known user's address that a refused row has as it is lets rows be compared in vain once", async () => {
  const more = [...READERS, "u-x,reader.50@example.com,false,no hash,"];
  const played = await play([READERS, READERS, more, more, more]);
  expect(runsThatTell(played, IN_CAPITALS)).toEqual([]);
  expect(played.readings).toEqual([3, 3, 4, 3, 3]);
});

it.each([
  ["in capitals", byPhone(50), "Reader.50@example.com", 4],
  ["in small letters", byPhone(50, "Reader.50@example.com"), "reader.50@example.com", 3],
])(
  "a known user's address that nobody claims is told where a new row has it %s",
  async (_how, row, address, third) => {
    const rows = READERS.with(50, row);
    const more = [...rows, `u-x,${address},true,${bcryptOf(1000)},`];
    const played = await play([rows, rows, more, more, more]);
    expect(runsThatTell(played, IN_CAPITALS)).toEqual([3, 4, 5]);
    expect(played.known[4]).toBeGreaterThan(100);
    expect(played.uncompared[4]).toBe(0);
    expect(played.readings).toEqual([3, 3, third, 3, 3]);
  },
);

it("known rows of whom one's address is claimed by no user are compared where others are in capitals", async () => {
  const rows = READERS.with(50, byPhone(50));
  const capitals = rows.with(60, written(rows[60] ?? ""));
  const { known, uncompared, readings } = await play([
    rows,
    rows,
    rows,
    capitals,
    capitals,
    capitals,
  ]);
  expect(uncompared[2]).toBe(known[2]);
  expect(readings).toEqual([3, 3, 3, 4, 3, 3]);
  expect(uncompared.slice(4)).toEqual([0, 0]);
});

it("known rows in capitals aren't compared because of a refused row with an address of its own", async () => {
  const rows = [...READERS.map(written), "u-x,reader.x@example.com,false,,"];
  const { known, uncompared } = await play([rows, rows, rows, rows]);
  expect(known[3]).toBeGreaterThan(100);
  expect(uncompared).toEqual(known);
});

it("an address that imitates a known user's is told beside it by every run", async () => {
  const more = [...READERS, `u-x,re\u0430der.50@example.com,true,${bcryptOf(1000)},`];
  const played = await play([READERS, READERS, more, more, more]);
  expect(runsThatTell(played, "looks exactly like another user's")).toEqual([3, 4, 5]);
  expect(runsThatTell(played, LOOKALIKE)).toEqual([3, 4, 5]);
  expect(played.readings).toEqual([3, 3, 4, 3, 3]);
});

/** Of many users the hashes are argon2's, which a column that is cut off makes doubtful. */
const HARDER = READERS.map((row, number) =>
  number < 60 ? withHash(row, number, quoted(argon2Of(number))) : row,
);

function quoted(hash: string): string {
  return `"${hash}"`;
}

it("known argon2 hashes aren't compared", async () => {
  const { known, uncompared } = await play([HARDER, HARDER, HARDER]);
  expect(known[2]).toBeGreaterThan(100);
  expect(uncompared).toEqual(known);
});

it("new argon2 hashes are judged beside known ones of their length once some are damaged", async () => {
  const hashes = [1, 2, 3, 4, 5].map((seed) => argon2Of(`new ${seed}`));
  const damaged = hashes.map((hash) => hash.replace(/.$/, "B"));
  const rows = [...damaged, ...hashes].map((hash, number) => {
    return `v-${number},new.${number}@example.com,true,${quoted(hash)},`;
  });
  const { readings } = await play([HARDER, HARDER, HARDER, [...HARDER, ...rows]]);
  expect(readings).toEqual([3, 3, 3, 4]);
});
