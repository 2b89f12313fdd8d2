/** Writes text as fast as it is taken and no faster, so that memory stays flat however slow the reader is; ends where the reader goes away. */

import { once } from "node:events";
import type { Writable } from "node:stream";

/**
 * Writes pieces of text until they end, or until `output` is closed by who reads it: then nobody
 * wants the rest, and no more of it is made.
 *
 * @returns whether all of them were written
 * @throws what `pieces` throws, after all before it were written
 */
export async function writePieces(
  pieces: AsyncIterable<string> | Iterable<string>,
  output: Writable,
): Promise<boolean> {
  let open = true;
  const onError = (): void => {
    open = false;
  };
  // What the error was is main's business; process.stdout itself forgets it.
  output.on("error", onError);
  try {
    for await (const piece of pieces) {
      if (!output.write(piece)) await takenOrClosed(output);
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
    // An error ends the wait as well; `writePieces` has seen it.
  }
}
