import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstLine, readNdjson } from "../../../src/source/json/ndjson.js";
import { RowDamage } from "../../../src/source/row-damage.js";
import { collect, pieces, rowsOf } from "../support.js";
import { runs } from "../../support/repeated.js";

function read(text: string | Buffer, size = 7): Promise<unknown[]> {
  return rowsOf(readNdjson(pieces(Buffer.from(text), size)));
}

describe("readNdjson", () => {
  test("agrees with JSON.parse of each line, in pieces of any size", async () => {
    const users = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ stringUnit: "grapheme" })));
    const end = fc.constantFrom("\n", "\r\n", "\n\n", " \r\n");
    await fc.assert(
      fc.asyncProperty(users, end, fc.integer({ min: 1, max: 60 }), async (list, lineEnd, size) => {
        const lines = list.map((user) => JSON.stringify(user));
        expect(await read(lines.map((line) => line + lineEnd).join(""), size)).toEqual(
          lines.map((line) => JSON.parse(line)),
        );
      }),
      { numRuns: runs(200) },
    );
  });

  test("rejects lines that are no object, or no JSON, and goes on", async () => {
    const text = '{"a":1}\nnull\n7\n[{"b":2}]\n{"c":NaN}\n{"c":1,}\n{\'c\':1}\n{"d":4}\n';
    expect(await read(text)).toEqual([
      { a: 1 },
      ...Array.from({ length: 6 }, () => "row_malformed"),
      { d: 4 },
    ]);
  });

  test("reads a last line without a line end, and says where the file is cut off inside it", async () => {
    expect(await read('{"a":1}\n{"b":2}')).toEqual([{ a: 1 }, { b: 2 }]);
    expect(await read('{"a":1}\n{"b":2')).toEqual([{ a: 1 }, "truncated"]);
  });

  test("says what to do about objects that stretch over several lines", async () => {
    const text = JSON.stringify({ id: "1", email: "ana@example.com" }, null, 2);
    const [first] = await collect(readNdjson(pieces(Buffer.from(`${text}\n`), 100)));
    expect(first).toMatchObject({ code: "row_malformed" });
    expect(first instanceof RowDamage && first.hint).toMatch(/over several lines.*jq -c/);
  });

  test("rejects a line that is too large, too deep or not UTF-8, and goes on", async () => {
    const text = [
      '{"a":1}',
      JSON.stringify({ bio: "x".repeat(2 * 1024 * 1024) }),
      `{"a":${"[".repeat(100)}${"]".repeat(100)}}`,
      "[".repeat(1_000_000),
      '{"b":"?"}',
      '{"c":"\\u0000\\ud800"}',
      "",
    ];
    const bytes = Buffer.from(text.join("\n"));
    bytes[bytes.indexOf("?")] = 0xe8;
    expect(await read(bytes, 65_536)).toEqual([
      { a: 1 },
      "row_too_large",
      "row_too_large",
      "row_malformed",
      "encoding_invalid",
      { c: "\0\ud800" },
    ]);
  });
});

describe("firstLine", () => {
  test("is the first line's object, and none where the object goes on in the next line", () => {
    const text = '\n{"a":1}\n{"b":';
    expect(firstLine({ path: "users.json", text, complete: false })).toEqual({ a: 1 });
    const pretty = JSON.stringify({ a: 1 }, null, 2);
    expect(firstLine({ path: "users.json", text: pretty, complete: true })).toBeNull();
  });
});
