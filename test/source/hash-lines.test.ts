import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeHash } from "../../src/hash/normalize.js";
import { answerHashLines } from "../../src/source/hash-lines.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { collect, pieces } from "./support.js";
import { runs } from "../support/repeated.js";

const MiB = 1024 * 1024;
const BCRYPT = KNOWN_HASHES.bcrypt.passwordHash;
const ARGON2 = KNOWN_HASHES.argon2.passwordHash;

/** The answers to a text, in short. */
async function answersTo(bytes: Buffer, size = 1000): Promise<string[]> {
  const answers = await collect(answerHashLines(pieces(bytes, size)));
  return answers.map(({ line, verdict }) => {
    return `${line} ${verdict.verdict === "refused" ? verdict.code : verdict.verdict}`;
  });
}

describe("lines of raw hashes", () => {
  test("are each answered as the hash alone, in order, in pieces of any size", async () => {
    const line = fc.constantFrom(
      BCRYPT,
      ` ${ARGON2}\t`,
      "",
      "  ",
      "NULL",
      "hunter2",
      "naïve 🔑",
      "\0",
    );
    const input = fc.record({
      lines: fc.array(line, { maxLength: 12 }),
      end: fc.constantFrom("\n", "\r\n"),
      last: fc.constantFrom("", BCRYPT, "x"),
      size: fc.integer({ min: 1, max: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(input, async ({ lines, end, last, size }) => {
        const whole = lines.map((text) => text + end).join("") + last;
        const texts = last === "" ? lines : [...lines, last];
        expect(await collect(answerHashLines(pieces(Buffer.from(whole), size)))).toEqual(
          texts.map((text, index) => ({
            line: index + 1,
            verdict: normalizeHash({ kind: "text", text }),
          })),
        );
      }),
      { numRuns: runs(200) },
    );
  });

  test("are answered in small batches, however many stand in one piece", async () => {
    const sizes: number[] = [];
    for await (const batch of answerHashLines(pieces(Buffer.from("\n".repeat(1001)), 5000))) {
      sizes.push(batch.length);
    }
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1001);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
  });

  test("keep their carriage returns where no line feed follows", async () => {
    expect(await answersTo(Buffer.from(`${BCRYPT}\r${BCRYPT}\n`))).toEqual(["1 bcrypt_length"]);
  });

  test("are read behind a byte-order mark", async () => {
    expect(await answersTo(Buffer.from(`\uFEFF${BCRYPT}\nx\n`))).toEqual(["1 accepted", "2 none"]);
  });

  test.each([1, 1000])("that aren't UTF-8 are refused one by one (pieces of %i)", async (size) => {
    const bad = Buffer.from([0x24, 0x32, 0xff, 0x0a]);
    const cut = Buffer.from("é").subarray(0, 1);
    expect(
      await answersTo(Buffer.concat([bad, Buffer.from(`${BCRYPT}\n`), bad, cut]), size),
    ).toEqual(["1 encoding_invalid", "2 accepted", "3 encoding_invalid", "4 encoding_invalid"]);
  });

  test("are judged with the options that are given for all of them", async () => {
    const hashConfig = {
      signerKey: Buffer.alloc(32, 7).toString("base64"),
      ...{ saltSeparator: "Bw==", rounds: 8, memCost: 14 },
    };
    const text = Buffer.from(`${KNOWN_HASHES.vendor_scrypt.passwordHash}\n`.repeat(2));
    const answers = await collect(answerHashLines(pieces(text, 1000), { hashConfig }));
    expect(answers).toMatchObject([
      { line: 1, verdict: { verdict: "refused", code: "signer_key_length" } },
      { line: 2, verdict: { verdict: "refused", code: "signer_key_length" } },
    ]);
  });
});

describe("a line without an end", () => {
  test("is refused as soon as it is too long, and no more of it is kept", async () => {
    let given = 0;
    async function* longLine(): AsyncGenerator<Buffer> {
      while (given < 64 * MiB) {
        given += 64 * 1024;
        yield Buffer.alloc(64 * 1024, "a");
      }
    }
    for await (const [answer] of answerHashLines(longLine())) {
      expect(answer).toMatchObject({ line: 1, verdict: { verdict: "refused", code: "too_long" } });
      break;
    }
    expect(given).toBeLessThan(2 * MiB);
  });

  test("costs the lines behind it nothing", async () => {
    const long = "a".repeat(3 * MiB);
    const text = Buffer.from(`${BCRYPT}\n${long}\n${BCRYPT}\n${long}`);
    expect(await answersTo(text, 64 * 1024)).toEqual([
      "1 accepted",
      "2 too_long",
      "3 accepted",
      "4 too_long",
    ]);
  });
});

describe("an input that breaks off", () => {
  test("is answered up to its last whole line, and told", async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${BCRYPT}\n$2b$05$half`);
      throw new Error("the pipe broke");
    }
    const lines: number[] = [];
    const reading = (async () => {
      for await (const batch of answerHashLines(broken())) {
        lines.push(...batch.map(({ line }) => line));
      }
    })();
    await expect(reading).rejects.toThrow("the pipe broke");
    expect(lines).toEqual([1]);
  });
});
