/** The history of a checkpoint's runs, each in constant space. What is worth noting, and when, the recorder decides. */

import type { Database, Statement } from "../sqlite/database.js";
import { type Commit, transact } from "../sqlite/group-commit.js";
import type { RowEvent, RowRef } from "../events/events.js";
import type { KeptRun, RunEnding, RunRecord } from "../events/run-record.js";
import { hexList, type Key, keyBlob } from "../plan/digests.js";
import { prepareAll } from "./statements.js";
import { FileIds } from "./numbered.js";

/** Runs whose samples are kept. */
const RUNS_WITH_SAMPLES = 50;

/** What is to be noted of a run. */
export interface RunNote {
  readonly elapsedMs: number;
  /** In place of what was kept before. */
  readonly kept: KeptRun;
  /** What was told of rows since the last note. */
  readonly rows: readonly RowEvent[];
  /** Users whom the core's queue has written and who aren't read back yet: known of the checkpoint, and not of the run. */
  readonly written: number;
  /** Absent while the run goes on. */
  readonly ending?: { readonly kind: RunEnding; readonly reason: string | null };
}

type Hinted = Pick<RowEvent, "type" | "code" | "hint">;

/** Rows of one file that a run has read. */
export interface ReadRows {
  readonly file: string;
  readonly numbers: () => readonly number[];
  /** The identities of those whose row has an id. */
  readonly users: () => readonly Key[];
  /** The rows of exports that these stand for, of those that a person has mended. */
  readonly mended: readonly MendedRow[];
  /** Those whose contact another user has, with what would be sent of each without that. */
  readonly contested: ReadonlyMap<RowRef, { readonly plan: Key }>;
}

