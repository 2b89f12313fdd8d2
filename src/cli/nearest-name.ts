/** Finds the name that somebody meant who mistyped one. */

/** Of the letters of the longer name, the share that may differ. */
const MAX_SHARE = 0.4;

/** The known name that takes the fewest slips of the keyboard to become the given one; null where none is near. */
export function nearestName<Name extends string>(
  given: string,
  known: readonly Name[],
): Name | null {
  let best: { readonly name: Name; readonly slips: number } | null = null;
  for (const name of known) {
    const slips = slipsBetween(given.toLowerCase(), name);
    const near = slips <= MAX_SHARE * Math.max(given.length, name.length);
    if (near && (best === null || slips < best.slips)) best = { name, slips };
  }
  return best?.name ?? null;
}

/** Letters to add, to leave out, to change, or to swap with their neighbor: the optimal string alignment distance. */
function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
