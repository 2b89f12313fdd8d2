/** Records a run for the report: listens to what it tells and notes now and then where it stands. It decides nothing and keeps nothing personal. */

import { carriedUsers } from "../plan/carried-users.js";
import { RunError } from "../errors/run-error.js";
import type { BeginRun, KeptRow, ReadRows, RunLog, RunNote } from "../checkpoint/run-history.js";
import type { FindingEvent, MigrationEvent, PauseEvent, RowEvent } from "../events/events.js";
import { NOBODY_PROVED } from "../events/standing.js";
import type { ImportEnd } from "../events/summary.js";
import type { KeptRun, PauseCount, RunSample } from "../events/run-record.js";
import { Tally } from "../events/tally.js";
import type { Timing } from "../events/timing.js";

/** How often at most the counts are written, so that little of them is lost with a run that is killed. */
const NOTE_INTERVAL_MS = 5000;
/** Most rows that were told and wait to be noted. */
const MOST_ROWS = 10_000;
/** Most samples of a run. Where they are full, every other one is forgotten and the next ones come half as often. */
export const MOST_SAMPLES = 400;
const FIRST_INTERVAL_MS = 1000;

interface Recording {
  readonly source: string;
  readonly command: string | null;
  readonly unlimited: string | null;
  readonly unproved: string | null;
  readonly check: readonly string[] | null;
  readonly proof: boolean;
  /** Whom the core's queue has written, as earlier runs know. */
  readonly written: number;
  readonly timing: Timing;
  /** Told of a note that couldn't be written. */
  readonly onFailure: (error: unknown) => void;
}

export async function recordRun(begin: BeginRun, recording: Recording): Promise<RunRecorder> {
  const start = recording.timing.now();
  const log = await begin(recording.source, keptBy(new Tally(), recording));
  return new RunRecorder(log, start, recording);
}

export class RunRecorder {
  readonly #recording: Recording;
  readonly #start: number;
  readonly #log: RunLog;
  #tally = new Tally();
  #total: number | null = null;
  readonly #findings: FindingEvent[] = [];
  readonly #failures: Record<string, number> = {};
  readonly #waits: Partial<Record<PauseEvent["reason"], PauseCount>> = {};
  #samples: RunSample[] = [];
  #intervalMs = FIRST_INTERVAL_MS;
  #notedMs = Number.NEGATIVE_INFINITY;
  /** Users whom the core's queue has written and who aren't read back yet, and all who are through with them. */
  #written: number;
  #through = 0;
  /** Not noted yet. */
  #rows: RowEvent[] = [];

  /** @param start when the run began, by its clock */
  constructor(log: RunLog, start: number, recording: Recording) {
    this.#log = log;
    this.#start = start;
    this.#recording = recording;
    this.#written = recording.written;
  }

  hear(event: MigrationEvent): void {
    if (event.type === "progress") this.#progressed(event.elapsedMs);
    else if (event.type === "finding") {
      if (event.foreseen !== true) this.#findings.push(event);
    } else if (event.type === "pause") {
      // Between this sample and the next one all calls waited.
      this.#sample(this.#elapsed());
      const { count, ms } = this.#waits[event.reason] ?? { count: 0, ms: 0 };
      this.#waits[event.reason] = { count: count + 1, ms: ms + event.waitMs };
    } else if ("row" in event) {
      const { type, code } = event;
      this.#rows.push(event);
      if (type === "failure") this.#failures[code] = (this.#failures[code] ?? 0) + 1;
    }
  }

  /**
   * The run's own counts, which are noted from now on: the rows at once, before any user is written.
   *
   * @param rows of all inputs; null where they weren't counted
   */
  watch(tally: Tally, rows: number | null): Promise<void> {
    this.#tally = tally;
    this.#total = rows;
    return this.#note({ elapsedMs: this.#elapsed(), kept: this.#kept() });
  }

  /** Whom the core's queue has written and who aren't read back yet, as it was asked last. */
  get written(): number {
    return this.#written;
  }

  /** The core's queue was asked how many it has written who aren't read back yet. */
  wrote(users: number): void {
    this.#written = users;
    this.#through = this.#tally.done() + users;
    this.#progressed(this.#elapsed(), true);
  }

