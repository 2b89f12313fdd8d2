/** Where an input's bytes come from: a regular file, opened anew for every reading, or what can be read only once and is open from the first look on. */

import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { addAbortSignal, Readable } from "node:stream";
import { RunError } from "../errors/run-error.js";
import { attempt, openFile, readHead, requireUnchanged, statFile } from "./bytes/file.js";
import { lookAtOnce, openPipe } from "./bytes/read-once.js";
import type { FileHead } from "./source.js";

/** The name under which the standard input stands among files. */
export const STANDARD_INPUT = "-";

/** Users out of a program, in place of a file: the rows of a query, say. They are read once, as a pipe is. */
export interface UsersInput {
  /** Stands where a file's path does, in messages and in places of rows: the same one for the same users, run after run. */
  readonly name: string;
  /** An object each, taken as its JSON: a date as its ISO text, a bigint as its digits. */
  readonly users: Iterable<object> | AsyncIterable<object>;
}

/** What an input is called in messages. */
export function nameOf(path: string): string {
  return path === STANDARD_INPUT ? "standard input" : path;
}

/**
 * The inputs that are named, the files in folders included, which is how some systems export.
 *
 * @throws RunError `input_unreadable`, also for a folder without a file
 */
export async function* inputsAt<Other extends object>(
  named: readonly (string | Other)[],
): AsyncGenerator<string | Other> {
  for (const path of named) {
    if (typeof path !== "string") {
      yield path;
      continue;
    }
    const isFolder = path !== STANDARD_INPUT && (await statFile(path)).isDirectory();
    yield* isFolder ? await filesIn(path) : [path];
  }
}

/** All that lie in a folder, however deep, in the order of their names. An operating system's own files begin with a dot. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const found = await attempt(folder, () =>
    readdir(folder, { recursive: true, withFileTypes: true }),
  );
  const files = found
    .filter((one) => !one.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/(?:^|[\\/])\./.test(relative(folder, path)));
  if (files.length > 0) return files.sort();
  throw new RunError("input_unreadable", `The folder ${folder} has no file`, {
    hint: "Name the export's files, or the folder that they are in.",
  });
}

/** An input's bytes, before it is known whose export they are. */
export interface InputBytes {
  readonly head: FileHead;
  /** On disk; 0 for what is no regular file. */
  readonly size: number;
  /** Anything but a regular file. */
  readonly readOnce: boolean;
  /**
   * @throws RunError `input_unreadable` for a second reading of what can be read once
   */
  open(signal: AbortSignal | undefined): AsyncIterable<Buffer>;
  /** @throws RunError `input_changed` for a file that isn't as it was looked at */
  requireUnchanged(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens an input and looks at its head.
 *
 * @param encoding as `TextDecoder` names it; null to find out
 * @param stdin what `-` stands for
 * @throws RunError as {@link readHead}
 */
export async function openBytes(
  path: string | UsersInput,
  encoding: string | null,
  stdin: AsyncIterable<Buffer> | undefined,
): Promise<InputBytes> {
  if (typeof path !== "string") return openStream(path.name, null, linesOf(path.users));
  if (path === STANDARD_INPUT && stdin !== undefined) return openStream(path, encoding, stdin);
  const stat = await statFile(path);
  if (!stat.isFile()) {
    return openStream(path, encoding, stat.isFIFO() ? await openPipe(path) : openFile(path));
  }
  const head = await readHead(path, encoding);
  return {
    head,
    size: stat.size,
    readOnce: false,
    open: () => openFile(path, stat),
    async requireUnchanged() {
      const now = await statFile(path).catch(() => null);
      if (now !== null) requireUnchanged(path, stat, now);
    },
    async close() {},
  };
}

/**
 * Opens what can be read once and looks at its head.
 *
 * @param encoding as `TextDecoder` names it; null to find out
 * @throws RunError as {@link readHead}, and what the stream throws
 */
export async function openStream(
  path: string,
  encoding: string | null,
  stream: AsyncIterable<Buffer>,
): Promise<InputBytes> {
  const { head, bytes, close } = await lookAtOnce(nameOf(path), stream, encoding);
  let taken = false;
  return {
    head,
    size: 0,
    readOnce: true,
    open(signal) {
      if (taken) {
        throw new RunError("input_unreadable", `${nameOf(path)} can be read only once.`, {
          hint: "Save the export as a file and name that.",
        });
      }
      taken = true;
      // The signal also ends the wait for a slow writer.
      if (signal !== undefined && stream instanceof Readable) addAbortSignal(signal, stream);
      return bytes;
    },
    async requireUnchanged() {},
    close,
  };
}

/** Users as JSON, one a line. */
async function* linesOf(users: UsersInput["users"]): AsyncGenerator<Buffer> {
  // A bigint has no JSON of its own.
  const plain = (_name: string, value: unknown): unknown =>
    typeof value === "bigint" ? String(value) : value;
  for await (const user of users) yield Buffer.from(`${JSON.stringify(user, plain)}\n`);
}
