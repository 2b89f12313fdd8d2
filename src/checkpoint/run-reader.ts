/** Reads the history of a checkpoint's runs. Nothing is written and nothing is judged. */

import type { Database } from "../sqlite/database.js";
import { noCalls, noOutcomes } from "../events/tally.js";
import type { HashCount, PauseEvent } from "../events/events.js";
import type {
  PauseCount,
  PauseSpan,
  RunCounts,
  RunEnding,
  RunFinding,
  RunRecord,
  RunSample,
} from "../events/run-record.js";

type RunRow = [
  id: number,
  source: string,
  begunAt: number,
  elapsed: number,
  ending: RunEnding | null,
  reason: string | null,
];

type SampleRow = [
  run: number,
  elapsedMs: number,
  done: number,
  rejected: number,
  failed: number,
  retries: number,
  pauses: number,
  pausedMs: number,
  inFlight: number,
  code: number,
  consume: number,
  update: number,
  import: number,
  lookup: number,
  map: number,
  part: number,
];

type HashRow = [
  run: number,
  place: number,
  algorithm: HashCount["algorithm"],
  cost: string,
  length: number | null,
  count: number,
];

export function selectRuns(database: Database): RunRecord[] {
  const runs = database.prepare<RunRow>(
    "SELECT id, source, begun_at, elapsed, ending, reason FROM runs ORDER BY id",
  );
  const counts = byRun(database, "run_counts", countRow);
  const samples = byRun(database, "run_samples", sampleOf);
  const pauses = byRun(database, "run_pauses", pauseOf);
  const hashes = byRun(database, "run_hashes", hashOf);
  const findings = byRun(database, "run_findings", findingOf);
  return runs.all().map(([id, source, begunAt, elapsedMs, ending, reason], at) => ({
    number: at + 1,
    source,
    begunAt: new Date(begunAt),
    elapsedMs,
    ending,
    reason,
    ...countsOf(counts(id)),
    hashes: hashes(id),
    findings: findings(id),
    samples: samples(id),
    pauseSpans: pauses(id),
  }));
}

/** The rows of one run of a table, in the order of their keys. */
function byRun<Row extends readonly unknown[], T>(
  database: Database,
  table: string,
  make: (row: Row) => T,
): (run: number) => T[] {
  const select = database.prepare<Row>(`SELECT * FROM ${table} WHERE run = ?`);
  return (run) => select.all(run).map(make);
}

interface Count {
  readonly topic: string;
  readonly name: string;
  readonly count: number;
}

function countRow([, topic, name, count]: [number, string, string, number]): Count {
  return { topic, name, count };
}

function countsOf(rows: readonly Count[]): RunCounts {
  const of = (topic: string): Record<string, number> =>
    Object.fromEntries(
      rows.filter((row) => row.topic === topic).map(({ name, count }) => [name, count]),
    );
  const totals = { ...NO_TOTALS, ...of("totals") };
  return {
    ...totals,
    outcomes: { ...noOutcomes(), ...of("outcomes") },
    calls: { ...noCalls(), ...of("calls") },
    algorithms: of("algorithms"),
    rejects: of("rejects"),
    skips: of("skips"),
    failures: of("failures"),
    notices: of("notices"),
    carriedUsers: of("carried"),
    waits: waitsOf(of("waits"), of("waitedMs")),
  };
}

const NO_TOTALS = {
  read: 0,
  pending: 0,
  mapped: 0,
  retries: 0,
  pauses: 0,
  pausedMs: 0,
  total: null,
  known: null,
};

const REASONS: readonly PauseEvent["reason"][] = ["retry_after", "busy", "outage"];

function waitsOf(
  counts: Readonly<Record<string, number>>,
  waitedMs: Readonly<Record<string, number>>,
): RunCounts["waits"] {
  const waits: Partial<Record<PauseEvent["reason"], PauseCount>> = {};
  for (const reason of REASONS) {
    const count = counts[reason];
    if (count !== undefined) waits[reason] = { count, ms: waitedMs[reason] ?? 0 };
  }
  return waits;
}

function sampleOf([, elapsedMs, done, rejected, failed, ...rest]: SampleRow): RunSample {
  const [retries, pauses, pausedMs, inFlight, ...calls] = rest;
  const [code, consume, update, imports, lookup, map, part] = calls;
  return {
    elapsedMs,
    done,
    rejected,
    failed,
    retries,
    pauses,
    pausedMs,
    inFlight,
    calls: { code, consume, update, import: imports, lookup, map, part },
  };
}

function pauseOf([, beganMs, endedMs]: [number, number, number]): PauseSpan {
  return { beganMs, endedMs };
}

function hashOf([, , algorithm, cost, length, count]: HashRow): HashCount {
  return { algorithm, cost, length, count };
}

function findingOf([, , code, count, hint]: [number, number, string, number, string]): RunFinding {
  return { code, count, hint };
}
