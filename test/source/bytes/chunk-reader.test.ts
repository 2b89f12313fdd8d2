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

async function readBut(unread: readonly ByteSpan[]): Promise<Buffer> {
  const path = newPath("users.csv");
  writeFileSync(path, TEXT);
  const file = await open(path);
  const reader = new ChunkReader(file, unread);
  const chunks: Buffer[] = [];
  for (let next = await reader.next(); next.length > 0; next = await reader.next()) {
    chunks.push(next);
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
