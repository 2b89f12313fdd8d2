/** Reads files that people write by hand: configuration, keys, parameters. Reading stops at a limit, so that a data file or `/dev/zero` in their place ends in a message. */

import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { RunError, systemErrorCode } from "../errors/run-error.js";
import { otherOwner } from "../files/own-file.js";

/** More than any bundle of certificate authorities has, the largest of these files. */
export const MAX_SMALL_FILE_BYTES = 1024 * 1024;

/** A file's text, or the reason why it can't be read, for a message. */
type SmallFile = { readonly text: string } | { readonly flaw: string; readonly cause?: unknown };

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "this user may not read it",
  EPERM: "this user may not read it",
};

/** @param maxBytes the limit; a larger file is a flaw */
export function readSmallText(path: string, maxBytes = MAX_SMALL_FILE_BYTES): SmallFile {
  try {
    const bytes = readUpTo(path, maxBytes + 1);
    if (bytes.length <= maxBytes) return { text: bytes.toString("utf8") };
    return { flaw: `it is larger than ${maxBytes / 1024} KiB, so it must be another file` };
  } catch (cause) {
    return { flaw: REASONS[systemErrorCode(cause)] ?? "it can't be read", cause };
  }
}

/** Options whose missing file isn't named in a message: the operator may have given the secret itself. */
const OF_SECRETS = /-(?:key|salt|password|secret)-file$/;

/**
 * Reads a file that an option names.
 *
 * @param maxBytes a megabyte by default
 * @throws RunError `config_invalid` naming the option and the file
 */
export function readSmallFile(path: string, option: string, maxBytes?: number): string {
  const file = readSmallText(path, maxBytes);
  if ("text" in file) return file.text;
  const name = OF_SECRETS.test(option) && !existsSync(path) ? "" : ` ${path}`;
  throw new RunError("config_invalid", `${option}${name}: ${file.flaw}.`, {
    hint: `Check the path that ${option} gives.`,
    cause: file.cause,
  });
}

/**
 * The certificate authority (PEM) that `--ca-file` names, if any.
 *
 * @throws RunError `config_invalid`
 */
export function authorityIn(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readSmallFile(file, "--ca-file");
}

const ROOT = 0;

/**
 * Refuses another user's configuration that is read only because it lies in the working directory.
 * It could send the users, or the key, to that user's core.
 *
 * @param option names the file where the operator wants it all the same
 * @throws RunError `config_invalid`
 */
export function requireTrusted(path: string, option: string): void {
  const owner = otherOwner(path, [ROOT]);
  if (owner === null) return;
  throw new RunError(
    "config_invalid",
    `The configuration file ${path} belongs to another user (uid ${owner}), and no option names it.`,
    { hint: `Read it. If it says what you want, name it: ${option} ${path}` },
  );
}

/** Reads in pieces, because a pipe (a shell's `<(…)`) has no size and gives only what has come so far. */
function readUpTo(path: string, maxBytes: number): Buffer {
  const file = openSync(path, "r");
  try {
    const pieces: Buffer[] = [];
    for (let left = maxBytes; left > 0; ) {
      const piece = Buffer.allocUnsafe(Math.min(left, 64 * 1024));
      const count = readSync(file, piece);
      if (count === 0) break;
      pieces.push(piece.subarray(0, count));
      left -= count;
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(file);
  }
}

const HINT =
  "Mend it there; every field may be given in the file or as an environment variable of the same name in upper case.";

/** @param what is wrong, and where; never a value */
export function coreConfigInvalid(what: string, hint = HINT): RunError {
  return new RunError("config_invalid", `The core's configuration can't be used: ${what}.`, {
    hint,
  });
}
