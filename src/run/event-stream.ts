/** A run's events as an async iterable, the summary last, as `--json` prints them: handed over as they are taken, with the run held back while too many wait. */

import type { GivenImport, GivenValidation } from "./defaults.js";
import type { MigrationEvent, PredictionEvent } from "../events/events.js";
import type { ImportSummary, ValidateSummary } from "../events/summary.js";
import { importUsers } from "./import-users.js";
import { validateUsers } from "./validate-users.js";

/** What a run is given so that its events can be taken one by one. */
export interface Outlet<Event> {
  /** Aborted by the caller's signal, or once the caller takes no more events. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: Event) => void;
  /** Asked before more is read; resolves when there is room for more events. */
  readonly room: () => Promise<void>;
}

/** Events that may wait before the run is held back; what is in flight then may still add to them. */
export const MOST_WAITING = 1000;

/**
 * Starts a run when its first event is asked for, and yields its events in order.
 *
 * Leaving early (`break`, `return`, a thrown error) aborts the run and waits for its end.
 *
 * @param given stops the run softly; its last events still come
 * @returns what the run returned, where it came to its end
 * @throws what the run throws; also on leaving early, unless that was thrown for the abort itself
 */
export async function* eventStream<Event, Result>(
  start: (outlet: Outlet<Event>) => Promise<Result>,
  given?: AbortSignal,
): AsyncGenerator<Event, Result, undefined> {
  const left = new AbortController();
  const signal = given === undefined ? left.signal : AbortSignal.any([left.signal, given]);
  const taker = createBell();
  const room = createBell();
  let waiting: Event[] = [];
  let isOver = false;

  const onEvent = (event: Event): void => {
    if (left.signal.aborted) return;
    waiting.push(event);
    taker.ring();
  };
  const hasRoom = async (): Promise<void> => {
    while (waiting.length >= MOST_WAITING && !signal.aborted) await room.rung();
  };
  signal.addEventListener("abort", room.ring, { once: true });
  const run = async (): Promise<Result> => start({ signal, onEvent, room: hasRoom });
  const ending = run().finally(() => {
    isOver = true;
    taker.ring();
  });
  // Thrown below, once the events before it are taken: until then it must not go uncaught.
  ending.catch(() => {});

  try {
    while (!isOver || waiting.length > 0) {
      if (waiting.length === 0) await taker.rung();
      const taken = waiting;
      waiting = [];
      room.ring();
      yield* taken;
    }
    return await ending;
  } finally {
    const wasOver = isOver;
    left.abort();
    signal.removeEventListener("abort", room.ring);
    // Where it was over, its error has been thrown already.
    if (!wasOver) {
      await ending.catch((error: unknown) => {
        if (error !== left.signal.reason) throw error;
      });
    }
  }
}

/** Wakes every waiting caller; a later caller waits for the next ring. */
function createBell() {
  let next: Promise<void> | null = null;
  let ring = (): void => {};
  return {
    ring: (): void => {
      next = null;
      ring();
    },
    rung(): Promise<void> {
      next ??= new Promise((resolve) => {
        ring = resolve;
      });
      return next;
    },
  };
}

/** The last event of a run: what the function without events returns. */
export type SummaryEvent<Summary> = Summary & { readonly type: "summary" };

type ValidateEvent = MigrationEvent | PredictionEvent;

/** Options without what the iterable itself takes care of. */
export type Iterated<Options> = Omit<Options, "onEvent" | "room">;

/**
 * {@link importUsers} as an async iterable. The run begins when the first event is asked for. It
 * stops reading while a thousand events wait to be taken. Its last event is a `summary`.
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
  options: Iterated<GivenValidation>,
): AsyncGenerator<ValidateEvent | SummaryEvent<ValidateSummary>, void, undefined> {
  const { asks } = options;
  const start = (outlet: Outlet<ValidateEvent>) => {
    const { onEvent: onPrediction } = outlet;
    return validateUsers({ ...options, ...outlet, asks: asks && { ...asks, onPrediction } });
  };
  yield { type: "summary", ...(yield* eventStream(start, options.signal)) };
}
