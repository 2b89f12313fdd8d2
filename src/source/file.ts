/** Opening inputs: files as streams of bytes, and the head by which a source recognizes its own. Only UTF-8 text gets through; anything else is refused rather than garbled. */

import { type FileHandle, open } from "node:fs/promises";
import { RunError, systemErrorCode } from "../errors/run-error.js";
import type { FileHead } from "./source.js";

/** How much of a file detection sees, in bytes. */
const HEAD_BYTES = 64 * 1024;

/** Larger reads gain nothing: a chunk is parsed at once, and memory should stay flat. */
const CHUNK_BYTES = 64 * 1024;

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const GZIP = Buffer.from([0x1f, 0x8b]);

/** An input that was opened and looks like text. */
export interface OpenInput {
  readonly head: FileHead;
  /** All bytes from the start, without a byte-order mark. Can be read once. */
  readonly bytes: AsyncIterable<Buffer>;
}

/**
 * Reads the start of a file.
 *
 * @throws RunError `input_missing`, `input_unreadable`, `input_empty`, `input_unrecognized` (not
 *   UTF-8 text)
 */
export async function readHead(path: string): Promise<FileHead> {
  const chunks = openFile(path);
  try {
    return (await openInput(path, chunks)).head;
  } finally {
    await chunks.return(undefined);
  }
}

/**
 * A file's bytes. Ending the iteration closes the file, before the iteration is over.
 *
 * @throws RunError `input_missing`, `input_unreadable`, on the first step or any later one
 */
export async function* openFile(path: string): AsyncGenerator<Buffer, void, undefined> {
  const file = await attempt(path, () => open(path));
  try {
    for (;;) {
      const chunk = await attempt(path, () => readChunk(file));
      if (chunk.length === 0) return;
      yield chunk;
    }
  } finally {
    await file.close();
  }
}

/** @returns an empty chunk at the end of the file */
async function readChunk(file: FileHandle): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES));
  return buffer.subarray(0, bytesRead);
}

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError(path, error);
  }
}

/**
 * Looks at the head of an input and hands all of it on.
 *
 * @throws RunError `input_empty`, `input_unrecognized` (not UTF-8 text), or what `chunks` throws
 */
export async function openInput(path: string, chunks: AsyncIterator<Buffer>): Promise<OpenInput> {
  const parts: Buffer[] = [];
  let length = 0;
  let ended = false;
  while (length <= HEAD_BYTES && !ended) {
    const next = await chunks.next();
    if (next.done === true) ended = true;
    else {
      parts.push(next.value);
      length += next.value.length;
    }
  }
  const start = Buffer.concat(parts);
  const text = decodeHead(path, start.subarray(0, HEAD_BYTES));
  const complete = ended && length <= HEAD_BYTES;
  if (complete && text.trim() === "") {
    throw new RunError("input_empty", `${path} is empty`, {
      hint: "Export the users again, or name another file.",
    });
  }
  const bom = start.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
  return { head: { path, text, complete }, bytes: resume(parts, bom, chunks) };
}

async function* resume(
  parts: readonly Buffer[],
  bom: number,
  rest: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  let skip = bom;
  for (const part of parts) {
    yield part.subarray(skip);
    skip = Math.max(0, skip - part.length);
  }
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

function decodeHead(path: string, bytes: Buffer): string {
  if (bytes.subarray(0, 2).equals(GZIP)) {
    throw notText(path, "is compressed", "Unpack it with gunzip and name the unpacked file.");
  }
  try {
    // `stream` forgives the one character that the end of the head may cut through.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    if (isBinary(text)) throw new TypeError("NUL characters");
    return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const hint = "Save the export as UTF-8 and run the same command again.";
    throw notText(path, "is not UTF-8 text", hint);
  }
}

/** UTF-16 without a byte-order mark is UTF-8 to a decoder: every other character is NUL. */
function isBinary(text: string): boolean {
  let nuls = 0;
  for (let at = text.indexOf("\0"); at !== -1; at = text.indexOf("\0", at + 1)) nuls++;
  return nuls * 8 > text.length;
}

function notText(path: string, what: string, hint: string): RunError {
  return new RunError("input_unrecognized", `${path} ${what}`, { hint });
}

function fileError(path: string, cause: unknown): RunError {
  const code = systemErrorCode(cause);
  if (code === "ENOENT" || code === "ENOTDIR") {
    const hint = "Check the path; it is relative to the working directory.";
    return new RunError("input_missing", `${path} does not exist`, { hint, cause });
  }
  if (code === "EISDIR") {
    const hint = "Name the export's files instead.";
    return new RunError("input_unreadable", `${path} is a directory`, { hint, cause });
  }
  const hint = "Check the file's permissions and its disk.";
  return new RunError("input_unreadable", `${path} can't be read (${code})`, { hint, cause });
}
