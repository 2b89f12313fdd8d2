import { describe, expect, test } from "vitest";
import { decodeStart, detectEncoding, encodingNamed } from "../../../src/source/bytes/encoding.js";

const CSV = "id,email,name\n1,ann@example.com,Zoë\n";

function utf16be(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

describe("an encoding is found out", () => {
  test.each([
    ["utf-8", "no mark", Buffer.from(CSV), 0],
    ["utf-8", "its mark", Buffer.from(`\ufeff${CSV}`), 3],
    ["utf-16le", "its mark", Buffer.from(`\ufeff${CSV}`, "utf16le"), 2],
    ["utf-16be", "its mark", utf16be(`\ufeff${CSV}`), 2],
    ["utf-16le", "its pattern", Buffer.from(CSV, "utf16le"), 0],
    ["utf-16be", "its pattern", utf16be(CSV), 0],
    ["utf-16le", "its pattern, cut in a unit", Buffer.from(CSV, "utf16le").subarray(0, -1), 0],
    ["utf-16be", "its pattern in half of the text", utf16be("id,name\n1,一阿密碼一阿密碼\n"), 0],
    ["utf-16le", "its pattern beside Ā and 一", Buffer.from("id,name\n1,Ā一Ā\n", "utf16le"), 0],
  ])("%s by %s", (name, _by, bytes, mark) => {
    expect(detectEncoding(bytes, null)).toEqual({ name, mark });
  });

  test.each([
    ["a few NULs", Buffer.from(`${CSV}\0\0\0`)],
    ["NULs in one column", Buffer.from("1,ann@example.com,\0\n2,ben@example.com,\0\n".repeat(50))],
    ["NULs everywhere", Buffer.alloc(1000)],
    ["no bytes", Buffer.alloc(0)],
    ["one byte", Buffer.from("i")],
  ])("as UTF-8 where there are %s", (_name, bytes) => {
    expect(detectEncoding(bytes, null).name).toBe("utf-8");
  });

  test("by the operator's word, but for a mark", () => {
    const latin1 = Buffer.from(CSV, "latin1");
    expect(detectEncoding(latin1, "windows-1252")).toEqual({ name: "windows-1252", mark: 0 });
    const marked = Buffer.from(`\ufeff${CSV}`);
    expect(detectEncoding(marked, "windows-1252")).toEqual({ name: "utf-8", mark: 3 });
  });
});

describe("the start of an input", () => {
  test.each([
    ["utf-8", Buffer.from(CSV)],
    ["utf-16le", Buffer.from(CSV, "utf16le")],
    ["utf-16be", utf16be(CSV)],
    ["windows-1252", Buffer.from(CSV, "latin1")],
  ])("is decoded from %s", (encoding, bytes) => {
    expect(decodeStart("users.csv", bytes, encoding)).toBe(CSV);
  });

  test.each([
    ["utf-8", Buffer.from("id,ë").subarray(0, -1)],
    ["utf-16le", Buffer.from("id,😀", "utf16le").subarray(0, -1)],
    ["shift_jis", Buffer.from("id,\x96", "latin1")],
  ])("may end inside a character of %s", (encoding, bytes) => {
    expect(decodeStart("users.csv", bytes, encoding)).toBe("id,");
  });

  test("may have a NUL here and there", () => {
    const text = `${CSV}2,\0,Ben\0\n`;
    expect(decodeStart("users.csv", Buffer.from(text), "utf-8")).toBe(text);
  });

  test.each([
    ["Latin-1", Buffer.from(CSV, "latin1")],
    ["Shift JIS", Buffer.from("6e616d652c0a8352838a83932c0a", "hex")],
  ])("is refused where it is %s; the flag that may help is named", (_name, bytes) => {
    expect(() => decodeStart("users.csv", bytes, "utf-8")).toThrow(
      expect.objectContaining({
        code: "input_unrecognized",
        message: "users.csv is not UTF-8 text",
        hint: expect.stringContaining("--encoding windows-1252"),
      }),
    );
  });

  test.each([
    ["a picture", Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAA", "base64")],
    ["a database", Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(80)])],
    ["noise", Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * at * 31 + at * 7) % 251))],
  ])("isn't asked of %s, which no encoding makes text", (_name, bytes) => {
    expect(() => decodeStart("users.csv", bytes, "utf-8")).toThrow(
      expect.objectContaining({
        code: "input_unrecognized",
        message: "users.csv is no text, but a binary file",
        hint: expect.not.stringContaining("Save the export as UTF-8"),
      }),
    );
  });
});

test.each([
  ["latin1", "windows-1252"],
  ["ISO-8859-1", "windows-1252"],
  [" Windows-1252 ", "windows-1252"],
  ["UTF-16", "utf-16le"],
  ["utf8", "utf-8"],
  ["sjis", "shift_jis"],
  ["utf-32", null],
  ["klingon", null],
  ["", null],
])("the label %j stands for %s", (label, name) => {
  expect(encodingNamed(label)).toBe(name);
});
