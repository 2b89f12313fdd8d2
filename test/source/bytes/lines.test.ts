import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readLines } from "../../../src/source/bytes/lines.js";
import { RowDamage } from "../../../src/source/row-damage.js";
import { collect, pieces } from "../support.js";
import { runs } from "../../support/repeated.js";

async function read(text: string | Buffer, size: number): Promise<string[]> {
  const lines = await collect(readLines(pieces(Buffer.from(text), size)));
  return lines.map((line) => (line instanceof RowDamage ? `(${line.code})` : line));
}

describe("readLines", () => {
  test("gives every line that isn't blank with its end, in pieces of any size", async () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "é", "🚀", " ", "\n", "\r\n"),
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 20 }), async (whole, size) => {
        const lines = whole.match(/[^\n]*\n|[^\n]+$/g) ?? [];
        expect(await read(whole, size)).toEqual(lines.filter((line) => line.trim() !== ""));
      }),
      { numRuns: runs(500) },
    );
  });

  test("gives all lines, blank ones too, without their ends where bare ones are asked for", async () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "é", " ", "\r", "\n", "\r\n"),
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 20 }), async (whole, size) => {
        const lines = await collect(readLines(pieces(Buffer.from(whole), size), { bare: true }));
        const expected = whole.match(/[^\n]*\n|[^\n]+$/g) ?? [];
        expect(lines).toEqual(expected.map((line) => line.replace(/\r?\n$/, "")));
      }),
      { numRuns: runs(500) },
    );
  });

  test.each([1, 7, 1000])("tells bad bytes from a character that is cut off (%i)", async (size) => {
    const bytes = Buffer.concat([
      Buffer.from("one\nt\u00e8o\n"),
      Buffer.from([0x74, 0xe8, 0x0a]),
      Buffer.from("four\nfiv\u00e9").subarray(0, -1),
    ]);
    expect(await read(bytes, size)).toEqual([
      "one\n",
      "tèo\n",
      "(encoding_invalid)",
      "four\n",
      "(truncated)",
    ]);
  });

  test("keeps a replacement character that the text itself has, beside a line of bad bytes", async () => {
    const bytes = Buffer.concat([Buffer.from("one\n\uFFFD\n"), Buffer.from([0xe8, 0x0a])]);
    expect(await read(bytes, 1000)).toEqual(["one\n", "\uFFFD\n", "(encoding_invalid)"]);
  });

  test.each([50_000, 1 << 22])(
    "rejects a line beyond 1 MiB and goes on (pieces of %i)",
    async (size) => {
      const text = `one\n${"x".repeat(1024 * 1024)}\nthree\n${"y".repeat(1024 * 1024 - 1)}\n`;
      const lines = await read(text, size);
      expect(lines.map((line) => line.slice(0, 20).trim())).toEqual([
        "one",
        "(row_too_large)",
        "three",
        "y".repeat(20),
      ]);
    },
  );
});
