import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readHidden } from "../../../src/cli/setup/clack-asker.js";

afterEach(() => vi.useRealTimers());

/** An Enter that is pressed by itself, when what came before is over. */
const ENTER = Symbol("Enter");

/** Types chunks as a terminal hands them on, one a turn of the event loop; time passes only before and behind an {@link ENTER}. */
async function typed(chunks: readonly (string | Buffer | typeof ENTER)[], lines = false) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const input = new PassThrough();
  const seen: string[] = [];
  let answer: string | null | undefined;
  const onChange = (text: string, note: string): void => void seen.push(text + note);
  void readHidden(input, { lines, onChange }).then((text) => {
    answer = text;
  });
  const pass = async (ms: number): Promise<void> => {
    await new Promise(setImmediate);
    vi.advanceTimersByTime(ms);
    await new Promise(setImmediate);
  };
  for (const chunk of chunks) {
    if (chunk === ENTER) await pass(600_000);
    input.write(chunk === ENTER ? "\r" : chunk);
    await new Promise(setImmediate);
  }
  await pass(600_000);
  return { answer, seen };
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

  it("ends with an Enter that is pressed by itself, however the block is cut into pieces", async () => {
    expect((await typed([block, ENTER], true)).answer).toBe(block);
    expect((await typed([...block, ENTER], true)).answer).toBe(block);
    const lines = block.split("\n").flatMap((line): (string | typeof ENTER)[] => [line, ENTER]);
    expect((await typed(lines, true)).answer).toBe(block);
  });

  it("leaves no Enter to the next question where the paste itself ends with a line end", async () => {
    const pasted = [`${block}\n`, "\n"];
    const { answer, seen } = await typed(pasted, true);
    expect(answer).toBeUndefined();
    expect(seen.at(-1)).toMatch(/, Enter ends$/);
    expect((await typed([...pasted, ENTER], true)).answer).toBe(block);
  });

  it("says that the closing brace is missing, and is taken as it is at the second Enter", async () => {
    const open = block.slice(0, -2);
    const { answer, seen } = await typed([open, ENTER], true);
    expect(answer).toBeUndefined();
    expect(seen.at(-1)).toMatch(/, \} is missing: Enter takes it as it is$/);
    expect((await typed([open, ENTER, ENTER], true)).answer).toBe(open);
    expect((await typed([open, ENTER, "}", ENTER], true)).answer).toBe(`${open}\n}`);
  });

  it("may have no braces at all", async () => {
    const bare = "rounds: 8,\nmem_cost: 14,";
    expect((await typed([`${bare}\n`, ENTER], true)).answer).toBe(bare);
  });

  it("isn't ended by an Enter before it", async () => {
    expect((await typed([ENTER, ENTER, block, ENTER], true)).answer).toBe(block);
  });

  it("reads Windows line ends as one", async () => {
    const windows = block.replaceAll("\n", "\r\n");
    expect((await typed([windows, ENTER], true)).answer).toBe(block);
  });
});
