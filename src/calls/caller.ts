/** Calls at the core with the retries of design section 7. It tells a user's bad luck from a run that can't go on; what becomes of a failed user is not its business. */

import { CoreFailure, type CoreFailureKind } from "../core/core-failure.js";
import { failsEverything, refusesEverything, runErrorFrom } from "./core-errors.js";
import type { RunError } from "../errors/run-error.js";
import type { CallName, PauseEvent } from "../events/events.js";
import { fullJitter, createRetryBudget, mayRepeat, mostAttempts } from "./retry-table.js";
import { Gate } from "./gate.js";
import { watchOutages } from "./outage.js";
import type { Traffic } from "./progress.js";
import type { Tally } from "../events/tally.js";
import type { Timing } from "./timing.js";

/** So many equal refusals, or failures of the core's own, in a row are the run's fault, not the users'. */
const MOST_IN_A_ROW = 100;
/** So many outages cost one call no attempt. Who is lost in more of them may well be what brings the core down. */
const MOST_OUTAGES = 5;
/** Shorter pauses aren't worth telling. */
const TOLD_PAUSE_MS = 1000;

/** For how long a run goes on without any answer, unless the operator says otherwise. */
const DEFAULT_OUTAGE_BUDGET_MS = 600_000;

/** What a hundred failures in a row say of the core. */
const EVERYBODYS_FAILURE: Partial<
  Readonly<Record<CoreFailureKind, (failure: CoreFailure) => RunError>>
> = { refused: refusesEverything, broken: failsEverything };

/** How a call ended after its retries. */
export type CallResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: CoreFailure; readonly maybeApplied: boolean };

/** What the calls of one run share. */
export interface Caller {
  /**
   * Makes a call, when the pace allows it, and repeats it as far as that is safe.
   *
   * @param attempt one call; it must reject with a `CoreFailure`
   * @throws RunError where the run can't go on (key refused, no such endpoint, no signer key,
   *   disk, an outage, the same refusal for everybody)
   * @throws the signal's reason where the run was stopped and another attempt would have to be made
   */
  call<T>(name: CallName, attempt: () => Promise<T>): Promise<CallResult<T>>;
  /** Counts one more call, which an attempt at another one makes on its way. */
  count(name: CallName): void;
  /** As of now, whenever it is looked at. */
  readonly traffic: Traffic;
}

/** The pace of a run; by default that of a core in this process. */
export interface CallerOptions {
  /** Most calls in flight, adapted to what a remote core takes; null, the default, for no limit but the users'. */
  readonly most?: number | null | undefined;
  /** Most calls a second; null, the default, for no limit. */
  readonly rate?: number | null | undefined;
  /** {@link DEFAULT_OUTAGE_BUDGET_MS} by default. */
  readonly outageBudgetMs?: number | undefined;
  /** Asks the core whether it is there; by default it is. */
  readonly probe?: (() => Promise<void>) | undefined;
  /** Told of pauses of a second and more. */
  readonly onPause?: ((event: PauseEvent) => void) | undefined;
}

/** Whether a call that failed so may have taken effect: a 500 may have come after the commit. */
export function mayHaveWorked({ reached, kind }: CoreFailure): boolean {
  return reached === "unknown" || kind === "broken";
}

/** How long the core asks everybody to wait, in milliseconds; 0 where it doesn't say, or means "at once". */
function askedToWait({ retryAfterMs = 0 }: CoreFailure): number {
  return retryAfterMs;
}

/** What one call has been through. */
interface Trial {
  readonly name: CallName;
  /** Calls of the whole run that had succeeded when it began. */
  readonly successesBefore: number;
  maybeApplied: boolean;
  /** Those that count: nobody else's trouble does. */
  attempts: number;
  /** Outages of the run that it has seen, and how many of them it was lost in. */
  outagesSeen: number;
  outages: number;
  busyAnswers: number;
  busySince: number | null;
}

