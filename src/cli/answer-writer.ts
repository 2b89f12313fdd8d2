/** Writes answers as fast as they are taken and no faster, so that memory stays flat however slow the reader is; ends where the reader goes away. */

import { once } from "node:events";
import type { Writable } from "node:stream";
import type { HashAnswer } from "../source/hash-lines.js";
import type { FormatAnswer } from "./answer-format.js";

/**
 * Formats and writes batches of answers until they end, or until `output` is closed by who reads
 * it: then nobody wants the rest, and no more of it is made.
 *
 * @returns whether all of them were written
 * @throws what `answers` throws, after all answers before it were written
 */
export async function writeAnswers(
  answers: AsyncIterable<readonly HashAnswer[]>,
  format: FormatAnswer,
  output: Writable,
): Promise<boolean> {
  let open = true;
  const onError = (): void => {
    open = false;
  };
  // What the error was is main's business; process.stdout itself forgets it.
  output.on("error", onError);
  try {
    for await (const batch of answers) {
      if (!output.write(batch.map(format).join(""))) await takenOrClosed(output);
      if (!open) return false;
    }
    return true;
  } finally {
    output.off("error", onError);
  }
}

async function takenOrClosed(output: Writable): Promise<void> {
  try {
    await once(output, "drain");
  } catch {
    // An error ends the wait as well; `writeAnswers` has seen it.
  }
}
