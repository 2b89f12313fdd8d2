/** Inputs that hold a few rows only: with them an import takes exactly these users. It reads no further than the last of them. */

import type { RowRef } from "../events.js";
import type { Input } from "../inputs.js";
import type { ReadOptions, SourceItem } from "../../source/source.js";

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
  const { source } = input;
  const last = Math.max(...numbers);
  async function* filter(
    batches: AsyncIterable<readonly SourceItem[]>,
  ): AsyncGenerator<readonly SourceItem[]> {
    for await (const items of batches) {
      const own = items.filter(({ number }) => numbers.has(number));
      if (own.length > 0) yield own;
      if ((items.at(-1)?.number ?? 0) >= last) return;
    }
  }
  return {
    ...input,
    source: {
      ...source,
      read: (path: string, options: ReadOptions) => filter(source.read(path, options)),
      readBytes: (path, bytes, options) => filter(source.readBytes(path, bytes, options)),
    },
  };
}
