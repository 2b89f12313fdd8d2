/** Splits an export into a part for each shard, and sees once to what needs the whole of it: who belongs together, and in which order. A row stands in its part as it stood. */

import { createProgress, type Progress } from "../calls/progress.js";
import { SYSTEM_TIMING } from "../calls/timing.js";
import { RunError } from "../errors/run-error.js";
import type { ProgressEvent } from "../events/events.js";
import { rowOf } from "../errors/place.js";
import { type Manifest, MANIFEST_VERSION, MOST_SHARDS } from "../events/shard.js";
import { createTally } from "../events/tally.js";
import { columnOf, type Columns, lookAtColumns } from "../inspect/inspect-inputs.js";
import { ContestTaker } from "../inspect/take-contests.js";
import { createSeenKeys } from "../keys/seen-keys.js";
import { checkSum } from "../run/run-end.js";
import { completeReading, type GivenReading } from "../run/defaults.js";
import type { ReadingOptions } from "../run/options.js";
import { keptParts } from "../plan/account-plan.js";
import { ALL_OFFERED, carriedBy } from "../plan/carried.js";
import { type Contests, NO_CONTESTS } from "../plan/contests.js";
import { planItem, type PlanningContext, type RowItem } from "../inspect/plan-row.js";
import { type Input, readInput, sourceNames, totalBytes } from "../source/inputs.js";
import {
  createDivision,
  type DividedRow,
  DIVIDING,
  type DivisionParts,
  searchWinners,
  type WinnerShards,
} from "./division.js";
import { PartFiles } from "./part-files.js";
import { PartsFolder } from "./parts-folder.js";

/** What splitting is given: the options by which the parts will be imported, since they say whose row comes first. */
export type SplitOptions = Pick<
  GivenReading,
  "inputs" | "policy" | "hashConfig" | "signerKey" | "namespace" | "signal" | "timing"
> & {
  /** How many parts. */
  readonly shards: number;
  /** An empty folder for them, or one in which a split was killed. */
  readonly directory: string;
  /** `--from`, where the operator gave it; null to be told by the files. */
  readonly from?: string | null;
  /** Told how far the reading is, at most once a second; must not throw. */
  readonly onEvent?: (event: ProgressEvent) => void;
};

/**
 * Reads the inputs and writes the parts; where rows lose contacts, reads them twice more and writes the parts anew.
 *
 * @returns the manifest, which stands beside the parts as `manifest.json`
 * @throws RunError `usage` (number of parts, a folder that isn't empty), `in_use` for
 *   one into which another split writes, `input_damaged` for an input that is cut off or whose hash
 *   column is, `interrupted`, what reading throws, `disk`; then the parts are removed
 */
export async function splitUsers(given: SplitOptions): Promise<Manifest> {
  const { shards, from = null, onEvent: onProgress = () => {}, ...reading } = given;
  requireParts(shards);
  const folder = new PartsFolder(given.directory);
  const directory = folder.working;
  const options = { ...completeReading(reading), shards, directory, onProgress };
  const newParts = () =>
    Array.from({ length: shards }, (_, at) => new PartFiles(at + 1, directory));
  let parts = newParts();
  try {
    const { signal = new AbortController().signal } = options;
    const readings = { options, columns: await lookAtColumns(options, signal), signal };
    let { rows, contests } = await divide(readings, parts, NO_CONTESTS);
    if (contests.winners.length > 0) {
      for (const part of parts) part.discard();
      parts = newParts();
      ({ rows } = await divide(readings, parts, contests));
    }
    const manifest: Manifest = {
      version: MANIFEST_VERSION,
      shards,
      rows,
      from: from ?? singleSource(options.inputs),
      parts: await Promise.all(parts.map((part) => part.described())),
    };
    folder.complete(manifest);
    return manifest;
  } catch (error) {
    for (const part of parts) part.discard();
    folder.abandon();
    throw error;
  }
}

type Splitting = ReadingOptions & {
  readonly shards: number;
  readonly directory: string;
  readonly onProgress: (event: ProgressEvent) => void;
};

/**
 * Writes the parts by what is known of contests, and finds those of the whole export on the way:
 * hardly any has one, so that a reading for them alone would mostly be in vain.
 */
