/** Reads users of newline-delimited JSON, an object a line. Blank lines are no rows. */

import { readLines } from "../bytes/lines.js";
import { jsonForm, originFrom } from "../raw/json-form.js";
import { type RowBatch, stateOf, withRaw } from "../raw/raw-row.js";
import { NOT_MENDED, RowDamage } from "../row-damage.js";
import type { FileHead } from "../source.js";
import { parseObject } from "./json-object.js";

const NOT_AN_OBJECT = new RowDamage(
  "row_malformed",
  "The line is not a whole JSON object; mend it, or, where objects stretch over several lines, write each on one line, as jq -c does, and import it again.",
);
const CUT_OFF = new RowDamage(
  "truncated",
  "The file ends inside its last line, so users are missing; export them again.",
);

/**
 * Reads the objects of newline-delimited JSON. A line that isn't one is damage and reading goes
 * on; a last line that has no line end and isn't whole is `truncated`.
 */
export async function* readNdjson(
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<RowBatch<object>> {
  const form = jsonForm();
  for await (const lines of readLines(bytes)) {
    const rows = lines.map(parseLine);
    yield withRaw(rows, {
      form,
      at(index) {
        const line = lines[index];
        const text = line instanceof RowDamage ? line.text : (line ?? "");
        return { text, state: stateOf(rows[index]) };
      },
      line: (index) => lines.numbers[index],
      origin(index) {
        const line = lines[index];
        return typeof line === "string" ? originFrom(line) : undefined;
      },
    });
  }
}

/**
 * The object of a file's first line, for recognizing whose it is.
 *
 * @returns null where the first line isn't a whole object, as in a document of several lines
 */
export function firstLine(head: FileHead): object | null {
  const text = head.text.trimStart();
  const end = text.indexOf("\n");
  if (end === -1 && !head.complete) return null;
  const first = parseObject(end === -1 ? text : text.slice(0, end));
  if (!(first instanceof RowDamage)) return first;
  // Of a file of rejects the first lines may be none that show whose they are.
  if (first !== NOT_MENDED || end === -1) return null;
  return firstLine({ ...head, text: text.slice(end + 1) });
}

function parseLine(line: string | RowDamage): object | RowDamage {
  if (line instanceof RowDamage) return line;
  const value = parseObject(line);
  if (!(value instanceof RowDamage)) return value;
  if (!line.endsWith("\n")) return CUT_OFF;
  return value.code === "row_malformed" ? NOT_AN_OBJECT : value;
}
