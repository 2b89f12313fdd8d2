/** Groups of rows and their examples in words, for every format. */

import type { RowRef } from "../events/events.js";
import type { RefusalGroup } from "./refusal-groups.js";
import type { ExampleRow } from "./report.js";

export const GROUP_TITLES: Readonly<Record<RefusalGroup["type"], string>> = {
  failure: "Failed",
  difference: "Different",
  reject: "Rejected",
  skip: "Skipped",
};

/** A few rows, and the vendor's ids where the report has them. */
export function examplesText({
  examples,
  count,
}: Pick<RefusalGroup<ExampleRow>, "examples" | "count">): string {
  const ids = examples.flatMap(({ sourceId }) => sourceId ?? []);
  return `${rowList(examples, count)}${ids.length === 0 ? "" : ` (${ids.join(", ")})`}`;
}

/**
 * "users.csv, rows 7, 9, …", and nothing without an example: not `users.csv:7`, which an editor takes for a line.
 *
 * @param total how many rows there are beside the examples and with them
 */
export function rowList(examples: readonly RowRef[], total: number): string {
  if (examples.length === 0) return "";
  const rows = new Map<string, number[]>();
  for (const { file, number } of examples) rows.set(file, [...(rows.get(file) ?? []), number]);
  const parts = [...rows].map(
    ([file, numbers]) => `${file}, ${total === 1 ? "row" : "rows"} ${numbers.join(", ")}`,
  );
  return `${parts.join("; ")}${total > examples.length ? ", …" : ""}`;
}
