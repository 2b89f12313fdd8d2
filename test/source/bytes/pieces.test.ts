import { expect, it } from "vitest";
import { cutBlocks, type Piece } from "../../../src/source/bytes/pieces.js";
import { randomFrom } from "../../support/random.js";
import { pieces as piecesOf } from "../support.js";

async function cut(
  text: Buffer,
  size = 65_536,
  by = "csv",
): Promise<{ readonly blocks: Piece[]; readonly pieces: Piece[] }> {
  const blocks: Piece[] = [];
  const all: Piece[] = [];
  for await (const { pieces, ...block } of cutBlocks(piecesOf(text, size), by)) {
    blocks.push(block);
    all.push(...pieces());
  }
  return { blocks, pieces: all };
}

function exportOf(users: number): string[] {
  const random = randomFrom(1);
  return Array.from(
    { length: users },
    (_, number) => `u${number},reader.${number}@example.com,${random.bytes(40).toString("hex")}\n`,
  );
}

const LINES = exportOf(3000);
const TEXT = Buffer.from(LINES.join(""));

it.each(["blocks", "pieces"] as const)(
  "%s follow each other without a gap, and end behind lines",
  async (parts) => {
    const { [parts]: cutOff } = await cut(TEXT);
    expect(cutOff.length).toBeGreaterThan(3);
    expect(cutOff.map(({ from }) => from)).toEqual([0, ...cutOff.slice(0, -1).map(({ to }) => to)]);
    expect(cutOff.at(-1)?.to).toBe(TEXT.length);
    for (const { to } of cutOff) expect(TEXT.toString("latin1", to - 1, to)).toBe("\n");
  },
);

it("a block is cut into many pieces, of which the first begins where it does", async () => {
  const { blocks, pieces } = await cut(TEXT);
  expect(pieces.length).toBeGreaterThan(blocks.length * 8);
  const begin = new Set(pieces.map(({ from }) => from));
  expect(blocks.filter(({ from }) => !begin.has(from))).toEqual([]);
});

it("how the text comes makes no difference to where it is cut", async () => {
  const whole = await cut(TEXT);
  for (const size of [777, 10_000, TEXT.length]) expect(await cut(TEXT, size)).toEqual(whole);
});

it.each([
  ["blocks", 4],
  ["pieces", 8],
] as const)("a line that comes or goes leaves most %s as they are", async (parts, changed) => {
  const before = new Set((await cut(TEXT))[parts].map(({ digest }) => digest));
  const lines = [...LINES];
  lines.splice(700, 1);
  lines.splice(2000, 0, "new,new@example.com,\n");
  const { [parts]: after } = await cut(Buffer.from(lines.join("")));
  const others = after.filter(({ digest }) => !before.has(digest));
  expect(others.length).toBeGreaterThan(0);
  expect(others.length).toBeLessThanOrEqual(changed);
});

it("what is read otherwise has other digests", async () => {
  const [one, other] = [await cut(TEXT), await cut(TEXT, 65_536, "csv, by another map")];
  for (const parts of ["blocks", "pieces"] as const) {
    expect(other[parts][0]?.to).toBe(one[parts][0]?.to);
    expect(other[parts][0]?.digest).not.toEqual(one[parts][0]?.digest);
  }
});

it("a text without a line end is cut all the same, and kept in no memory", async () => {
  const { blocks } = await cut(Buffer.alloc(10 * 1024 * 1024, "a"));
  expect(blocks.length).toBeGreaterThan(1);
  expect(blocks.at(-1)?.to).toBe(10 * 1024 * 1024);
});
