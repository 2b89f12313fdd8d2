/** The dry run: the same pipeline stopped before the core. It contacts nothing and leaves nothing behind. */

import { tmpdir } from "node:os";
import { readForInspection, emitFindings } from "./before-bulk.js";
import { Inspector } from "../inspect/inspection.js";
import { requireUsers } from "../inspect/file-users.js";
import { columnOf, columnsEmitter } from "../inspect/inspect-inputs.js";
import { checkSum } from "./check-sum.js";
import { inMemoryMatcher } from "../checkpoint/ledger.js";
import { createSeenKeys } from "../keys/seen-keys.js";
import { completeReading, type GivenReading } from "./defaults.js";
import { newMissingUsers } from "./missing-users.js";
import type { ValidateSummary } from "../events/events.js";
import type { ReadingOptions } from "./options.js";
import { readInput, sourceNames, totalBytes } from "../source/inputs.js";
import { createDryDigester } from "../plan/digests.js";
import { planBatch } from "./plan-batch.js";
import { createLimit } from "./limit.js";
import { noCalls, createTally, emitRow } from "../events/tally.js";
import { noneMigratedFindings } from "./none-migrated.js";
import { addCalls } from "./planned-calls.js";
import { createProgress } from "../calls/progress.js";
import { type RejectsOut, withRejectsOut } from "./rejects-out.js";
import { SYSTEM_TIMING } from "../calls/timing.js";
import { shardSummary } from "../events/shard.js";

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

async function validateTo(
  rejects: RejectsOut,
  options: ReadingOptions,
): Promise<Omit<ValidateSummary, "rejectsFiles">> {
  const {
    inputs,
    timing = SYSTEM_TIMING,
    onEvent: emit = () => {},
    policy,
    hashConfig,
    signerKeys,
  } = options;
  const signal = options.signal ?? new AbortController().signal;
  const start = timing.now();
  const tally = createTally();
  const progress = createProgress(emit, {
    tally,
    timing,
    start,
    pace: null,
    phase: "run",
    totalBytes: options.limit === undefined ? totalBytes(inputs) : null,
  });
  const digester = createDryDigester();
  const keys = { digester, directory: tmpdir() };
  // As an import does, which knows before its first row whose a contact is.
  const { columns, inspection, contests } = await readForInspection(options, {
    signal,
    emit,
    timing,
    start,
    keys,
  });
  const inspector = new Inspector();
  const limit = createLimit(options.limit);
  const truncated: string[] = [];
  const plannedCalls = noCalls();
  // Duplicates are found exactly as an import finds them.
  const seenKeys = createSeenKeys(tmpdir());
  const ledger = inMemoryMatcher(seenKeys);
  try {
    for (const input of inputs) {
      if (signal.aborted) break;
      const column = columnOf(columns, input);
      const context = {
        digester,
        ledger,
        contests,
        tally,
        policy,
        hashConfig,
        signerKeys,
        column,
        inspector: inspection === null ? inspector.begin(column, input) : null,
        source: input.source.name,
        vendor: input.vendor,
        namespace: options.namespace,
        cutOver: false,
        wasEmpty: true,
        looksUp: false,
        missingUsers: newMissingUsers(),
        rejects,
      };
      const reading = {
        signal,
        progress,
        keepsRaw: rejects.isWanted,
        onColumns: inspection === null ? columnsEmitter(input, options, emit, signal) : undefined,
      };
      for await (const items of limit.cut(readInput(input, reading))) {
        await options.room?.();
        if (signal.aborted) break;
        const batch = planBatch(items, input.path, context);
        if (batch.truncated) truncated.push(input.path);
        limit.take(batch.users);
        for (const { plan } of batch.tasks) addCalls(plannedCalls, plan, policy);
        for (const event of batch.refusals) {
          rejects.take(event);
          emitRow(event, tally, emit);
        }
        progress.tick();
      }
      if (!signal.aborted && !limit.hasCut && !truncated.includes(input.path))
        context.inspector?.end();
    }
  } finally {
    seenKeys.close();
  }
  const { findings, hashes, files } = inspection ?? inspector.result();
  if (options.part === undefined) requireUsers(files, inputs);
  if (!signal.aborted) emitFindings([...tally.findings(), ...findings], emit);
  const counts = tally.counts();
  checkSum(counts.read, tally.ready.import + tally.ready.passwordless + tally.done());
  const summary: Omit<ValidateSummary, "rejectsFiles"> = {
    command: "validate",
    source: sourceNames(inputs),
    core: null,
    ...counts,
    ready: tally.ready,
    // A user without a usable id is rejected, so that all who are left keep theirs.
    mapped: policy.keepIds ? tally.ready.import + tally.ready.passwordless : 0,
    hashes,
    passwordExport: options.passwordCoverage?.() ?? null,
    calls: tally.calls,
    plannedCalls,
    proved: false,
    elapsedMs: Math.round(timing.now() - start),
    checkpoint: null,
    truncated,
    limited: limit.hasCut,
    interrupted: signal.aborted,
    shard: shardSummary(options.part),
  };
  emitFindings(noneMigratedFindings(summary), emit);
  return summary;
}
