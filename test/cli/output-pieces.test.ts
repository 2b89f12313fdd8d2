import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { writePieces } from "../../src/cli/output-file.js";

const PIECE = '{"type":"hash"}\n'.repeat(100);

/** More pieces than a reader that holds back can have asked for; a writer that doesn't is stopped. */
const TOO_MANY = 5_000;

/** Pieces, as many as are asked for; `made` says how many that were. */
function endlessPieces() {
  const state = { made: 0, ended: false };
  async function* pieces(): AsyncGenerator<string> {
    try {
      for (;;) {
        state.made += 1;
        if (state.made > TOO_MANY) throw new Error("nothing holds the writer back");
        yield PIECE;
      }
    } finally {
      state.ended = true;
    }
  }
  return { state, pieces: pieces() };
}

describe("pieces of a result", () => {
  it("are made no faster than they are taken", async () => {
    const { state, pieces } = endlessPieces();
    const output = new PassThrough({ highWaterMark: 64 * 1024 });
    const writing = writePieces(pieces, output);
    let taken = 0;
    for (let round = 0; round < 20; round += 1) {
      await once(output, "readable");
      // Nobody takes anything while other work goes on: nothing piles up meanwhile.
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
      const made = state.made;
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
      expect(state.made).toBe(made);
      expect(output.readableLength + output.writableLength).toBeLessThan(512 * 1024);
      taken += String(output.read()).length;
    }
    expect(taken).toBeGreaterThan(1024 * 1024);
    output.destroy(new Error("enough"));
    expect(await writing).toBe(false);
  });

  it("end where their reader goes away", async () => {
    const { state, pieces } = endlessPieces();
    const texts: string[] = [];
    const output = new Writable({
      decodeStrings: false,
      write(text, _encoding, done) {
        texts.push(String(text));
        setImmediate(() => done(texts.length < 3 ? null : new Error("EPIPE")));
      },
    });
    expect(await writePieces(pieces, output)).toBe(false);
    expect(state.ended).toBe(true);
    expect(output.listenerCount("error")).toBe(0);
  });
});
