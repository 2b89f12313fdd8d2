/** Where a checkpoint stands, also while a run goes on. It reads the file beside the run, takes no lock and changes nothing. */

import { statSync } from "node:fs";
import { realPathOf } from "../files/own-file.js";
import { BRIDGE_LOST } from "../plan/notices.js";
import type { VaultStanding } from "./bridged-users.js";
import { type CoreBinding, checkpointError } from "./checkpoint.js";
import { isLocked } from "./lock.js";
import { type CheckpointReader, openReader } from "./reader.js";
import type { LineOf } from "../events/lines/lines.js";
import { addProgress, cutBy, latestImport, progressOf, unreadBy } from "./run-progress.js";
import { NOBODY_PROVED, provedBy, untriedOf } from "../events/standing.js";
import { addCounts, namesOf, openReaders } from "./several.js";
import type { RunRecord } from "../events/run-record.js";
import { NO_COUNTS, type StateCounts } from "./state-counts.js";

/** What a checkpoint says about its migration. Holds no contact, no hash and no id. */
export interface CheckpointStatus
  extends Omit<LineOf<"status">, "type" | "parts" | "exitCode" | keyof Moments | keyof StateCounts>,
    StateCounts,
    Moments {}

/** A line has them as ISO 8601 texts. */
type Moments = Readonly<Record<"writtenAt", Date> & Record<"begunAt" | "cutoverAt", Date | null>>;

/**
 * Reads where a checkpoint stands.
 *
 * In the process of the run itself the reading keeps that run from folding the file at its end; ask
 * from a process of its own.
 *
 * @param now the time of day, to tell a run that stands still
 * @throws RunError `checkpoint_missing`, `checkpoint_invalid` (not a checkpoint, or another version's), `disk`
 */
export function readStatus(path: string, now: () => number = Date.now): CheckpointStatus {
  return readStatuses([path], null, now).sum;
}

/** What a checkpoint that is open says. */
export function statusOf(reader: CheckpointReader, now: () => number = Date.now): CheckpointStatus {
  const { path } = reader;
  const part = reader.part();
  const runs = reader.runs();
  const counts = reader.counts();
  const running = isLocked(path);
  const last = runs.at(-1);
  const run = running ? last : (latestImport(runs) ?? last);
  const ended = running ? last : (runs.findLast(({ proof }) => !proof) ?? last);
  const written = writtenAt(path);
  const silentMs = running && run?.ending === null ? now() - written.getTime() : null;
  const goesOn = cutBy(runs.slice(0, -1)) !== null;
  const before = goesOn ? run?.outcomes.unchanged : 0;
  return {
    checkpoint: path,
    core: reader.binding(),
    shard: part && { index: part.index, count: part.count },
    running,
    begunAt: reader.begunAt(),
    writtenAt: written,
    cutoverAt: reader.cutoverAt(),
    progress: run === undefined ? null : progressOf(run, silentMs, counts, before),
    endedBy: ended?.ending === "failed" ? ended.reason : null,
    command: run?.command ?? null,
    check: run?.check ?? null,
    unproved: reader.isProved() ? 0 : unprovedUsers(counts, runs),
    vault: vaultOf(reader, counts),
    ...counts,
    unread: unreadBy(runs, counts.users, reader.beside()),
    cut: running ? null : cutBy(runs),
    ...provedBy(runs, counts),
  };
}

const NOT_LOOKED_FOR = { found: null, left: null, inUse: false } as const;

/** Nothing is said of its file: that isn't the checkpoint's. */
function vaultOf(
  reader: CheckpointReader,
  { bridged, notices }: StateCounts,
): VaultStanding | null {
  const note = bridged === 0 ? null : reader.vault();
  return note && { ...note, lost: notices[BRIDGE_LOST] ?? 0, ...NOT_LOOKED_FOR };
}

/** A run counts the hashes that it means to send; no more were sent than there are users with one at the core. */
function unprovedUsers(
  { imported, bridged, queued, unknown }: StateCounts,
  runs: readonly RunRecord[],
): number {
  const most = Math.max(0, ...runs.map(({ algorithms }) => algorithms.vendor_scrypt ?? 0));
  return Math.min(most, imported - bridged + queued + unknown);
}

/** Where several checkpoints of one migration stand. */
export interface Statuses {
  /** All that are there, as one. */
  readonly sum: CheckpointStatus;
  /** Each of them in the order given; without a status where a part's import hasn't begun. */
  readonly each: readonly {
    readonly checkpoint: string;
    readonly status: CheckpointStatus | null;
  }[];
}

/**
 * Reads where several checkpoints stand.
 *
 * @param paths at least one
 * @param rows of the whole export, where they are known; they count until each part was read to its end
 * @param now as for {@link readStatus}
 * @throws RunError `checkpoint_missing` where none is there, `checkpoint_invalid`, `disk`
 */
