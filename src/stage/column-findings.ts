/** What the hashes of a column say about the whole columns: cut off at one length, or re-encoded on the way here. */

import { optionName } from "../errors/option-name.js";
import type { Step } from "../hash/steps.js";
import type { Finding } from "../events/events.js";
import { finding, joined } from "../events/findings.js";
import type { HashColumn } from "./hash-column.js";
import type { InputFacts } from "./input-facts.js";

/** From this many hashes on, the column needs a step and not a row. */
const MIN_RE_ENCODED = 2;

/** Lengths that a hint names. */
const MAX_LENGTHS = 3;

/** Steps that undo what a tool did to a column as a whole, and how the column came. */
const RE_ENCODINGS = {
  unquoted: "had quotation marks around them",
  unescaped: "were written with backslashes",
  percent_decoded: "were percent-encoded",
  entities_decoded: "were written with HTML entities",
  dollars_halved: "had every $ doubled",
  hex_decoded: "were written in hexadecimal",
  base64_decoded: "were written in base64 as a whole",
  plus_restored: "had a blank for every +, as form decoding leaves it",
} as const satisfies Partial<Record<Step, string>>;

const SALTS_FOLDED =
  "Salts are random, and by chance one in seven hundred has letters of one case: something turned the column of salts to upper or lower case. These users can't sign in, and nothing shows which letters were changed.";

/** The findings on the inputs' columns. */
export function columnFindings(inputs: readonly InputFacts[]): Finding[] {
  const columns = inputs.map(({ column }) => column);
  const folded = columns.flatMap((column) => column.foldedSalts() ?? []);
  return [
    ...truncated(columns),
    // One finding for each length, since the number of whole-looking hashes depends on it.
    ...columns.flatMap((column) =>
      column
        .partlyCut()
        .map(({ length, counter, alike }) =>
          finding(
            "column_damaged",
            counter,
            `At ${length} characters ${number(counter.count)} argon2 hashes are cut off or damaged, so some ${number(alike)} more are that look whole. The others are sent; those that look whole by chance can't be told apart, and their owners could not sign in.`,
          ),
        ),
    ),
    ...columns.flatMap((column) =>
      column
        .oddOutputs()
        .map(({ length, counter, bytes }) =>
          finding(
            "column_damaged",
            counter,
            `The outputs of these argon2 hashes of ${length} characters are ${bytes} bytes long. Nearly all libraries make 16, 32 or 64: if your application makes so many, allow them with ${optionName("--allow-hash")} argon2-${bytes}.`,
          ),
        ),
    ),
    ...(folded.length === 0 ? [] : [finding("column_damaged", joined(folded), SALTS_FOLDED)]),
    ...reEncoded(inputs),
  ];
}

function number(count: number): string {
  return count.toLocaleString("en-US");
}

function truncated(columns: readonly HashColumn[]): Finding[] {
  const cuts = columns
    .flatMap((column) => column.cutLengths())
    .sort((a, b) => b.counter.count - a.counter.count || a.length - b.length);
  if (cuts.length === 0) return [];
  const lengths = [...new Set(cuts.map(({ length }) => length))];
  const named = lengths.slice(0, MAX_LENGTHS).join(", ");
  const detail = `These hashes are cut off after ${named} characters${lengths.length > MAX_LENGTHS ? " and at other lengths" : ""}. Those that happen to look whole are refused as well, since they would never verify.`;
  return [finding("column_damaged", joined(cuts.map(({ counter }) => counter)), detail)];
}

/** A finding for every step that most hashes of an input needed. */
function reEncoded(inputs: readonly InputFacts[]): Finding[] {
  return Object.entries(RE_ENCODINGS).flatMap(([step, how]) => {
    const columns = inputs.flatMap(({ accepted, steps }) => {
      const counter = steps.get(step);
      const count = counter?.count ?? 0;
      return counter && count >= MIN_RE_ENCODED && count * 2 > accepted ? [counter] : [];
    });
    if (columns.length === 0) return [];
    const says = `Most hashes ${how}: the tool that exported the column re-encoded it. That was undone, and nothing is lost.`;
    return [finding("proof_needed", joined(columns), says)];
  });
}
