/** The import: source → record → plan → checkpoint → core → checkpoint → summary, with a bounded number of users in flight. */

import { dirname } from "node:path";
import { inTheirWords } from "../errors/option-words.js";
import { closeAfterFailure } from "../errors/run-error.js";
import { activeUsers } from "./active-users.js";
import { emitFindings } from "./before-bulk.js";
import { awaitQueue } from "./bulk/await-queue.js";
import { Bulk } from "./bulk/bulk.js";
import { type BulkSetting, NO_QUEUE, type QueueUse } from "./bulk/mode.js";
import { writeRejectedRows } from "./bulk/rejected-rows.js";
import { bulkAt, carriedBySingleCalls, usesQueue, withQueue } from "./bulk/setting.js";
import { withdrawQueued } from "./bulk/withdraw.js";
import {
  checkSum,
  missingUserFindings,
  noneMigratedFindings,
  stillThereFindings,
} from "./run-end.js";
import { type Checkpoint, checkpointError, openCheckpoint } from "../checkpoint/checkpoint.js";
import { completeImport, type GivenImport } from "./defaults.js";
import type { MigrationEvent } from "../events/events.js";
import type { ImportSummary } from "../events/summary.js";
import { sourceNames } from "../source/inputs.js";
import type { ImportOptions } from "./options.js";
import { retryingCore } from "../calls/retrying-core.js";
import { carriedParts, NOTHING_CARRIED } from "../plan/carried.js";
import { carriedUsers } from "../plan/carried-users.js";
import { ask, bindCheckpoint, checkCore, isEmptyCore } from "./preflight.js";
import { type ClockedOptions, prepareRun, type RunOptions } from "./prepare-run.js";
import { type FirstLeg, NO_FIRST_LEG, proveFirst } from "./prove-first.js";
import { type Run, readAll } from "./read-all.js";
import { carriedInto } from "./require-carried.js";
import { earlierRuns } from "./earlier-runs.js";
import { recordRun } from "./run-recorder.js";
import { type RejectsOut, withRejectsOut } from "./rejects-out.js";
import { createStop, type Stop } from "./stop.js";
import { standingAfter } from "./standing.js";
import { SYSTEM_TIMING, workTiming } from "../calls/timing.js";
import { settleProof, unprovedFindings } from "./signer-key-proof.js";
import { shardSummary } from "../events/shard.js";
import { openKeeper } from "./hash-keeper.js";
import { Stage } from "../stage/stage.js";

/**
 * Imports the users of all inputs and leaves every one of them in exactly one outcome.
 *
 * @returns the summary; `interrupted` where `signal` stopped the run, with the rest `pending`
 * @throws RunError when the run can't start or go on; what was done is in the checkpoint
 */
export function importUsers(given: GivenImport): Promise<ImportSummary> {
  return inTheirWords(given, async (asked) => {
    const options = completeImport(asked);
    return withRejectsOut(options.rejectsOut, (rejects) => importTo(rejects, options));
  });
}

async function importTo(rejects: RejectsOut, options: ImportOptions): Promise<Summary> {
  const { inputs } = options;
  const checkpoint = openCheckpoint(options.checkpoint);
  try {
    const earlier = { inputs: inputs.map(({ path }) => path), notes: checkpoint };
    const summary = await importWith(options, checkpoint, rejects).catch((error: unknown) => {
      closeAfterFailure({ close: () => rejects.finish({ ...earlier, isWhole: false }) });
      throw error;
    });
    rejects.finish({ ...earlier, isWhole: isWhole(summary) });
    checkpoint.close();
    return summary;
  } catch (error) {
    closeAfterFailure(checkpoint);
    throw checkpointError(error, options.checkpoint);
  }
}

/** Whether every row of the inputs was read and has its end. */
function isWhole({ interrupted, limited, truncated, queued }: Summary): boolean {
  return !interrupted && !limited && truncated.length === 0 && queued === 0;
}

/** A summary that doesn't say yet what was written out. */
type Summary = Omit<ImportSummary, "rejectsFiles">;

async function importWith(
  options: ImportOptions,
  checkpoint: Checkpoint,
  rejects: RejectsOut,
): Promise<Summary> {
  const { beforeBulk } = options;
  const timing = workTiming(options.timing ?? SYSTEM_TIMING);
  const timed: ClockedOptions = {
    ...options,
    timing,
    beforeBulk: beforeBulk && ((...given) => timing.away(() => beforeBulk(...given))),
  };
  const stop = createStop(options.signal);
  const atTheCore = await askCore(stop, timed, checkpoint);
  const keeper = await openKeeper(options, checkpoint);
  try {
    return await runRecorded(stop, { ...timed, ...atTheCore, keeper }, checkpoint, rejects);
  } finally {
    keeper?.close();
  }
}

/** Whether the core has no users, as far as that can be known, whether users are looked up, and what of accounts it keeps. */
type AtTheCore = Pick<RunOptions, "wasEmpty" | "looksUp" | "carried" | keyof QueueUse>;

async function askCore(
  { signal }: Stop,
  options: ClockedOptions,
  checkpoint: Checkpoint,
): Promise<AtTheCore> {
  const { binding, policy, targetMoved, timing } = options;
  const core = retryingCore(options.core, timing, signal);
  try {
    const cutOver = checkpoint.cutOver() !== null;
    const looksUp = await checkCore(core, policy, cutOver);
    // What earlier runs have left open has to be looked for.
    const isFirst = checkpoint.binding() === null;
    await bindCheckpoint(checkpoint, binding, core, targetMoved);
    const offered = await ask("probe", () => core.capabilities());
    const { bulkImport: isOffered } = offered;
    const queue = await bulkAt(core, options, { isOffered, isFirst: isFirst && looksUp });
    const taken = withQueue(offered, queue.bulkSetting !== null);
    const carried = await carriedInto(core, policy, taken);
    const wasEmpty = policy.assumeEmpty || (isFirst && (await isEmptyCore(core)));
    return { wasEmpty, looksUp, carried, ...queue };
  } catch (error) {
    // An operator who stops the run while the core is asked needs no error of the core's.
    if (!signal.aborted) throw error;
    return { wasEmpty: false, looksUp: false, carried: NOTHING_CARRIED, ...NO_QUEUE };
  }
}

