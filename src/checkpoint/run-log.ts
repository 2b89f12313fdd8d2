/** Writes the history of one run into the checkpoint, in constant space. What is worth noting, and when, the recorder decides. */

import type { Database } from "../sqlite/database.js";
import { type Commit, transact } from "../sqlite/group-commit.js";
import type { HashCount, RowEvent } from "../events/events.js";
import type {
  PauseSpan,
  RunCounts,
  RunEnding,
  RunFinding,
  RunSample,
  RunTotal,
} from "../events/run-record.js";
import { createFileIds, type FileIds } from "./file-ids.js";

/** Runs whose samples are kept. */
const RUNS_WITH_SAMPLES = 50;

/** What is to be noted of a run; all that is absent stays as it was noted last. */
export interface RunNote {
  readonly elapsedMs: number;
  readonly counts: RunCounts;
  readonly sample?: RunSample;
  /** Samples to be forgotten, by their time. */
  readonly thinned?: readonly number[];
  readonly pauseSpans?: readonly PauseSpan[];
  readonly hashes?: readonly HashCount[];
  readonly findings?: readonly RunFinding[];
  readonly hints?: readonly Pick<RowEvent, "type" | "code" | "hint">[];
  readonly ending?: { readonly kind: RunEnding; readonly reason: string | null };
}

interface RunLog {
  /** Makes a note durable, in one transaction with what else is written at that moment. */
  note(note: RunNote): Promise<void>;
  /** Keeps rows that have no entry of their own which says what is told of them. */
  keepRows(events: readonly RowEvent[]): Promise<void>;
  /** A file was read to its end: what earlier runs kept of its rows is out of date. */
  readToEnd(file: string): Promise<void>;
}

/** Begins the history of a run. */
export type BeginRun = (source: string) => Promise<RunLog>;

const TOTALS: readonly RunTotal[] = ["read", "pending", "mapped", "retries", "pauses", "pausedMs"];

/** @param commit the group commit of the same database */
export function createRunHistory(database: Database, commit: Commit): BeginRun {
  const insert = database.prepare("INSERT INTO runs (source, begun_at, elapsed) VALUES (?, ?, 0)");
  return async (source) => {
    // A clock that jumps spoils what is shown, and nothing else.
    const begin = (): number => {
      const { lastInsertRowid: id } = insert.run(source, Date.now());
      for (const table of ["run_samples", "run_pauses"]) {
        database.prepare(`DELETE FROM ${table} WHERE run <= ?`).run(id - RUNS_WITH_SAMPLES);
      }
      return id;
    };
    // At once, and not with others: its number is needed.
    const run = Number(transact(database, [{ work: begin }])[0]);
    return createRunLog(database, commit, { run, files: createFileIds(database) });
  };
}

function createRunLog(
  database: Database,
  commit: Commit,
  { run, files }: { readonly run: number; readonly files: FileIds },
): RunLog {
  const update = database.prepare("UPDATE runs SET elapsed = ? WHERE id = ?");
  const end = database.prepare("UPDATE runs SET ending = ?, reason = ? WHERE id = ?");
  const count = database.prepare("INSERT OR REPLACE INTO run_counts VALUES (?, ?, ?, ?)");
  const sample = database.prepare(
    `INSERT OR REPLACE INTO run_samples VALUES (${Array(15).fill("?").join(", ")})`,
  );
  const forget = database.prepare("DELETE FROM run_samples WHERE run = ? AND elapsed = ?");
  const clearPauses = database.prepare("DELETE FROM run_pauses WHERE run = ?");
  const pause = database.prepare("INSERT OR REPLACE INTO run_pauses VALUES (?, ?, ?)");
  const hash = database.prepare("INSERT OR REPLACE INTO run_hashes VALUES (?, ?, ?, ?, ?, ?)");
  const find = database.prepare("INSERT OR REPLACE INTO run_findings VALUES (?, ?, ?, ?, ?)");
  const hint = database.prepare("INSERT OR REPLACE INTO hints VALUES (?, ?, ?)");
  const row = database.prepare("INSERT OR REPLACE INTO other_rows VALUES (?, ?, ?, ?, ?, ?, ?)");
  const outdate = database.prepare("DELETE FROM other_rows WHERE file = ? AND run < ?");

  const writeCounts = (counts: RunCounts): void => {
    for (const [topic, name, number] of countsOf(counts)) count.run(run, topic, name, number);
  };
  const writeSample = (one: RunSample): void => {
    const { code, consume, update: updates, import: imports, lookup, map } = one.calls;
    sample.run(
      run,
      one.elapsedMs,
      one.done,
      one.rejected,
      one.failed,
      one.retries,
      one.pauses,
      one.pausedMs,
      one.inFlight,
      code,
      consume,
      updates,
      imports,
      lookup,
      map,
    );
  };
  const write = (note: RunNote): void => {
    update.run(note.elapsedMs, run);
    writeCounts(note.counts);
    if (note.sample !== undefined) writeSample(note.sample);
    for (const elapsed of note.thinned ?? []) forget.run(run, elapsed);
    if (note.pauseSpans !== undefined) clearPauses.run(run);
    for (const { beganMs, endedMs } of note.pauseSpans ?? []) pause.run(run, beganMs, endedMs);
    for (const [place, one] of (note.hashes ?? []).entries()) {
      hash.run(run, place, one.algorithm, one.cost, one.length, one.count);
    }
    for (const [place, one] of (note.findings ?? []).entries()) {
      find.run(run, place, one.code, one.count, one.hint);
    }
    for (const one of note.hints ?? []) hint.run(one.type, one.code, one.hint);
    if (note.ending !== undefined) end.run(note.ending.kind, note.ending.reason, run);
  };

  return {
    note: (note) => commit.run(() => write(note)),
    async keepRows(events) {
      if (events.length === 0) return;
      // Outside of the shared transaction: a number that was given must not be rolled back.
      const numbered = events.map((event) => ({ event, file: files.idOf(event.row.file) }));
      await commit.run(() => {
        for (const { event, file } of numbered) {
          const { type, code, sourceId } = event;
          row.run(file, event.row.number, run, type, code, event.hint, sourceId);
        }
      });
    },
    async readToEnd(file) {
      const id = files.idOf(file);
      await commit.run(() => void outdate.run(id, run));
    },
  };
}

/** Topic, name and number of every count. */
function countsOf(counts: RunCounts): [topic: string, name: string, number: number][] {
  const { outcomes, calls, algorithms, rejects, skips, failures, notices, waits } = counts;
  const byName = { outcomes, calls, algorithms, rejects, skips, failures, notices };
  return [
    ...TOTALS.map((name): [string, string, number] => ["totals", name, counts[name]]),
    ...Object.entries(byName).flatMap(([topic, names]) =>
      Object.entries(names).map(([name, number]): [string, string, number] => [
        topic,
        name,
        number,
      ]),
    ),
    ...Object.entries(waits).flatMap(([reason, { count, ms }]): [string, string, number][] => [
      ["waits", reason, count],
      ["waitedMs", reason, ms],
    ]),
  ];
}
