/** The dry run: the same pipeline stopped before the first call that changes something. It leaves nothing behind, and without a core to ask it contacts nothing. */

import { tmpdir } from "node:os";
import { inTheirWords } from "../errors/option-words.js";
import { emitFindings, type Prepared, readForInspection } from "./before-bulk.js";
import { Inspector } from "../inspect/inspection.js";
import { requireUsers } from "../inspect/file-users.js";
import { fieldsEmitter } from "../inspect/inspect-inputs.js";
import { checkSum, missingUserFindings, noneMigratedFindings } from "./run-end.js";
import { inMemoryMatcher } from "../checkpoint/ledger.js";
import { createSeenKeys } from "../keys/seen-keys.js";
import { completeReading, type GivenValidation, requirePace } from "./defaults.js";
import type { Finding } from "../events/events.js";
import { finding } from "../events/findings.js";
import type { ValidateSummary } from "../events/summary.js";
import { keptParts } from "../plan/account-plan.js";
import { ALL_OFFERED, carriedBy, carriedParts } from "../plan/carried.js";
import { carriedUsers } from "../plan/carried-users.js";
import type { ReadingOptions, ValidateOptions } from "./options.js";
import { haveFewUsers, type Input, readInput, sourceNames } from "../source/inputs.js";
import { createDryDigester } from "../plan/digests.js";
import { type Beginning, countUnasked, type DryRun, dryRunOf, tellRefusals } from "./dry-run.js";
import { PlanAhead } from "./plan-ahead.js";
import { batchContext, planBatch } from "./plan-batch.js";
import type { Predictor } from "./predict-users.js";
import { activeUsers } from "./active-users.js";
import { isProvedBefore, unprovedFindings } from "./signer-key-proof.js";
import { type Asked, whileAsking } from "./asked-core.js";
import { type RejectsOut, withRejectsOut } from "./rejects-out.js";
import { SYSTEM_TIMING } from "../calls/timing.js";
import { shardSummary } from "../events/shard.js";
import { requireRoles } from "./require-carried.js";

/**
 * Says what an import of these inputs would do: into an empty core, without a checkpoint, or into
 * the one that `asks` names, which is only asked.
 *
 * @returns the summary; `interrupted` where `signal` stopped the run
 * @throws RunError when an input can't be read, or a temporary file or one of rejects can't be
 *   written; and as `whileAsking`
 */
export function validateUsers(given: GivenValidation): Promise<ValidateSummary> {
  return inTheirWords(given, async (wanted) => {
    const options = completeReading(wanted);
    const { asks } = options;
    if (asks !== undefined) requirePace(asks);
    return withRejectsOut(options.rejectsOut, (rejects) =>
      asks === undefined
        ? validateTo(rejects, options, null)
        : whileAsking(asks, options, (asked) => validateTo(rejects, options, asked)),
    );
  });
}

type Summary = Omit<ValidateSummary, "rejectsFiles">;

async function validateTo(
  rejects: RejectsOut,
  given: ReadingOptions & Pick<ValidateOptions, "provesSignerKey">,
  asked: Asked | null,
): Promise<Summary> {
  // Alone it foresees an embedded core, which keeps them all.
  const carried = asked?.carried ?? carriedBy(given.policy, ALL_OFFERED);
  const options = { ...given, carried };
  const { inputs, timing = SYSTEM_TIMING, onEvent: emit = () => {} } = options;
  const signal = asked?.stop.signal ?? options.signal ?? new AbortController().signal;
  const start = timing.now();
  const digester = asked?.checkpoint?.digester ?? createDryDigester();
  const inspector = new Inspector(options.sizes);
  const beginning = { rejects, asked, signal, emit, timing, start, digester, inspector };
  const { prepared, dry } = await readInputs(options, beginning);
  asked?.stop.throwIfFailed();
  const { findings, hashes, files } = prepared.inspection ?? inspector.result();
  if (options.part === undefined) requireUsers(files, inputs);
  const { shared } = dry;
  if (!signal.aborted) {
    emitFindings(missing(dry, asked), emit);
    const signIns = dry.predictor?.signIns() ?? { users: 0, passQueue: false };
    const atCore =
      asked === null
        ? []
        : [
            ...activeUsers(asked.asks.core.target, signIns),
            ...untriedFactors(asked, dry.predictor),
          ];
    const isProved =
      given.provesSignerKey === true ||
      (asked?.checkpoint != null && isProvedBefore(asked.checkpoint, options.hashConfig));
    const unproved = unprovedFindings(isProved, shared.tally);
    emitFindings([...unproved, ...shared.tally.findings(), ...atCore, ...findings], emit);
  }
  const elapsedMs = Math.round(timing.now() - start);
  const summary = summaryOf(options, dry, asked, { hashes, elapsedMs });
  emitFindings(noneMigratedFindings(summary), emit);
  return summary;
}

/**
 * Reads the inputs for their inspection, and tells what becomes of their rows: by a second reading
 * where that is needed.
 */
