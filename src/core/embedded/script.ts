/** Work on a store that is written once for SQLite and PostgreSQL: a generator that asks for statements and gets their rows. */

/** What a statement is asked with. */
export type ScriptValue = string | number | null;
/** A row's columns in the order in which they are selected. */
export type ScriptRow = readonly ScriptValue[];

export interface ScriptStatement {
  /** PostgreSQL's words; among many sets, what is no text says its type: `$2::bigint`. */
  readonly sql: string;
  /** The statement is made with each of them: they all stand where `VALUES ($1, …)` does. */
  readonly sets: readonly (readonly ScriptValue[])[];
  /**
   * By what a store of several processes sorts the sets, so that none waits for another in a circle.
   * Any other writes them as they stand: users keep the order of joining.
   */
  readonly lockedBy?: LockedBy | undefined;
  /** Its rows are one, with the number of rows that it changed. */
  readonly counts?: true;
}

export type LockedBy = (set: readonly ScriptValue[]) => ScriptValue | undefined;

/** What is looked for among many. */
export const AMONG = /IN \(VALUES \(\$1(?:::(\w+))?\)\)/g;

/** Runs inside one transaction; it may be run twice, so it changes nothing but the store. */
export type Script<T> = Generator<ScriptStatement, T, readonly ScriptRow[]>;

/** Asks for one statement. The row's type is the caller's word for what the statement selects. */
export function* ask<Row extends ScriptRow>(
  sql: string,
  ...values: readonly ScriptValue[]
): Script<readonly Row[]> {
  return yield* askEach(sql, [values]);
}

/** Asks for one statement with many sets of values, and gets the rows of all. */
export function* askEach<Row extends ScriptRow>(
  sql: string,
  sets: readonly (readonly ScriptValue[])[],
  lockedBy?: LockedBy,
): Script<readonly Row[]> {
  return sets.length === 0 ? [] : ((yield { sql, sets, lockedBy }) as unknown as readonly Row[]);
}

/** Asks for one change with many sets of values, and gets how many rows it changed: half of what their rows would cost. */
export function* changeEach(
  sql: string,
  sets: readonly (readonly ScriptValue[])[],
  lockedBy?: LockedBy,
): Script<number> {
  if (sets.length === 0) return 0;
  const [row] = yield { sql, sets, lockedBy, counts: true };
  return Number(row?.[0]);
}

/** Whether a statement selected or, by `RETURNING`, touched a row. */
export function* found(sql: string, ...values: readonly ScriptValue[]): Script<boolean> {
  return (yield* ask(sql, ...values)).length > 0;
}

/** The first column of every row, which the caller knows to be a text. */
export function* texts(sql: string, ...values: readonly ScriptValue[]): Script<string[]> {
  return (yield* ask<readonly [string]>(sql, ...values)).map(([text]) => text);
}

/** The same statements in SQLite's words: one file is one core, and has no schema and no collations. */
export function inSqlite(sql: string): string {
  return sql
    .replaceAll("auth_core.users", "user")
    .replaceAll("auth_core.devices", "device")
    .replaceAll("auth_core.", "")
    .replaceAll(/ COLLATE "C"|::\w+|FOR (?:KEY SHARE|(?:NO KEY )?UPDATE(?: SKIP LOCKED)?)/g, "")
    .replace(/\$\d+/g, "?");
}
