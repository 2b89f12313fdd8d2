import { describe, expect, it } from "vitest";
import { exhausted } from "../../src/errors/run-error.js";

/** What V8 throws where a limit keeps it from memory. */
function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("an error for want of what the process needs", () => {
  it.each([
    ["a buffer", () => new ArrayBuffer(2 ** 52)],
    [
      "WebAssembly",
      () => {
        throw new RangeError("WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory");
      },
    ],
  ])("is told as memory: %s", (_what, work) => {
    expect(exhausted(failureOf(work))).toMatchObject({
      code: "out_of_resources",
      hint: expect.stringMatching(/ulimit -v.*same command again/),
    });
  });

  it.each(["EMFILE", "ENFILE"])("is told as file handles: %s", (code) => {
    const error = Object.assign(new Error("open"), { code });
    expect(exhausted(error)).toMatchObject({ code: "out_of_resources" });
  });

  it.each([
    ["a range of a program's own", new RangeError("Invalid array length")],
    ["a file that isn't there", Object.assign(new Error("open"), { code: "ENOENT" })],
    ["no error at all", "out of memory"],
  ])("is nothing else: %s", (_what, error) => {
    expect(exhausted(error)).toBeNull();
  });
});
