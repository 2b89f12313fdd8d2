/** The dry run: the same pipeline stopped before the first call that changes something. It leaves nothing behind, and without a core to ask it contacts nothing. */

import { tmpdir } from "node:os";
import { inTheirWords } from "../errors/option-words.js";
import {
  askBefore,
  emitFindings,
  isSettled,
  type Preparation,
  type Prepared,
  readForInspection,
  rowsAs,
} from "./before-bulk.js";
import { requireUsers } from "../inspect/file-users.js";
import { checkSum, missingUserFindings, noneMigratedFindings } from "./run-end.js";
import { createNobodyKnown } from "../checkpoint/ledger.js";
import { completeReading, type GivenValidation, requirePace } from "./defaults.js";
import type { Finding } from "../events/events.js";
import { finding } from "../events/findings.js";
import type { ValidateSummary } from "../events/summary.js";
import { ALL_OFFERED, carriedBy, carriedParts, NOTHING_CARRIED } from "../plan/carried.js";
import { carriedUsers } from "../plan/carried-users.js";
import type { ProofResult, ReadingOptions } from "./options.js";
import { type Input, sourceNames } from "../source/inputs.js";
import { createDryDigester } from "../plan/digests.js";
import { type Beginning, countUnasked, type DryRun, dryRunOf, tellRefusals } from "./dry-run.js";
import { decideBatch } from "./plan-batch.js";
import type { Predictor } from "./predict-users.js";
import { Stage } from "../stage/stage.js";
import { activeUsers } from "./active-users.js";
import { isProvedBefore, unprovedFindings } from "./signer-key-proof.js";
import { earlierRuns } from "./earlier-runs.js";
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
  given: ReadingOptions,
  asked: Asked | null,
): Promise<Summary> {
  // Alone it foresees an embedded core, which keeps them all.
  const carried = asked?.carried ?? carriedBy(given.policy, ALL_OFFERED);
  const options = { ...given, carried };
  const { timing = SYSTEM_TIMING, onEvent: emit = () => {} } = options;
  const signal = asked?.stop.signal ?? options.signal ?? new AbortController().signal;
  const start = timing.now();
  const digester = asked?.checkpoint?.digester ?? createDryDigester();
  const beginning = { rejects, asked, signal, emit, timing, start, digester };
  const { prepared, dry, proof } = await readInputs(options, beginning);
  asked?.stop.throwIfFailed();
  const { findings, hashes, passwordExport } = prepared.inspection;
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
      (proof.provesSignerKey ?? proof.proved) ||
      (asked?.checkpoint != null && isProvedBefore(asked.checkpoint, options.hashConfig));
    const unproved = unprovedFindings(isProved, shared.tally);
    const open = findings.filter((one) => !(proof.assumePlain && isSettled(one)));
    emitFindings([...unproved, ...shared.tally.findings(), ...atCore, ...open], emit);
  }
  const elapsedMs = Math.round(timing.now() - start);
  const summary = summaryOf(options, dry, asked, { hashes, passwordExport, elapsedMs });
  emitFindings(noneMigratedFindings(summary), emit);
  return summary;
}

/** Reads the inputs, and tells what becomes of their rows. */
async function readInputs(
  options: ReadingOptions,
  beginning: Beginning,
): Promise<{
  readonly prepared: Prepared;
  readonly dry: DryRun;
  readonly proof: ProofResult;
}> {
  const { policy, carried = NOTHING_CARRIED, beforeBulk } = options;
  const { asked, signal } = beginning;
  const checkpoint = asked?.checkpoint ?? null;
  const earlier =
    asked === null || checkpoint === null
      ? null
      : earlierRuns(checkpoint, { ...asked, policy, carried });
  const stage = new Stage(tmpdir(), asked === null ? "counted" : "all", earlier);
  try {
    const prepared = await readForInspection(options, { ...beginning, stage });
    if (options.part === undefined) requireUsers(prepared.inspection.files, options.inputs);
    const proof = await askBefore(beforeBulk, prepared.inspection, signal);
    if (asked !== null && carried.roles && !signal.aborted) {
      await requireRoles(prepared.inspection.roles, carried.roles, policy, null);
    }
    const dry = dryRunOf(options, prepared, beginning, checkpoint?.ledger ?? createNobodyKnown());
    const asProved = rowsAs(proof, policy);
    for (const input of options.inputs) {
      if (!signal.aborted) await validateInput(options, input, stage, { ...dry, asProved });
    }
    await dry.predictor?.end();
    return { prepared, dry, proof };
  } finally {
    stage.close();
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

async function validateInput(
  { namespace, room }: ReadingOptions,
  input: Input,
  stage: Stage,
  dry: DryRun & Pick<Preparation, "asProved">,
): Promise<void> {
  const { signal, limit, truncated, progress, predictor, shared, asProved } = dry;
  const context = { ...shared, source: input.source.name, namespace };
  for (const rows of limit.cut(stage.read(input))) {
    await room?.();
    await predictor?.pace.room();
    if (signal.aborted) return;
    const batch = decideBatch(rows.map(asProved), input.path, context);
    if (batch.truncated) truncated.push(input.path);
    limit.take(batch.users);
    if (predictor === null) {
      countUnasked(batch, dry);
      tellRefusals(batch.refusals, dry);
    } else predictor.take(batch);
    progress.tick();
  }
}

function summaryOf(
  { inputs, part }: ReadingOptions,
  { signal, limit, truncated, plannedCalls, predictor, shared }: DryRun,
  asked: Asked | null,
  { hashes, passwordExport, elapsedMs }: Pick<Summary, "hashes" | "passwordExport" | "elapsedMs">,
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
    passwordExport,
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
