/** A checkpoint's numbers in the text format of Prometheus, for a file of the node exporter's textfile collector. */

import { OTHER_ROWS } from "../errors/place.js";
import type { Report } from "./report.js";
import { statusRows } from "./results.js";

/** A metric, what it is, and its value, or one for each label. */
type Metric = readonly [
  name: string,
  help: string,
  values: number | null | undefined | Readonly<Record<string, number>>,
  label?: string,
];

/** The lines. They hold counts and codes alone. */
export function reportMetrics({ status, calls, retries, pausedMs, runs }: Report): string[] {
  const { progress, writtenAt } = status;
  const states = statusRows(status).filter(
    ([label]) => label !== "incomplete" && !label.startsWith(" "),
  );
  const metrics: readonly Metric[] = [
    ["users", "Users by where they stand.", Object.fromEntries(states), "state"],
    ["rejected_users", "Rejected users by the reason.", status.rejects, "code"],
    ["rejected_rows", `Rejected rows ${OTHER_ROWS}.`, status.otherRows.rejects, "code"],
    ["unproved_users", "Users whose signer key nothing has proved.", status.unproved],
    ["run_rows", "Rows of the latest run, where they were counted.", progress?.total],
    [
      "run_rows_done",
      "Rows of the latest run that have an outcome, as it noted last.",
      progress?.done,
    ],
    ["running", "1 while a run goes on.", Number(status.running)],
    ["written_timestamp_seconds", "When the checkpoint was written.", writtenAt.getTime() / 1000],
    ["runs", "Runs of the checkpoint.", runs.length],
    ["calls", "Calls at the core.", { ...calls }, "call"],
    ["retries", "Calls that were made again.", retries],
    ["paused_seconds", "How long all calls together have been held back.", pausedMs / 1000],
  ];
  return metrics.flatMap(linesOf);
}

/** All are gauges: a new checkpoint begins at 0. */
function linesOf([name, help, values, label]: Metric): string[] {
  if (values === null || values === undefined) return [];
  const metric = `auth_migrate_${name}`;
  const head = [`# HELP ${metric} ${help}`, `# TYPE ${metric} gauge`];
  if (typeof values === "number") return [...head, `${metric} ${values}`];
  const each = Object.entries(values);
  return each.length === 0
    ? []
    : [...head, ...each.map(([of, value]) => `${metric}{${label}="${of}"} ${value}`)];
}
