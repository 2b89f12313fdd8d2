/** Reads a vendor's table whose columns have the vendor's own names. Columns of other names are csv-columns' to find. */

import { RunError } from "../../errors/run-error.js";
import type { RowBatch } from "../raw/raw-row.js";
import { showNames } from "../show-name.js";
import type { FileHead } from "../source.js";
import { detectLayout, readCsv } from "./csv.js";
import type { CsvLayout } from "./csv-rows.js";

/** A table's rows, and which of the vendor's columns it has. */
export interface Table<Name extends string> {
  /** The columns that are read of those that it has. */
  readonly names: readonly Name[];
  readonly has: (name: Name) => boolean;
  /** Rows as arrays; {@link Table.cell} says what is in them. */
  readonly rows: AsyncIterable<RowBatch<readonly string[]>>;
  /** Text of a row's cell; empty where the file has no such column. */
  readonly cell: (row: readonly string[], name: Name) => string;
}

/** The names of a table's columns, trimmed; null where the head holds no readable header. */
export function headerOf(head: FileHead): readonly string[] | null {
  return detectLayout(head)?.header.map((name) => name.trim()) ?? null;
}

/**
 * A table's delimiter and header.
 *
 * @throws RunError `input_unrecognized` where there is no readable header
 */
export function layoutOf(head: FileHead): CsvLayout {
  const layout = detectLayout(head);
  if (layout !== null) return layout;
  throw new RunError("input_unrecognized", `${head.path} has no readable header row`, {
    hint: "The first row must name the columns, each name once, with quotation marks closed.",
  });
}

/**
 * Opens a table by its header.
 *
 * @param names all columns that the source reads; those that the file lacks read as empty
 * @throws RunError `input_unrecognized` where there is no readable header, none of the columns, or
 *   one of them twice
 */
export function openTable<Name extends string>(
  head: FileHead,
  bytes: AsyncIterable<Buffer>,
  names: readonly Name[],
): Table<Name> {
  const layout = layoutOf(head);
  const header = layout.header.map((name) => name.trim());
  const columns = new Map<Name, number>();
  for (const name of names) {
    const index = header.indexOf(name);
    if (index === -1) continue;
    if (header.indexOf(name, index + 1) !== -1) {
      throw new RunError("input_unrecognized", `${head.path} has the column ${name} twice`, {
        hint: "Rename or remove one of the two.",
      });
    }
    columns.set(name, index);
  }
  if (columns.size === 0) {
    throw new RunError("input_unrecognized", `${head.path} has none of the vendor's columns`, {
      hint: `Expected ${showNames(names)}; found ${showNames(header)}.`,
    });
  }
  return {
    names: [...columns.keys()],
    has: (name) => columns.has(name),
    rows: readCsv(bytes, layout),
    cell: (row, name) => row[columns.get(name) ?? -1] ?? "",
  };
}

/** The text of a cell; empty where it is a NULL of MySQL (`\N`, `NULL`) or PostgreSQL (`\N`). */
export function withoutNull(text: string): string {
  return text === "NULL" || text === "\\N" ? "" : text;
}
