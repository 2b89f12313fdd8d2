/** A table's header, and the NULLs in its cells. */

import { RunError } from "../../errors/run-error.js";
import type { FileHead } from "../source.js";
import { detectLayout } from "./csv.js";
import type { CsvLayout } from "./csv-rows.js";

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

/** The text of a cell; empty where it is a NULL of MySQL (`\N`, `NULL`) or PostgreSQL (`\N`). */
export function withoutNull(text: string): string {
  return text === "NULL" || text === "\\N" ? "" : text;
}
