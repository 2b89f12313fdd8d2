/** The import: source → record → plan → checkpoint → core → checkpoint → summary, with a bounded number of users in flight. */

import { dirname } from "node:path";
import { Pace, sharing } from "../calls/pace.js";
import { retryingCore } from "./retrying-core.js";
import { SYSTEM_TIMING, workTiming } from "../events/timing.js";
import { type Checkpoint, checkpointError, openCheckpoint } from "../checkpoint/checkpoint.js";
import { closeAfterFailure } from "../errors/run-error.js";
import type { Finding, MigrationEvent } from "../events/events.js";
import { shardSummary } from "../events/shard.js";
import { NOBODY_PROVED } from "../events/standing.js";
import type { ImportEnd, ImportSummary } from "../events/summary.js";
import { carriedParts } from "../plan/carried.js";
import { carriedUsers } from "../plan/carried-users.js";
import { sourceNames } from "../source/inputs.js";
import { activeUsers } from "./active-users.js";
import { askFirst, unsaidBy, unlessStopped } from "./asked-core.js";
import { awaitQueue } from "./bulk/await-queue.js";
import { Bulk } from "./bulk/bulk.js";
import { carriedBySingleCalls, usesQueue } from "./bulk/setting.js";
import { withdrawQueued } from "./bulk/withdraw.js";
import { completeImport, type GivenImport } from "./defaults.js";
import { earlierRuns } from "./earlier-runs.js";
import { openKeeper } from "./hash-keeper.js";
import { joinedFindings } from "./joined-findings.js";
import { newRun, roadOf, type Run, type RunOptions } from "./import-run.js";
import { oneRun, type RoadEnd } from "./one-run.js";
import type { ImportOptions } from "./options.js";
import { isEmptyCore } from "./preflight.js";
import { type FirstLeg, NO_FIRST_LEG, proveFirst } from "./prove-first.js";
import { type TakeReject, withRejectsOut } from "./rejects-out.js";
import { carriedInto } from "./require-carried.js";
import { checkSum, missingUserFindings, stillThereFindings } from "./run-end.js";
import { recordRun } from "./run-recorder.js";
import { isKeyProved, keepProof, unprovedFindings } from "./kept-proofs.js";
import { leftUnread, standingAfter } from "./standing.js";
import { createStop, type Stop } from "./stop.js";

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

async function importTo(rejects: TakeReject, options: ImportOptions): Promise<ImportEnd> {
  const checkpoint = openCheckpoint(options.checkpoint);
  try {
    const summary = await importWith(options, checkpoint, rejects);
    checkpoint.close();
    return summary;
  } catch (error) {
    closeAfterFailure(checkpoint);
    throw checkpointError(error, options.checkpoint);
  }
}

/** Whether every row of the inputs was read and has its end. */
function isWhole({ interrupted, limited, truncated, queued }: ImportEnd): boolean {
  return !interrupted && !limited && truncated.length === 0 && queued === 0;
}

async function importWith(
  options: ImportOptions,
  checkpoint: Checkpoint,
  rejects: TakeReject,
): Promise<ImportEnd> {
  const { beforeBulk } = options;
  const timing = workTiming(options.timing ?? SYSTEM_TIMING);
  const timed = {
    ...options,
    timing,
    beforeBulk: beforeBulk && ((...given) => timing.away(() => beforeBulk(...given))),
  } satisfies ImportOptions;
  const stop = createStop(options.signal);
  const { rules, ...queue } = await askCore(stop, timed, checkpoint);
  const keeper = await openKeeper(options, checkpoint);
  try {
    const { carried } = rules;
    const asked = { ...timed, ...queue, carried, rules, keeper };
    return await runRecorded(stop, asked, checkpoint, rejects);
  } finally {
    keeper?.close();
  }
}

async function askCore(
  { signal }: Stop,
  options: ImportOptions & Pick<RunOptions, "timing">,
  checkpoint: Checkpoint,
): Promise<Pick<RunOptions, "rules" | "bulkSetting">> {
  const { policy, timing } = options;
  const core = retryingCore(options.core, timing, signal);
  const asking = async () => {
    const { offered, ...at } = await askFirst(core, options, checkpoint);
    const carried = await carriedInto(core, policy, offered);
    const wasEmpty = policy.assumeEmpty || (at.isFirst && (await isEmptyCore(core)));
    return { ...at, carried, wasEmpty };
  };
  const answered = await unlessStopped(signal, asking, unsaidBy(checkpoint));
  const { bulkSetting, isFirst: _, ...said } = answered;
  return { bulkSetting, rules: { policy, ...said, digester: checkpoint.digester } };
}

/** The run, with a history of it in the checkpoint. */
async function runRecorded(
  stop: Stop,
  options: RunOptions,
  checkpoint: Checkpoint,
  rejects: TakeReject,
): Promise<ImportEnd> {
  const { inputs, part, timing, command = null, check = null, proof = false } = options;
  const { unlimited = command, unproved = command } = options;
  const commands = { command, unlimited, unproved, check, proof };
  const written = checkpoint.queued.written();
  const source = sourceNames(inputs);
  const recording = { source, ...commands, written, timing, onFailure: stop.fail };
  const recorder = await recordRun(checkpoint.beginRun, recording);
  try {
    if (part !== undefined) checkpoint.notePart({ ...part, end: null });
    const summary = await runThrough(stop, options, { checkpoint, recorder, rejects });
    await recorder.finished(summary);
    if (part !== undefined && isWhole(summary)) checkpoint.notePart({ ...part, end: summary });
    return summary;
  } catch (error) {
    await recorder.failed(checkpointError(error, checkpoint.path));
    throw error;
  }
}

