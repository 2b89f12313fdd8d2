/** A pilot's limit: how many users a run may still send. No row behind the last of them is decided; nothing else changes. */

/** Counts down the users of `--limit`. Without the option it never stops a run. */
export interface Limit {
  /** True once rows were left aside because of the limit. */
  readonly hasCut: boolean;
  /** Counts users who are sent. */
  take(users: number): void;
  /**
   * Hands rows on until the limit is reached, in pieces of at most as many rows as users may still
   * be sent. The caller counts a piece's users by {@link Limit.take} before it asks for the next.
   */
  cut<T>(batches: Iterable<readonly T[]>): Iterable<readonly T[]>;
}

/** @param users most users to be sent; all of them where undefined */
export function createLimit(users: number | undefined): Limit {
  let left = users ?? Number.POSITIVE_INFINITY;
  let hasCut = false;

  function* cut<T>(batches: Iterable<readonly T[]>): Generator<readonly T[]> {
    for (const batch of batches) {
      let rest = batch;
      while (rest.length > 0) {
        if (left <= 0) {
          hasCut = true;
          return;
        }
        const piece = left < rest.length ? rest.slice(0, left) : rest;
        rest = left < rest.length ? rest.slice(left) : [];
        yield piece;
      }
    }
  }

  return {
    get hasCut() {
      return hasCut;
    },
    take(users) {
      left -= users;
    },
    cut: (batches) => (users === undefined ? batches : cut(batches)),
  };
}
