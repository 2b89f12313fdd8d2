import { constants, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CutOff } from "../../../src/source/bytes/cut-off.js";
import { unpacked } from "../../../src/source/bytes/gunzip.js";
import { pieces } from "../support.js";

const TEXT = "id,email\n1,ann@example.com\n2,ben@example.com\n";
const SIZES = [1, 2, 3, 7, 100_000];

/** What could be had of some bytes, and how it ended. */
async function unpack(
  bytes: Buffer,
  size = bytes.length,
): Promise<{ text: string; error: unknown }> {
  const parts: Buffer[] = [];
  try {
    for await (const part of unpacked("users.csv.gz", pieces(bytes, size))) parts.push(part);
    return { text: Buffer.concat(parts).toString(), error: null };
  } catch (error) {
    return { text: Buffer.concat(parts).toString(), error };
  }
}

describe("gzip", () => {
  test("gives back any bytes, however they were split into members and into pieces", async () => {
    const members = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 5 });
    const size = fc.integer({ min: 1, max: 400 });
    const padding = fc.integer({ min: 0, max: 40 });
    const level = fc.integer({ min: 0, max: 9 });
    await fc.assert(
      fc.asyncProperty(members, size, padding, level, async (given, pieceSize, zeros, at) => {
        const packed = given.map((bytes) => gzipSync(bytes, { level: at }));
        const file = Buffer.concat([...packed, Buffer.alloc(zeros)]);
        const parts: Buffer[] = [];
        for await (const part of unpacked("users.gz", pieces(file, pieceSize))) parts.push(part);
        expect(Buffer.concat(parts)).toEqual(Buffer.concat(given));
      }),
      { numRuns: 60 },
    );
  });

  test.each(SIZES)("is read with the fields of its header, in pieces of %i bytes", async (size) => {
    // FEXTRA, FNAME, FCOMMENT and FHCRC (RFC 1952, 2.3), as gzip and bgzip write them.
    const plain = gzipSync(TEXT);
    const header = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 0b0000_1100, 0, 0, 0, 0, 0, 3]),
      Buffer.from([6, 0, 0x42, 0x43, 2, 0, 0x1b, 0]),
      Buffer.from("users.csv\0"),
    ]);
    const named = Buffer.concat([header, plain.subarray(10)]);
    expect(await unpack(named, size)).toEqual({ text: TEXT, error: null });
  });

  test("is no gzip without its magic, and passes as it is", async () => {
    for (const text of ["", "\u001f", "id,email\n", "\u001f,email\n"]) {
      expect(await unpack(Buffer.from(text), 1)).toEqual({ text, error: null });
    }
  });

  test("of several pieces, each flushed, is read as it comes", async () => {
    const file = gzipSync(TEXT, { flush: constants.Z_FULL_FLUSH });
    async function* halting(): AsyncGenerator<Buffer> {
      yield file.subarray(0, -8);
      throw new Error("nobody may wait for the end to give what is there");
    }
    const parts: Buffer[] = [];
    const read = async (): Promise<void> => {
      for await (const part of unpacked("users.csv.gz", halting())) parts.push(part);
    };
    await expect(read()).rejects.toThrow("nobody may wait");
    expect(Buffer.concat(parts).toString()).toBe(TEXT);
  });
});

describe("a gzip file that is cut off", () => {
  const whole = Buffer.concat([gzipSync(TEXT), gzipSync("3,cleo@example.com\n")]);
  const between = gzipSync(TEXT).length;

  test("gives what was whole and then says so, wherever the cut is", async () => {
    for (let at = 2; at < whole.length; at++) {
      const { text, error } = await unpack(whole.subarray(0, at), 5);
      expect(`${TEXT}3,cleo@example.com\n`.startsWith(text)).toBe(true);
      // Where a member ends, no reader can know of another.
      if (at === between) expect(error).toBeNull();
      else expect(error, `cut at ${at}`).toBeInstanceOf(CutOff);
      if (at > between) expect(text.startsWith(TEXT)).toBe(true);
    }
  });

  test.each(SIZES)("in its checksum has lost nothing of its text: pieces of %i", async (size) => {
    const { text, error } = await unpack(gzipSync(TEXT).subarray(0, -1), size);
    expect(text).toBe(TEXT);
    expect(error).toMatchObject({ hint: expect.stringMatching(/users are missing/) });
  });
});