function runThrough(
  stop: Stop,
  options: RunOptions,
  { checkpoint, recorder, rejects }: Pick<Run, "checkpoint" | "recorder" | "rejects">,
): Promise<ImportEnd> {
  const { core, rules, timing, concurrency, bulkSetting } = options;
  const emit = (event: MigrationEvent): void => {
    recorder.hear(event);
    options.onEvent?.(event);
  };
  const beginning = {
    stop,
    emit,
    timing,
    rejects,
    pace: new Pace(concurrency, core.target.kind === "remote" ? 1 : sharing(concurrency)),
    rules,
    core,
    knowsRoles: true,
    directory: dirname(checkpoint.path),
    kept: "all",
    earlier: earlierRuns(checkpoint, rules),
    proofs: checkpoint,
    bulkSetting,
  } as const;
  return oneRun(options, beginning, async (reading) => {
    const { signIns: testUsers, shown, earlierKey, inspection } = reading.preparation;
    await recorder.watch(reading.tally, reading.rows);
    const run = newRun(options, checkpoint, recorder, reading);
    const first = testUsers === null ? NO_FIRST_LEG : await proveFirst(options, run, testUsers);
    // What was verified on this machine says nothing of a remote core's key.
    const isAtCore = testUsers === null ? core.target.kind === "embedded" : first.proved;
    const isProved =
      !run.signal.aborted && isKeyProved(isAtCore && shown.isKey, earlierKey, inspection);
    await keepProof(checkpoint, options, { ...shown, isAtCore });
    if (options.bulk === "never") await withdrawQueued(run);
    // New users go together from now on, where the core takes them so and there are enough.
    const bulk = usesQueue(bulkSetting, inspection.rows) ? new Bulk(run, bulkSetting) : null;
    run.bulk = bulk;
    return {
      ...roadOf(run),
      taken: first.taken,
      async finish() {
        await run.pace.idle();
        await bulk?.finish();
        await run.pace.idle();
        await awaitQueue(options, run);
      },
      findings: (end) => findingsOf(options, run, end.isWhole, isProved),
      summary: (end) => summaryOf(options, run, first, end),
    };
  });
}

function findingsOf(
  options: RunOptions,
  run: Run,
  isWhole: boolean,
  isProved: boolean,
): readonly Finding[] {
  const { checkpoint, missingUsers, tally, awaited } = run;
  const files = options.inputs.map(({ path }) => path);
  const isExport = isWhole && awaited.count === 0 && options.proof !== true;
  const absent = isExport ? checkpoint.ledger.earlier.absent() : null;
  return [
    ...stillThereFindings(missingUsers),
    ...(absent === null ? [] : missingUserFindings(absent, missingUsers, leftUnread(run, files))),
    ...unprovedFindings(isProved, tally),
    ...tally.findings(),
    ...joinedFindings(options.core.target, options.policy, tally.joinedLeft),
    ...activeUsers(options.core.target, {
      users: tally.signedIn,
      passQueue: run.bulk?.isUsed === true,
    }),
  ];
}

async function summaryOf(
  options: RunOptions,
  run: Run,
  first: FirstLeg,
  { readToTheEnd, truncated }: RoadEnd,
): Promise<ImportEnd> {
  const { inputs, core, part } = options;
  const { tally, checkpoint, preparation, limit, context, bulk, timing, start } = run;
  const { mapped, retries, pauses, pausedMs, calls, importedAlgorithms, bridged, social } = tally;
  const queued = run.awaited.count;
  // A stop that came after the last row, when every user was sent, interrupted nothing.
  const interrupted = !readToTheEnd || run.pending > 0 || (queued > 0 && run.signal.aborted);
  const pending = run.pending + queued;
  const files = inputs.map(({ path }) => path);
  const counts = tally.counts();
  checkSum(counts.read, tally.done() + pending);
  const { algorithms } = preparation.inspection;
  // Where the bridge takes all hashes, a remote core has none to be asked of.
  const isHere = core.target.kind === "embedded" || Object.keys(algorithms).length === 0;
  const provedUsers = isHere || first.proved ? preparation.provedUsers : NOBODY_PROVED;
  return {
    command: "import",
    source: sourceNames(inputs),
    core: core.target,
    ...counts,
    ...tally.outcomes,
    importedAlgorithms,
    bridged: bridged.imported,
    social,
    pending,
    passwordExport: preparation.inspection.passwordExport,
    carriedUsers: carriedUsers(tally.carried.brought),
    carried: carriedParts(bulk?.isUsed === true ? context.carried : carriedBySingleCalls(context)),
    mapped,
    retries,
    pauses,
    pausedMs,
    calls,
    untried: preparation.untried,
    signIns: first.signIns,
    checkpoint: checkpoint.path,
    limited: limit.hasCut,
    shard: shardSummary(part),
    queued,
    ...(await standingAfter(run, { files, truncated, interrupted, provedUsers })),
    elapsedMs: Math.round(timing.now() - start),
    truncated,
    interrupted,
  };
}
