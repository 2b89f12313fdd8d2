/** Groups of rows in words, for every format. Pure. */

import type { RefusalGroup } from "./refusal-groups.js";
import type { ExampleRow } from "./report.js";
import { rowList } from "./row-list.js";

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
