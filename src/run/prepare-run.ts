/** Prepares an import's bulk: its counters, its pace and all that its parts share. */

import { Caller } from "../calls/caller.js";
import { Pace, sharing } from "../calls/pace.js";
import { createProgress } from "../calls/progress.js";
import type { Timing } from "../calls/timing.js";
import type { Carried } from "../plan/carried.js";
import type { Checkpoint } from "../checkpoint/checkpoint.js";
import { createTally, emitRow } from "../events/tally.js";
import { Awaited } from "./bulk/awaited.js";
import type { QueueUse } from "./bulk/mode.js";
import { prepareBulk } from "./before-bulk.js";
import { createLimit } from "./limit.js";
import { removalCheck } from "./look-up.js";
import { newMissingUsers } from "./run-end.js";
import type { ImportOptions } from "./options.js";
import type { Run } from "./read-all.js";
import type { Stop } from "./stop.js";
import type { CallContext, HashKeeper } from "./call-context.js";

/** The options of an import, with the clock of its work. */
export interface ClockedOptions extends ImportOptions {
  readonly timing: Timing;
}

/** The same, and what the core has said. */
export interface RunOptions extends ClockedOptions, QueueUse {
  /** The core had no users when the run began. */
  readonly wasEmpty: boolean;
  /** The others are looked up. */
  readonly looksUp: boolean;
  readonly carried: Carried;
  /** Where hashes are kept that no core takes. */
  readonly keeper?: HashKeeper | undefined;
}

/**
 * Inspects the inputs and lets a proof be made, before any user is sent.
 *
 * @throws RunError as `prepareBulk`
 */
export async function prepareRun(
  stop: Stop,
  options: RunOptions,
  checkpoint: Checkpoint,
  { rejects, recorder, stage }: Pick<Run, "rejects" | "recorder" | "stage">,
): Promise<Run> {
  const { core, timing, onEvent: emit = () => {} } = options;
  const { signal } = stop;
  const start = timing.now();
  const tally = createTally();
  const { concurrency } = options;
  const pace = new Pace(concurrency, core.target.kind === "remote" ? 1 : sharing(concurrency));
  const { digester } = checkpoint;
  const preparation = await prepareBulk(options, { signal, emit, timing, start, digester, stage });
  // An inspection that was stopped has counted some.
  const rows = signal.aborted ? null : preparation.inspection.rows;
  recorder.watch(tally, preparation.inspection.hashes, rows);
  const caller = new Caller(tally, timing, signal, {
    // A core in this process has no network to fill, and its calls are as many as share a commit.
    most: core.target.kind === "remote" ? concurrency : null,
    rate: options.rate,
    probe: () => core.probe(),
    pace,
    onPause: emit,
  });
  return {
    checkpoint,
    context: contextOf(options, checkpoint, caller),
    tally,
    pace,
    progress: progressOf(options, { tally, pace, traffic: caller.traffic, start }, preparation),
    preparation,
    rows,
    stage,
    proved: preparation.asProved,
    signal,
    limit: createLimit(options.limit),
    stop,
    missingUsers: newMissingUsers(),
    rejects,
    recorder,
    emit,
    timing,
    room: options.room ?? (async () => {}),
    emitRow: (event) => {
      rejects.take(event);
      emitRow(event, tally, emit);
    },
    awaited: new Awaited(),
    bulk: null,
    pending: 0,
    together: null,
  };
}

function contextOf(
  { core, policy, carried, wasEmpty, looksUp, keeper, bulkSetting, timing }: RunOptions,
  checkpoint: Checkpoint,
  caller: Caller,
): CallContext {
  return {
    core,
    caller,
    policy,
    carried,
    joinedByQueue: bulkSetting !== null,
    notKept: new Map(),
    cutOver: checkpoint.cutOver() !== null,
    wasEmpty,
    looksUp,
    removes: removalCheck(core, caller),
    digester: checkpoint.digester,
    keeper,
    ids: checkpoint.ledger,
    now: () => timing.now(),
  };
}

function progressOf(
  { limit, timing, onEvent: emit = () => {} }: RunOptions,
  counters: Pick<Run, "tally" | "pace"> & Pick<Caller, "traffic"> & { readonly start: number },
  { inspection }: Run["preparation"],
): Run["progress"] {
  // A pilot's last row isn't known in advance.
  const isPilot = limit !== undefined;
  return createProgress(emit, {
    ...counters,
    timing,
    phase: "run",
    totalBytes: null,
    total: isPilot ? null : inspection.rows,
  });
}
