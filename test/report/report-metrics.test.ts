import { describe, expect, it } from "vitest";
import { makeReport } from "../../src/report/report.js";
import { reportMetrics } from "../../src/report/report-metrics.js";
import { reportSource, STATUS } from "./support/reports.js";

/** The metrics by their names and labels, each of which must have been described before. */
function metricsOf(lines: readonly string[]): Record<string, number> {
  const known = new Set<string>();
  const metrics: Record<string, number> = {};
  for (const line of lines) {
    const type = /^# TYPE (\w+) gauge$/.exec(line)?.[1];
    if (type !== undefined) known.add(type);
    if (line.startsWith("#")) continue;
    const [, name = "", labels = "", value] =
      /^(auth_migrate_[a-z_]+)(\{[a-z]+="[a-z_]+"\})? ([0-9.]+)$/.exec(line) ?? [];
    expect(known, line).toContain(name);
    metrics[name + labels] = Number(value);
  }
  return metrics;
}

describe("a report as Prometheus reads it", () => {
  it("has where users stand, why they were rejected, and how far the run is", () => {
    const progress = { done: 900, total: 1213, perSecond: null, leftMs: null };
    const status = { ...STATUS, bridged: 7, running: true, progress };
    const metrics = metricsOf(reportMetrics(makeReport(reportSource({ status }))));
    expect(metrics).toMatchObject({
      'auth_migrate_users{state="imported"}': 993,
      'auth_migrate_users{state="bridged"}': 7,
      'auth_migrate_users{state="queued"}': 0,
      'auth_migrate_rejected_users{code="no_contact"}': 6,
      auth_migrate_run_rows: 1213,
      auth_migrate_run_rows_done: 900,
      auth_migrate_running: 1,
      auth_migrate_written_timestamp_seconds: 1_795_244_400,
      'auth_migrate_calls{call="import"}': 1000,
    });
    const users = Object.entries(metrics).filter(([name]) => name.startsWith("auth_migrate_users"));
    expect(users.reduce((sum, [, count]) => sum + count, 0)).toBe(STATUS.users);
  });

  it("leaves out what isn't known", () => {
    const status = { ...STATUS, rejects: {} };
    const metrics = metricsOf(reportMetrics(makeReport(reportSource({ status, runs: [] }))));
    const names = Object.keys(metrics).join("\n");
    expect(names).not.toMatch(/run_rows|rejected_users/);
  });
});
