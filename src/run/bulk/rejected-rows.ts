/** Writes out the rows of users whom the core's queue has rejected. They were read long before that, perhaps by an earlier run, so they are read once more. */

import type { Finding } from "../../events/events.js";
import { rowKey } from "../../errors/place.js";
import { RunError } from "../../errors/run-error.js";
import { countExample, finding, newExampleCounter } from "../../events/findings.js";
import { type Input, readInput } from "../../source/inputs.js";
import { onlyRows } from "../only-rows.js";
import type { Run } from "../read-all.js";

const UNWRITTEN =
  "The core's queue has rejected these users, and --rejects-out doesn't hold their rows: the input can be read only once, has changed meanwhile, or the run was stopped. The next run over the export's file as it is now tries rejected users again.";

/**
 * @param inputs of which a pipe can't be read again
 * @returns what is told where rows can't be written
 * @throws RunError `disk`
 */
export async function writeRejectedRows(
  inputs: readonly Input[],
  { rejects, signal }: Pick<Run, "rejects" | "signal">,
): Promise<Finding[]> {
  const left = new Map(rejects.missed.map((event) => [rowKey(event.row), event]));
  const rows = [...left.values()].map(({ row }) => row);
  for (const input of inputs) {
    if (left.size === 0 || input.readOnce) continue;
    try {
      for await (const items of readInput(onlyRows(input, rows), { signal, keepsRaw: true })) {
        for (const item of items) {
          const key = rowKey({ file: input.path, number: item.number });
          const event = left.get(key);
          // A file that is cut off by now has no such row any more.
          if (event === undefined || item.kind === "truncated") continue;
          left.delete(key);
          rejects.keep(event.row, item.raw);
          rejects.take(event);
        }
      }
    } catch (error) {
      if (!(error instanceof RunError) || !error.code.startsWith("input_")) throw error;
    }
  }
  const unwritten = newExampleCounter();
  for (const { row } of left.values()) countExample(unwritten, row);
  return left.size === 0 ? [] : [finding("input_doubtful", unwritten, UNWRITTEN)];
}
