/** An answer of `hash` as text: a JSON line for programs, a few words for people, and the counts at the end. */

import { count, grouped } from "../report/text.js";
import type { HashVerdict } from "../hash/hash.js";
import type { HashAnswer } from "../source/hash-lines.js";
import type { Writable } from "node:stream";
import { writePieces } from "./output-file.js";

/** Gives an answer as one or more whole lines. */
export type FormatAnswer = (answer: HashAnswer) => string;

/** Refusals are made once and shared by all lines, so their JSON is made once as well: it is most of what is written. */
const REFUSALS = new WeakMap<HashVerdict, string>();

/** The line of the machine output. */
export function jsonLine({ line, verdict }: HashAnswer): string {
  return `{"type":"hash","v":1,"line":${line},${verdictFields(verdict)}\n`;
}

/** A verdict as JSON without the brace that opens it. */
function verdictFields(verdict: HashVerdict): string {
  const known = REFUSALS.get(verdict);
  if (known !== undefined) return known;
  const fields = JSON.stringify(verdict).slice(1);
  if (verdict.verdict === "refused") REFUSALS.set(verdict, fields);
  return fields;
}

/** For people; an accepted hash is plain ASCII, a refused one isn't shown. */
export function textOf({ line, verdict }: HashAnswer): string {
  switch (verdict.verdict) {
    case "accepted": {
      const { algorithm, hash, steps, notices } = verdict;
      const remarks = [...steps, ...notices.map((notice) => `notice ${notice}`)];
      const changes = remarks.length === 0 ? "sent as it is" : remarks.join(", ");
      return `${line}  accepted  ${algorithm}: ${changes}\n     ${hash}\n`;
    }
    case "refused":
      return `${line}  refused   ${verdict.code}\n     ${verdict.hint}\n`;
    case "none":
      return `${line}  none      no password\n`;
  }
}

/** Counts answers on their way out. */
export class AnswerTally {
  readonly #counts: Record<HashVerdict["verdict"], number> = { accepted: 0, refused: 0, none: 0 };

  /** `format`, with every answer that goes through it counted. */
  counting(format: FormatAnswer): FormatAnswer {
    return (answer) => {
      this.#counts[answer.verdict.verdict] += 1;
      return format(answer);
    };
  }

  /** The counts, for people. */
  text(): string {
    const { accepted, refused, none } = this.#counts;
    const lines = count(accepted + refused + none, "line");
    return `${lines} answered: ${grouped(accepted)} accepted, ${grouped(refused)} refused, ${grouped(none)} without a password`;
  }
}

/**
 * Formats and writes batches of answers until they end, or until the reader closes `output`.
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
