/** Loads password exports into a private temporary file, where users are looked for. A line that can't be read is counted and its number kept; it stops nothing. */

import { readAuth0Passwords } from "../source/vendors/auth0/auth0-passwords.js";
import { RowDamage } from "../source/row-damage.js";
import { RunError } from "../errors/run-error.js";
import { SqliteFailure } from "../sqlite/sqlite-failure.js";
import { newExampleCounter, type ExampleCounter, countExample } from "../events/findings.js";
import { createPasswordTable, type PasswordTable } from "./password-table.js";

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
 * @throws RunError `password_export_invalid` where a file has no readable line,
 *   `password_export_truncated`, `disk`, and what reading a file throws
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
      if (read === 0) throw noExport(file);
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
  for await (const batch of readAuth0Passwords(file)) {
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

/** Types what SQLite says of the temporary file; other errors pass through. */
export function diskError(error: unknown): unknown {
  if (!(error instanceof SqliteFailure) || error.kind !== "disk") return error;
  return new RunError("disk", "The password export doesn't fit into the temporary folder.", {
    hint: "Make room there, or name another folder in TMPDIR; about 250 bytes a line are needed.",
    cause: error,
  });
}

function noExport(file: string): RunError {
  return new RunError(
    "password_export_invalid",
    `${file} has no line that could be one of a password export.`,
    {
      hint: "--password-export takes the NDJSON file of password hashes that Auth0's support hands out; users' own exports are named as files.",
    },
  );
}
