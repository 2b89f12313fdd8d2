/** The library's runs as async iterables of events, the summary last, as `--json` prints them. It adds nothing to the runs themselves. */

import type { GivenImport, GivenReading } from "./defaults.js";
import type { ImportSummary, MigrationEvent, ValidateSummary } from "../events/events.js";
import { eventStream, type Outlet } from "./event-stream.js";
import { importUsers } from "./import-users.js";
import { validateUsers } from "./validate-users.js";

/** The last event of a run: what the function without events returns. */
export type SummaryEvent<Summary> = Summary & { readonly type: "summary" };

/** Options without what the iterable itself takes care of. */
export type Iterated<Options> = Omit<Options, "onEvent" | "room">;

/**
 * {@link importUsers} as an async iterable. The run begins with the first event that is asked for,
 * reads no further while a thousand events wait to be taken, and ends with a `summary`.
 *
 * Leaving the loop early stops the run softly and waits for its end: calls in flight end, progress
 * is saved, the next run goes on. Who wants the summary of a stopped run aborts `signal` instead.
 *
 * @throws what `importUsers` throws
 */
export async function* importEvents(
  options: Iterated<GivenImport>,
): AsyncGenerator<MigrationEvent | SummaryEvent<ImportSummary>, void, undefined> {
  const start = (outlet: Outlet<MigrationEvent>) => importUsers({ ...options, ...outlet });
  yield { type: "summary", ...(yield* eventStream(start, options.signal)) };
}

/**
 * {@link validateUsers} as an async iterable; as {@link importEvents}.
 *
 * @throws what `validateUsers` throws
 */
export async function* validateEvents(
  options: Iterated<GivenReading>,
): AsyncGenerator<MigrationEvent | SummaryEvent<ValidateSummary>, void, undefined> {
  const start = (outlet: Outlet<MigrationEvent>) => validateUsers({ ...options, ...outlet });
  yield { type: "summary", ...(yield* eventStream(start, options.signal)) };
}
