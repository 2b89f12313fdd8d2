/** Reads CSV tables as a stream of rows, each an array of texts, in constant memory. */

import { areOurRows, learnedFrom } from "../raw/json-form.js";
import { type RawText, type RowBatch, stateOf, withRaw } from "../raw/raw-row.js";
import { rememberingEach } from "../remembering.js";
import { ourColumn, tableForm, timeColumns } from "./table-form.js";
import { NOT_MENDED, RowDamage } from "../row-damage.js";
import type { FileHead } from "../source.js";
import { CsvCutter, type CutRows } from "./csv-cutter.js";
import { fieldsOf } from "./csv-fields.js";
import { type CsvRow, DELIMITERS } from "./csv-judge.js";
import { bytesOf, type CsvLayout, rowEnd, textEnd } from "./csv-rows.js";
import { columnsOfLines, readRowLines } from "./row-lines.js";

/** As far as the first line end outside quotation marks, of which the last may be open. */
const FIRST_ROW = /^(?:"[^"]*(?:"|$)|[^"\r\n]+)*/;

/**
 * Finds delimiter and header of a CSV file: the delimiter that the first row holds most often
 * outside quotation marks. Some ask for it of one head again and again.
 *
 * @returns null where the head holds no whole first row
 */
export const detectLayout = rememberingEach((head: FileHead): CsvLayout | null => {
  if (head.of === "lines" || areOurRows(head.text)) {
    const header = [...columnsOfLines(head), ...timeColumns(learnedFrom(head.text)?.times ?? [])];
    return header.length === 0 ? null : { delimiter: ",", lineEnd: "\n", header, of: "lines" };
  }
  const text = head.text.replace(/^[\r\n]+/, "");
  const [first = ""] = FIRST_ROW.exec(text) ?? [];
  const rest = text.slice(first.length);
  // A CR that no LF follows ends the lines of old; those files may hold LFs inside quotes.
  const lineEnd: CsvLayout["lineEnd"] = /^\r+[^\r\n]/.test(rest) ? "\r" : "\n";
  const isClosed = first.split('"').length % 2 === 1;
  if (!isClosed || !(head.complete || rest.includes(lineEnd))) return null;
  const unquoted = first.replace(/"[^"]*"/g, "");
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length);
  const delimiter = DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
  const format = { delimiter, lineEnd };
  const csv = bytesOf(format);
  const bytes = Buffer.from(text);
  const end = rowEnd(bytes, 0, csv, true);
  if (end < 0) return null;
  const row = bytes.toString("utf8", 0, textEnd(bytes, 0, end, csv));
  return { ...format, header: fieldsOf(row, format), of: head.of };
});

/**
 * Reads the rows after the header; lines of nothing but delimiters are none.
 *
 * A row with a bad quote is damage as far as its first line end and reading goes on with the next
 * line; so is a row with another number of columns than the header. A last row without a line end
 * that has too few columns, or an open quote, is `truncated`.
 *
 * A table of rejects is read like any other, except rows that still stand in it as text: these are
 * damage.
 *
 * @throws what `bytes` throws, after all whole rows before it
 */
export async function* readCsv(
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  layout: CsvLayout,
): AsyncGenerator<RowBatch<readonly string[]>> {
  const form = tableForm(layout);
  if (layout.of === "lines") {
    yield* readRowLines(bytes, layout, form);
    return;
  }
  const held = ourColumn(layout.header, "text");
  const place = ourColumn(layout.header, "row");
  const cutter = new CsvCutter(layout);
  const batchesOf = function* (cuts: Iterable<CutRows>): Generator<RowBatch<readonly string[]>> {
    for (const { rows: cut, textAt, lines } of cuts) {
      if (cut.length === 0) continue;
      const rows =
        held === -1
          ? cut
          : cut.map((row) => (row instanceof RowDamage || row[held] === "" ? row : NOT_MENDED));
      yield withRaw(rows, {
        form,
        at: (index): RawText => ({ text: textAt(index), state: stateOf(rows[index]) }),
        line: (index) => lines[index],
        origin: place === -1 ? undefined : (index) => fieldOf(cut[index], place),
      });
    }
  };
  try {
    for await (const chunk of bytes) yield* batchesOf(cutter.take(chunk));
  } catch (error) {
    yield* batchesOf(cutter.flush());
    throw error;
  }
  yield* batchesOf(cutter.end());
}

/** The sound rows at a table's start. */
export async function rowsAtStart(head: FileHead, layout: CsvLayout) {
  const rows: (readonly string[])[] = [];
  for await (const batch of readCsv([Buffer.from(head.text)], layout)) {
    for (const row of batch) if (!(row instanceof RowDamage)) rows.push(row);
  }
  return rows;
}

function fieldOf(row: CsvRow | undefined, column: number): string | undefined {
  return row instanceof RowDamage ? undefined : row?.[column];
}
