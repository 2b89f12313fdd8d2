/** Rows of the checkpoint's table of users by what they have in common, and what is listed of each. Loops throughout, since an import runs them for every user. */

import type { SqlValue } from "../sqlite/database.js";
import type { UserKeys } from "../plan/entry.js";

/**
 * A row of a list in JSON. Its notes are a text in it: as a list SQLite took as long for them as for
 * all the rest. It is made of its own size: a list that grows by one has room for twenty more.
 */
export type ListedRow = readonly (number | string | null)[];

export function insertedRow(
  id: number,
  { row, sourceId }: UserKeys,
  notes: string | null,
): ListedRow {
  return notes === null ? [id, row.number, sourceId] : [id, row.number, sourceId, notes];
}

export function settledRow(id: number, coreId: string | null, notes: string | null): ListedRow {
  return notes === null ? [id, coreId] : [id, coreId, notes];
}

interface Group<T> {
  readonly shape: readonly SqlValue[];
  readonly alike: T[];
}

/** Items by what they have in common. */
export class AlikeGroups<T> {
  readonly #byName = new Map<string, Group<T>>();
  #last: Group<T> | null = null;

  add(item: T, shape: readonly SqlValue[]): void {
    if (this.#last === null || !isSameShape(shape, this.#last.shape)) {
      const name = shape.join("\n");
      this.#last = this.#byName.get(name) ?? { shape, alike: [] };
      this.#byName.set(name, this.#last);
    }
    this.#last.alike.push(item);
  }

  all(): Iterable<Group<T>> {
    return this.#byName.values();
  }
}

function isSameShape(one: readonly SqlValue[], other: readonly SqlValue[]): boolean {
  for (let place = 0; place < one.length; place += 1) {
    if (one[place] !== other[place]) return false;
  }
  return true;
}
