/** Opens inputs as streams of UTF-8 text, unpacked and decoded, with the head by which a source recognizes its own. An input that is no text is refused. */

import type { Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { exhausted, RunError, systemErrorCode } from "../../errors/run-error.js";
import type { FileHead } from "../source.js";
import { decodeStart, detectEncoding } from "./encoding.js";
import { refuseForeign } from "./foreign-file.js";
import { unpacked } from "./gunzip.js";
import { resume, takeStart } from "./start.js";
import { createTranscoder, UTF_16BE, UTF_16LE } from "./transcode.js";

/** How much of an input detection sees, in bytes. */
const HEAD_BYTES = 64 * 1024;

/** Larger reads gain nothing: a chunk is parsed at once, and memory should stay flat. */
const CHUNK_BYTES = 64 * 1024;

/** An input that was opened and looks like text. */
interface OpenInput {
  readonly head: FileHead;
  /** All of it from the start as UTF-8, without a byte-order mark. Can be read once. */
  readonly bytes: AsyncIterable<Buffer>;
  /** Ends the reading of the chunks, wherever it is. */
  close(): Promise<void>;
}

/**
 * Reads the start of a file.
 *
 * @param encoding as for {@link openInput}
 * @throws RunError `input_unreadable`, and as {@link openInput}
 */
export async function readHead(path: string, encoding: string | null = null): Promise<FileHead> {
  const input = await openInput(path, openFile(path), encoding);
  await input.close();
  return input.head;
}

/**
 * A file's bytes as they are on disk. Ending the iteration closes the file, before the iteration is
 * over.
 *
 * @param state the file as it was looked at before; as it is when it is opened, by default
 * @throws RunError `input_unreadable`, `input_changed` (since it was looked at, or
 *   while it is read), on the first step or any later one
 */
export async function* openFile(
  path: string,
  state?: FileState,
): AsyncGenerator<Buffer, void, undefined> {
  const file = await attempt(path, () => open(path));
  try {
    const before = state ?? (await attempt(path, () => file.stat()));
    await checkUnchanged(path, before, file);
    let next = readChunk(file);
    try {
      for (;;) {
        const read = next;
        const chunk = await attempt(path, () => read);
        if (chunk.length === 0) break;
        // Read on while this one is worked on.
        next = readChunk(file);
        yield chunk;
      }
    } finally {
      await next.catch(() => {});
    }
    // Before its end is told: of a file that is being written the last row may be half a row.
    await checkUnchanged(path, before, file);
  } finally {
    await file.close();
  }
}

/** @returns an empty chunk at the end of the file; a failure may be awaited later */
function readChunk(file: FileHandle): Promise<Buffer> {
  const room = Buffer.allocUnsafe(CHUNK_BYTES);
  // Not by its place: a pipe has none.
  const chunk = file
    .read(room, 0, room.length, null)
    .then(({ bytesRead }) => room.subarray(0, bytesRead));
  chunk.catch(() => {});
  return chunk;
}

/**
 * Checks the open file and the one that has its name now. Where none has it, that is no change: the
 * open file stays.
 */
async function checkUnchanged(path: string, before: FileState, file: FileHandle): Promise<void> {
  const named = await stat(path).catch(() => null);
  requireUnchanged(path, before, await attempt(path, () => file.stat()), named !== null);
  if (named !== null) requireUnchanged(path, before, named);
}

/** @throws RunError `input_unreadable` */
export function statFile(path: string): Promise<Stats> {
  return attempt(path, () => stat(path));
}

/**
 * What `work` makes of a file.
 *
 * @throws RunError `input_unreadable` in place of system errors
 */
export async function attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError(path, error);
  }
}

/**
 * Looks at the start of an input and hands all of it on, unpacked and as UTF-8. Ends `chunks` where
 * it throws.
 *
 * @param name for messages
 * @param chunks as they are on disk
 * @param encoding as `TextDecoder` names it; null (the default) for UTF-8, and UTF-16 that shows
 *   itself
 * @throws RunError `no_users`, `input_unrecognized` (no text), `input_damaged`, or
 *   what `chunks` throws
 */
export async function openInput(
  name: string,
  chunks: AsyncIterator<Buffer>,
  encoding: string | null = null,
): Promise<OpenInput> {
  const source = unpacked(name, chunks);
  try {
    const start = await takeStart(source, HEAD_BYTES + 1);
    const bytes = Buffer.concat(start.parts);
    if (start.cutOff !== null && bytes.length === 0) throw isEmpty(name);
    refuseForeign(name, bytes);
    const found = detectEncoding(bytes.subarray(0, HEAD_BYTES), encoding);
    const text = decodeStart(name, bytes.subarray(found.mark, HEAD_BYTES), found.name);
    const complete = start.ended && bytes.length <= HEAD_BYTES;
    const excel = excelLine(text);
    const isWide = found.name === UTF_16LE || found.name === UTF_16BE;
    const skip = found.mark + excel * (isWide ? 2 : 1);
    if (complete && text.trim() === "") throw isEmpty(name);
    return {
      head: { path: name, text: text.slice(excel), complete },
      bytes: toUtf8(resume(start, skip, source), found.name),
      async close() {
        await source.return();
      },
    };
  } catch (error) {
    await source.return();
    throw error;
  }
}

