/** What the parts of one import share: what was read, how calls are made, and where their endings are written. */

import { Caller } from "../calls/caller.js";
import type { Timing } from "../events/timing.js";
import type { Checkpoint } from "../checkpoint/checkpoint.js";
import type { Entries } from "../checkpoint/entries.js";
import { cutBy } from "../checkpoint/run-progress.js";
import { Tally } from "../events/tally.js";
import { Awaited } from "./bulk/awaited.js";
import type { BulkSetting } from "./bulk/mode.js";
import type { HashKeeper } from "./call-context.js";
import { createLimit } from "./limit.js";
import { removalCheck } from "./look-up.js";
import { progressOf, type Reading, type Road, type RunRules, tellRow } from "./one-run.js";
import type { ImportOptions } from "./options.js";
import { runBatch, type RunContext } from "./run-batch.js";
import type { RunRecorder } from "./run-recorder.js";

/** The options of an import, with the clock of its work, and what the core has said. */
export interface RunOptions extends ImportOptions {
  readonly timing: Timing;
  readonly rules: RunRules;
  /** How the core's queue is used; null where each user has calls of their own. */
  readonly bulkSetting: BulkSetting | null;
  /** Where hashes are kept that no core takes. */
  readonly keeper?: HashKeeper | undefined;
}

/** What the parts of one run share. */
export interface Run extends RunContext, Reading {}

export function newRun(
  options: RunOptions,
  checkpoint: Checkpoint,
  recorder: RunRecorder,
  reading: Reading,
): Run {
  const { core, timing, keeper, concurrency, rate, bulkSetting, limit } = options;
  const { tally, pace, signal, emit, rules, rows, stage } = reading;
  if (rows !== null && limit === undefined && cutBy(checkpoint.runs().slice(0, -1)) !== null) {
    const { earlier } = checkpoint.ledger;
    const brought = stage.brought();
    tally.ahead = () => Math.max(0, brought - earlier.met);
  }
  const caller = new Caller(tally, timing, signal, {
    // A core in this process has no network to fill, and its calls are as many as share a commit.
    most: core.target.kind === "remote" ? concurrency : null,
    rate,
    probe: () => core.probe(),
    pace,
    onPause: emit,
  });
  const awaited = new Awaited();
  return {
    ...reading,
    checkpoint,
    recorder,
    context: {
      ...rules,
      core,
      caller,
      joinedByQueue: bulkSetting !== null,
      notKept: new Map(),
      removes: removalCheck(core, caller),
      keeper,
      ids: checkpoint.ledger,
      now: () => timing.now(),
    },
    progress: progressOf(options, reading, {
      traffic: caller.traffic,
      queue: () => {
        const { count: queued, before } = awaited;
        const queuedBefore = Math.min(before, queued);
        return { queued, queuedBefore, written: Math.min(recorder.written, queued) };
      },
    }),
    emitRow: (event) => tellRow(event, reading),
    awaited,
    bulk: null,
    pending: 0,
  };
}

/** @param again what is known of users whose rows were counted before */
export function roadOf(run: Run, again?: Entries): Road {
  const { checkpoint, context, progress, recorder } = run;
  return {
    rules: { ...context, digester: checkpoint.digester },
    ledger: again ?? checkpoint.ledger,
    tally: again === undefined ? run.tally : new Tally(),
    progress,
    take: (batch) => runBatch(run, batch),
    readToEnd: (path) => recorder.readToEnd(path),
  };
}

/** A run of its own for such rows. */
export function rowsApart(run: Run): Run {
  return {
    ...run,
    // A pilot's limit counts them, or has counted them, and cuts none of them off.
    limit: { ...createLimit(undefined), take: run.limit.take },
    pending: 0,
  };
}
