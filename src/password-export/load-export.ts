/** Loads password exports into a private temporary file, which is gone with the process, and finds lines by users' names. A line that can't be read stops nothing: it is counted, and its number kept. */

import { hash as digest, randomBytes } from "node:crypto";
import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import type { RowRef } from "../events/events.js";
import { countExample, type ExampleCounter, newExampleCounter } from "../events/findings.js";
import { keyBlob } from "../plan/digests.js";
import { RowDamage } from "../source/row-damage.js";
import type { PasswordLine } from "../source/password-lines.js";
import { readPasswordLines } from "./read-lines.js";
import { type Database, openDatabase } from "../sqlite/database.js";
import { SqliteFailure } from "../sqlite/sqlite-failure.js";

/** Password exports that were read. It has a temporary file open until it is closed. */
export interface PasswordExport {
  /** As the operator named them. */
  readonly files: readonly string[];
  /** Lines that could be read. */
  readonly lines: number;
  /** The lines that couldn't, and some of their numbers. */
  readonly unreadable: ExampleCounter;
  readonly table: PasswordTable;
  close(): void;
}

/** What the loading tells. */
export interface LoadOptions {
  /** Told after every batch how many lines of a file were read. */
  readonly onLines?: ((file: string, lines: number) => void) | undefined;
}

/**
 * Reads password exports from end to end.
 *
 * @throws RunError `input_unrecognized` where a file has no readable line,
 *   `password_export_partial`, `disk`, and what reading a file throws
 */
export async function loadPasswordExport(
  files: readonly string[],
  { onLines }: LoadOptions = {},
): Promise<PasswordExport> {
  let table: PasswordTable | null = null;
  try {
    table = createPasswordTable();
    const unreadable = newExampleCounter();
    let lines = 0;
    for (const file of files) {
      const read = await loadFile(file, table, { unreadable, onLines });
      if (read === 0) {
        throw new RunError(
          "input_unrecognized",
          `${file} has no line that could be one of a password export.`,
          { hint: NO_EXPORT },
        );
      }
      lines += read;
    }
    table.finish();
    const { close } = table;
    return { files, lines, unreadable, table, close };
  } catch (error) {
    table?.close();
    throw diskError(error);
  }
}

/** @returns how many lines could be read */
async function loadFile(
  file: string,
  table: PasswordTable,
  { unreadable, onLines }: LoadOptions & { readonly unreadable: ExampleCounter },
): Promise<number> {
  let rows = 0;
  let read = 0;
  for await (const batch of readPasswordLines(file)) {
    const lines = batch.flatMap((line, index) => {
      if (!(line instanceof RowDamage)) return line;
      countExample(unreadable, { file, number: rows + index + 1 });
      return [];
    });
    table.add(lines);
    rows += batch.length;
    read += lines.length;
    onLines?.(file, rows);
  }
  return read;
}

/** Types what SQLite says about the temporary file; other errors pass through. */
function diskError(error: unknown): unknown {
  if (!(error instanceof SqliteFailure) || error.kind !== "disk") return error;
  return new RunError("disk", "The password export doesn't fit into the temporary folder.", {
    hint: "Make room there, or name another folder in TMPDIR; about 250 bytes a line are needed.",
    cause: error,
  });
}

const NO_EXPORT = `${optionName("--password-export")} takes the file of password hashes that the support of Auth0 (NDJSON) or Stytch (CSV, with the lines above its header) hands out; users' own exports are named as files.`;

/** "ampw": no other file of ours is taken for one of these. */
const APPLICATION_ID = 0x616d7077;

/**
 * Names are kept as digests: half as long, and no email lies in the file. At a billion lines the
 * chance that any two meet is below one in ten thousand billion billion.
 */
const KEY_BYTES = 16;

/** `claims`: how many users asked for a name that isn't one user's alone, and the first one's row. */
const TABLES = `
   CREATE TABLE lines (id INTEGER PRIMARY KEY, hash TEXT);
   CREATE TABLE keys (key BLOB NOT NULL, line INTEGER NOT NULL);
   CREATE TABLE claims (
     id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, users INTEGER NOT NULL,
     file TEXT NOT NULL, number INTEGER NOT NULL
   );
`;

