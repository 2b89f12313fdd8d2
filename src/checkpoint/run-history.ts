/** The history of a checkpoint's runs, each in constant space. What is worth noting, and when, the recorder decides. */

import type { Database, Statement } from "../sqlite/database.js";
import { type Commit, transact } from "../sqlite/group-commit.js";
import type { HashCount, RowEvent, RowRef } from "../events/events.js";
import type {
  PauseSpan,
  RunCounts,
  RunEnding,
  RunFinding,
  RunRecord,
  RunSample,
} from "../events/run-record.js";
import { noCalls, noOutcomes } from "../events/tally.js";
import { hexList, type Key, keyBlob } from "../plan/digests.js";
import { prepareAll } from "./statements.js";
import { FileIds } from "./numbered.js";

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
  /** Rows that were told, whose lines are to be kept. */
  readonly rows?: readonly RowRef[];
  readonly ending?: { readonly kind: RunEnding; readonly reason: string | null };
}

/** Rows of one file that a run has read. */
export interface ReadRows {
  readonly file: string;
  readonly numbers: () => readonly number[];
  /** The identities of those whose row has an id. */
  readonly users: () => readonly Key[];
  /** The rows of exports that these stand for, of those that a person has mended. */
  readonly mended: readonly RowRef[];
}

/** A row that has no entry which says what is told of it. */
export interface KeptRow {
  readonly event: RowEvent;
  /** The entry of its user, who is at the core whatever the row says; null without one. */
  readonly user: number | null;
  /** Of a user whose contact another one has, until another row of theirs is read; else null. */
  readonly identity: Key | null;
  /** Whether what is kept of the row says more, as of one that a person has still to mend. */
  readonly yields: boolean;
}

/** Begins the history of a run. */
export type BeginRun = (source: string) => Promise<RunLog>;

/** What is kept of a run as JSON. */
interface Kept
  extends RunCounts,
    Pick<RunRecord, "hashes" | "findings" | "samples" | "pauseSpans"> {}

const NOTHING_KEPT: Kept = {
  read: 0,
  pending: 0,
  mapped: 0,
  retries: 0,
  pauses: 0,
  pausedMs: 0,
  total: null,
  known: null,
  outcomes: noOutcomes(),
  calls: noCalls(),
  algorithms: {},
  rejects: {},
  skips: {},
  failures: {},
  notices: {},
  carriedUsers: {},
  waits: {},
  hashes: [],
  findings: [],
  samples: [],
  pauseSpans: [],
};

/** All of them, in their order. */
export function selectRuns(database: Database): RunRecord[] {
  const runs = database.prepare<
    [string, begunAt: number, elapsed: number, RunEnding | null, string | null, kept: string]
  >("SELECT source, begun_at, elapsed, ending, reason, kept FROM runs ORDER BY id");
  return runs.all().map(([source, begunAt, elapsedMs, ending, reason, text], at) => {
    const kept: Kept = JSON.parse(text);
    return {
      number: at + 1,
      source,
      begunAt: new Date(begunAt),
      elapsedMs,
      ending,
      reason,
      ...kept,
    };
  });
}

/** @param commit the group commit of the same database */
export function createRunHistory(database: Database, commit: Commit): BeginRun {
  const insert = database.prepare(
    "INSERT INTO runs (source, begun_at, elapsed, kept) VALUES (?, ?, 0, ?)",
  );
  const thin = database.prepare(
    `UPDATE runs SET kept = json_set(kept, '$.samples', json('[]'), '$.pauseSpans', json('[]'))
     WHERE id = ?`,
  );
  return async (source) => {
    // A clock that jumps spoils what is shown, and nothing else.
    const begin = (): number => {
      const { lastInsertRowid: id } = insert.run(source, Date.now(), JSON.stringify(NOTHING_KEPT));
      thin.run(id - RUNS_WITH_SAMPLES);
      return id;
    };
    // At once, and not with others: its number is needed.
    const run = Number(transact(database, [{ work: begin }])[0]);
    return new RunLog(database, commit, run);
  };
}

const SQL = {
  note: `UPDATE runs SET elapsed = ?, kept = ?, ending = coalesce(?, ending), reason = coalesce(?, reason)
     WHERE id = ?`,
  hint: "INSERT OR REPLACE INTO hints VALUES (?, ?, ?)",
  lines:
    "INSERT OR REPLACE INTO row_lines SELECT value->>0, value->>1, value->>2 FROM json_each(?)",
  row: "INSERT OR REPLACE INTO other_rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  outdate: "DELETE FROM other_rows WHERE file = ? AND run < ?",
  known: "SELECT 1 FROM other_rows WHERE file = ? AND number = ?",
  mend: "DELETE FROM other_rows WHERE file = ? AND number = ? AND run < ?",
  overtake: `DELETE FROM other_rows WHERE file = ? AND run < ?
     AND number IN (SELECT value FROM json_each(?))`,
  identify: `DELETE FROM other_rows WHERE run < ? AND identity IN
     (SELECT unhex(value) FROM json_each(?))`,
} as const;

