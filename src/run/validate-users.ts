/** The dry run: the run of an import, with a road that calls nothing but lookups. It leaves nothing behind, and without a core to ask it contacts nothing. */

import { tmpdir } from "node:os";
import { Pace } from "../calls/pace.js";
import { SYSTEM_TIMING } from "../events/timing.js";
import { createNobodyKnown } from "../checkpoint/entries.js";
import type { Finding } from "../events/events.js";
import { finding } from "../events/findings.js";
import { shardSummary } from "../events/shard.js";
import type { ValidateEnd, ValidateSummary } from "../events/summary.js";
import { type CallCounts, noCalls } from "../events/tally.js";
import { ALL_OFFERED, carriedBy, carriedParts } from "../plan/carried.js";
import { carriedUsers } from "../plan/carried-users.js";
import { createDryDigester } from "../plan/digests.js";
import { noticesOnceBrought } from "../plan/notices.js";
import { sourceNames } from "../source/inputs.js";
import { activeUsers } from "./active-users.js";
import { type Asked, whileAsking } from "./asked-core.js";
import { completeReading, type GivenValidation, requirePace } from "./defaults.js";
import { earlierRuns } from "./earlier-runs.js";
import { joinedFindings } from "./joined-findings.js";
import { oneRun, progressOf, type Reading, type RoadEnd, tellRow } from "./one-run.js";
import type { ReadingOptions } from "./options.js";
import type { PlannedBatch } from "./plan-batch.js";
import { AS_PLANNED, countCalls, Predictor } from "./predict-users.js";
import { wantsLookups } from "./preflight.js";
import { type TakeReject, withRejectsOut } from "./rejects-out.js";
import { checkSum, missingUserFindings } from "./run-end.js";
import { isKeyProved, unprovedFindings } from "./kept-proofs.js";
import { createStop } from "./stop.js";

/**
 * Says what an import of these inputs would do: into an empty core, without a checkpoint, or into
 * the one that `asks` names, which is only asked.
 *
 * @returns the summary; `interrupted` where `signal` stopped the run
 * @throws RunError when an input can't be read, or a temporary file or one of rejects can't be
 *   written; and as `whileAsking`
 */
export async function validateUsers(given: GivenValidation): Promise<ValidateSummary> {
  const options = completeReading(given);
  const { asks } = options;
  if (asks !== undefined) requirePace(asks);
  return withRejectsOut(options.rejectsOut, (rejects) =>
    asks === undefined
      ? validateTo(rejects, options, null)
      : whileAsking(asks, options, (asked) => validateTo(rejects, options, asked)),
  );
}

/** What holds where no core is asked. */
const ALONE = { cutOver: false, wasEmpty: true, looksUp: false } as const;

function validateTo(
  rejects: TakeReject,
  given: ReadingOptions,
  asked: Asked | null,
): Promise<ValidateEnd> {
  // Alone it foresees an embedded core, which keeps them all.
  const carried = asked?.carried ?? given.carried ?? carriedBy(given.policy, ALL_OFFERED);
  const options = { ...given, carried };
  const { policy, timing = SYSTEM_TIMING, onEvent: emit = () => {} } = options;
  const { cutOver, wasEmpty, looksUp } = asked ?? ALONE;
  const checkpoint = asked?.checkpoint ?? null;
  const digester = checkpoint?.digester ?? createDryDigester();
  const rules = { policy, carried, cutOver, wasEmpty, looksUp, digester };
  const beginning = {
    stop: asked?.stop ?? createStop(options.signal),
    emit,
    timing,
    rejects,
    pace: new Pace(asked?.asks.concurrency ?? 1),
    rules,
    core: null,
    knowsRoles: asked !== null,
    directory: tmpdir(),
    kept: asked === null ? "counted" : "all",
    earlier: checkpoint && earlierRuns(checkpoint, rules),
    proofs: checkpoint,
  } as const;
  return oneRun(options, beginning, (reading) => {
    const { rules } = reading;
    const plannedCalls = noCalls();
    const { signal, preparation } = reading;
    const { shown, earlierKey, inspection } = preparation;
    const isProved = isKeyProved(shown.isKey, signal.aborted ? null : earlierKey, inspection);
    const { rows } = inspection;
    const predictor =
      asked === null ? null : new Predictor({ ...reading, asked, plannedCalls, rows });
    const dry = { options, reading, asked, predictor, plannedCalls, isProved };
    return {
      rules,
      ledger: checkpoint?.ledger ?? createNobodyKnown(),
      tally: reading.tally,
      progress: progressOf(options, reading, { traffic: predictor?.traffic }),
      take: (batch) => predictor?.take(batch) ?? countUnasked(batch, dry),
      async finish() {
        await reading.pace.idle();
        predictor?.end();
      },
      findings: ({ isWhole }) => (reading.signal.aborted ? [] : findingsOf(dry, isWhole)),
      summary: (end) => summaryOf(dry, end),
    };
  });
}