  /** Keeps rows that were refused or failed, and whose users' entries don't say so. */
  keepRows(read: ReadRows, rows: readonly KeptRow[]): Promise<void> {
    return this.#log.keepRows(read, rows);
  }

  /** Forgets what earlier runs kept so of a file's rows, unless this one takes only those of test users. */
  async readToEnd(file: string): Promise<void> {
    if (!this.#recording.proof) await this.#log.readToEnd(file);
  }

  finished({ interrupted, standing, pending, provedUsers }: ImportEnd): Promise<void> {
    const known = standing.unread === null ? null : standing.users + standing.unread;
    const ending = interrupted
      ? ({ kind: "stopped", reason: null } as const)
      : ({ kind: "finished", reason: standing.cut } as const);
    const { command, unlimited } = this.#recording;
    const next = standing.cut === "limited" ? unlimited : command;
    return this.#end(ending, { pending, known, provedUsers, command: next });
  }

  /** Notes as far as that is possible why the run couldn't go on. */
  async failed(error: unknown): Promise<void> {
    const reason = error instanceof RunError ? error.code : "internal";
    const { command, unproved } = this.#recording;
    try {
      // The same command would fail the same way.
      const next = reason === "proof_unavailable" ? unproved : command;
      await this.#end({ kind: "failed", reason }, { command: next });
    } catch {
      // Most likely its consequence; the error itself is told.
    }
  }

  #elapsed(): number {
    return Math.round(this.#recording.timing.now() - this.#start);
  }

  #progressed(elapsedMs: number, isNews = false): void {
    const sampledMs = this.#samples.at(-1)?.elapsedMs ?? Number.NEGATIVE_INFINITY;
    const isSampled = elapsedMs - sampledMs >= this.#intervalMs;
    if (isSampled) this.#sample(elapsedMs);
    const isTime = isNews || isSampled || elapsedMs - this.#notedMs >= NOTE_INTERVAL_MS;
    if (!isTime && this.#rows.length <= MOST_ROWS) return;
    this.#notedMs = elapsedMs;
    this.#note({ elapsedMs, kept: this.#kept() }).catch(this.#recording.onFailure);
  }

  #end(ending: NonNullable<RunNote["ending"]>, counts: Partial<KeptRun>): Promise<void> {
    const elapsedMs = this.#elapsed();
    this.#sample(elapsedMs);
    return this.#note({ elapsedMs, kept: { ...this.#kept(), ...counts }, ending });
  }

  #note(note: Omit<RunNote, "rows" | "written">): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    return this.#log.note({ ...note, rows, written: this.#written });
  }

  #sample(elapsedMs: number): void {
    if (this.#samples.length >= MOST_SAMPLES) {
      this.#samples = this.#samples.filter((_sample, at) => at % 2 === 0);
      this.#intervalMs *= 2;
    }
    const pausedMs = Object.values(this.#waits).reduce((sum, { ms }) => sum + ms, 0);
    this.#samples.push({ elapsedMs, done: Math.max(this.#tally.done(), this.#through), pausedMs });
  }

  #kept(): KeptRun {
    return {
      ...keptBy(this.#tally, this.#recording),
      total: this.#total,
      failures: this.#failures,
      waits: this.#waits,
      findings: this.#findings.map(({ code, count, rows, hint }) => {
        return { code, count, rows: rows.map(({ origin, ...row }) => origin ?? row), hint };
      }),
      samples: this.#samples,
    };
  }
}

/** What of a run its tally has counted. */
function keptBy(tally: Tally, { command, check, proof }: Recording): KeptRun {
  const { rejects, skips, notices, algorithms, read } = tally.counts();
  const { outcomes, calls, mapped, retries, pauses, pausedMs, carried } = tally;
  return {
    command,
    check,
    proof,
    total: null,
    known: null,
    provedUsers: NOBODY_PROVED,
    read,
    ahead: tally.ahead(),
    pending: 0,
    mapped,
    retries,
    pauses,
    pausedMs,
    outcomes,
    calls,
    algorithms,
    rejects,
    skips,
    failures: {},
    notices,
    carriedUsers: carriedUsers(carried.brought),
    waits: {},
    findings: [],
    samples: [],
  };
}
