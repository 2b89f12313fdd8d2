import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type ByteSpan, ChunkReader } from "../../../src/source/bytes/chunk-reader.js";
import { bytesOf } from "../../run/support/hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

const newPath = temporaryPaths();
const SIZE = 900_000;
const TEXT = bytesOf("an export", SIZE);

async function readBut(unread: readonly ByteSpan[], sharesMemory = false): Promise<Buffer> {
  const path = newPath("users.csv");
  writeFileSync(path, TEXT);
  const file = await open(path);
  const reader = new ChunkReader(file, { unread, sharesMemory });
  const chunks: Buffer[] = [];
  for (let next = await reader.next(); next.length > 0; next = await reader.next()) {
    chunks.push(sharesMemory ? Buffer.from(next) : next);
  }
  await file.close();
  return Buffer.concat(chunks);
}

/** A text without what stretches of it hold. */
function without(text: Buffer, stretches: readonly ByteSpan[]): Buffer {
  const left = Buffer.from(text);
  for (const { from, to } of stretches) left.fill(0, from, to);
  return left;
}

it("gives all bytes in their places but those that nobody looks at", async () => {
  const places = fc.uniqueArray(fc.integer({ min: 0, max: SIZE }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(places, async (some) => {
      const sorted = some.toSorted((one, other) => one - other);
      const unread = sorted.flatMap((from, index) =>
        index % 2 === 0 ? [{ from, to: sorted[index + 1] ?? SIZE }] : [],
      );
      const given = await readBut(unread);
      expect(without(given, unread).equals(without(TEXT, unread))).toBe(true);
    }),
    { numRuns: 40 },
  );
});

it("doesn't read what nobody looks at, but for the start and for what shares a chunk with others", async () => {
  const given = await readBut([{ from: 100_000, to: 800_000 }]);
  expect(given.subarray(0, 262_144).equals(TEXT.subarray(0, 262_144))).toBe(true);
  expect(given.subarray(400_000, 800_000).equals(Buffer.alloc(400_000))).toBe(true);
});

it("reads all bytes into memory that is shared by chunks", async () => {
  expect((await readBut([], true)).equals(TEXT)).toBe(true);
});

it("a chunk that shares memory stays until the next but one is asked for, and those of the start for good", async () => {
  const path = newPath("users.csv");
  writeFileSync(path, TEXT);
  const file = await open(path);
  const reader = new ChunkReader(file, { sharesMemory: true });
  let at = 0;
  let before: Buffer = Buffer.alloc(0);
  const start: Buffer[] = [];
  for (let next = await reader.next(); next.length > 0; next = await reader.next()) {
    const text = Buffer.concat([before, next]);
    expect(text.equals(TEXT.subarray(at - before.length, at + next.length))).toBe(true);
    if (at < 200_000) start.push(next);
    at += next.length;
    before = next;
  }
  await file.close();
  expect(Buffer.concat(start).equals(TEXT.subarray(0, Buffer.concat(start).length))).toBe(true);
});