export function readStatuses(
  paths: readonly string[],
  rows: number | null = null,
  now: () => number = Date.now,
): Statuses {
  const { readers, close } = openReaders(paths, null);
  try {
    const there = readers.map((reader) => {
      try {
        const isRead = (reader.part()?.end ?? null) !== null;
        return { checkpoint: reader.path, status: statusOf(reader, now), isRead };
      } catch (error) {
        throw checkpointError(error, reader.path);
      }
    });
    const each = paths.map((checkpoint) => {
      const status = there.find((one) => one.checkpoint === checkpoint)?.status ?? null;
      return { checkpoint, status };
    });
    // The latest import of a part may have been of fewer rows than the part, as of mended ones.
    const areCounted =
      there.length === paths.length &&
      there.every(({ status, isRead }) => isRead && typeof status.progress?.total === "number");
    const statuses = there.map(({ status }) => status);
    return { sum: addStatuses(statuses, areCounted ? null : rows), each };
  } finally {
    close();
  }
}

/**
 * Where several checkpoints of one migration stand, as one.
 *
 * @param all at least one
 * @param rows of the whole export, where they are known
 */
export function addStatuses(
  all: readonly CheckpointStatus[],
  rows: number | null = null,
): CheckpointStatus {
  const [first] = all;
  if (all.length === 1 && first !== undefined && rows === null) return first;
  const proofs = all.map(({ provedUsers }) => provedUsers);
  const times = (of: (one: CheckpointStatus) => Date | null): Date[] =>
    all.flatMap((one) => of(one) ?? []).sort((a, b) => a.getTime() - b.getTime());
  return {
    checkpoint: namesOf(all.map(({ checkpoint }) => checkpoint)),
    core: all.find(({ core }) => core !== null)?.core ?? null,
    shard: null,
    running: all.some(({ running }) => running),
    begunAt: times(({ begunAt }) => begunAt)[0] ?? null,
    writtenAt: new Date(Math.max(...all.map(({ writtenAt }) => writtenAt.getTime()))),
    cutoverAt: times(({ cutoverAt }) => cutoverAt)[0] ?? null,
    unproved: all.reduce((sum, { unproved }) => sum + unproved, 0),
    // A part of a split export has none.
    vault: all.find(({ vault }) => vault !== null)?.vault ?? null,
    progress: addProgress(
      all.map(({ progress }) => progress),
      rows,
    ),
    command: null,
    check: null,
    endedBy: all.find(({ endedBy }) => endedBy !== null)?.endedBy ?? null,
    ...addCounts<StateCounts>(NO_COUNTS, all),
    ...addUnread(all, rows),
    proved: all.some(({ proved }) => proved),
    provedUsers: {
      ...addCounts(NOBODY_PROVED, proofs),
      ...(proofs.some(({ untried }) => untried) && {
        untried: untriedOf(proofs, (one, more) => one + more),
      }),
    },
  };
}

/** Where the rows of the whole export are known, each that isn't known yet is of a further user. */
function addUnread(all: readonly CheckpointStatus[], rows: number | null) {
  const sum = (of: (one: CheckpointStatus) => number): number =>
    all.reduce((total, one) => total + of(one), 0);
  const beside = sum(({ otherRows }) =>
    Object.values(otherRows.rejects).reduce((n, one) => n + one, 0),
  );
  const isKnown = all.every(({ unread }) => unread !== null);
  const known = isKnown ? sum(({ unread }) => unread ?? 0) : null;
  return {
    unread: rows === null ? known : Math.max(0, rows - sum(({ users }) => users) - beside),
    cut: all.find(({ cut }) => cut !== null)?.cut ?? null,
  };
}

/**
 * Reads which core a checkpoint belongs to; null where no user was sent, or none is left. Unlike
 * {@link readStatus} it counts no users.
 *
 * @throws RunError `checkpoint_missing`, `checkpoint_invalid` (not a checkpoint, or another version's),
 *   `disk`
 */
export function boundCore(path: string): CoreBinding | null {
  return readFrom(path, (reader) => reader.binding());
}

/** The runs of a checkpoint in their order, as {@link boundCore} reads. */
export function readRuns(path: string): readonly RunRecord[] {
  return readFrom(path, (reader) => reader.runs());
}

function readFrom<T>(path: string, of: (reader: CheckpointReader) => T): T {
  const reader = openReader(path);
  try {
    return of(reader);
  } catch (error) {
    throw checkpointError(error, path);
  } finally {
    reader.close();
  }
}

/** The file system's time of the last write, to the file or to the log that a run keeps beside it. */
function writtenAt(path: string): Date {
  const file = realPathOf(path);
  const times = [file, `${file}-wal`].map((name) => {
    const stat = statSync(name, { throwIfNoEntry: false });
    return stat === undefined || stat.size === 0 ? 0 : stat.mtimeMs;
  });
  return new Date(Math.max(...times));
}
