/** The import: source → record → plan → checkpoint → core → checkpoint → summary, with a bounded number of users in flight. */

import { dirname } from "node:path";
import { closeAfterFailure } from "../errors/run-error.js";
import { prepareBulk, emitFindings } from "./before-bulk.js";
import { Inspector } from "../inspect/inspection.js";
import { requireUsers } from "../inspect/file-users.js";
import { checkSum } from "./check-sum.js";
import { Caller } from "../calls/caller.js";
import { type Checkpoint, checkpointError, openCheckpoint } from "../checkpoint/checkpoint.js";
import { missingUserFindings, newMissingUsers } from "./missing-users.js";
import { completeImport, type GivenImport } from "./defaults.js";
import type { ImportSummary, MigrationEvent } from "../events/events.js";
import { sourceNames, totalBytes } from "../source/inputs.js";
import { createLimit } from "./limit.js";
import type { ImportOptions } from "./options.js";
import { noneMigratedFindings } from "./none-migrated.js";
import { createPace } from "../calls/pace.js";
import { retryingCore } from "../calls/retrying-core.js";
import { removalCheck } from "./look-up.js";
import { bindCheckpoint, checkCore, isEmptyCore } from "./preflight.js";
import { createProgress } from "../calls/progress.js";
import { NO_FIRST_LEG, proveFirst } from "./prove-first.js";
import { type Run, readAll } from "./read-all.js";
import { hasTooManyRejects } from "./reject-allowance.js";
import { recordRun } from "./run-recorder.js";
import { type RejectsOut, withRejectsOut } from "./rejects-out.js";
import { createStop, type Stop } from "./stop.js";
import { createTally, emitRow } from "../events/tally.js";
import { SYSTEM_TIMING } from "../calls/timing.js";
import { shardSummary } from "../events/shard.js";

/**
 * Imports the users of all inputs and leaves every one of them in exactly one outcome.
 *
 * @returns the summary; `interrupted` where `signal` stopped the run, with the rest `pending`
 * @throws RunError when the run can't start or go on; what was done is in the checkpoint
 */
export async function importUsers(given: GivenImport): Promise<ImportSummary> {
  const options = completeImport(given);
  return withRejectsOut(options.rejectsOut, (rejects) => importTo(rejects, options));
}

/** The same, and what the core has said. */
interface RunOptions extends ImportOptions {
  /** The core had no users when the run began. */
  readonly wasEmpty: boolean;
  /** The others are looked up. */
  readonly looksUp: boolean;
}

/** A summary that doesn't say yet what was written out. */
type Summary = Omit<ImportSummary, "rejectsFiles">;

async function importTo(rejects: RejectsOut, options: ImportOptions): Promise<Summary> {
  // An embedded core has the second processor for itself.
  const ownThread = options.core.target.kind === "remote";
  const checkpoint = openCheckpoint(options.checkpoint, { ownThread });
  try {
    const summary = await importWith(options, checkpoint, rejects);
    checkpoint.close();
    return summary;
  } catch (error) {
    closeAfterFailure(checkpoint);
    throw checkpointError(error, options.checkpoint);
  }
}

async function importWith(
  options: ImportOptions,
  checkpoint: Checkpoint,
  rejects: RejectsOut,
): Promise<Summary> {
  const { timing = SYSTEM_TIMING, maxDurationMs } = options;
  const stop = createStop({ given: options.signal, timing, maxDurationMs });
  try {
    const atTheCore = await askCore(stop, options, checkpoint);
    return await runRecorded(stop, { ...options, ...atTheCore }, checkpoint, rejects);
  } finally {
    stop.dispose();
  }
}

/** Whether the core has no users, as far as that can be known, and whether users are looked up. */
type AtTheCore = Pick<RunOptions, "wasEmpty" | "looksUp">;

async function askCore(
  { signal }: Stop,
  options: ImportOptions,
  checkpoint: Checkpoint,
): Promise<AtTheCore> {
  const { binding, policy, targetMoved, timing = SYSTEM_TIMING } = options;
  const core = retryingCore(options.core, timing, signal);
  try {
    const cutOver = checkpoint.cutOver() !== null;
    const looksUp = await checkCore(core, policy, cutOver);
    // What earlier runs have left open has to be looked for.
    const isFirst = checkpoint.binding() === null;
    await bindCheckpoint(checkpoint, binding, core, targetMoved);
    if (policy.assumeEmpty) return { wasEmpty: true, looksUp };
    return { wasEmpty: isFirst && (await isEmptyCore(core)), looksUp };
  } catch (error) {
    // An operator who stops the run while the core is asked needs no error of the core's.
    if (!signal.aborted) throw error;
    return { wasEmpty: false, looksUp: false };
  }
}

/** The run, with a history of it in the checkpoint. */
async function runRecorded(
  stop: Stop,
  options: RunOptions,
  checkpoint: Checkpoint,
  rejects: RejectsOut,
): Promise<Summary> {
  const { inputs, part, timing = SYSTEM_TIMING } = options;
  const recording = { source: sourceNames(inputs), timing, onFailure: stop.fail };
  const recorder = await recordRun(checkpoint.beginRun, recording);
  const onEvent = (event: MigrationEvent): void => {
    recorder.hear(event);
    options.onEvent?.(event);
  };
  try {
    const parts = { rejects, recorder };
    if (part !== undefined) checkpoint.notePart({ ...part, end: null });
    const { isWhole, ...summary } = await runUntil(
      stop,
      { ...options, onEvent },
      checkpoint,
      parts,
    );
    await recorder.finished(summary);
    if (part !== undefined && isWhole) checkpoint.notePart({ ...part, end: summary });
    return summary;
  } catch (error) {
    await recorder.failed(checkpointError(error, checkpoint.path));
    throw error;
  }
}

