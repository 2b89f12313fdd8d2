/** Compares users of the checkpoint with the core, a few at once, and counts what came of it. */

import { Pace } from "../calls/pace.js";
import { createProgress } from "../events/progress.js";
import { SYSTEM_TIMING, type Timing } from "../events/timing.js";
import type { PauseEvent, ProgressEvent, RowEvent } from "../events/events.js";
import type { LineOf } from "../events/lines/lines.js";
import { emitRow, type Tally } from "../events/tally.js";
import type { Stop } from "../run/stop.js";
import { compareAccount } from "./compare-account.js";
import { type Asking, compareUser, type Difference, type DifferenceCode } from "./compare-user.js";
import { breathe, type SeenUsers } from "./seen-users.js";
import type { Subject } from "./subjects.js";

/** One thing in which checkpoint and core differ of a user. Holds no contact and no value. */
export interface DifferenceEvent
  extends Difference,
    Pick<LineOf<"difference">, "type" | "row" | "sourceId"> {}

/** What is told on the way: of each user who differs or got no answer, and how far it is. */
export type ReconcileEvent = DifferenceEvent | RowEvent | ProgressEvent | PauseEvent;

/** What came of all users. */
export interface Comparison
  extends Pick<
    LineOf<"reconcile-summary">,
    "asked" | "agreed" | "differing" | "unanswered" | "unasked"
  > {
  readonly differences: Readonly<Partial<Record<DifferenceCode, number>>>;
}

/** What comparing needs of the whole. */
interface Comparing {
  readonly asking: Asking;
  /** What the core's pages have shown; null where all are asked for. */
  readonly seen: SeenUsers | null;
  /** Users to be compared; null where they weren't counted. */
  readonly total: number | null;
  readonly tally: Tally;
  readonly concurrency: number;
  /** Ends the asking; what is in flight ends first. */
  readonly stop: Stop;
  readonly onEvent?: (event: ReconcileEvent) => void;
  /** Asked before the next user. */
  readonly room?: () => Promise<void>;
  readonly timing?: Timing;
  /** When it began, by `timing`. */
  readonly start: number;
}

/** @throws RunError where no further call can succeed, or the users can't be read */
export async function compareAll(
  subjects: AsyncIterable<Subject> | Iterable<Subject>,
  { asking, seen, tally, concurrency, stop, start, total, ...rest }: Comparing,
): Promise<Comparison> {
  const { onEvent: emit = () => {}, timing = SYSTEM_TIMING } = rest;
  const pace = new Pace(concurrency);
  const sources = { phase: "run", tally, pace, timing, start, total } as const;
  const progress = createProgress(emit, { ...sources, traffic: asking.caller.traffic });
  const counts = { asked: 0, agreed: 0, differing: 0, unanswered: 0, unasked: 0 };
  const differences: Partial<Record<DifferenceCode, number>> = {};
  const { signal } = stop;

  const compare = async (subject: Subject): Promise<void> => {
    if (signal.aborted) return;
    const { row, sourceId } = subject.user;
    tally.read();
    const there = await compareUser(asking, subject, seen?.sightingOf(subject) ?? "unclear");
    const verdict = there.kind === "agrees" ? await compareAccount(asking, subject) : there;
    if (verdict.kind === "unasked") {
      counts.unasked += 1;
      return;
    }
    counts.asked += 1;
    if (verdict.kind === "unanswered") {
      counts.unanswered += 1;
      const { code, hint } = verdict;
      emitRow({ type: "failure", row, sourceId, code, hint }, tally, emit);
    } else {
      tally.ended("unchanged");
      if (verdict.kind === "agrees") counts.agreed += 1;
      else {
        counts.differing += 1;
        for (const difference of verdict.differences) {
          const { code } = difference;
          differences[code] = (differences[code] ?? 0) + 1;
          emit({ type: "difference", row, sourceId, ...difference });
        }
      }
    }
    progress.tick();
  };

  const askForAll = async (): Promise<void> => {
    for await (const subject of subjects) {
      await pace.room();
      await rest.room?.();
      await breathe(tally.readSoFar());
      if (signal.aborted) return;
      pace.track(1, pace.run(() => compare(subject)).catch(stop.fail));
    }
  };

  await askForAll().catch(stop.fail);
  await pace.idle();
  stop.throwIfFailed();
  return { ...counts, differences };
}