async function readInputs(
  options: ReadingOptions,
  beginning: Beginning,
): Promise<{ readonly prepared: Prepared; readonly dry: DryRun }> {
  const { policy, carried } = options;
  const { asked, signal, digester } = beginning;
  const ahead = mayPlanAhead(options, beginning) ? new PlanAhead(options, beginning) : null;
  try {
    // As an import does, which knows before its first row whose a contact is.
    const keys = { digester, directory: tmpdir() };
    const prepared = await readForInspection(options, { ...beginning, keys, watch: ahead });
    const { inspection } = prepared;
    if (asked !== null && carried?.roles && inspection !== null && !signal.aborted) {
      await requireRoles(inspection.roles, carried.roles, policy, null);
    }
    if (signal.aborted) ahead?.close();
    await ahead?.tell(options);
    const dry = ahead?.dry ?? (await readAgain(options, beginning, prepared));
    return { prepared, dry };
  } finally {
    ahead?.close();
  }
}

/** Whether the rows may be planned before all of them are read, and those that are refused told afterwards. */
function mayPlanAhead(
  { inputs, limit }: ReadingOptions,
  { asked, rejects }: Pick<Beginning, "asked" | "rejects">,
): boolean {
  const isReadTwice = !inputs.some(({ readOnce }) => readOnce);
  // The text of a refused row holds the bytes of those around it.
  return isReadTwice && asked === null && limit === undefined && !rejects.isWanted;
}

/** Reads the inputs for the dry run itself. */
async function readAgain(
  options: ReadingOptions,
  beginning: Beginning,
  prepared: Prepared,
): Promise<DryRun> {
  const { asked, signal } = beginning;
  // Duplicates are found exactly as an import finds them.
  const seenKeys = createSeenKeys(tmpdir(), { few: haveFewUsers(options.inputs) });
  const ledger = asked?.checkpoint?.ledger ?? inMemoryMatcher(seenKeys);
  const dry = dryRunOf(options, prepared, beginning, ledger);
  try {
    for (const input of options.inputs) {
      if (!signal.aborted) await validateInput(options, input, dry);
    }
    await dry.predictor?.end();
    return dry;
  } finally {
    seenKeys.close();
  }
}

/** Second factors of which only an import can tell whether they go along. */
function untriedFactors(asked: Asked, predictor: Predictor | null): Finding[] {
  if (predictor === null || predictor.factors.count === 0) return [];
  return asked.areFactorsUntried ? [finding("factors_untried", predictor.factors)] : [];
}

/** Users of earlier runs whom the export leaves out, where it was read whole. */
function missing({ limit, truncated, shared }: DryRun, asked: Asked | null): Finding[] {
  const checkpoint = asked?.checkpoint ?? null;
  if (checkpoint === null || limit.hasCut || truncated.length > 0) return [];
  return missingUserFindings(checkpoint.ledger.absent(), shared.missingUsers);
}

async function validateInput(options: ReadingOptions, input: Input, dry: DryRun): Promise<void> {
  const { signal, emit, limit, truncated, progress, predictor, shared } = dry;
  const { rejects, inspector } = shared;
  const context = batchContext(options, input, shared);
  const reading = {
    signal,
    progress,
    keepsRaw: rejects.isWanted,
    keepsAccount: keptParts(shared.carried),
    ...(inspector === null ? {} : fieldsEmitter(input, options, emit, signal)),
  };
  for await (const items of limit.cut(readInput(input, reading))) {
    await options.room?.();
    await predictor?.pace.room();
    if (signal.aborted) return;
    const batch = planBatch(items, input.path, context);
    if (batch.truncated) truncated.push(input.path);
    limit.take(batch.users);
    if (predictor === null) {
      countUnasked(batch, dry);
      tellRefusals(batch.refusals, dry);
    } else predictor.take(batch);
    progress.tick();
  }
  if (!signal.aborted && !limit.hasCut && !truncated.includes(input.path)) context.inspector?.end();
}

function summaryOf(
  { inputs, part, passwordCoverage }: ReadingOptions,
  { signal, limit, truncated, plannedCalls, predictor, shared }: DryRun,
  asked: Asked | null,
  { hashes, elapsedMs }: Pick<Summary, "hashes" | "elapsedMs">,
): Summary {
  const { tally } = shared;
  const counts = tally.counts();
  const ready = Object.values(tally.ready).reduce((sum, users) => sum + users, 0);
  checkSum(counts.read, tally.done() + (predictor?.withoutOutcome() ?? ready));
  return {
    command: "validate",
    source: sourceNames(inputs),
    core: asked?.asks.core.target ?? null,
    ...counts,
    ready: tally.ready,
    bridged: predictor === null ? tally.bridged.planned : tally.bridged.imported,
    prediction: predictor?.result() ?? null,
    carriedUsers: carriedUsers(tally.carried.planned),
    carried: carriedParts(predictor?.carried ?? shared.carried),
    // A user without a usable id is rejected, so that all who are left keep theirs.
    mapped: tally.mapped,
    hashes,
    passwordExport: passwordCoverage?.() ?? null,
    calls: tally.calls,
    plannedCalls,
    proved: false,
    elapsedMs,
    checkpoint: asked?.checkpoint?.path ?? null,
    truncated,
    limited: limit.hasCut,
    interrupted: signal.aborted,
    shard: shardSummary(part),
  };
}