interface DryRun {
  readonly options: ReadingOptions;
  readonly reading: Reading;
  /** Null where no core is asked, as is the predictor. */
  readonly asked: Asked | null;
  readonly predictor: Predictor | null;
  readonly plannedCalls: CallCounts;
  /** Whether the signer key is proved. */
  readonly isProved: boolean;
}

/** Counts the calls for a batch's users, of an import that knows no user. */
async function countUnasked(
  { tasks, refusals }: PlannedBatch,
  { options, reading, plannedCalls }: DryRun,
): Promise<void> {
  const { tally, room } = reading;
  const looksUp = wantsLookups(options.policy);
  for (const task of tasks) {
    countCalls({ plannedCalls, tally }, task, looksUp, null);
    tally.noticed(noticesOnceBrought(task, AS_PLANNED), task.keys.row);
  }
  if (refusals.length > 0) await room();
  for (const event of refusals) tellRow(event, reading);
}

function findingsOf(
  { options, reading, asked, predictor, isProved }: DryRun,
  isWhole: boolean,
): Finding[] {
  const { tally, preparation, missingUsers } = reading;
  const checkpoint = asked?.checkpoint ?? null;
  return [
    // Users of earlier runs whom the export leaves out.
    ...(checkpoint !== null && isWhole
      ? missingUserFindings(checkpoint.ledger.earlier.absent(), missingUsers)
      : []),
    ...unprovedFindings(isProved, tally),
    ...tally.findings(),
    ...(asked === null || predictor === null ? [] : atCore(asked, predictor, reading, options)),
    ...preparation.untold,
  ];
}

/** Users who would count as active, those whose day of joining stays behind, and second factors that only an import can tell about. */
function atCore(
  { asks, areFactorsUntried }: Asked,
  predictor: Predictor,
  { tally }: Reading,
  { policy }: ReadingOptions,
): Finding[] {
  const { factors } = predictor;
  const { target } = asks.core;
  const told = [
    ...activeUsers(target, predictor.signIns()),
    ...joinedFindings(target, policy, tally.joinedLeft, predictor.result().joinedByBulk),
  ];
  if (factors.count > 0 && areFactorsUntried) told.push(finding("factors_untried", factors));
  return told;
}

function summaryOf(
  { options, reading, asked, predictor, plannedCalls }: DryRun,
  { truncated }: RoadEnd,
): ValidateEnd {
  const { tally, limit, preparation, rules, signal, start, timing } = reading;
  const counts = tally.counts();
  const ready = Object.values(tally.ready).reduce((sum, users) => sum + users, 0);
  checkSum(counts.read, tally.done() + (predictor?.withoutOutcome() ?? ready));
  return {
    command: "validate",
    source: sourceNames(options.inputs),
    core: asked?.asks.core.target ?? null,
    ...counts,
    otherRows: tally.otherRows,
    ready: tally.ready,
    bridged: predictor === null ? tally.bridged.planned : tally.bridged.imported,
    social: predictor === null ? tally.ready.thirdparty : tally.social,
    prediction: predictor?.result() ?? null,
    carriedUsers: carriedUsers(tally.carried[predictor === null ? "planned" : "brought"]),
    carried: carriedParts(predictor?.carried ?? rules.carried),
    // A user without a usable id is rejected, so that all who are left keep theirs.
    mapped: tally.mapped,
    passwordExport: preparation.inspection.passwordExport,
    calls: tally.calls,
    plannedCalls,
    proved: false,
    untried: preparation.untried,
    elapsedMs: Math.round(timing.now() - start),
    checkpoint: asked?.checkpoint?.path ?? null,
    truncated,
    limited: limit.hasCut,
    interrupted: signal.aborted,
    shard: shardSummary(options.part),
  };
}
