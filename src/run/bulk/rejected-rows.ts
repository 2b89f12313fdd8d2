/** Writes out the rows of users whom the core's queue has rejected. They were read long before that. */

import { rowKey, rowOf } from "../../errors/place.js";
import type { Input } from "../../source/inputs.js";
import type { Run } from "../import-run.js";

/** @throws RunError `disk` */
export function writeRejectedRows(
  inputs: readonly Input[],
  { rejects, stage }: Pick<Run, "rejects" | "stage">,
): void {
  const left = new Map(rejects.missed.map((event) => [rowKey(event.row), event]));
  if (left.size === 0) return;
  const only = new Set([...left.values()].map(({ row }) => row.number));
  for (const input of inputs) {
    for (const rows of stage.read(input, { only })) {
      for (const row of rows) {
        const event = left.get(rowKey(rowOf(input.path, row)));
        if (event === undefined) continue;
        rejects.keep(event.row, row.raw);
        rejects.take(event);
      }
    }
  }
}