async function divide(
  readings: Readings,
  parts: readonly PartFiles[],
  known: Contests,
): Promise<{ readonly rows: number; readonly contests: Contests }> {
  const { inputs, timing = SYSTEM_TIMING, onProgress, directory, shards } = readings.options;
  const tally = createTally();
  const progress = createProgress(onProgress, {
    tally,
    timing,
    start: timing.now(),
    pace: null,
    phase: "run",
    totalBytes: totalBytes(inputs),
  });
  const division = { count: shards, contests: known };
  const winners = await findWinners(readings, { ...division, directory });
  const mayReadAgain = known.winners.length === 0 && !inputs.some(({ readOnce }) => readOnce);
  const taker = mayReadAgain ? new ContestTaker(directory) : null;
  let contests = NO_CONTESTS;
  const seenKeys = createSeenKeys(directory);
  try {
    const { shardOf } = createDivision({ ...division, seenKeys }, winners);
    for (const input of inputs) {
      for (const part of parts) part.beginInput();
      await eachRow(input, { ...readings, progress }, (divided, item) => {
        const { row, user } = divided;
        tally.read();
        if (user !== null) taker?.take(user.plan, user.keys, () => user.keys.identity);
        // A row that came to no part would be missed by the sum.
        parts[shardOf(divided) - 1]?.put(item, row);
      });
      for (const part of parts) part.endInput();
    }
    checkSum(
      tally.readSoFar(),
      parts.reduce((sum, part) => sum + part.rows, 0),
    );
  } finally {
    contests = taker?.end() ?? NO_CONTESTS;
    seenKeys.close();
  }
  return { rows: tally.readSoFar(), contests };
}

interface Readings {
  readonly options: Splitting;
  readonly columns: Columns;
  readonly signal: AbortSignal;
}

/** Reads the inputs once more where a row loses a contact, since that may be to one that comes later. */
async function findWinners(
  readings: Readings,
  { directory, ...division }: Omit<DivisionParts, "seenKeys"> & { readonly directory: string },
): Promise<WinnerShards> {
  if (division.contests.winners.length === 0) return new Map();
  const seenKeys = createSeenKeys(directory);
  try {
    const search = searchWinners({ ...division, seenKeys });
    for (const input of readings.options.inputs) {
      await eachRow(input, readings, (row) => search.take(row));
    }
    return search.end();
  } finally {
    seenKeys.close();
  }
}

/**
 * Hands on each row of an input with its user, one by one: users who wait for a batch of theirs
 * would cost the collector as much as planning them.
 *
 * @throws RunError `input_damaged`, `interrupted`
 */
async function eachRow(
  input: Input,
  { options, columns, signal, progress }: Readings & { readonly progress?: Progress },
  take: (row: DividedRow, item: RowItem) => void,
): Promise<void> {
  const column = columnOf(columns, input);
  const context = { ...contextOf(options, input), digester: DIVIDING, column };
  // Of an account that alone which says whose row comes first, and by what.
  const keepsAccount = keptParts(context.carried) && "deciding";
  for await (const items of readInput(input, { signal, keepsRaw: true, keepsAccount, progress })) {
    if (signal.aborted) break;
    for (const item of items) {
      if (item.kind === "truncated") throw cutOff(input.path);
      const row = rowOf(input.path, item);
      take({ row, user: planItem(item, row, context) }, item);
    }
    progress?.tick();
  }
  if (signal.aborted) throw interrupted();
  if (column.refusesWhole()) throw columnCutOff(input.path);
}

function contextOf(
  { policy, hashConfig, signerKeys, namespace }: Splitting,
  input: Input,
): Omit<PlanningContext, "column" | "digester"> {
  return {
    policy,
    // As most cores have it: who is brought by a social account claims that, and no email.
    carried: carriedBy(policy, ALL_OFFERED),
    hashConfig,
    signerKeys,
    namespace,
    inspector: null,
    source: input.source.name,
    vendor: input.vendor,
    onWord: input.onWord,
  };
}

function requireParts(shards: number): void {
  if (Number.isInteger(shards) && shards >= 1 && shards <= MOST_SHARDS) return;
  throw new RunError("usage", `An export is split into 1 to ${MOST_SHARDS} parts.`, {
    hint: "Take as many parts as processes will import at once.",
  });
}

function singleSource(inputs: readonly Input[]): string | null {
  const names = sourceNames(inputs);
  return names.includes(",") ? null : names;
}

function cutOff(path: string): RunError {
  return new RunError("input_damaged", `${path} was cut off before its end.`, {
    hint: "Export it again whole; parts of it would hide that users are missing.",
  });
}

function columnCutOff(path: string): RunError {
  return new RunError("input_damaged", `The hash column of ${path} is cut off.`, {
    hint: "Export the hashes again from a field that is wide enough. Only the whole column shows which hashes look whole by chance; import it as one process, where that must be.",
  });
}

function interrupted(): RunError {
  return new RunError("interrupted", "Stopped before the export was split.", {
    hint: "The parts are removed; run the same command again.",
  });
}
