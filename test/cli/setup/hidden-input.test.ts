import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { canceled } from "../../../src/cli/setup/asker.js";
import { openAsker } from "../../../src/cli/setup/clack-asker.js";
import type { Io } from "../../../src/cli/io.js";

/** Types chunks as a terminal hands them on, one a turn of the event loop, until the question has an answer. */
async function typed(chunks: readonly (string | Buffer)[], pasted = false) {
  const stdin = new PassThrough();
  const stderr = new PassThrough();
  const shown = stderr.toArray();
  const asker = await openAsker({ stdin, stderr } as unknown as Io, { canceled });
  let answer: string | Error | undefined;
  const question = { kind: "secret", message: "Its key", pasted } as const;
  void asker.prompt(question, false).then(
    (text) => {
      answer = text;
    },
    (error: Error) => {
      answer = error;
    },
  );
  const pass = () => new Promise((resolve) => setTimeout(resolve, 1));
  for (const chunk of chunks) {
    await pass();
    stdin.write(chunk);
  }
  for (let turns = 0; turns < 100 && answer === undefined; turns += 1) await pass();
  stderr.end();
  return { answer, screen: (await shown).join("") };
}

describe("a hidden answer", () => {
  it("ends with Enter, may be empty, and keeps spaces at either end", async () => {
    expect((await typed(["s", "e", "a\r"])).answer).toBe("sea");
    expect((await typed(["\r"])).answer).toBe("");
    expect((await typed([" ", "two words ", "\r"])).answer).toBe(" two words ");
  });

  it("takes characters of several bytes that come in two pieces", async () => {
    const bytes = Buffer.from("pässwörd\r");
    expect((await typed([bytes.subarray(0, 2), bytes.subarray(2)])).answer).toBe("pässwörd");
  });

  it("can be corrected", async () => {
    expect((await typed(["sew", "\u007f", "a\r"])).answer).toBe("sea");
    expect((await typed(["wrong", "\u0015", "right\r"])).answer).toBe("right");
    expect((await typed(["wrong", "\u007f", "right", "\r"], true)).answer).toBe("right");
  });

  it.each([false, true])("is canceled by Ctrl-C, pasted (%s) as well", async (pasted) => {
    const { answer } = await typed(["hash_config {", "\u0003"], pasted);
    expect(answer).toMatchObject({ code: "confirmation_declined" });
  });

  it.each([false, true])(
    "isn't shown, not even how long it is; pasted (%s) neither",
    async (pasted) => {
      const { screen } = await typed(["harbor-slate", "\r"], pasted);
      expect(screen).toMatch(/Its key/);
      expect(screen.match(/[▪•]/g)?.length ?? 0).toBe(pasted ? 2 : 0);
      expect(screen).not.toMatch(/harbor|slate/);
    },
  );
});

describe("a pasted block", () => {
  const block = "hash_config {\n  rounds: 8,\n  mem_cost: 14,\n}";
  const answerOf = async (...chunks: readonly string[]): Promise<unknown> =>
    (await typed(chunks, true)).answer;

  it("ends with the Enter behind it, however it is cut into pieces", async () => {
    expect(await answerOf(block, "\r")).toBe(block);
    expect(await answerOf(...block, "\r")).toBe(block);
    expect(await answerOf(block.replaceAll("\n", "\r\n"), "\r")).toBe(block);
  });

  it("leaves no Enter to the next question where it ends with line ends of its own", async () => {
    expect(await answerOf(`${block}\n\n`)).toBeUndefined();
    expect(await answerOf(`${block}\n\n`, "\r")).toBe(`${block}\n\n`);
  });

  it("is taken as it is at the second Enter where its brace is missing", async () => {
    const open = block.slice(0, -2);
    expect(await answerOf(open, "\r")).toBeUndefined();
    expect(await answerOf(open, "\r", "\r")).toBe(`${open}\n`);
    expect(await answerOf(open, "\r", "}", "\r")).toBe(`${open}\n}`);
  });

  it("knows nothing of cursor keys and the marks of a paste", async () => {
    const keys = ["\u001b[A", `\u001b[200~${block}\u001b[201~`, "\u001bOP", "\r"];
    expect(await answerOf(...keys)).toBe(block);
  });

  it("may have no braces at all", async () => {
    const bare = "rounds: 8,\nmem_cost: 14,";
    expect(await answerOf(bare, "\r")).toBe(bare);
  });
});
