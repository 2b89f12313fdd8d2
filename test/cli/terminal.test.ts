import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { processIo } from "../../src/cli/io.js";
import { createTerminal } from "../../src/cli/terminal.js";

it("prints a line of the result safely, with the styles of its layout, whoever prints it", () => {
  const stdout = new PassThrough();
  const mode = { json: false, quiet: false, input: false };
  const terminal = createTerminal(mode, { ...processIo(), stdout });
  terminal.result("\u001b[1mRejected\u001b[22m \u001b[2Jann\u202e");
  terminal.answer({ type: "version", version: "1" } as never, () => ["\u001b[2mfaint\u001b[22m"]);
  expect(String(stdout.read())).toBe(
    "\u001b[1mRejected\u001b[22m \\u{1b}[2Jann\\u{202e}\n\u001b[2mfaint\u001b[22m\n",
  );
});