/** An attempt that failed; what else than a `CoreFailure` it failed with ends the run. */
interface FailedAttempt {
  readonly failure: unknown;
  /** When it was let go, by the gate. */
  readonly began: number;
  /** Calls of the whole run that had succeeded then. */
  readonly successesThen: number;
}

function newTrial(
  name: CallName,
  { successesBefore, outagesSeen }: Pick<Trial, "successesBefore" | "outagesSeen">,
): Trial {
  return {
    ...{ name, successesBefore, outagesSeen },
    ...{ maybeApplied: false, attempts: 0, outages: 0, busyAnswers: 0, busySince: null },
  };
}

/** @param signal aborted, it ends all waiting for attempts that weren't made yet */
export function createCaller(
  tally: Tally,
  timing: Timing,
  signal: AbortSignal,
  options: CallerOptions = {},
): Caller {
  const { most = null, rate = null, probe = async () => {}, onPause = () => {} } = options;
  const { outageBudgetMs: budgetMs = DEFAULT_OUTAGE_BUDGET_MS } = options;
  const gate = new Gate({ timing, signal, most, rate });
  const retries = createRetryBudget();
  let successes = 0;
  // By call: a lookup that goes well says nothing of the imports.
  const failing = new Map<CallName, { readonly reason: string; inARow: number }>();

  const tellPause = (event: PauseEvent): void => {
    tally.pauses += 1;
    tally.pausedMs += event.waitMs;
    if (event.waitMs >= TOLD_PAUSE_MS) onPause(event);
  };
  const outages = watchOutages({ timing, signal, gate, budgetMs, probe, onPause: tellPause });

  const tellWait = (failure: CoreFailure, waitMs: number): void => {
    const reason = askedToWait(failure) > 0 ? "retry_after" : "busy";
    const { message } = failure;
    if (waitMs > 0) tellPause({ type: "pause", reason, waitMs: Math.ceil(waitMs), message });
  };

  /** Tells the gate and the watch of a failure, and waits where it is everybody's. */
  const report = async (name: CallName, began: number, failure: CoreFailure): Promise<void> => {
    const { kind } = failure;
    if (kind === "busy") {
      const waitMs = gate.busy(began, askedToWait(failure));
      outages.busy(failure);
      tellWait(failure, waitMs);
      return;
    }
    // A gateway or a core that fails may ask to be left alone as well.
    const asks = askedToWait(failure) > 0 && mostAttempts(failure) > 0;
    const waitMs = asks ? gate.close(askedToWait(failure)) : 0;
    if (kind === "unreachable") gate.lost(began);
    else {
      gate.answered(name, began);
      outages.answered();
    }
    if (asks) outages.requireTime(failure);
    tellWait(failure, waitMs);
    if (kind === "unreachable") await outages.lost(failure);
  };

  /** @param successesThen those of the whole run when the attempt began */
  const count = async (
    trial: Trial,
    failure: CoreFailure,
    successesThen: number,
  ): Promise<void> => {
    const { kind } = failure;
    if (mayHaveWorked(failure)) trial.maybeApplied = true;
    if (kind === "busy") {
      trial.busyAnswers += 1;
      trial.busySince ??= timing.now();
      // A wait that the core asks for costs no attempt, nor does one in which nobody got through.
      if (askedToWait(failure) === 0 && successes > successesThen) trial.attempts += 1;
      return;
    }
    trial.attempts += 1;
    if (kind !== "unreachable") return;
    const isDeaf = successes === trial.successesBefore && isSpent(trial, failure);
    if (isDeaf) await outages.waitForCore(failure);
    // What was lost in an outage was no bad luck of this call's.
    if (outages.confirmed > trial.outagesSeen) {
      trial.outagesSeen = outages.confirmed;
      trial.outages += 1;
      if (trial.outages <= MOST_OUTAGES) trial.attempts = 0;
    }
  };

  /** No attempt may follow. One call alone that is always told to wait must not hold the run, either. */
  const isSpent = ({ attempts, busyAnswers, busySince }: Trial, failure: CoreFailure): boolean =>
    attempts >= mostAttempts(failure) ||
    (busySince !== null &&
      busyAnswers >= mostAttempts(failure) &&
      timing.now() - busySince > budgetMs);

  /** A call has failed for good. @throws RunError where a hundred in a row did so for one reason */
  const countInARow = (name: CallName, failure: CoreFailure): void => {
    const everybodys = EVERYBODYS_FAILURE[failure.kind];
    if (everybodys === undefined) return;
    const reason = failure.kind === "refused" ? failure.message : failure.kind;
    const last = failing.get(name);
    const inARow = last?.reason === reason ? last.inARow + 1 : 1;
    if (inARow >= MOST_IN_A_ROW) throw everybodys(failure);
    failing.set(name, { reason, inARow });
  };

  /** Where the core says how long to wait, the gate waits for everybody; else each waits alone. */
  const waitAlone = async (attempts: number, failure: CoreFailure): Promise<void> => {
    tally.retries += 1;
    const isTold = askedToWait(failure) > 0;
    const jitter = isTold ? 0 : fullJitter(Math.max(1, attempts), timing.random());
    const waitMs = Math.max(jitter, retries.withdraw(timing.now()));
    if (waitMs > 0) await timing.sleep(waitMs, signal);
    signal.throwIfAborted();
  };

  /** @returns true where another attempt may follow now */
  const mayTryAgain = async (
    trial: Trial,
    failure: CoreFailure,
    successesThen: number,
  ): Promise<boolean> => {
    const { name } = trial;
    const fatal = runErrorFrom(failure, name);
    if (fatal !== null) throw fatal;
    await count(trial, failure, successesThen);
    const isOver = isSpent(trial, failure);
    const repeats = !isOver && mayRepeat(name, failure);
    if (!repeats) countInARow(name, failure);
    if (!isOver) await waitAlone(trial.attempts, failure);
    return repeats;
  };

  const succeeded = <T>(name: CallName, began: number, value: T): CallResult<T> => {
    successes += 1;
    if (failing.size > 0) failing.delete(name);
    gate.answered(name, began);
    outages.answered();
    return { ok: true, value };
  };

  /** The attempts from one on that has failed. */
  const goOn = async <T>(
    trial: Trial,
    attempt: () => Promise<T>,
    first: FailedAttempt,
  ): Promise<CallResult<T>> => {
    const { name } = trial;
    let failed = first;
    for (;;) {
      const { failure, began, successesThen } = failed;
      if (!(failure instanceof CoreFailure)) throw failure;
      await report(name, began, failure);
      const again = await mayTryAgain(trial, failure, successesThen);
      if (!again) return { ok: false, failure, maybeApplied: trial.maybeApplied };
      const entered = await gate.enter();
      const successesNow = successes;
      tally.calls[name] += 1;
      try {
        return succeeded(name, entered, await attempt());
      } catch (error) {
        failed = { failure: error, began: entered, successesThen: successesNow };
      }
    }
  };

  /** The first attempt. Next to all calls need no other, so that it alone is made cheap. */
  const begin = <T>(
    name: CallName,
    attempt: () => Promise<T>,
    successesBefore: number,
    outagesSeen: number,
    began: number,
  ): Promise<CallResult<T>> => {
    const successesThen = successes;
    tally.calls[name] += 1;
    return attempt().then(
      (value) => succeeded(name, began, value),
      (failure: unknown) => {
        const trial = newTrial(name, { successesBefore, outagesSeen });
        return goOn(trial, attempt, { failure, began, successesThen });
      },
    );
  };

  return {
    traffic: gate,
    call(name, attempt) {
      const before = successes;
      const { confirmed } = outages;
      retries.deposit();
      const entered = gate.enter();
      if (typeof entered === "number") return begin(name, attempt, before, confirmed, entered);
      return entered.then((began) => begin(name, attempt, before, confirmed, began));
    },
    count(name) {
      tally.calls[name] += 1;
      gate.charge();
    },
  };
}