/** The history of one run. */
class RunLog {
  readonly #commit: Commit;
  readonly #run: number;
  readonly #files: FileIds;
  readonly #hasEarlier: Statement;
  readonly #outdated = new Map<string, boolean>();
  #kept = NOTHING_KEPT;
  /** Whether an earlier run left a row whose user may come by another one. */
  readonly #awaitsUsers: boolean;
  readonly #sql: Readonly<Record<keyof typeof SQL, Statement>>;

  constructor(database: Database, commit: Commit, run: number) {
    this.#commit = commit;
    this.#run = run;
    this.#files = new FileIds(database);
    this.#hasEarlier = database.prepare(
      "SELECT 1 FROM other_rows WHERE file = ? AND run < ? LIMIT 1",
    );
    const awaiting = database.prepare(
      "SELECT 1 FROM other_rows WHERE identity IS NOT NULL LIMIT 1",
    );
    this.#awaitsUsers = awaiting.get() !== undefined;
    this.#sql = prepareAll(database, SQL);
  }

  /** Makes a note durable, in one transaction with what else is written at that moment. */
  note(note: RunNote): Promise<void> {
    // Outside of the shared transaction, as in keepRows.
    for (const { file } of note.rows ?? []) this.#files.idOf(file);
    this.#kept = keptAfter(this.#kept, note);
    return this.#commit.run(() => this.#write(note));
  }

  /**
   * Keeps rows that have no entry which says what is told of them. What earlier runs kept of these
   * rows, and of users who have a row of their own now, is out of date. A row of a file of rejects
   * is kept as the row of the export that it stands for, so that each is told once.
   */
  async keepRows(read: ReadRows, rows: readonly KeptRow[]): Promise<void> {
    const { file, numbers, users, mended } = read;
    const isAgain = this.#isOutdated(file);
    const come = this.#awaitsUsers ? users() : [];
    if (rows.length + come.length + mended.length === 0 && !isAgain) return;
    // Outside of the shared transaction: a number that was given must not be rolled back.
    const id = this.#files.idOf(file);
    for (const { event } of rows) this.#files.idOf(standingAt(event).file);
    for (const origin of mended) this.#files.idOf(origin.file);
    await this.#commit.run(() => {
      if (isAgain) this.#sql.overtake.run(id, this.#run, JSON.stringify(numbers()));
      if (come.length > 0) this.#sql.identify.run(this.#run, hexList(come));
      for (const origin of mended) {
        this.#sql.mend.run(this.#files.idOf(origin.file), origin.number, this.#run);
      }
      for (const row of rows) this.#keep(row);
    });
  }

  #keep({ event, user, identity, yields }: KeptRow): void {
    const { type, code, sourceId, hint } = event;
    const { file, number } = standingAt(event);
    const id = this.#files.idOf(file);
    if (yields && this.#sql.known.get(id, number) !== undefined) return;
    const key = identity === null ? null : keyBlob(identity);
    this.#sql.row.run(id, number, this.#run, type, code, hint, sourceId, user, key);
  }

  /** A file was read to its end: what earlier runs kept of its rows is out of date. */
  async readToEnd(file: string): Promise<void> {
    const id = this.#files.idOf(file);
    await this.#commit.run(() => void this.#sql.outdate.run(id, this.#run));
  }

  #isOutdated(file: string): boolean {
    const known = this.#outdated.get(file);
    if (known !== undefined) return known;
    const isOutdated = this.#hasEarlier.get(this.#files.idOf(file), this.#run) !== undefined;
    this.#outdated.set(file, isOutdated);
    return isOutdated;
  }

  #write(note: RunNote): void {
    const sql = this.#sql;
    const { kind = null, reason = null } = note.ending ?? {};
    sql.note.run(note.elapsedMs, JSON.stringify(this.#kept), kind, reason, this.#run);
    for (const one of note.hints ?? []) sql.hint.run(one.type, one.code, one.hint);
    const lines = (note.rows ?? []).map(({ file, ...at }) => [
      this.#files.idOf(file),
      at.number,
      at.line,
    ]);
    if (lines.length > 0) sql.lines.run(JSON.stringify(lines));
  }
}

/** The row of the export that an event is of. */
function standingAt({ row }: RowEvent): RowRef {
  return row.origin ?? row;
}

function keptAfter(kept: Kept, note: RunNote): Kept {
  const { sample, thinned = [], hashes = [] } = note;
  const { pauseSpans = kept.pauseSpans, findings = kept.findings } = note;
  const samples = kept.samples.filter(({ elapsedMs }) => !thinned.includes(elapsedMs));
  return {
    ...kept,
    ...note.counts,
    samples: sample === undefined ? samples : [...samples, sample],
    pauseSpans,
    hashes: hashes.length > 0 ? hashes : kept.hashes,
    findings: findings.map(({ code, count, hint }) => ({ code, count, hint })),
  };
}
