/** The checkpoint: opens the durable file that says where every user stands, binds it to its core and keeps a second run out. What stands in it is the ledger's business. */

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { optionName } from "../errors/option-name.js";
import { closeAfterFailure, RunError } from "../errors/run-error.js";
import { ReplacedFile, statsOf } from "../files/own-file.js";
import { type Database, openCopy, openDatabase } from "../sqlite/database.js";
import { GroupCommit } from "../sqlite/group-commit.js";
import { openForReading } from "../sqlite/reading.js";
import { SqliteFailure } from "../sqlite/sqlite-failure.js";
import { without } from "../plan/codes.js";
import { createDigester } from "../plan/digests.js";
import type { NotedPart } from "../events/shard.js";
import { createBridgedUsers } from "./bridged-users.js";
import { createFinishedUsers } from "./finished-users.js";
import { Ledger } from "./ledger.js";
import { lockPathOf } from "../sqlite/file-lock.js";
import { lockCheckpoint } from "./lock.js";
import { getMeta, getTime, setMeta } from "./meta.js";
import { besideText } from "./nearby.js";
import { NoticeSets } from "./numbered.js";
import { createQueuedUsers } from "./queued-users.js";
import { createRemovals } from "./removals.js";
import { KeyMap } from "../sqlite/key-map.js";
import { createRunHistory, selectRuns } from "./run-history.js";
import { CHECKPOINT_FILE } from "./schema.js";
import { selectCounts } from "./state-counts.js";
import { SAW_NOBODY, STATE } from "../plan/states.js";

/** Users are appended, and their outcomes written soon after: an import takes a twentieth less time than with 4. */
const PAGE_KIB = 8;

/** How long the end of a run waits for a reader of the file, so that it can be folded. */
const FOLD_WAIT_MS = 1000;

/** Which core a checkpoint belongs to: an embedded core by the id in its data file, a remote one by its URL. */
export type CoreBinding =
  | { readonly kind: "embedded"; readonly coreId: string }
  | { readonly kind: "remote"; readonly url: string };

/** An open checkpoint, locked against other runs until it is closed. */
export type Checkpoint = ReturnType<typeof load>;

/**
 * Opens or creates the checkpoint and takes its lock.
 *
 * @throws RunError `in_use`, `checkpoint_invalid` (not a checkpoint, or another version's),
 *   `file_not_private`, `disk`
 */
export function openCheckpoint(path: string): Checkpoint {
  if (existsSync(path) && !existsSync(lockPathOf(path))) refuseStranger(path);
  const unlock = lockCheckpoint(path);
  try {
    const database = openFile(path, FOLD_WAIT_MS);
    try {
      return load(path, { database, unlock });
    } catch (error) {
      closeAfterFailure(database);
      throw error;
    }
  } catch (error) {
    unlock();
    throw checkpointError(error, path);
  }
}

/** A file is looked at before a lock is put beside it. What else is wrong, its opening says. */
function refuseStranger(path: string): void {
  const before = statsOf(path)?.ino;
  try {
    openFile(path).close();
  } catch (error) {
    // A file that was replaced meanwhile is a purge's doing.
    const isReplaced = error instanceof ReplacedFile || statsOf(path)?.ino !== before;
    const typed = checkpointError(error, path);
    if (!isReplaced && typed instanceof RunError && typed.code !== "disk") throw typed;
  }
}

/**
 * A copy of a checkpoint as it stands now, also beside a run that writes to it. It may be written to
 * like the checkpoint itself, takes no lock, and is gone when it is closed or the process dies.
 *
 * @throws RunError as {@link openCheckpoint}, and `checkpoint_missing`
 */
export function copyCheckpoint(path: string): Checkpoint {
  try {
    const source = openForReading(path, FILE);
    try {
      return load(path, { database: openCopy(source, FILE), unlock: () => {}, scratch: tmpdir() });
    } finally {
      source.close();
    }
  } catch (error) {
    throw checkpointError(error, path);
  }
}

/**
 * Reads which core an existing checkpoint is bound to, without locking or creating anything.
 *
 * @returns null where there is no checkpoint yet, or one from which no user was sent
 * @throws RunError `checkpoint_invalid`, `disk`
 */
