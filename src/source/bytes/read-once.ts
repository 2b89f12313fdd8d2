/** Inputs that can be read only once: pipes, and the standard input that the caller hands over. They are opened once; what was looked at to recognize them is handed on with the rest. */

import { open } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { systemErrorCode } from "../../errors/run-error.js";
import { attempt, fileError, openInput } from "./file.js";
import { restOf } from "./start.js";

/**
 * Opens a pipe (FIFO) once it has a writer. It is a stream and not a file, so that it can be closed
 * while it waits for its writer.
 *
 * @throws RunError `input_unreadable`
 */
export async function openPipe(path: string): Promise<Readable> {
  const fd = await attempt(path, () => promisify(open)(path, "r"));
  return new Socket({ fd, readable: true, writable: false });
}

/**
 * Looks at a stream's head without losing it. Closes the stream where it throws.
 *
 * @param name for messages
 * @param encoding as for `openInput`
 * @returns beside it all bytes as they came, to be read once: ending that closes the input, and so
 *   does `close` for an input that isn't read
 * @throws RunError as `openInput`; `input_unreadable` in place of system errors
 */
export async function lookAtOnce(
  name: string,
  stream: AsyncIterable<Buffer>,
  encoding: string | null,
) {
  const chunks = guarded(name, stream);
  const close = async (): Promise<void> => {
    await chunks.return();
  };
  const seen: Buffer[] = [];
  try {
    const input = await openInput(name, remembered(chunks, seen), encoding);
    await input.close();
    return { head: input.head, bytes: replayed(seen, chunks), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* guarded(
  name: string,
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* stream;
  } catch (error) {
    // Anything else is a stop by a signal, or a bug; neither is the stream's fault.
    throw /^E[A-Z0-9]+$/.test(systemErrorCode(error)) ? fileError(name, error) : error;
  }
}

/** Ending it early leaves the stream where it is. */
async function* remembered(
  chunks: AsyncIterator<Buffer>,
  seen: Buffer[],
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of restOf(chunks)) {
    seen.push(chunk);
    yield chunk;
  }
}

async function* replayed(
  seen: Buffer[],
  chunks: AsyncGenerator<Buffer, void, undefined>,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* seen.splice(0);
    yield* chunks;
  } finally {
    await chunks.return();
  }
}
