/** Inputs that hold a few rows only: with them an import takes exactly these users. It reads no further than the last of them. */

import type { RowRef } from "../events.js";
import type { Input } from "../inputs.js";

/**
 * The same inputs, reduced to some rows. Inputs without any are left out.
 *
 * @param rows as they were read from `inputs`, in any order
 */
export function onlyRows(inputs: readonly Input[], rows: readonly RowRef[]): Input[] {
  return inputs.flatMap((input) => {
    const own = rows.filter(({ file }) => file === input.path).map(({ number }) => number);
    return own.length === 0 ? [] : [reduce(input, new Set(own))];
  });
}

function reduce(input: Input, numbers: ReadonlySet<number>): Input {
  const last = Math.max(...numbers);
  return {
    ...input,
    async *read(run) {
      for await (const items of input.read(run)) {
        const own = items.filter(({ number }) => numbers.has(number));
        if (own.length > 0) yield own;
        if ((items.at(-1)?.number ?? 0) >= last) return;
      }
    },
  };
}
