/** Reads text line by line, for formats in which a line is a row. Lines come with their line feed, so that a last line without one can be told, and blank ones are left out; unless bare lines are asked for. */

import { isUtf8 } from "node:buffer";
import { CR, LF } from "./ascii.js";
import { isGarbled, notUtf8, RowDamage } from "../row-damage.js";

const MAX_LINE_BYTES = 1024 * 1024;

const CUT_OFF = new RowDamage(
  "truncated",
  "The file ends inside a character of its last line; export the users again.",
);
const TOO_LONG = new RowDamage(
  "row_too_large",
  `The line has more than ${MAX_LINE_BYTES} bytes; no user is that large.`,
);

/** Lines in file order. */
export interface Lines extends ReadonlyArray<string | RowDamage> {
  /** The number of each in its file, from 1. */
  readonly numbers: readonly number[];
}

/**
 * Reads lines of UTF-8 text, whatever the size of the pieces in which the bytes come.
 *
 * @param bare all lines, blank ones too, without their LF or CRLF: for a format in which a line's
 *   number counts; false by default
 * @returns batches of lines with their LF or CRLF; the last one of a file may have neither. A line
 *   that is too long or not UTF-8 is damage.
 */
export async function* readLines(
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  { bare = false }: { readonly bare?: boolean } = {},
): AsyncGenerator<Lines> {
  /** The line that has begun. */
  let held: Buffer = Buffer.alloc(0);
  /** Inside a line that is too long. */
  let skipping = false;
  let read = 0;
  const isKept = (line: string | RowDamage): boolean =>
    bare || line instanceof RowDamage || line.trim() !== "";
  const counted = (lines: readonly (string | RowDamage)[]): Lines => {
    const numbers = lines.flatMap((line, index) => (isKept(line) ? [read + index + 1] : []));
    read += lines.length;
    return Object.assign(lines.filter(isKept), { numbers });
  };
  for await (const chunk of bytes) {
    const skipped = skipping ? chunk.indexOf(LF) + 1 : 0;
    if (skipping && skipped === 0) continue;
    skipping = false;
    const text = Buffer.concat([held, chunk.subarray(skipped)]);
    const end = text.lastIndexOf(LF) + 1;
    if (end > 0) yield counted(splitLines(text.subarray(0, end), bare));
    held = text.subarray(end);
    if (held.length <= MAX_LINE_BYTES) continue;
    yield counted([TOO_LONG]);
    held = Buffer.alloc(0);
    skipping = true;
  }
  if (held.length > 0) yield counted([isUtf8(held) ? held.toString() : CUT_OFF]);
}

function splitLines(bytes: Buffer, bare: boolean): (string | RowDamage)[] {
  const sound = isUtf8(bytes);
  const lines: (string | RowDamage)[] = [];
  let from = 0;
  while (from < bytes.length) {
    const end = bytes.indexOf(LF, from) + 1;
    const line = textOf(bytes, from, end, bare);
    const isText = sound || !isGarbled(line) || isUtf8(bytes.subarray(from, end));
    const kept = isText ? line : notUtf8(bytes.subarray(from, end));
    lines.push(isTooLong(line) ? TOO_LONG : kept);
    from = end;
  }
  return lines;
}

/**
 * The line up to `end`, behind its line feed. It is decoded alone, not cut out of a larger text:
 * such cuttings slow down all that is done with the line, and one character beyond Latin-1 would
 * double the size of all.
 */
function textOf(bytes: Buffer, from: number, end: number, bare: boolean): string {
  if (!bare) return bytes.toString("utf8", from, end);
  return bytes.toString("utf8", from, bytes[end - 2] === CR ? end - 2 : end - 1);
}

function isTooLong(line: string): boolean {
  // A UTF-16 unit is three bytes of UTF-8 at most: most lines needn't be counted.
  return line.length * 3 > MAX_LINE_BYTES && Buffer.byteLength(line) > MAX_LINE_BYTES;
}
