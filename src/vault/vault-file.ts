/** The vault's file: its tables, and what the operator is told where it can't be used. */

import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import { SqliteFailure } from "../sqlite/sqlite-failure.js";

const TABLES = `
  CREATE TABLE vault (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id BLOB NOT NULL,
    key_check BLOB NOT NULL,
    seed BLOB NOT NULL,
    imports BLOB NOT NULL,
    told_imports INTEGER NOT NULL,
    migration TEXT,
    core TEXT NOT NULL
  ) STRICT;
  CREATE TABLE record (
    digest BLOB PRIMARY KEY,
    box BLOB NOT NULL,
    unmatched INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE attempt (
    digest BLOB PRIMARY KEY,
    times TEXT NOT NULL,
    last INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX attempt_by_time ON attempt (last);
`;

/**
 * `imports`: how many imports have written to the vault. It tells an older copy from the vault, and
 * is sealed, so that only the key can write it. `told_imports` is the same for a reader without the
 * key. `unmatched`: 1 where the right old password came and the core had another one than the record.
 *
 * "amva".
 */
export const VAULT_FILE = { applicationId: 0x616d7661, schema: TABLES, version: 1 } as const;

/** What is left to do where a vault or its key can't be found. */
const LOST = `Where it is lost, import the export that was imported last again with ${optionName("--on-unusable-hash")} reseal and a new vault: users who can't be sealed again are told by row, and sign in after a reset of their password alone.`;

/** Since then no import asks for a vault. */
const REMOVED =
  "Where it was removed because the migration is over, record that with auth-migrate cutover.";

/** The vault that an import wants: the one on which users of its checkpoint depend. */
export interface WantedVault {
  /** What tells the vault from others, in hexadecimal. */
  readonly id: string;
  /** How many imports have written to it, at least. */
  readonly imports: number;
  /** The file, as it was named last. */
  readonly file: string;
  /** Whose old hashes it was to keep. */
  readonly users: number;
  /** Whose old hashes one before it was to keep, and none has now. */
  readonly lost: number;
}

/** @param why what is named in its place, as the end of a sentence */
export function vaultMissing(path: string, why: string, wanted: WantedVault): RunError {
  return new RunError("vault_missing", `The vault ${path} ${why}. ${wantedText(wanted)}`, {
    hint: `Nothing was sent. Name that vault with ${optionName("--vault")}, or bring it back from a copy that was made since its last import. ${LOST} ${REMOVED}`,
  });
}

/** For a run that takes no vault, and so can't keep a hash that has changed since. */
export function vaultNotTaken(wanted: WantedVault): RunError {
  return new RunError("vault_missing", `This run takes no vault. ${wantedText(wanted)}`, {
    hint: `Nothing was sent. Run it with ${optionName("--on-unusable-hash")} bridge, that vault (${optionName("--vault")} ${wanted.file}), its key (${optionName("--vault-key-file", "FILE")}), and ${optionName("--upstream")} if it had one: else a user whose password has changed since is locked out. Users of a file without hashes it brings without a password. ${LOST} ${REMOVED}`,
  });
}

function wantedText({ file, imports, users, lost }: WantedVault): string {
  const hashes = (of: number): string =>
    of === 1 ? "The old hash of 1 user is" : `The old hashes of ${of} users are`;
  const kept =
    users === 0 ? `${hashes(lost)} lost, and ${lost === 1 ? "belongs" : "belong"}` : hashes(users);
  const written = imports === 1 ? "1 import has" : `${imports} imports have`;
  return `${kept} in the vault that was named ${file} last and to which ${written} written.`;
}

/** Types what SQLite says about a vault for the operator; other errors pass through. */
export function vaultError(error: unknown, path: string): unknown {
  if (!(error instanceof SqliteFailure)) return error;
  if (error.kind === "missing") {
    return new RunError("vault_missing", `There is no vault ${path}.`, {
      hint: `Name the one that the import wrote with ${optionName("--vault", "FILE")}. ${LOST}`,
      cause: error,
    });
  }
  if (error.kind === "busy") {
    return new RunError("in_use", `Another process is using the vault ${path}.`, {
      hint: "An import and a bridge take turns: stop the bridge, import, and start it again; users who sign in meanwhile are told to come again. If no other process uses it, put it on a disk of this machine: some network shares can't lock files.",
      cause: error,
    });
  }
  if (error.kind === "foreign" || error.kind === "damaged") return vaultInvalid(path, error);
  return new RunError("disk", `The vault ${path} can't be used: ${error.message}.`, {
    hint: "Check that this user may read and write it, that its directory is writable and that the disk has room, then run the same command again; what was saved is kept.",
    cause: error,
  });
}

export function vaultInvalid(path: string, cause?: unknown): RunError {
  return new RunError("vault_missing", `${path} is not a vault, or is damaged.`, {
    hint: `Name another file with ${optionName("--vault")}, or bring it back from a copy that was made since the last import. ${LOST}`,
    cause,
  });
}

export function keyWrong(path: string): RunError {
  return new RunError("vault_key_wrong", `The key isn't the one that ${path} was made with.`, {
    hint: `Name the key file that was made for this vault with ${optionName("--vault-key-file")}. Without it nothing opens the vault. A new key needs a new vault. ${LOST}`,
  });
}

export function vaultElsewhere(path: string, core: string): RunError {
  // The embedded core's id says nothing to people.
  const where = URL.canParse(core) ? core : "an embedded core";
  return new RunError("vault_missing", `${path} belongs to another migration, into ${where}.`, {
    hint: `A vault, a checkpoint and a core belong together. Go on with those of this vault, or name the migration's own with ${optionName("--checkpoint", "FILE")} and ${optionName("--vault", "FILE")}: its first import into a core makes both.`,
  });
}
