import { expect, it } from "vitest";
import { cutPieces, type Piece } from "../../../src/source/bytes/pieces.js";
import { randomFrom } from "../../support/random.js";

async function* inChunks(text: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
}

async function piecesOf(text: Buffer, size = 65_536, by = "csv"): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const piece of cutPieces(inChunks(text, size), by)) pieces.push(piece);
  return pieces;
}

function exportOf(users: number, seed = 1): string[] {
  const random = randomFrom(seed);
  return Array.from(
    { length: users },
    (_, number) => `u${number},reader.${number}@example.com,${random.bytes(40).toString("hex")}\n`,
  );
}

const LINES = exportOf(3000);
const TEXT = Buffer.from(LINES.join(""));

it("pieces follow each other without a gap, and end behind lines", async () => {
  const pieces = await piecesOf(TEXT);
  expect(pieces.length).toBeGreaterThan(20);
  expect(pieces.map(({ from }) => from)).toEqual([0, ...pieces.slice(0, -1).map(({ to }) => to)]);
  expect(pieces.at(-1)?.to).toBe(TEXT.length);
  for (const { to } of pieces) expect(TEXT.toString("latin1", to - 1, to)).toBe("\n");
});

it("how the text comes makes no difference to its pieces", async () => {
  const pieces = await piecesOf(TEXT);
  for (const size of [777, 10_000, TEXT.length]) expect(await piecesOf(TEXT, size)).toEqual(pieces);
});

it("a line that comes or goes leaves most pieces as they are", async () => {
  const before = new Set((await piecesOf(TEXT)).map(({ digest }) => digest.toString("hex")));
  const changed = [...LINES];
  changed.splice(700, 1);
  changed.splice(2000, 0, "new,new@example.com,\n");
  const after = await piecesOf(Buffer.from(changed.join("")));
  const others = after.filter(({ digest }) => !before.has(digest.toString("hex")));
  expect(others.length).toBeGreaterThan(0);
  expect(others.length).toBeLessThan(before.size / 2);
});

it("what is read otherwise has other digests", async () => {
  const [one] = await piecesOf(TEXT);
  const [other] = await piecesOf(TEXT, 65_536, "csv, by another map");
  expect(other?.to).toBe(one?.to);
  expect(other?.digest).not.toEqual(one?.digest);
});

it("a text without a line end is cut all the same, and kept in no memory", async () => {
  const pieces = await piecesOf(Buffer.alloc(10 * 1024 * 1024, "a"));
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.at(-1)?.to).toBe(10 * 1024 * 1024);
});