async function runUntil(
  stop: Stop,
  options: RunOptions,
  checkpoint: Checkpoint,
  { rejects, recorder }: Pick<Run, "rejects" | "recorder">,
): Promise<Summary & { readonly isWhole: boolean }> {
  const {
    core,
    inputs,
    timing = SYSTEM_TIMING,
    onEvent: emit = () => {},
    wasEmpty,
    looksUp,
  } = options;
  const start = timing.now();
  const tally = createTally();
  const pace = createPace(options.concurrency);
  const { signal } = stop;
  const keys = { digester: checkpoint.digester, directory: dirname(checkpoint.path) };
  const preparation = await prepareBulk(options, { signal, emit, timing, start, keys });
  recorder.watch(tally, preparation.inspection?.hashes ?? []);
  const { policy } = preparation;
  const inspector = preparation.inspection === null ? new Inspector() : null;
  const caller = new Caller(tally, timing, signal, {
    // A core in this process has no network to fill, and its calls are as many as share a commit.
    most: core.target.kind === "remote" ? options.concurrency : null,
    rate: options.rate,
    outageBudgetMs: options.outageBudgetMs,
    probe: () => core.probe(),
    onPause: emit,
  });
  // A pilot's last row isn't known in advance.
  const isPilot = options.limit !== undefined;
  const progress = createProgress(emit, {
    tally,
    pace,
    timing,
    start,
    phase: "run",
    traffic: caller.traffic,
    totalBytes: isPilot ? null : totalBytes(inputs),
    total: isPilot ? null : preparation.inspection?.rows,
  });
  const cutOver = checkpoint.cutOver() !== null;
  const ids = checkpoint.ledger;
  const now = () => timing.now();
  const { digester } = checkpoint;
  const removes = removalCheck(core, caller);
  const context = {
    core,
    policy,
    caller,
    cutOver,
    wasEmpty,
    looksUp,
    removes,
    digester,
    ids,
    now,
  };
  const parts = { checkpoint, context, tally, pace, progress, preparation, inspector, signal };
  const limit = createLimit(options.limit);
  const missingUsers = newMissingUsers();
  const run: Run = {
    ...parts,
    limit,
    stop,
    missingUsers,
    rejects,
    recorder,
    emit,
    room: options.room ?? (async () => {}),
    emitRow: rowEmitter(options, { stop, tally, rejects }),
    pending: 0,
  };

  const { signIns } = preparation;
  const first = signIns === null ? NO_FIRST_LEG : await proveFirst(options, run, signIns);
  const truncated = await readAll(options, run, { allBut: first.taken }).catch(stop.fail);
  const readToTheEnd = !signal.aborted;
  await pace.idle();
  stop.throwIfFailed();
  if (inspector !== null && readToTheEnd) {
    const { files, findings } = inspector.result();
    if (options.part === undefined) requireUsers(files, inputs);
    emitFindings(findings, emit);
  }
  const isWhole = readToTheEnd && truncated?.length === 0 && !limit.hasCut;
  if (isWhole) emitFindings(missingUserFindings(checkpoint.ledger.absent(), missingUsers), emit);
  emitFindings(tally.findings(), emit);

  // A stop that came after the last row, when every user was sent, interrupted nothing.
  const interrupted = !readToTheEnd || run.pending > 0;
  const summary: Summary = {
    command: "import",
    source: sourceNames(inputs),
    core: core.target,
    ...tally.counts(),
    ...tally.outcomes,
    importedAlgorithms: tally.importedAlgorithms,
    pending: run.pending,
    hashes: (inspector?.result() ?? preparation.inspection)?.hashes ?? [],
    passwordExport: options.passwordCoverage?.() ?? null,
    mapped: tally.mapped,
    retries: tally.retries,
    pauses: tally.pauses,
    pausedMs: tally.pausedMs,
    calls: tally.calls,
    // What was verified on this machine says nothing of a remote core's key.
    proved: preparation.proved && (core.target.kind === "embedded" || first.proved),
    signIns: first.signIns,
    elapsedMs: Math.round(timing.now() - start),
    checkpoint: checkpoint.path,
    truncated: truncated ?? [],
    limited: limit.hasCut,
    interrupted,
    stoppedBy: interrupted ? stop.reason : null,
    shard: shardSummary(options.part),
  };
  checkSum(summary.read, tally.done() + run.pending);
  emitFindings(noneMigratedFindings(summary), emit);
  return { ...summary, isWhole: isWhole && !interrupted };
}

/** Emits rows, and stops the run when too many are rejected. */
function rowEmitter(
  options: ImportOptions,
  { stop, tally, rejects }: Pick<Run, "stop" | "tally" | "rejects">,
): Run["emitRow"] {
  const { onEvent: emit = () => {}, maxRejects, expectUsers: expected } = options;
  return (event) => {
    rejects.take(event);
    emitRow(event, tally, emit);
    if (event.type !== "reject" || maxRejects === undefined) return;
    const { rejected } = tally.outcomes;
    if (hasTooManyRejects(maxRejects, { rejected, read: tally.readSoFar(), expected })) {
      stop.softly("max_rejects");
    }
  };
}
