/** Reads a core's list of users, a page after the other, so that most users needn't be asked for one by one. */

import { createProgress } from "../events/progress.js";
import { EndlessList, pagesOf } from "../run/pages.js";
import type { Timing } from "../events/timing.js";
import type { ListedRecipe, UserPage } from "../core/user.js";
import { RunError } from "../errors/run-error.js";
import type { ProgressEvent } from "../events/events.js";
import { Tally } from "../events/tally.js";
import type { Stop } from "../run/stop.js";
import type { Input } from "../source/inputs.js";
import type { Asking } from "./compare-user.js";
import { SeenUsers } from "./seen-users.js";
import type { Counted } from "./subjects.js";

/** Users of a page: the most that SuperTokens gives at once ("max limit allowed is 500"). */
const PAGE = 500;
const RECIPES = ["emailpassword", "passwordless", "thirdparty"] as const;

/** What the list is read for, and how. */
interface Listing {
  readonly checkpoints: readonly Counted[];
  /** Users of one way to sign in: those brought, and all at the core; null where it doesn't say. */
  readonly counts: Readonly<
    Record<ListedRecipe, { readonly brought: number; readonly core: number | null }>
  >;
  /** Users to be compared. */
  readonly wanted: number;
  /** The files whose contacts are compared as well. */
  readonly inputs: readonly Input[];
  readonly stop: Stop;
  readonly onEvent?: ((event: ProgressEvent) => void) | undefined;
  readonly timing: Timing;
  /** When reconciling began, by `timing`. */
  readonly start: number;
}

/**
 * Reads all pages where that takes fewer calls than a lookup of each user who is wanted. A list that
 * ends before its time is no failure: whom no page showed is asked for by id.
 *
 * @returns `seen` is what the pages have shown, to be closed by the caller; null where none was to be
 *   read. `pages` is how many were read; null where the core offers no list
 * @throws RunError where no further call can succeed, or `disk`
 */
export async function readPages(
  asking: Asking,
  listing: Listing,
): Promise<{ readonly seen: SeenUsers | null; readonly pages: number | null }> {
  const { checkpoints, counts, wanted, stop } = listing;
  const hasStrangers = checkpoints.some(({ existed }) => existed > 0);
  // A core may have millions of users of a kind that isn't looked for.
  const recipes = RECIPES.filter((recipe) => hasStrangers || counts[recipe].brought > 0);
  // Where the core doesn't say how many users it has, it has at least those who were brought.
  const total = recipes
    .map((recipe) => counts[recipe].core ?? counts[recipe].brought)
    .reduce((sum, size) => sum + size, 0);
  if (Math.ceil(total / PAGE) >= wanted) return { seen: null, pages: 0 };
  const seen = new SeenUsers(checkpoints, listing.inputs.length > 0);
  try {
    await seen.prepare(stop.signal);
    return { seen, pages: await readAll(asking, { ...listing, seen, recipes, total }) };
  } catch (error) {
    if (stop.isCauseOf(error)) return { seen, pages: 0 };
    seen.close();
    if (isWithoutLookups(error)) return { seen: null, pages: null };
    throw error;
  }
}

interface Reading extends Listing {
  readonly seen: SeenUsers;
  readonly recipes: readonly ListedRecipe[];
  /** Users on all pages, about. */
  readonly total: number;
}

/** In the order of joining, so that users who sign up meanwhile come last. */
async function readAll({ core, caller }: Asking, reading: Reading): Promise<number> {
  const { seen, recipes, stop, onEvent = () => {}, timing, start, total } = reading;
  const { signal } = stop;
  const tally = new Tally();
  const sources = { phase: "list", tally, timing, start, total } as const;
  const progress = createProgress(onEvent, { ...sources, pace: null, traffic: caller.traffic });
  const request = { limit: PAGE, order: "ASC", recipes } as const;
  const ask = async (token: string | undefined): Promise<UserPage> => {
    const next = token === undefined ? {} : { paginationToken: token };
    const answer = await caller.call("lookup", () => core.listUsers({ ...request, ...next }));
    if (!answer.ok) throw new NoPage();
    return answer.value;
  };
  let pages = 0;
  try {
    for await (const { users } of pagesOf(ask, signal)) {
      seen.take(users);
      tally.read(users.length);
      progress.tick();
      pages += 1;
    }
  } catch (error) {
    const isOver = error instanceof NoPage || error instanceof EndlessList;
    if (!isOver && !stop.isCauseOf(error)) throw error;
  }
  return pages;
}

/** The core gives no further page. */
class NoPage extends Error {}

/** True for the error at a core that has no such endpoint. */
export function isWithoutLookups(error: unknown): boolean {
  return error instanceof RunError && error.code === "core_without_lookups";
}
