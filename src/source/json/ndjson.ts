/** Reads users of newline-delimited JSON, an object a line. Blank lines are no rows. */

import { readLines } from "../bytes/lines.js";
import { RowDamage } from "../row-damage.js";
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
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<readonly (object | RowDamage)[]> {
  for await (const lines of readLines(bytes)) yield lines.map(parseLine);
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
  return first instanceof RowDamage ? null : first;
}

function parseLine(line: string | RowDamage): object | RowDamage {
  if (line instanceof RowDamage) return line;
  const value = parseObject(line);
  if (!(value instanceof RowDamage)) return value;
  if (!line.endsWith("\n")) return CUT_OFF;
  return value.code === "row_malformed" ? NOT_AN_OBJECT : value;
}