/** The run, with a history of it in the checkpoint. */
async function runRecorded(
  stop: Stop,
  options: RunOptions,
  checkpoint: Checkpoint,
  rejects: RejectsOut,
): Promise<Summary> {
  const { inputs, part, timing } = options;
  const recording = { source: sourceNames(inputs), timing, onFailure: stop.fail };
  const recorder = await recordRun(checkpoint.beginRun, recording);
  const onEvent = (event: MigrationEvent): void => {
    recorder.hear(event);
    options.onEvent?.(event);
  };
  const earlier = earlierRuns(checkpoint, { ...options, cutOver: checkpoint.cutOver() !== null });
  const stage = new Stage(dirname(checkpoint.path), "all", earlier);
  try {
    const parts = { rejects, recorder, stage };
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
  } finally {
    stage.close();
  }
}

async function runUntil(
  stop: Stop,
  options: RunOptions,
  checkpoint: Checkpoint,
  outlets: Pick<Run, "rejects" | "recorder" | "stage">,
): Promise<Summary & { readonly isWhole: boolean }> {
  const { timing } = options;
  const start = timing.now();
  const run = await prepareRun(stop, options, checkpoint, outlets);
  const { signIns: testUsers } = run.preparation;
  const first = testUsers === null ? NO_FIRST_LEG : await proveFirst(options, run, testUsers);
  const isProved = settleProof(
    checkpoint,
    options.hashConfig,
    provesSignerKey(options, run, first),
    run.preparation.inspection,
  );
  if (options.bulk === "never") await withdrawQueued(run);
  const bulk = startBulk(run, options.bulkSetting);
  const truncated = await readAll(options, run, { allBut: first.taken }).catch(stop.fail);
  const readToTheEnd = !run.signal.aborted;
  await run.pace.idle();
  await bulk?.finish();
  await run.pace.idle();
  await awaitQueue(options, run);
  stop.throwIfFailed();
  writeRejectedRows(options.inputs, run);
  const queued = run.awaited.count;
  const isWhole = readToTheEnd && truncated?.length === 0 && !run.limit.hasCut && queued === 0;
  const { hashes } = run.preparation.inspection;
  emitFindings(stillThereFindings(run.missingUsers), run.emit);
  if (isWhole)
    emitFindings(missingUserFindings(checkpoint.ledger.absent(), run.missingUsers), run.emit);
  const active = activeUsers(options.core.target, {
    users: run.tally.signedIn,
    passQueue: run.bulk?.isUsed === true,
  });
  const unproved = unprovedFindings(isProved, run.tally);
  emitFindings([...unproved, ...run.tally.findings(), ...active], run.emit);
  // A stop that came after the last row, when every user was sent, interrupted nothing.
  const interrupted = !readToTheEnd || run.pending > 0 || (queued > 0 && run.signal.aborted);
  run.pending += queued;
  const files = options.inputs.map(({ path }) => path);
  const end = { files, truncated: truncated ?? [], interrupted };
  const summary: Summary = {
    ...countedBy(options, run, first),
    queued,
    standing: await standingAfter(run, end),
    hashes,
    elapsedMs: Math.round(timing.now() - start),
    truncated: truncated ?? [],
    interrupted,
  };
  checkSum(summary.read, run.tally.done() + run.pending);
  emitFindings(noneMigratedFindings(summary), run.emit);
  return { ...summary, isWhole: isWhole && !interrupted };
}

/** What was verified on this machine says nothing of a remote core's key. */
function provesSignerKey(
  { core }: RunOptions,
  { preparation }: Run,
  first: Pick<FirstLeg, "proved">,
): boolean {
  const { signIns, provesSignerKey: proves } = preparation;
  return proves && (signIns === null ? core.target.kind === "embedded" : first.proved);
}

/** New users go together from now on, where the core takes them so and there are enough. */
function startBulk(run: Run, setting: BulkSetting | null): Bulk | null {
  if (!usesQueue(setting, run.preparation.inspection.rows)) return null;
  const bulk = new Bulk(run, setting);
  run.bulk = bulk;
  return bulk;
}

/** What the summary has of the options and the counters. */
function countedBy(
  { inputs, core, part }: RunOptions,
  { tally, checkpoint, preparation, limit, pending, context, bulk }: Run,
  first: Awaited<ReturnType<typeof proveFirst>>,
) {
  const { mapped, retries, pauses, pausedMs, calls, importedAlgorithms, bridged } = tally;
  return {
    command: "import",
    source: sourceNames(inputs),
    core: core.target,
    ...tally.counts(),
    ...tally.outcomes,
    importedAlgorithms,
    bridged: bridged.imported,
    pending,
    passwordExport: preparation.inspection.passwordExport,
    carriedUsers: carriedUsers(tally.carried.brought),
    carried: carriedParts(bulk === null ? carriedBySingleCalls(context) : context.carried),
    mapped,
    retries,
    pauses,
    pausedMs,
    calls,
    // What was verified on this machine says nothing of a remote core's key.
    proved: preparation.proved && (core.target.kind === "embedded" || first.proved),
    signIns: first.signIns,
    checkpoint: checkpoint.path,
    limited: limit.hasCut,
    shard: shardSummary(part),
  } as const;
}