/** One line that was found. Ids count from 1. */
export interface FoundLine {
  readonly id: number;
  readonly hash: string | null;
}

/** Filled once, read from then on. */
export type PasswordTable = ReturnType<typeof tableIn>;

type LineRow = [id: number, hash: string | null];

/** @throws SqliteFailure `disk` */
function createPasswordTable(): PasswordTable {
  const database = openDatabase("", { applicationId: APPLICATION_ID, schema: TABLES, version: 1 });
  try {
    return tableIn(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function tableIn(database: Database) {
  // Nothing is ever rolled back, and the driver's own choice is to sort in memory.
  database.prepare("PRAGMA journal_mode = OFF").get();
  database.exec("PRAGMA temp_store = FILE");
  const sql = prepare(database);
  const salt = randomBytes(16).toString("base64");
  const keyOf = (key: string): Buffer =>
    keyBlob(digest("sha256", salt + key, "binary").slice(0, KEY_BYTES));
  const linesUnder = (key: Buffer): FoundLine[] => {
    const first = sql.selectFirst.get(key);
    if (first === undefined || first[2] === 0) return [];
    if (first[2] === 1) return [{ id: first[0], hash: first[1] }];
    return sql.selectAll.all(key).map(([id, hash]) => ({ id, hash }));
  };
  let lines = 0;

  return {
    /** Adds lines, all of them in one transaction. */
    add(batch: readonly PasswordLine[]): void {
      database.exec("BEGIN");
      for (const { keys, hash } of batch) {
        lines += 1;
        sql.insertLine.run(lines, hash);
        for (const key of keys) sql.insertKey.run(keyOf(key), lines);
      }
      database.exec("COMMIT");
    },
    /** Called once, after the last line. */
    finish: () => database.exec("CREATE INDEX lines_by_key ON keys (key, line)"),
    /** The lines under a name, in the order in which they were added. */
    find: (key: string): readonly FoundLine[] => linesUnder(keyOf(key)),
    /** Notes that a user asked for a name. @throws RunError `disk` */
    claim(key: string, { file, number }: RowRef): void {
      try {
        sql.insertClaim.run(keyOf(key), file, number);
      } catch (error) {
        throw diskError(error);
      }
    },
    /** How many users asked for a name. */
    claimants: (key: string) => sql.selectUsers.get(keyOf(key))?.[0] ?? 0,
    /** All names that were asked for, by how many users, and the row of the first of them. */
    *claims() {
      let last = 0;
      for (let page = sql.nextClaims.all(last); page.length > 0; page = sql.nextClaims.all(last)) {
        for (const [id, key, users, file, number] of page) {
          last = id;
          yield { users, row: { file, number }, lines: linesUnder(key) };
        }
      }
    },
    /** Forgets who asked for what. */
    forgetClaims: () => database.exec("DELETE FROM claims"),
    close: () => database.close(),
  };
}

function prepare(database: Database) {
  const under = "FROM keys k JOIN lines l ON l.id = k.line WHERE k.key = ?";
  return {
    insertLine: database.prepare("INSERT INTO lines VALUES (?, ?)"),
    insertKey: database.prepare("INSERT INTO keys VALUES (?, ?)"),
    // Nearly every name has one line or none, and a single row is cheaper to get than a list.
    selectFirst: database.prepare<[...LineRow, count: number]>(
      `SELECT min(k.line), l.hash, count(*) ${under}`,
    ),
    selectAll: database.prepare<LineRow>(`SELECT k.line, l.hash ${under} ORDER BY k.line`),
    insertClaim: database.prepare(
      `INSERT INTO claims (key, users, file, number) VALUES (?, 1, ?, ?)
       ON CONFLICT (key) DO UPDATE SET users = users + 1`,
    ),
    selectUsers: database.prepare<[number]>("SELECT users FROM claims WHERE key = ?"),
    nextClaims: database.prepare<
      [id: number, key: Buffer, users: number, file: string, number: number]
    >("SELECT id, key, users, file, number FROM claims WHERE id > ? ORDER BY id LIMIT 500"),
  };
}
