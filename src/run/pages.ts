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
  const seen = new Set<string>();
  for (let token: string | undefined; ; ) {
    signal.throwIfAborted();
    const page = await ask(token);
    yield page;
    token = page.nextPaginationToken;
    if (token === undefined) return;
    const [first] = page.users;
    if (first === undefined) throw new EndlessList();
    const marks = [`token ${token}`, `user ${"id" in first ? first.id : first.userId}`];
    if (marks.some((mark) => seen.has(mark))) throw new EndlessList();
    for (const mark of marks) seen.add(mark);
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
