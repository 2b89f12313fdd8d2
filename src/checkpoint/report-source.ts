/** A checkpoint, or those of all shards, opened for a report, beside the run that writes it or after it. It reads; what the report says about it, the room `report` decides. */

import { checkpointError } from "./checkpoint.js";
import type { MigratedUser } from "./finished-users.js";
import type { CheckpointReader } from "./reader.js";
import type { RefusedRow } from "./refused-rows.js";
import { latestImport } from "./run-progress.js";
import { addStatuses, type CheckpointStatus, statusOf } from "./status.js";
import type { RowRef } from "../events/events.js";
import { firstOf } from "../errors/first-rows.js";
import { rowKey } from "../errors/place.js";
import { finding, inOrder, STANDING } from "../events/findings.js";
import type { RunFinding, RunRecord, RunSums } from "../events/run-record.js";
import { noCalls } from "../events/tally.js";
import type { ShardsProof } from "./prove-shards.js";
import type { Manifest } from "../events/shard.js";
import { addCounts, openReaders } from "./several.js";

/** What a report, an id map and an undo list are made from. While a run goes on, each part is of the moment it is read. */
export interface ReportSource {
  readonly status: CheckpointStatus;
  readonly runs: readonly RunRecord[];
  readonly sums: RunSums;
  /** Those of the latest run that read more than a proof's test users, and what stands of those before. */
  readonly findings: readonly RunFinding[];
  /**
   * Rows that were refused, left out or failed, one after the other: of every user as they stand,
   * then of rows beside, as duplicates and unreadable ones are.
   */
  refused(): Iterable<RefusedRow>;
  /** Users at the core, one after the other, in the order in which they were first read. */
  migrated(): Iterable<MigratedUser>;
  /** What all shards came to together; null without a manifest. */
  readonly shards: ShardsProof | null;
  close(): void;
}

/**
 * Opens a checkpoint for a report, or those of all shards of an import. It takes no lock and changes
 * nothing.
 *
 * @param given a path, or one for every shard, in their order
 * @param manifest of the export that was split, to prove the shards by
 * @throws RunError `checkpoint_missing` (of several shards only where none is there),
 *   `checkpoint_invalid` (not a checkpoint, or another version's), `disk`; the iterables throw `disk`
 */
export function openReport(
  given: string | readonly string[],
  manifest: Manifest | null = null,
): ReportSource {
  const paths = typeof given === "string" ? [given] : given;
  const opened = openReaders(paths, manifest);
  const { readers } = opened;
  const [first = ""] = paths;
  try {
    const status = addStatuses(readers.map((reader) => statusOf(reader)));
    const runs = allRuns(readers.map((reader) => reader.runs()));
    return {
      status,
      findings: findingsOf(status, runs, (code) =>
        firstOf(readers.flatMap((reader) => reader.examples(code))),
      ),
      runs,
      sums: sumsOf(runs),
      shards: opened.proof(),
      refused: () => chained(readers, (reader) => reader.refused()),
      migrated: () => chained(readers, ({ finished }) => finished.all()),
      close: opened.close,
    };
  } catch (error) {
    opened.close();
    throw checkpointError(error, first);
  }
}

const NO_SUMS: RunSums = {
  calls: noCalls(),
  retries: 0,
  pauses: 0,
  pausedMs: 0,
  carriedUsers: {},
  waits: {},
};

export function sumsOf(runs: readonly RunRecord[]): RunSums {
  return addCounts(NO_SUMS, runs);
}

/** Those of the latest import, and what stands of users whom all runs have brought: that nothing is proved, and their notices. */
function findingsOf(
  { unproved, notices }: Pick<CheckpointStatus, "unproved" | "notices">,
  runs: readonly RunRecord[],
  examplesOf: (code: string) => RowRef[],
): RunFinding[] {
  const { findings = [], notices: noticed = {} } = latestImport(runs) ?? runs.at(-1) ?? {};
  const countOf = (code: string): number =>
    findings.reduce((sum, one) => (one.code === code ? sum + one.count : sum), 0);
  // Of other runs' users as well, or of fewer by now: the latest one's rows don't stand for them.
  const other = [...STANDING].filter(
    (code) => (code in noticed || code in notices) && countOf(code) !== (notices[code] ?? 0),
  );
  // A row has the line by which a run has told it.
  const rows = runs.flatMap((run) => run.findings.flatMap((one) => one.rows));
  const told = new Map(rows.flatMap((row) => (row.line ? [[rowKey(row), row] as const] : [])));
  const named = (row: RowRef): RowRef => told.get(rowKey(row)) ?? row;
  const counts = [
    ...other.map((code) => [code, notices[code] ?? 0] as const),
    ["unproved", unproved] as const,
  ];
  return inOrder([
    ...findings.filter(({ code }) => !counts.some(([one]) => one === code)),
    ...counts.flatMap(([code, count]) =>
      count === 0 ? [] : finding(code, { count, rows: examplesOf(code) }),
    ),
  ]).map((one) => ({ ...one, rows: one.rows.map(named) }));
}

/** The runs of all shards in the order in which they began. */
function allRuns(histories: readonly (readonly RunRecord[])[]): RunRecord[] {
  const runs = histories.flat();
  if (histories.length === 1) return runs;
  return runs
    .toSorted((a, b) => a.begunAt.getTime() - b.begunAt.getTime())
    .map((run, at) => ({ ...run, number: at + 1 }));
}

/** The items of all checkpoints, one after the other. SQLite's errors are typed for the operator. */
function* chained<T>(
  readers: readonly CheckpointReader[],
  itemsOf: (reader: CheckpointReader) => Iterable<T>,
): Iterable<T> {
  for (const reader of readers) {
    try {
      yield* itemsOf(reader);
    } catch (error) {
      throw checkpointError(error, reader.path);
    }
  }
}
