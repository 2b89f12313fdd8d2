/** Turns text of other encodings into UTF-8 as a stream. Bytes that are no character become a byte that UTF-8 never has, so that the reader rejects their row. */

import { CutOff } from "./cut-off.js";

export const UTF_8 = "utf-8";
export const UTF_16LE = "utf-16le";
export const UTF_16BE = "utf-16be";

/** A byte that UTF-8 never has: the reader rejects the row. */
const NO_CHARACTER = Buffer.from([0xff]);
const REPLACEMENT = Buffer.from("\uFFFD");

const LONE_SURROGATE = /\p{Surrogate}/u;

/** What TextDecoder puts for bytes that are no character. */
const REPLACED = /\uFFFD/;

/**
 * Bytes 0x80 to 0x9f of windows-1252 (https://encoding.spec.whatwg.org/index-windows-1252.txt).
 * Node.js' own decoder takes them for control characters from 20.18.3 on (nodejs/node#56542).
 */
const WINDOWS_1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

const CUT_OFF = "The file ends inside a character, so users are missing; export them again.";

/** Takes an input piece by piece. */
export interface Transcoder {
  /** @returns the UTF-8 of all characters that are whole by now */
  write(bytes: Buffer): Buffer;
  /** @throws CutOff where the input ended inside a character */
  end(): void;
}

/**
 * @param encoding as `TextDecoder` names it
 * @returns null for UTF-8, which stays as it is
 */
export function createTranscoder(encoding: string): Transcoder | null {
  if (encoding === UTF_8) return null;
  if (encoding === UTF_16LE || encoding === UTF_16BE) return fromUtf16(encoding === UTF_16BE);
  return encoding === "windows-1252" ? fromWindows1252() : fromOther(encoding);
}

function fromUtf16(bigEndian: boolean): Transcoder {
  let held: Buffer = Buffer.alloc(0);
  return {
    write(more) {
      const bytes = held.length === 0 ? more : Buffer.concat([held, more]);
      const units = bytes.length - (bytes.length % 2);
      const last = bytes[bigEndian ? units - 2 : units - 1] ?? 0;
      // The first half of a surrogate pair waits for the second.
      const end = (last & 0xfc) === 0xd8 ? units - 2 : units;
      held = bytes.subarray(end);
      if (!bigEndian) return toUtf8(bytes.toString("utf16le", 0, end), LONE_SURROGATE);
      const swapped = Buffer.from(bytes.subarray(0, end)).swap16();
      return toUtf8(swapped.toString("utf16le"), LONE_SURROGATE);
    },
    end() {
      if (held.length > 0) throw new CutOff(CUT_OFF);
    },
  };
}

function fromWindows1252(): Transcoder {
  return {
    write(bytes) {
      const text = bytes.toString("latin1");
      return Buffer.from(
        text.replace(/[\u0080-\u009f]/g, (byte) => WINDOWS_1252[byte.charCodeAt(0) - 0x80] ?? byte),
      );
    },
    end() {},
  };
}

function fromOther(encoding: string): Transcoder {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return {
    write: (bytes) => toUtf8(decoder.decode(bytes, { stream: true }), REPLACED),
    end() {
      if (decoder.decode() !== "") throw new CutOff(CUT_OFF);
    },
  };
}

/** @param wrong finds what is no character */
function toUtf8(text: string, wrong: RegExp): Buffer {
  const bytes = Buffer.from(text);
  if (!bytes.includes(REPLACEMENT)) return bytes;
  const [first = "", ...others] = text.split(wrong);
  const parts = others.flatMap((part) => [NO_CHARACTER, Buffer.from(part)]);
  return Buffer.concat([Buffer.from(first), ...parts]);
}
