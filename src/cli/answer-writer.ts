/** Writes answers of `hash` as fast as they are taken and no faster; ends where the reader goes away. */

import type { Writable } from "node:stream";
import type { HashAnswer } from "../source/hash-lines.js";
import type { FormatAnswer } from "./answer-format.js";
import { writePieces } from "./text-writer.js";

/**
 * Formats and writes batches of answers until they end, or until `output` is closed by who reads
 * it.
 *
 * @returns whether all of them were written
 * @throws what `answers` throws, after all answers before it were written
 */
export function writeAnswers(
  answers: AsyncIterable<readonly HashAnswer[]>,
  format: FormatAnswer,
  output: Writable,
): Promise<boolean> {
  return writePieces(formatted(answers, format), output);
}

async function* formatted(
  answers: AsyncIterable<readonly HashAnswer[]>,
  format: FormatAnswer,
): AsyncGenerator<string> {
  for await (const batch of answers) yield batch.map(format).join("");
}
