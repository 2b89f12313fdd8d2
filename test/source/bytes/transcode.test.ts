import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CutOff } from "../../../src/source/bytes/cut-off.js";
import { createTranscoder, type Transcoder } from "../../../src/source/bytes/transcode.js";
import { runs } from "../../support/repeated.js";

function transcoderOf(encoding: string): Transcoder {
  const transcoder = createTranscoder(encoding);
  if (transcoder === null) throw new Error(`${encoding} needs no transcoder`);
  return transcoder;
}

/** UTF-8 of some bytes that come in pieces of the given sizes, over and over. */
function transcode(encoding: string, bytes: Buffer, sizes: readonly number[] = [bytes.length]) {
  const transcoder = transcoderOf(encoding);
  const parts: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    parts.push(transcoder.write(bytes.subarray(at, at + size)));
    at += size;
  }
  transcoder.end();
  return Buffer.concat(parts);
}

function utf16(text: string, encoding: string): Buffer {
  const bytes = Buffer.from(text, "utf16le");
  return encoding === "utf-16be" ? bytes.swap16() : bytes;
}

describe.each(["utf-16le", "utf-16be"])("%s", (encoding) => {
  test("of any text, in any pieces, is that text", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(text, sizes, (given, pieceSizes) => {
        const bytes = utf16(given, encoding);
        expect(transcode(encoding, bytes, pieceSizes).toString()).toBe(given);
      }),
      { numRuns: runs(300) },
    );
  });

  test.each([1, 2, 3, 5])("keeps half a character for the next piece of %i bytes", (size) => {
    const text = "Zoë,密碼,😀🏽,\ufffd,Ā一\n";
    expect(transcode(encoding, utf16(text, encoding), [size]).toString()).toBe(text);
  });

  test.each([
    ["a first half alone", "a\ud83db\n"],
    ["a second half alone", "a\ude00b\n"],
    ["the halves the wrong way round", "a\ude00\ud83db\n"],
    ["two first halves", "a\ud83d\ud83db\n"],
  ])("makes no character of %s", (_name, text) => {
    for (const size of [1, 2, 3, 100]) {
      const bytes = transcode(encoding, utf16(text, encoding), [size]);
      const expected = [0x61, ...(text.length === 5 ? [0xff, 0xff] : [0xff]), 0x62, 0x0a];
      expect([...bytes]).toEqual(expected);
    }
  });

  test.each([
    ["half a unit", 1],
    ["half a surrogate pair", 2],
    ["one byte less of a pair", 3],
  ])("that ends with %s is cut off", (_name, bytes) => {
    const text = utf16("id,😀", encoding);
    const transcoder = transcoderOf(encoding);
    expect(transcoder.write(text.subarray(0, 6 + bytes)).toString()).toBe("id,");
    expect(() => transcoder.end()).toThrow(CutOff);
  });
});

describe("windows-1252", () => {
  test("is what Windows writes for every byte", () => {
    // The Encoding Standard's index, as https://encoding.spec.whatwg.org/#legacy-single-byte-encodings has it.
    const curly = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const text = transcode("windows-1252", bytes, [7]).toString();
    expect(text.slice(0x80, 0xa0)).toBe(curly);
    expect(text.slice(0, 0x80)).toBe(bytes.toString("latin1", 0, 0x80));
    expect(text.slice(0xa0)).toBe(bytes.toString("latin1", 0xa0));
  });
});

describe("another encoding", () => {
  const SHIFT_JIS = Buffer.from("id,\x96\xa7\x8d\x86\n", "latin1");

  test.each([1, 2, 3, 4, 100])("is read in pieces of %i bytes", (size) => {
    expect(transcode("shift_jis", SHIFT_JIS, [size]).toString()).toBe("id,密号\n");
  });

  test("that ends inside a character is cut off", () => {
    const transcoder = transcoderOf("shift_jis");
    transcoder.write(SHIFT_JIS.subarray(0, 4));
    expect(() => transcoder.end()).toThrow(CutOff);
  });

  test("makes no character of bytes that are none", () => {
    const bytes = transcode("euc-jp", Buffer.from("a\xff,b\n", "latin1"));
    expect([...bytes]).toEqual([0x61, 0xff, 0x2c, 0x62, 0x0a]);
  });
});

test("UTF-8 stays as it is", () => {
  expect(createTranscoder("utf-8")).toBeNull();
});
