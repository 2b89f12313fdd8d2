/** The comparison as an async iterable of events, the summary last, as `--json` prints them. */

import { eventStream, type Outlet } from "../run/event-stream.js";
import type { Iterated, SummaryEvent } from "../run/run-events.js";
import type { ReconcileEvent } from "./compare-all.js";
import { type GivenReconcile, type Reconciliation, reconcileUsers } from "./reconcile-users.js";

/**
 * {@link reconcileUsers} as an async iterable; as `importEvents`.
 *
 * @throws what `reconcileUsers` throws
 */
export async function* reconcileEvents(
  options: Iterated<GivenReconcile>,
): AsyncGenerator<ReconcileEvent | SummaryEvent<Reconciliation>, void, undefined> {
  const start = (outlet: Outlet<ReconcileEvent>) => reconcileUsers({ ...options, ...outlet });
  yield { type: "summary", ...(yield* eventStream(start, options.signal)) };
}