describe("a damaged gzip file", () => {
  const damaged = { code: "input_damaged", hint: expect.stringMatching(/gzip -t/) };

  test.each(SIZES)("with a wrong checksum is refused, in pieces of %i", async (size) => {
    const file = gzipSync(TEXT);
    file[file.length - 6] = (file[file.length - 6] ?? 0) ^ 1;
    expect((await unpack(file, size)).error).toMatchObject(damaged);
  });

  test("with a wrong byte anywhere in its data never passes for sound", async () => {
    const sound = gzipSync(TEXT);
    for (let at = 10; at < sound.length; at++) {
      const file = Buffer.from(sound);
      file[at] = (file[at] ?? 0) ^ 0x10;
      // A bit may mean nothing where no code uses it.
      const { text, error } = await unpack(file);
      if (error === null) expect(text, `at ${at}`).toBe(TEXT);
    }
  });

  test.each(SIZES)("followed by what is no gzip is refused, in pieces of %i", async (size) => {
    for (const tail of [TEXT, "\0\0\0\0garbage", `${"\0".repeat(300)}x`]) {
      const file = Buffer.concat([gzipSync(TEXT), Buffer.from(tail)]);
      const { error } = await unpack(file, size);
      expect(error).toMatchObject({ ...damaged, message: expect.stringContaining("users.csv.gz") });
    }
  });

  test("is refused where another member follows its padding: gzip wouldn't read that either", async () => {
    const file = Buffer.concat([gzipSync(TEXT), Buffer.alloc(512), gzipSync(TEXT)]);
    expect((await unpack(file)).error).toMatchObject(damaged);
  });
});

describe("a gzip bomb", () => {
  const MEGABYTES_100 = gzipSync(Buffer.alloc(100 * 1024 * 1024));

  test("is stopped after a few megabytes, however much is in it", async () => {
    let taken = 0;
    let made = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        for await (const piece of pieces(MEGABYTES_100, 4096)) {
          taken += piece.length;
          yield piece;
        }
      }
    }
    const read = async (): Promise<void> => {
      for await (const part of unpacked("users.csv.gz", endless())) made += part.length;
    };
    await expect(read()).rejects.toMatchObject({
      code: "input_damaged",
      message: expect.stringMatching(/^users\.csv\.gz unpacks to more than 500 times its size/),
      hint: expect.stringContaining("gunzip"),
    });
    expect(made).toBeLessThan(34 * 1024 * 1024);
    expect(taken).toBeLessThan(40_000);
  });

  test("is not what a repetitive export is", async () => {
    const rows = Array.from(
      { length: 60_000 },
      (_, row) =>
        `${row},user${row}@example.com,true,,,{"provider":"email"},${"null,".repeat(60)}\n`,
    );
    const text = rows.join("");
    const file = gzipSync(text);
    expect(text.length).toBeGreaterThan(17_000_000);
    expect(text.length / file.length).toBeGreaterThan(30);
    let length = 0;
    for await (const part of unpacked("users.csv.gz", pieces(file, 65_536))) length += part.length;
    expect(length).toBe(text.length);
  });

  test("that is small does no harm and is read", async () => {
    const spaces = " ".repeat(1_000_000);
    expect((await unpack(gzipSync(spaces))).text.length).toBe(1_000_000);
  });
});

test("ending early ends the reading of the bytes", async () => {
  const file = gzipSync(TEXT.repeat(10_000));
  for (const bytes of [file, Buffer.from(TEXT.repeat(10_000))]) {
    let closed = false;
    async function* open(): AsyncGenerator<Buffer> {
      try {
        yield* pieces(bytes, 500);
      } finally {
        closed = true;
      }
    }
    for await (const _part of unpacked("users.csv.gz", open())) break;
    expect(closed).toBe(true);
  }
});
