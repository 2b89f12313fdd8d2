/** Answers raw hashes, one a line, with their verdicts. Every line has an answer, in order. */

import { TOO_LONG } from "../hash/flaw.js";
import type { HashVerdict, NormalizeOptions } from "../hash/hash.js";
import { createSignerKeys } from "../hash/signer-keys.js";
import { normalizeHash } from "../hash/legacy/kept-hash.js";
import { readLines } from "./bytes/lines.js";
import { RowDamage } from "./row-damage.js";

/** The answer to one line. */
export interface HashAnswer {
  /** The line's number, from 1; blank lines count. */
  readonly line: number;
  readonly verdict: HashVerdict;
}

const NOT_UTF8: HashVerdict = {
  verdict: "refused",
  code: "encoding_invalid",
  hint: "The line holds bytes that are not UTF-8; save the hashes as UTF-8 and give the line again.",
};
/** Bounds memory: a piece of 64 KiB may hold 65,536 blank lines, and each answer is far longer than a blank line. */
const BATCH_LINES = 200;

/**
 * Answers every line of UTF-8 text, the last one with or without a line end. A line that is a JSON
 * object is a vendor's structured credential; a blank one means that there is no password. Memory
 * is flat whatever comes in: a line of more than 1 MiB is refused (`too_long`) without being kept.
 *
 * @param bytes in pieces of any size
 * @param options the same for all lines; the first signer key that a hash carries is the key of all
 * @returns batches of at most 200 answers, in the order of the lines; no answer to a whole line
 * waits for more bytes
 * @throws what `bytes` throws, after the answers to all whole lines before it
 */
export async function* answerHashLines(
  bytes: AsyncIterable<Buffer>,
  options: NormalizeOptions = {},
): AsyncGenerator<readonly HashAnswer[]> {
  const { signerKeys = createSignerKeys(options.hashConfig?.signerKey ?? null) } = options;
  const all = { ...options, signerKeys };
  const judge = (line: string | RowDamage): HashVerdict => {
    if (!(line instanceof RowDamage)) return normalizeHash({ kind: "text", text: line }, all);
    return line.code === "row_too_large" ? TOO_LONG.refusal : NOT_UTF8;
  };
  for await (const lines of readLines(bytes, { bare: true })) {
    for (let at = 0; at < lines.length; at += BATCH_LINES) {
      const batch = lines.slice(at, at + BATCH_LINES);
      yield batch.map((line, index) => ({
        line: lines.numbers[at + index] ?? 0,
        verdict: judge(line),
      }));
    }
  }
}
