/** Reads text line by line, for formats in which a line is a row. Lines come with their line feed, so that a last line without one can be told. Blank lines are no rows and are left out, unless they are asked for. */

import { isUtf8 } from "node:buffer";
import { isGarbled, NOT_UTF8, RowDamage } from "./row-damage.js";

const LF = 0x0a;
const MAX_LINE_BYTES = 1024 * 1024;

const CUT_OFF = new RowDamage(
  "truncated",
  "The file ends inside a character of its last line; export the users again.",
);
const TOO_LONG = new RowDamage(
  "row_too_large",
  `The line has more than ${MAX_LINE_BYTES} bytes; no user is that large.`,
);

/**
 * Reads lines of UTF-8 text, whatever the size of the pieces in which the bytes come.
 *
 * @param blanks whether blank lines are lines, for a format in which a line's number counts; by
 *   default they are left out
 * @returns batches of lines with their LF or CRLF; the last one of a file may have neither. A line
 *   that is too long or not UTF-8 is damage.
 */
export async function* readLines(
  bytes: AsyncIterable<Buffer>,
  { blanks = false }: { readonly blanks?: boolean } = {},
): AsyncGenerator<readonly (string | RowDamage)[]> {
  const isLine = blanks ? isText : isFilled;
  let parts: Buffer[] = [];
  let length = 0;
  let skipping = false;
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(LF) + 1;
    if (end > 0) {
      const first = chunk.indexOf(LF) + 1;
      const lines: (string | RowDamage)[] = [];
      if (!skipping) lines.push(decodeLine(parts, length, chunk.subarray(0, first)));
      for (const line of splitLines(chunk.subarray(first, end))) lines.push(line);
      yield lines.filter(isLine);
      parts = [];
      length = 0;
      skipping = false;
    }
    if (skipping || end === chunk.length) continue;
    parts.push(chunk.subarray(end));
    length += chunk.length - end;
    if (length > MAX_LINE_BYTES) {
      yield [TOO_LONG];
      parts = [];
      length = 0;
      skipping = true;
    }
  }
  const last = Buffer.concat(parts);
  yield [isUtf8(last) ? last.toString() : CUT_OFF].filter(isLine);
}

function decodeLine(parts: readonly Buffer[], length: number, end: Buffer): string | RowDamage {
  if (length + end.length > MAX_LINE_BYTES) return TOO_LONG;
  const bytes = parts.length === 0 ? end : Buffer.concat([...parts, end]);
  return isUtf8(bytes) ? bytes.toString() : NOT_UTF8;
}

function splitLines(bytes: Buffer): (string | RowDamage)[] {
  const text = bytes.toString();
  const sound = isUtf8(bytes);
  const lines: (string | RowDamage)[] = [];
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf("\n", from) + 1 || text.length;
    const line = text.slice(from, end);
    if (isTooLong(line)) lines.push(TOO_LONG);
    else lines.push(sound || !isGarbled(line) ? line : NOT_UTF8);
    from = end;
  }
  return lines;
}

/** What stands behind the last line feed is a line only where something is there. */
function isText(line: string | RowDamage): boolean {
  return line !== "";
}

function isFilled(line: string | RowDamage): boolean {
  return line instanceof RowDamage || line.trim() !== "";
}

function isTooLong(line: string): boolean {
  // A UTF-16 unit is three bytes of UTF-8 at most: most lines needn't be counted.
  return line.length * 3 > MAX_LINE_BYTES && Buffer.byteLength(line) > MAX_LINE_BYTES;
}
