/** Reads a core's lists page by page. A list that would never end is ended here: a cache on the way may give one page for ever. */

import type { QueuedAccount } from "../core/account-queue.js";
import type { CoreUser } from "../core/user.js";
import { RunError } from "../errors/run-error.js";

/** One page of a list. */
interface Page {
  readonly users: readonly (CoreUser | QueuedAccount)[];
  readonly nextPaginationToken?: string;
}

/**
 * The pages of a list, the first one first.
 *
 * @param ask asks for the page that a token leads to; the first one has none
 * @throws EndlessList where a token or a page comes twice, or a page is empty and not the last; the
 *   reason of `signal`; whatever `ask` throws
 */
export async function* pagesOf<P extends Page>(
  ask: (paginationToken: string | undefined) => Promise<P>,
  signal: AbortSignal,
): AsyncGenerator<P, void, undefined> {
  const tokens = new Repeats();
  const firsts = new Repeats();
  for (let token: string | undefined; ; ) {
    signal.throwIfAborted();
    const page = await ask(token);
    yield page;
    token = page.nextPaginationToken;
    if (token === undefined) return;
    const [first] = page.users;
    if (
      first === undefined ||
      tokens.has(token) ||
      firsts.has("id" in first ? first.id : first.userId)
    )
      throw new EndlessList();
  }
}

/**
 * Finds that a list goes in a circle, whatever the circle's length, with one value in memory (R. P.
 * Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980): the value that is kept is
 * replaced after twice as many steps each time.
 */
class Repeats {
  #kept: string | null = null;
  #steps = 0;
  #most = 1;

  /** Whether this value was seen before; a circle shows at the latest in its third round. */
  has(value: string): boolean {
    if (value === this.#kept) return true;
    this.#steps += 1;
    if (this.#steps < this.#most) return false;
    this.#kept = value;
    this.#steps = 0;
    this.#most *= 2;
    return false;
  }
}

/** A list that never ends by itself. */
export class EndlessList extends RunError {
  constructor() {
    super("core_incompatible", "A list of the core's never ends: it gives a page twice.", {
      hint: "A cache or a proxy before the core gives one answer to different questions. Let the calls reach the core itself, then run the same command again: an import goes on where it stopped.",
    });
  }
}
