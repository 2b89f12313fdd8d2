/** A report: the results of all runs of a checkpoint, as one value that every format is made from. It holds no contact and no hash, and the vendor's ids only on request. */

import type { CheckpointStatus } from "../checkpoint/status.js";
import type { RowEvent } from "../events/events.js";
import type { LineOf } from "../events/lines/lines.js";
import type { ReportSource } from "../checkpoint/report-source.js";
import type { RunRecord, RunSums } from "../events/run-record.js";
import type { ShardsProof } from "../checkpoint/prove-shards.js";
import { RefusalGroups, type ExampleRow } from "./refusal-groups.js";

type Line = LineOf<"report">;

/** All rows that were rejected, skipped or failed for one reason. */
export type ReportGroup = Line["groups"][number];

/** What all runs of a checkpoint came to. Holds no contact and no hash. */
export interface Report extends RunSums, Pick<Line, "groups" | "notices" | "findings"> {
  /** Where every user stands. */
  readonly status: CheckpointStatus;
  /** Whether all shards together are one whole import; null without a manifest. */
  readonly shards: ShardsProof | null;
  readonly runs: readonly RunRecord[];
}

/** What a report may show. */
export interface ReportOptions {
  /** Names the vendor's ids beside the examples; false by default. */
  readonly withIds?: boolean;
}

/**
 * Makes the report of an open checkpoint. Reads every refused row once, and keeps a few examples.
 *
 * @throws RunError `disk`
 */
export function makeReport(source: ReportSource, { withIds = false }: ReportOptions = {}): Report {
  const { status, runs, shards } = source;
  return {
    status,
    shards,
    groups: groupsOf(source, withIds),
    notices: status.notices,
    findings: source.findings,
    ...source.sums,
    runs,
  };
}

function groupsOf(source: ReportSource, withIds: boolean): ReportGroup[] {
  const groups = new RefusalGroups<ExampleRow, RowEvent["type"]>();
  for (const { type, code, hint, row, sourceId } of source.refused()) {
    groups.add({ type, code, hint, row: withIds ? { ...row, sourceId } : row });
  }
  const { otherRows } = source.status;
  return groups.list().map((group) => {
    const beside = otherRows[`${group.type}s`][group.code] ?? 0;
    return { ...group, users: Math.max(0, group.count - beside) };
  });
}

/** A report in the shape of the machine output; docs/json.md has its fields. */
export type ReportEvent = { readonly type: "report" } & Omit<Report, "status"> &
  Omit<Report["status"], "rejects" | "skips" | "failures" | "notices">;

/** The codes of the status are in `groups`, with the rows beside that have no user of their own. */
export function reportJson({ status, ...report }: Report): ReportEvent {
  const { rejects: _rejects, skips: _skips, failures: _failures, ...standing } = status;
  return { type: "report", ...standing, ...report };
}
