/** Names example rows in words, for groups and findings. */

import type { RowRef } from "../events/events.js";

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
