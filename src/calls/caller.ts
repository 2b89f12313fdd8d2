/** Calls at the core with the retries of retry-table.ts. It tells a user's bad luck from a run that can't go on; what becomes of a failed user is not its business. */

import { CoreFailure } from "../core/core-failure.js";
import type { CallName, PauseEvent } from "../events/events.js";
import type { Tally } from "../events/tally.js";
import { FailuresInARow, runErrorFrom } from "./core-errors.js";
import { Gate } from "./gate.js";
import { OUTAGE_BUDGET_MS, OutageWatch, pauseFor } from "./outage.js";
import type { Pace } from "./pace.js";
import type { Traffic } from "../events/progress.js";
import {
  askedToWait,
  fullJitter,
  isLast,
  mayHaveWorked,
  mayRepeat,
  mostAttempts,
} from "./retry-table.js";
import type { Timing } from "../events/timing.js";

/** So many outages cost one call no attempt. A call that is lost in more of them may well be what brings the core down. */
const MOST_OUTAGES = 5;
/** Shorter pauses aren't worth telling. */
const TOLD_PAUSE_MS = 1000;

/** How a call ended after its retries; `maybeApplied`: an attempt that failed may have taken effect. */
export type CallResult<T> =
  | { readonly ok: true; readonly value: T; readonly maybeApplied: boolean }
  | { readonly ok: false; readonly failure: CoreFailure; readonly maybeApplied: boolean };

/** The pace of a run; by default that of a core in this process. */
export interface CallerOptions {
  /** Most calls in flight, adapted to what a remote core takes; null, the default, for no limit but the users'. */
  readonly most?: number | null | undefined;
  /** Most calls a second; null, the default, for no limit. */
  readonly rate?: number | null | undefined;
  /** Asks the core whether it is there; by default it is. */
  readonly probe?: (() => Promise<void>) | undefined;
  readonly pace?: Pick<Pace, "lend"> | undefined;
  /** Told of pauses of a second and more. */
  readonly onPause?: ((event: PauseEvent) => void) | undefined;
}

interface FailedAttempt {
  readonly failure: CoreFailure;
  /** When it was let go, by the gate. */
  readonly began: number;
  /** Calls of the whole run that had succeeded then. */
  readonly successesThen: number;
}

/** Several calls that were let in together. */
export interface Together extends Omit<FailedAttempt, "failure"> {
  readonly name: CallName;
  /** Outages of the run until then. */
  readonly outagesSeen: number;
}

/** What the calls of one run share. */
export class Caller {
  readonly #tally: Tally;
  readonly #timing: Timing;
  readonly #signal: AbortSignal;
  readonly #onPause: (event: PauseEvent) => void;
  readonly #pace: Pick<Pace, "lend"> | undefined;
  readonly #gate: Gate;
  readonly #outages: OutageWatch;
  #successes = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  readonly #failures = new FailuresInARow();

