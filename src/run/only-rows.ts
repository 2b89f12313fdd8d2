/** An input of which a few rows alone are read: by it a proof takes exactly these users. */

import type { RowRef } from "../events/events.js";
import type { Input } from "../source/inputs.js";

/**
 * The input, reduced to some rows. It reads no further than the last of them.
 *
 * @param rows of this input and others, in any order
 */
export function onlyRows(input: Input, rows: readonly RowRef[]): Input {
  const numbers = numbersOf(input, rows);
  const last = Math.max(0, ...numbers);
  return {
    ...input,
    async *read(run) {
      if (numbers.size === 0) return;
      for await (const items of input.read(run)) {
        const own = items.filter(({ number }) => numbers.has(number));
        if (own.length > 0) yield own;
        if ((items.at(-1)?.number ?? 0) >= last) return;
      }
    },
  };
}

function numbersOf({ path }: Input, rows: readonly RowRef[]): ReadonlySet<number> {
  return new Set(rows.filter(({ file }) => file === path).map(({ number }) => number));
}
