/** Finds out in which encoding an input is: by its byte-order mark, by a pattern that can't be mistaken, or because the operator says so. Encodings of one byte a character all look alike, and none is ever guessed. */

import { optionName } from "../../errors/option-name.js";
import { RunError } from "../../errors/run-error.js";
import { createTranscoder, UTF_8, UTF_16BE, UTF_16LE } from "./transcode.js";

/** Unicode's byte-order marks; they win over what the operator says, as in the Encoding Standard. */
const MARKS = [
  { encoding: UTF_8, mark: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: UTF_16LE, mark: Buffer.from([0xff, 0xfe]) },
  { encoding: UTF_16BE, mark: Buffer.from([0xfe, 0xff]) },
] as const;

/** An input's encoding. */
interface Encoding {
  /** As `TextDecoder` names it. */
  readonly name: string;
  /** How many bytes its byte-order mark takes. */
  readonly mark: number;
}

/**
 * The encoding that a label stands for: those of the Encoding Standard that `TextDecoder` knows.
 *
 * @returns as `TextDecoder` names it (`latin1` is `windows-1252`), or null for no such label
 */
export function encodingNamed(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/**
 * @param start the first bytes, 64 KiB of them or all there are
 * @param given what {@link encodingNamed} made of the operator's label; null where it is to be
 *   found out
 */
export function detectEncoding(start: Buffer, given: string | null): Encoding {
  const marked = MARKS.find(({ mark }) => start.subarray(0, mark.length).equals(mark));
  if (marked !== undefined) return { name: marked.encoding, mark: marked.mark.length };
  return { name: given ?? utf16WithoutMark(start) ?? UTF_8, mark: 0 };
}

/**
 * The text of an input's start.
 *
 * @param name for messages
 * @param bytes without a byte-order mark; they may end inside a character
 * @throws RunError `input_unrecognized` where it isn't the text that it should be
 */
export function decodeStart(name: string, bytes: Buffer, encoding: string): string {
  const transcoder = createTranscoder(encoding);
  if (transcoder !== null) return transcoder.write(bytes).toString();
  try {
    // `stream` forgives the one character that the end of the head may cut through.
    const text = new TextDecoder(UTF_8, { fatal: true, ignoreBOM: true }).decode(bytes, {
      stream: true,
    });
    // A few NULs are a fault of rows; more of them are no text.
    const nuls = text.split("\0").length - 1;
    if (nuls * 8 <= text.length) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  if (isBinary(bytes)) {
    throw new RunError("input_unrecognized", `${name} is no text, but a binary file`, {
      hint: `Name the export itself, which is text: CSV, JSON or NDJSON. Another program's own file has to be exported from it as one of these. Text in an encoding that isn't UTF-8 is read by ${optionName("--encoding", "NAME")}.`,
    });
  }
  throw new RunError("input_unrecognized", `${name} is not UTF-8 text`, {
    hint: `Save the export as UTF-8 and run the same command again. Where it was saved on Windows as plain CSV or ANSI, ${optionName("--encoding")} windows-1252 reads it as it is.`,
  });
}

/** Control characters other than those of lines, columns and terminals (ESC begins a shift in ISO-2022), of which text has hardly any. */
function isBinary(bytes: Buffer): boolean {
  const controls = bytes.filter(
    (byte) => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b,
  ).length;
  return controls * 50 > bytes.length;
}

/**
 * The text of a vendor's export is mostly ASCII, and in UTF-16 every other byte of that is NUL. A
 * NUL in the other half is rare: it belongs to characters like Ā (U+0100) and 一 (U+4E00).
 */
function utf16WithoutMark(start: Buffer): string | null {
  if (!start.includes(0)) return null;
  const units = start.length >> 1;
  const [first = 0, second = 0] = [0, 1].map(
    (half) => start.filter((byte, at) => byte === 0 && at % 2 === half).length,
  );
  if (second * 4 >= units && first * 3 < second) return UTF_16LE;
  if (first * 4 >= units && second * 3 < first) return UTF_16BE;
  return null;
}