interface MendedRow {
  readonly origin: RowRef;
  /** Whom the row brings; null for one that is refused again. */
  readonly user: number | null;
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
export type BeginRun = (source: string, kept: KeptRun) => Promise<RunLog>;

/** All of them, in their order. */
export function selectRuns(database: Database): RunRecord[] {
  const runs = database.prepare<
    [string, begunAt: number, elapsed: number, RunEnding | null, string | null, kept: string]
  >("SELECT source, begun_at, elapsed, ending, reason, kept FROM runs ORDER BY id");
  return runs.all().map(([source, begunAt, elapsedMs, ending, reason, text], at) => {
    const kept: KeptRun = JSON.parse(text);
    const begun = { number: at + 1, source, begunAt: new Date(begunAt) };
    return { ...begun, elapsedMs, ending, reason, ...kept };
  });
}

/** @param commit the group commit of the same database */
export function createRunHistory(database: Database, commit: Commit): BeginRun {
  const insert = database.prepare(
    "INSERT INTO runs (source, begun_at, elapsed, kept) VALUES (?, ?, 0, ?)",
  );
  const thin = database.prepare(
    `UPDATE runs SET kept = json_set(kept, '$.samples', json('[]')) WHERE id = ?`,
  );
  return async (source, kept) => {
    // A clock that jumps spoils what is shown, and nothing else.
    const begin = (): number => {
      const { lastInsertRowid: id } = insert.run(source, Date.now(), JSON.stringify(kept));
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
  written: "INSERT OR REPLACE INTO meta VALUES ('queue_written', ?)",
  first: "SELECT hint FROM hints WHERE type = ? AND code = ?",
  hint: "INSERT OR IGNORE INTO hints VALUES (?, ?, ?)",
  told: `INSERT OR REPLACE INTO told_rows (file, number, line, hint)
     SELECT value->>0, value->>1, value->>2, value->>3 FROM json_each(?)`,
  row: "INSERT OR REPLACE INTO other_rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  outdate: "DELETE FROM other_rows WHERE file = ? AND run < ?",
  known: "SELECT 1 FROM other_rows WHERE file = ? AND number = ?",
  entries: `SELECT file, number FROM users WHERE code IS NOT NULL
     AND (file, number) IN (SELECT value->>0, value->>1 FROM json_each(?))`,
  contest: "INSERT OR IGNORE INTO told_rows (file, number, plan) VALUES (?, ?, ?)",
  bring: "UPDATE told_rows SET user = ? WHERE file = ? AND number = ?",
  mend: "DELETE FROM other_rows WHERE file = ? AND number = ? AND run < ?",
  overtake: `DELETE FROM other_rows WHERE file = ? AND run < ?
     AND number IN (SELECT value FROM json_each(?))`,
  identify: `DELETE FROM other_rows WHERE run < ? AND identity IN
     (SELECT unhex(value) FROM json_each(?))`,
} as const;

/** The history of one run. */
export class RunLog {
  readonly #commit: Commit;
  readonly #run: number;
  readonly #files: FileIds;
  /** Whether an earlier run left rows. */
  readonly #hasEarlier: boolean;
  /** The first event of each type and code, for its hint. */
  readonly #first = new Map<string, Hinted>();
  /** Whether an earlier run left a row whose user another row may bring. */
  readonly #awaitsUsers: boolean;
  readonly #sql: Readonly<Record<keyof typeof SQL, Statement>>;

  constructor(database: Database, commit: Commit, run: number) {
    this.#commit = commit;
    this.#run = run;
    this.#files = new FileIds(database);
    this.#hasEarlier = database.prepare("SELECT 1 FROM other_rows LIMIT 1").get() !== undefined;
    const awaiting = database.prepare(
      "SELECT 1 FROM other_rows WHERE identity IS NOT NULL LIMIT 1",
    );
    this.#awaitsUsers = awaiting.get() !== undefined;
    this.#sql = prepareAll(database, SQL);
  }

  /** Makes a note durable, in one transaction with what else is written at that moment. */
  note({ elapsedMs, kept, rows, written, ending }: RunNote): Promise<void> {
    const { kind = null, reason = null } = ending ?? {};
    // By then the run has counted on.
    const text = JSON.stringify(kept);
    // Outside of the shared transaction, as in keepRows.
    const told = rows.flatMap((event) => this.#toldOf(event));
    return this.#commit.run(() => {
      this.#sql.note.run(elapsedMs, text, kind, reason, this.#run);
      this.#sql.written.run(String(written));
      if (told.length === 0) return;
      for (const { type, code, hint } of this.#first.values()) this.#sql.hint.run(type, code, hint);
      this.#sql.told.run(JSON.stringify(told));
    });
  }

  /** A row of a file of rejects has an entry as itself or as the export's. */
  #toldOf(event: RowEvent): unknown[][] {
    const { row, hint } = event;
    const own = hint === this.#firstOf(event).hint ? null : hint;
    return (row.origin === undefined ? [row] : [row, row.origin]).map(
      ({ file, number, line = null }) => [this.#files.idOf(file), number, line, own],
    );
  }

  #firstOf(event: Hinted): Hinted {
    const { type, code } = event;
    const key = `${type} ${code}`;
    const known = this.#first.get(key);
    if (known !== undefined) return known;
    const hint = this.#sql.first.get(type, code)?.[0];
    const first = typeof hint === "string" ? { type, code, hint } : event;
    this.#first.set(key, first);
    return first;
  }

  /**
   * Keeps rows that have no entry which says what is told of them. What earlier runs kept of these
   * rows, and of users who have a row of their own now, is out of date. A row of a file of rejects
   * is kept as the row of the export that it stands for, so that each is told once.
   */
  async keepRows(read: ReadRows, rows: readonly KeptRow[]): Promise<void> {
    const { file, numbers, users, mended, contested } = read;
    const awaited = this.#awaitsUsers ? users() : [];
    const told = rows.length + awaited.length + mended.length + contested.size;
    if (told === 0 && !this.#hasEarlier) return;
    // Outside of the shared transaction: a number that was given must not be rolled back.
    const id = this.#files.idOf(file);
    for (const { event } of rows) this.#files.idOf(standingAt(event).file);
    for (const row of contested.keys()) this.#files.idOf(standingAt({ row }).file);
    for (const { origin } of mended) this.#files.idOf(origin.file);
    const news = this.#withoutKnown(rows);
    await this.#commit.run(() => {
      if (this.#hasEarlier) this.#sql.overtake.run(id, this.#run, JSON.stringify(numbers()));
      if (awaited.length > 0) this.#sql.identify.run(this.#run, hexList(awaited));
      for (const [row, { plan }] of contested) {
        const { file, number } = standingAt({ row });
        this.#sql.contest.run(this.#files.idOf(file), number, keyBlob(plan));
      }
      for (const { origin, user } of mended) {
        const of = this.#files.idOf(origin.file);
        if (user !== null) this.#sql.bring.run(user, of, origin.number);
        this.#sql.mend.run(of, origin.number, this.#run);
      }
      for (const row of news) this.#keep(row);
    });
  }

  /** Without those that yield to what is known of a row, as a user's or beside them. */
  #withoutKnown(rows: readonly KeptRow[]): readonly KeptRow[] {
    const place = ({ event }: KeptRow): [file: number, number: number] => {
      const { file, number } = standingAt(event);
      return [this.#files.idOf(file), number];
    };
    const yielding = rows.filter(({ yields }) => yields).map(place);
    if (yielding.length === 0) return rows;
    const known = new Set(this.#sql.entries.all(JSON.stringify(yielding)).map(String));
    for (const one of yielding) if (this.#sql.known.get(...one)) known.add(String(one));
    return rows.filter((row) => !(row.yields && known.has(String(place(row)))));
  }

  #keep({ event, user, identity }: KeptRow): void {
    const { type, code, sourceId, hint } = event;
    const { file, number } = standingAt(event);
    const id = this.#files.idOf(file);
    const key = identity === null ? null : keyBlob(identity);
    this.#sql.row.run(id, number, this.#run, type, code, hint, sourceId, user, key);
  }

  /** A file was read to its end: what earlier runs kept of its rows is out of date. */
  async readToEnd(file: string): Promise<void> {
    const id = this.#files.idOf(file);
    await this.#commit.run(() => void this.#sql.outdate.run(id, this.#run));
  }
}

/** The row of the export that an event is of. */
function standingAt({ row }: Pick<RowEvent, "row">): RowRef {
  return row.origin ?? row;
}
