/** A pilot's limit: how many users a run may still send. It cuts the reading off right behind the last of them, and changes nothing else. */

/** What `--limit` leaves of a run; without one it never ends anything. */
export interface Limit {
  /** Users who may still be sent. */
  readonly left: number;
  /** True once something was left unread for the limit's sake. */
  readonly hasCut: boolean;
  /** Counts users who are sent. */
  take(users: number): void;
  /**
   * Hands rows on in pieces in which no more users can be than may still be sent, until the limit
   * is reached. The taker of a piece counts its users by {@link Limit.take} before the next one.
   */
  cut<T>(batches: AsyncIterable<readonly T[]>): AsyncIterable<readonly T[]>;
}

/** @param users most users to be sent; all of them where undefined */
export function createLimit(users: number | undefined): Limit {
  let left = users ?? Number.POSITIVE_INFINITY;
  let hasCut = false;

  async function* cut<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[]> {
    for await (const batch of batches) {
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
    get left() {
      return left;
    },
    get hasCut() {
      return hasCut;
    },
    take(users) {
      left -= users;
    },
    cut: (batches) => (users === undefined ? batches : cut(batches)),
  };
}
