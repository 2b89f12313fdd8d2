import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { jsonLine, writeAnswers } from "../../src/cli/answers.js";
import type { HashAnswer } from "../../src/source/hash-lines.js";

const BATCH = 100;

/** More batches than a reader that holds back can have asked for; a writer that doesn't is stopped. */
const TOO_MANY = 5_000;

/** Batches of answers, as many as are asked for; `made` says how many that were. */
function endlessBatches() {
  const state = { made: 0, ended: false };
  async function* batches(): AsyncGenerator<readonly HashAnswer[]> {
    try {
      for (let line = 1; ; line += BATCH) {
        state.made += 1;
        if (state.made > TOO_MANY) throw new Error("nothing holds the writer back");
        yield Array.from({ length: BATCH }, (_, index) => ({
          line: line + index,
          verdict: { verdict: "none" },
        }));
      }
    } finally {
      state.ended = true;
    }
  }
  return { state, batches: batches() };
}

describe("answers", () => {
  it("are made no faster than they are taken", async () => {
    const { state, batches } = endlessBatches();
    const output = new PassThrough({ highWaterMark: 64 * 1024 });
    const writing = writeAnswers(batches, jsonLine, output);
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
    const { state, batches } = endlessBatches();
    const texts: string[] = [];
    const output = new Writable({
      decodeStrings: false,
      write(text, _encoding, done) {
        texts.push(String(text));
        setImmediate(() => done(texts.length < 3 ? null : new Error("EPIPE")));
      },
    });
    expect(await writeAnswers(batches, jsonLine, output)).toBe(false);
    expect(state.ended).toBe(true);
    expect(output.listenerCount("error")).toBe(0);
  });

  it("are all written, in their order", async () => {
    const answers = Array.from({ length: 1000 }, (_, index): HashAnswer => {
      return { line: index + 1, verdict: { verdict: "none" } };
    });
    const output = new PassThrough({ highWaterMark: 1024 * 1024 });
    async function* batches(): AsyncGenerator<readonly HashAnswer[]> {
      yield answers.slice(0, 10);
      yield [];
      yield answers.slice(10);
    }
    expect(await writeAnswers(batches(), jsonLine, output)).toBe(true);
    expect(String(output.read())).toBe(answers.map(jsonLine).join(""));
  });
});