/**
 * The length of Excel's own first line, `sep=;`, which is no row; 0 where the next line has another
 * delimiter more often, and for a text without one.
 */
function excelLine(text: string): number {
  const [line = "", delimiter = ""] = /^sep=([,;|\t])\r?\n/i.exec(text) ?? [];
  const header = text.slice(line.length).split("\n", 1)[0] ?? "";
  const often = (one: string): number => header.split(one).length;
  return [...",;|\t"].every((other) => often(other) <= often(delimiter)) ? line.length : 0;
}

async function* toUtf8(chunks: AsyncGenerator<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const transcoder = createTranscoder(encoding);
  for await (const chunk of chunks) yield transcoder?.write(chunk) ?? chunk;
  transcoder?.end();
}

function isEmpty(name: string): RunError {
  return new RunError("no_users", `${name} is empty`, {
    hint: "Export the users again, or name another file.",
  });
}

/** An address without what may be a key: what stands before an @, and behind a question mark. */
function shownAddress(path: string): string {
  return path.replace(/^(\w+:\/\/)[^/?]*@/, "$1").replace(/\?.*$/s, "");
}

/** What fetches a file to its program's standard output, by how the file's address begins. */
const FETCH: readonly (readonly [address: RegExp, command: string])[] = [
  [/^s3:\/\//i, "aws s3 cp FILE -"],
  [/^gs:\/\//i, "gcloud storage cat FILE"],
  [/^https?:\/\//i, "curl -fsSL FILE"],
];

/** The command that fetches a remote file; null for a path. */
function commandFor(path: string): string | null {
  const isPlain = /^[\w./@%+,:-]+$/.test(path) && shownAddress(path) === path;
  const [, command = null] = FETCH.find(([address]) => address.test(path)) ?? [];
  return command?.replace("FILE", isPlain ? path : "ADDRESS") ?? null;
}

/** The error that people are told in place of a system error. */
export function fileError(path: string, cause: unknown): RunError {
  const noHandles = exhausted(cause);
  if (noHandles !== null) return noHandles;
  const code = systemErrorCode(cause);
  const command = commandFor(path);
  if (code === "EISDIR") {
    return new RunError("input_unreadable", `${path} is a directory`, {
      hint: "Name the export's files instead.",
      cause,
    });
  }
  if (code !== "ENOENT" && code !== "ENOTDIR") {
    return new RunError("input_unreadable", `${path} can't be read (${code})`, {
      hint: "Check the file's permissions and its disk.",
      cause,
    });
  }
  if (command === null) {
    return new RunError("input_unreadable", `${path} does not exist`, {
      hint: "Check the path; it is relative to the working directory.",
      cause,
    });
  }
  return new RunError("input_unreadable", `${shownAddress(path)} is an address, and no file here`, {
    hint: `Let its own program fetch it: ${command} | auth-migrate validate - (or save it as a file first, which a proof needs).`,
    cause,
  });
}

/**
 * What shows a change. The inode isn't here: on some file systems it differs from one opening to
 * the next. Another file in this one's place has another time anyway.
 */
interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
  /** When contents or attributes changed last: what writes in place can put back the other time, not this one. */
  readonly ctimeMs: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** How many names it has. */
  readonly nlink: number;
  isFile(): boolean;
}

const CONTENTS = ["size", "mtimeMs"] as const;
/** Any of these explains another ctime: the rights were changed, or a name came or went. */
const ATTRIBUTES = ["mode", "uid", "gid", "nlink"] as const;

/**
 * Recognizes that a file has changed since it was looked at: what was found in it and what was sent
 * from it may be of two exports.
 *
 * @param path for the message
 * @param isNamed false where nothing has that name any more: it was moved away, which is no change
 * @throws RunError `input_changed`
 */
export function requireUnchanged(
  path: string,
  before: FileState,
  now: FileState,
  isNamed = true,
): void {
  if (!before.isFile()) return;
  const isSame = (part: keyof FileState): boolean => before[part] === now[part];
  const isTouched = isNamed && !isSame("ctimeMs") && ATTRIBUTES.every(isSame);
  if (CONTENTS.every(isSame) && !isTouched) return;
  throw new RunError("input_changed", `${path} has changed since it was first looked at`, {
    hint: "Wait until the export is written whole, then run the same command again: it goes on where it stopped, with the file as it is then.",
  });
}