export function readBinding(path: string): CoreBinding | null {
  if (!existsSync(path)) return null;
  try {
    const database = openFile(path);
    try {
      return selectBinding(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw checkpointError(error, path);
  }
}

const FILE = { ...CHECKPOINT_FILE, pageKiB: PAGE_KIB } as const;

function openFile(path: string, foldWaitMs = 0): Database {
  return openDatabase(path, { ...FILE, foldWaitMs });
}

/** Types what SQLite says about a checkpoint file for the operator; other errors pass through. */
export function checkpointError(error: unknown, path: string): unknown {
  if (!(error instanceof SqliteFailure)) return error;
  if (error.kind === "missing") {
    return new RunError(
      "checkpoint_missing",
      `There is no checkpoint ${path}${besideText(path)}.`,
      {
        hint: `Name the one that the import wrote with ${optionName("--checkpoint", "FILE")}; an import makes one where there is none.`,
        cause: error,
      },
    );
  }
  if (error.kind === "foreign") {
    return new RunError("checkpoint_invalid", `${path} is not a checkpoint: ${error.message}.`, {
      hint: `Name another file with ${optionName("--checkpoint")}, or move this one away to start anew: users who are at the core are looked up and left as they are. A checkpoint of another version goes on with that version alone.`,
      cause: error,
    });
  }
  // Nothing that a single run writes breaks a rule of the file.
  if (error.kind === "constraint") {
    return new RunError("in_use", `Another run writes to ${path} as well.`, {
      hint: "Its lock file was removed while the other run goes on. Wait until that ends and run the same command again; nothing of this run is lost.",
      cause: error,
    });
  }
  if (error.kind === "damaged") {
    return new RunError("checkpoint_invalid", `${path} is damaged: ${error.message}.`, {
      hint: `Bring it back from a copy, or start anew with a checkpoint of its own, ${optionName("--checkpoint", "FILE")}: users who are at the core are looked up and left as they are.`,
      cause: error,
    });
  }
  return new RunError("disk", `The checkpoint ${path} can't be used: ${error.message}.`, {
    hint: "Check that this user may read and write it, that its directory is writable and that the disk has room, then run the same command again; what was saved is kept.",
    cause: error,
  });
}

function settleNotice(database: Database, notice: string, files: readonly string[]): void {
  const sets = new NoticeSets(database);
  const change = database.prepare(
    `UPDATE users SET notices = ? WHERE notices = ? AND file IN
       (SELECT id FROM files WHERE value IN (SELECT value FROM json_each(?)))`,
  );
  const names = JSON.stringify(files.map((file) => JSON.stringify(file)));
  for (const [id, { row, calls }] of sets.all()) {
    if (!row.includes(notice)) continue;
    change.run(sets.idOf({ row: without(row, notice), calls }), id, names);
  }
}

interface Opened {
  readonly database: Database;
  readonly unlock: () => void;
  /** Where a scratch file may be made. Beside the checkpoint there is room and leave to write; elsewhere there may be neither. */
  readonly scratch?: string;
}

function load(path: string, opened: Opened) {
  const { database, unlock, scratch = dirname(path) } = opened;
  const commit = new GroupCommit(database);
  const ids = new KeyMap(scratch);
  const ledger = new Ledger(database, commit, ids);
  return {
    path,
    digester: createDigester(salt(database)),
    ledger,
    queued: createQueuedUsers(database),
    finished: createFinishedUsers(database),
    removals: createRemovals(database, commit),
    bridged: createBridgedUsers(database, commit, ledger.notices),
    beginRun: createRunHistory(database, commit),
    /** How many users stand where, once all that is waiting is written. Reads every entry. */
    async counts() {
      await commit.run(() => {});
      return selectCounts(database);
    },
    runs: () => selectRuns(database),
    /** The core it is bound to; null until a user was sent after `bind`. */
    binding: () => selectBinding(database),
    /** Binds the checkpoint, or binds it anew after `--target-moved`. */
    bind(binding: CoreBinding): void {
      setMeta(database, "core_kind", binding.kind);
      setMeta(database, "core", binding.kind === "embedded" ? binding.coreId : binding.url);
    },
    /** Notes the part that is imported, and at its end what was read of it. */
    notePart: ({ index, count, split, end }: NotedPart): void => {
      const ended = end && { read: end.read, failed: end.failed };
      setMeta(database, "part", JSON.stringify({ index, count, split, end: ended }));
    },
    /** What runs have proved; null for nothing. */
    proofNote: () => getMeta(database, "proof") ?? null,
    noteProof: (note: string): void => setMeta(database, "proof", note),
    /** What these files' users were told of their hashes is settled. */
    settle: (notice: string, files: readonly string[]) =>
      commit.run(() => settleNotice(database, notice, files)),
    /** When people began to sign in at the core, in epoch milliseconds; null where that isn't recorded. */
    cutOver: () => getTime(database, "cutover_at"),
    /** Records that moment, or with null that it hasn't come. */
    recordCutOver(time: number | null): void {
      setMeta(database, "cutover_at", time === null ? null : String(time));
      if (time !== null) setMeta(database, "cut_over_once", "yes");
    },
    /** Writes what is waiting, folds the file and gives the lock back. */
    close(): void {
      try {
        ids.close();
        commit.close();
        database.close();
      } finally {
        unlock();
      }
    },
  };
}

/** The salt of a checkpoint's keys, which is made with it. */
function salt(database: Database): string {
  const known = getMeta(database, "salt");
  if (known !== undefined) return known;
  const fresh = randomBytes(16).toString("base64url");
  // A clock that jumps spoils what is shown, and nothing else: no decision rests on a time.
  const both = database.prepare("INSERT OR REPLACE INTO meta VALUES ('begun_at', ?), ('salt', ?)");
  both.run(String(Date.now()), fresh);
  return fresh;
}

/** The core that a file is bound to. A checkpoint from which no user was ever sent belongs to no core: a first run that failed binds nothing. */
export function selectBinding(database: Database): CoreBinding | null {
  const core = getMeta(database, "core");
  if (core === undefined || !hasSentUsers(database)) return null;
  return getMeta(database, "core_kind") === "embedded"
    ? { kind: "embedded", coreId: core }
    : { kind: "remote", url: core };
}

function hasSentUsers(database: Database): boolean {
  const { intent, imported, created, existed, failed } = STATE;
  const sent = [intent, imported, created, existed, failed].join(", ");
  // An intent of an earlier run is remembered by what its lookup saw, whatever came of the user since.
  const one = `SELECT 1 FROM users WHERE state IN (${sent}) OR saw_nobody <> ${SAW_NOBODY.no} LIMIT 1`;
  return database.prepare(one).all().length > 0;
}