  /** @param signal aborted, it ends all waiting for attempts that weren't made yet */
  constructor(tally: Tally, timing: Timing, signal: AbortSignal, options: CallerOptions = {}) {
    const { most = null, rate = null } = options;
    this.#tally = tally;
    this.#timing = timing;
    this.#signal = signal;
    this.#onPause = options.onPause ?? (() => {});
    this.#pace = options.pace;
    this.#gate = new Gate({ timing, signal, most, rate });
    this.#outages = new OutageWatch({
      timing,
      signal,
      gate: this.#gate,
      probe: options.probe ?? (async () => {}),
      onPause: (event) => this.#pause(event),
    });
  }

  /** As of now, whenever it is looked at. */
  get traffic(): Traffic {
    return this.#gate;
  }

  /**
   * Makes a call, when the pace allows it, and repeats it as far as that is safe.
   *
   * @param attempt one call; it must reject with a `CoreFailure`
   * @throws RunError where the run can't go on (as of core-errors.ts)
   * @throws the signal's reason where the run was stopped and another attempt would have to be made
   */
  call<T>(name: CallName, attempt: () => Promise<T>): Promise<CallResult<T>> {
    return this.#attempts(new Trial(name, this.#outages.confirmed), attempt, null);
  }

  /**
   * Lets in the first attempts of several calls that are made together, and counts each.
   *
   * @returns null where the pace doesn't let all of them in at once
   */
  enterTogether(name: CallName, calls: number): Together | null {
    const outagesSeen = this.#outages.confirmed;
    const began = this.#gate.enterTogether(calls);
    if (began === null) return null;
    this.#tally.calls[name] += calls;
    return { name, began, successesThen: this.#successes, outagesSeen };
  }

  /** So many of several calls were answered. */
  answered({ name }: Together, calls: number): void {
    if (calls === 0) return;
    this.#successes += calls;
    this.#failures.end(name);
    this.#gate.answeredTogether(calls);
    this.#outages.answered();
  }

  /** One of several calls failed: it goes on as a call of its own. Rejects as {@link call}. */
  goOnAlone<T>(
    { name, began, successesThen, outagesSeen }: Together,
    failure: unknown,
    attempt: () => Promise<T>,
  ): Promise<CallResult<T>> {
    const trial = new Trial(name, outagesSeen);
    return this.#attempts(trial, attempt, {
      failure: asCoreFailure(failure),
      began,
      successesThen,
    });
  }

  /** Counts one more call, which an attempt at another one makes on its way. */
  count(name: CallName): void {
    this.#tally.calls[name] += 1;
    this.#gate.charge();
  }

  /** @param first the first attempt, where it was made among several and has failed */
  async #attempts<T>(
    trial: Trial,
    attempt: () => Promise<T>,
    first: FailedAttempt | null,
  ): Promise<CallResult<T>> {
    const { name } = trial;
    for (let failed = first; ; ) {
      if (failed !== null && !(await this.#mayTryAgain(trial, failed))) {
        return { ok: false, failure: failed.failure, maybeApplied: trial.maybeApplied };
      }
      // A core that fails may do so for the load: the last time it has little else to do.
      const isCareful = failed?.failure.kind === "broken" && isLast(trial.attempts, failed.failure);
      const release = isCareful ? this.#gate.slow() : null;
      try {
        const entered = this.#gate.enter(name, isCareful);
        // Without a wait where there is room: a stop by an earlier call of this moment is heard.
        const began = typeof entered === "number" ? entered : await entered;
        const successesThen = this.#successes;
        this.#tally.calls[name] += 1;
        try {
          return this.#succeeded(name, began, await attempt(), trial.maybeApplied);
        } catch (error) {
          failed = { failure: asCoreFailure(error), began, successesThen };
        }
      } finally {
        release?.();
      }
    }
  }

  #succeeded<T>(name: CallName, began: number, value: T, maybeApplied: boolean): CallResult<T> {
    this.#successes += 1;
    this.#failures.end(name);
    this.#gate.answered(name, began);
    this.#outages.answered();
    return { ok: true, value, maybeApplied };
  }

  /**
   * Tells the gate and the watch of a failure, and waits where every call must.
   *
   * @returns whether it waited
   */
  async #report(name: CallName, began: number, failure: CoreFailure): Promise<boolean> {
    const { kind } = failure;
    if (kind === "unreachable") this.#gate.lost(began);
    else if (kind === "busy" || kind === "broken") this.#gate.turnedAway(began);
    else this.#gate.answered(name, began);
    if (kind === "unreachable" || kind === "busy") return this.#outages.notThrough(failure, began);
    this.#outages.answered();
    // A core that fails may ask to be left alone as well.
    if (kind === "broken" && askedToWait(failure) > 0) this.#outages.requireTime(failure);
    return false;
  }

  #pause(event: PauseEvent): void {
    this.#tally.pauses += 1;
    this.#tally.pausedMs += event.waitMs;
    if (event.waitMs >= TOLD_PAUSE_MS) this.#onPause(event);
  }

  /** @returns true where another attempt may follow now */
  async #mayTryAgain(trial: Trial, failed: FailedAttempt): Promise<boolean> {
    const { name } = trial;
    const { failure, began, successesThen } = failed;
    const hasWaited = await this.#report(name, began, failure);
    const fatal = runErrorFrom(failure, name);
    if (fatal !== null) throw fatal;
    await this.#countAttempt(trial, failure, successesThen);
    const isOver = this.#isSpent(trial, failure);
    const repeats = !isOver && mayRepeat(name, failure);
    if (!repeats) this.#failures.add(name, failure);
    if (isOver) return false;
    this.#tally.retries += 1;
    if (!hasWaited) await this.#waitAlone(trial, failure);
    return repeats;
  }

  /** @param successesThen those of the whole run when the attempt began */
  async #countAttempt(trial: Trial, failure: CoreFailure, successesThen: number): Promise<void> {
    const { kind } = failure;
    if (mayHaveWorked(failure)) trial.maybeApplied = true;
    trial.failures += 1;
    if (kind === "busy") {
      trial.busySince ??= this.#timing.now();
      // A wait that the core asks for costs no attempt, nor does one in which no call got through.
      const isOwn = askedToWait(failure) === 0 && this.#successes > successesThen;
      if (isOwn) trial.attempts += 1;
      return;
    }
    trial.attempts += 1;
    if (kind !== "unreachable") return;
    const isDeaf = this.#successes === successesThen && this.#isSpent(trial, failure);
    if (isDeaf) await this.#outages.waitForCore(failure);
    if (this.#outages.confirmed === trial.outagesSeen) return;
    // What was lost in an outage was no bad luck of this call's.
    trial.outagesSeen = this.#outages.confirmed;
    trial.outages += 1;
    if (trial.outages > MOST_OUTAGES) return;
    trial.attempts = 0;
    trial.failures = 1;
  }

  /** No attempt may follow. One call alone that is always told to wait must not hold the run, either. */
  #isSpent({ attempts, busySince }: Trial, failure: CoreFailure): boolean {
    const since = busySince ?? Number.POSITIVE_INFINITY;
    return attempts >= mostAttempts(failure) || this.#timing.now() - since > OUTAGE_BUDGET_MS;
  }

  /** As long as the core asks this call to wait; where it doesn't say, by full jitter. */
  async #waitAlone({ failures }: Trial, failure: CoreFailure): Promise<void> {
    const asked = askedToWait(failure);
    const waitMs = asked || fullJitter(failures, this.#timing.random());
    // Where all that are on their way wait by themselves, the run pauses.
    const isAsked = failure.kind === "busy" || asked > 0;
    const isPause = isAsked && this.#gate.isIdle && this.#timing.now() >= this.#pausedUntil;
    if (waitMs > 0) {
      if (isPause) {
        this.#pausedUntil = this.#timing.now() + waitMs;
        this.#pause(pauseFor(failure, waitMs));
      }
      const wait = this.#timing.sleep(waitMs, this.#signal);
      await (this.#pace?.lend(wait) ?? wait);
    }
    this.#signal.throwIfAborted();
  }
}

/** What one call of a run has been through. */
class Trial {
  readonly name: CallName;
  /** Outages of the run that it has seen, and how many of them it was lost in. */
  outagesSeen: number;
  outages = 0;
  maybeApplied = false;
  /** Those that count: trouble that all calls have costs none. */
  attempts = 0;
  /** All that failed since the last outage. */
  failures = 0;
  busySince: number | null = null;

  constructor(name: CallName, outagesSeen: number) {
    this.name = name;
    this.outagesSeen = outagesSeen;
  }
}

/** @throws what is no failure of the core's: it ends the run */
function asCoreFailure(failure: unknown): CoreFailure {
  if (failure instanceof CoreFailure) return failure;
  throw failure;
}
