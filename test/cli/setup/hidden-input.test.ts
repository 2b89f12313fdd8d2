import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readHidden } from "../../../src/cli/setup/clack-asker.js";

afterEach(() => vi.useRealTimers());

/** Types chunks as a terminal hands them on, one a turn of the event loop. */
async function typed(chunks: readonly (string | Buffer)[], lines = false) {
  const input = new PassThrough();
  const seen: string[] = [];
  const answer = readHidden(input, { lines, onChange: (text) => seen.push(text) });
  for (const chunk of chunks) {
    await new Promise(setImmediate);
    input.write(chunk);
  }
  return { answer: await answer, seen };
}

describe("a hidden answer", () => {
  it("ends with Enter", async () => {
    expect((await typed(["s", "e", "a\r"])).answer).toBe("sea");
    expect((await typed(["sea\n"])).answer).toBe("sea");
  });

  it("may be empty", async () => {
    expect((await typed(["\r"])).answer).toBe("");
  });

  it("keeps spaces at either end", async () => {
    expect((await typed([" ", "two words ", "\r"])).answer).toBe(" two words ");
  });

  it("takes characters of several bytes that come in two pieces", async () => {
    const bytes = Buffer.from("pässwörd\r");
    expect((await typed([bytes.subarray(0, 2), bytes.subarray(2)])).answer).toBe("pässwörd");
  });

  it("can be corrected: backspace takes a character, Ctrl-U all of them", async () => {
    expect((await typed(["sew", "\u007f", "a😀\b\r"])).answer).toBe("sea");
    expect((await typed(["wrong", "\u0015", "right\r"])).answer).toBe("right");
  });

  it("knows nothing of cursor keys and paste marks", async () => {
    const keys = ["\u001b[A", "a\u001b[D", "\u001b[200~b\u001b[201~", "\u001bOPc\r"];
    expect((await typed(keys)).answer).toBe("abc");
  });

  it.each(["\u0003", "\u001b", "abc\u0003"])(
    "is canceled by Ctrl-C and Escape (%j)",
    async (key) => {
      expect((await typed([key])).answer).toBeNull();
    },
  );

  it("tells of every change, for the screen", async () => {
    expect((await typed(["a", "b", "\r"])).seen).toEqual(["a", "ab", "ab\n"]);
  });
});

describe("a hidden answer of several lines", () => {
  const block = "hash_config {\n  rounds: 8,\n  mem_cost: 14,\n}";

  it("goes on while a brace is open, however it is cut into pieces", async () => {
    expect((await typed([`${block}\r`], true)).answer).toBe(block);
    expect((await typed([...block, "\r"], true)).answer).toBe(block);
    expect((await typed([block.slice(0, 20), block.slice(20), "\n"], true)).answer).toBe(block);
  });

  it("waits for the closing brace, however long that takes", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const input = new PassThrough();
    let answer: string | null | undefined;
    const end = readHidden(input, { lines: true, onChange: () => {} }).then((text) => {
      answer = text;
    });
    for (const piece of [block.slice(0, 30), "\n", block.slice(30)]) {
      input.write(piece);
      await new Promise(setImmediate);
      vi.advanceTimersByTime(60_000);
      await new Promise(setImmediate);
      expect(answer).toBeUndefined();
    }
    input.write("\r");
    await new Promise(setImmediate);
    vi.advanceTimersByTime(60_000);
    await end;
    expect(answer).toBe(`${block.slice(0, 30)}\n${block.slice(30)}`);
  });

  it("ends by itself where the paste ends with a line end", async () => {
    expect((await typed([`${block}\n\n`], true)).answer).toBe(block);
  });

  it("may have no braces at all, as long as its lines come together", async () => {
    expect((await typed(["rounds: 8,\nmem_cost: 14,\n"], true)).answer).toBe(
      "rounds: 8,\nmem_cost: 14,",
    );
  });

  it("reads Windows line ends as one", async () => {
    expect((await typed([`${block.replaceAll("\n", "\r\n")}\r`], true)).answer).toBe(block);
  });
});
