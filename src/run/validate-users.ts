/** The dry run: the same pipeline stopped before the core. It contacts nothing and leaves nothing behind. */

import { tmpdir } from "node:os";
import { emitFindings, readForInspection } from "./before-bulk.js";
import { Inspector } from "../inspect/inspection.js";
import { requireUsers } from "../inspect/file-users.js";
import { columnsEmitter } from "../inspect/inspect-inputs.js";
import { checkSum, newMissingUsers, noneMigratedFindings } from "./run-end.js";
import { inMemoryMatcher } from "../checkpoint/ledger.js";
import { createSeenKeys } from "../keys/seen-keys.js";
import { completeReading, type GivenReading } from "./defaults.js";
import type { MigrationEvent, ValidateSummary } from "../events/events.js";
import type { ReadingOptions } from "./options.js";
import { type Input, readInput, sourceNames, totalBytes } from "../source/inputs.js";
import { createDryDigester } from "../plan/digests.js";
import { batchContext, planBatch, type SharedContext } from "./plan-batch.js";
import { createLimit, type Limit } from "./limit.js";
import { type CallCounts, createTally, emitRow, noCalls } from "../events/tally.js";
import { createProgress, type Progress } from "../calls/progress.js";
import { type RejectsOut, withRejectsOut } from "./rejects-out.js";
import { SYSTEM_TIMING } from "../calls/timing.js";
import { shardSummary } from "../events/shard.js";
import { isRefusal, type Plan } from "../plan/plan.js";
import type { Policy } from "../plan/policy.js";
import { wantsLookups } from "./preflight.js";

/**
 * Says what an import of these inputs into an empty core, without a checkpoint, would do.
 *
 * @returns the summary; `interrupted` where `signal` stopped the run
 * @throws RunError when an input can't be read, or a temporary file or one of rejects can't be written
 */
export function validateUsers(given: GivenReading): Promise<ValidateSummary> {
  const options = completeReading(given);
  return withRejectsOut(options.rejectsOut, (rejects) => validateTo(rejects, options));
}

type Summary = Omit<ValidateSummary, "rejectsFiles">;

async function validateTo(rejects: RejectsOut, options: ReadingOptions): Promise<Summary> {
  const { inputs, timing = SYSTEM_TIMING, onEvent: emit = () => {}, policy } = options;
  const signal = options.signal ?? new AbortController().signal;
  const start = timing.now();
  const tally = createTally();
  const digester = createDryDigester();
  const keys = { digester, directory: tmpdir() };
  // As an import does, which knows before its first row whose a contact is.
  const surroundings = { signal, emit, timing, start, keys };
  const { columns, inspection, contests } = await readForInspection(options, surroundings);
  const inspector = new Inspector();
  // Duplicates are found exactly as an import finds them.
  const seenKeys = createSeenKeys(tmpdir());
  const dry: DryRun = {
    signal,
    emit,
    limit: createLimit(options.limit),
    truncated: [],
    plannedCalls: noCalls(),
    progress: createProgress(emit, {
      tally,
      timing,
      start,
      pace: null,
      phase: "run",
      totalBytes: options.limit === undefined ? totalBytes(inputs) : null,
    }),
    shared: {
      digester,
      ledger: inMemoryMatcher(seenKeys),
      tally,
      policy,
      cutOver: false,
      wasEmpty: true,
      looksUp: false,
      contests,
      columns,
      inspector: inspection === null ? inspector : null,
      missingUsers: newMissingUsers(),
      rejects,
    },
  };
  try {
    for (const input of inputs) if (!signal.aborted) await validateInput(options, input, dry);
  } finally {
    seenKeys.close();
  }
  const { findings, hashes, files } = inspection ?? inspector.result();
  if (options.part === undefined) requireUsers(files, inputs);
  if (!signal.aborted) emitFindings([...tally.findings(), ...findings], emit);
  const summary = summaryOf(options, dry, {
    hashes,
    elapsedMs: Math.round(timing.now() - start),
  });
  emitFindings(noneMigratedFindings(summary), emit);
  return summary;
}

/** What the inputs of a dry run share. */
interface DryRun {
  readonly signal: AbortSignal;
  readonly emit: (event: MigrationEvent) => void;
  readonly limit: Limit;
  /** The paths of files that were cut off. */
  readonly truncated: string[];
  readonly plannedCalls: CallCounts;
  readonly progress: Progress;
  readonly shared: SharedContext;
}

async function validateInput(options: ReadingOptions, input: Input, dry: DryRun): Promise<void> {
  const { signal, emit, limit, truncated, progress, shared } = dry;
  const { rejects, tally, policy, inspector } = shared;
  const context = batchContext(options, input, shared);
  const reading = {
    signal,
    progress,
    keepsRaw: rejects.isWanted,
    onColumns: inspector === null ? undefined : columnsEmitter(input, options, emit, signal),
  };
  for await (const items of limit.cut(readInput(input, reading))) {
    await options.room?.();
    if (signal.aborted) return;
    const batch = planBatch(items, input.path, context);
    if (batch.truncated) truncated.push(input.path);
    limit.take(batch.users);
    for (const { plan } of batch.tasks) addCalls(dry.plannedCalls, plan, policy);
    for (const event of batch.refusals) {
      rejects.take(event);
      emitRow(event, tally, emit);
    }
    progress.tick();
  }
  if (!signal.aborted && !limit.hasCut && !truncated.includes(input.path)) context.inspector?.end();
}

function summaryOf(
  { inputs, policy, part, passwordCoverage }: ReadingOptions,
  { signal, limit, truncated, plannedCalls, shared: { tally } }: DryRun,
  { hashes, elapsedMs }: Pick<Summary, "hashes" | "elapsedMs">,
): Summary {
  const counts = tally.counts();
  const ready = tally.ready.import + tally.ready.passwordless;
  checkSum(counts.read, ready + tally.done());
  return {
    command: "validate",
    source: sourceNames(inputs),
    core: null,
    ...counts,
    ready: tally.ready,
    // A user without a usable id is rejected, so that all who are left keep theirs.
    mapped: policy.keepIds ? ready : 0,
    hashes,
    passwordExport: passwordCoverage?.() ?? null,
    calls: tally.calls,
    plannedCalls,
    proved: false,
    elapsedMs,
    checkpoint: null,
    truncated,
    limited: limit.hasCut,
    interrupted: signal.aborted,
    shard: shardSummary(part),
  };
}

/** Adds one user's calls: interface.md 4.4, or 4.1, 4.2 and for a second contact 4.3. */
function addCalls(calls: CallCounts, plan: Plan, policy: Policy): void {
  if (isRefusal(plan)) return;
  const looksUp = wantsLookups(policy);
  if (plan.keepId !== null) calls.map += 1;
  if (plan.kind === "import") {
    calls.import += 1;
    if (looksUp) calls.lookup += 1;
    return;
  }
  const contacts = plan.email !== null && plan.phone !== null ? 2 : 1;
  calls.code += 1;
  calls.consume += 1;
  calls.update += contacts - 1;
  if (looksUp) calls.lookup += contacts;
}
