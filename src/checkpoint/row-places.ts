/** Where the rows of many users stand, said at once: users whose numbers follow each other as their rows do share a row of `places`. A newer export in which every row stands elsewhere then writes a few rows, and not one a user. */

import type { Database, Statement } from "../sqlite/database.js";
import { hasColumn, prepareAll } from "./columns.js";

/** `users.file` of a user whose row `places` has: that of the last place that begins at the user or before. */
const BY_PLACE = 0;

/** Users whose rows one statement changes: until it ends, SQLite keeps the pages before it in memory, of a million users 100 MB. */
const USERS_AT_ONCE = 10_000;

const SQL = {
  keepBehind: `INSERT OR IGNORE INTO places SELECT ?1, file, ahead FROM places
     WHERE user <= ?1 ORDER BY user DESC LIMIT 1`,
  clear: "DELETE FROM places WHERE user >= ? AND user < ?",
  put: "INSERT INTO places (user, file, ahead) VALUES (?, ?, ?)",
  join: `UPDATE users SET file = ${BY_PLACE} WHERE id >= ? AND id < ? AND file <> ${BY_PLACE}`,
} as const;

/** File and number of a row, as columns of a query. */
export interface RowColumns {
  readonly file: string;
  readonly number: string;
}

/**
 * File and number of a user's row.
 *
 * @param users the table's name in the query
 */
export function rowColumns(database: Database, users: string): RowColumns {
  const own = { file: `${users}.file`, number: `${users}.number` };
  // An older version had each user's row with the user.
  if (!hasColumn(database, "places", "user")) return own;
  const ofPlace = (column: string): string =>
    `(SELECT p.${column} FROM places p WHERE p.user <= ${users}.id ORDER BY p.user DESC LIMIT 1)`;
  const isOwn = `${own.file} <> ${BY_PLACE}`;
  return {
    file: `iif(${isOwn}, ${own.file}, ${ofPlace("file")})`,
    number: `iif(${isOwn}, ${own.number}, ${users}.id + ${ofPlace("ahead")})`,
  };
}

/** Writes them. */
export class RowPlaces {
  readonly #sql: Readonly<Record<keyof typeof SQL, Statement>>;

  constructor(database: Database) {
    this.#sql = prepareAll(database, SQL);
  }

  /**
   * Users stand in a file from a number on, each in the row behind the one before. It is part of a
   * transaction.
   *
   * @param user the first of them
   * @param file its number among the checkpoint's files
   * @param isByPlace whether they have stood there by `places` before, none by a row of its own
   */
  put(user: number, rows: number, file: number, number: number, isByPlace = false): void {
    const end = user + rows;
    this.#sql.keepBehind.run(end);
    this.#sql.clear.run(user, end);
    this.#sql.put.run(user, file, number - user);
    if (isByPlace) return;
    for (let first = user; first < end; first += USERS_AT_ONCE) {
      this.#sql.join.run(first, Math.min(end, first + USERS_AT_ONCE));
    }
  }
}
