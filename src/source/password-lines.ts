/** Lines of hashes that a vendor hands out apart from its users, and the keys by which the two are joined. */

import { RunError } from "../errors/run-error.js";
import { RowDamage } from "./row-damage.js";

/** One line: a hash, and the names under which a user may be looked for. */
export interface PasswordLine {
  readonly keys: readonly string[];
  /** As exported; null for a user whose hash the export doesn't have. */
  readonly hash: string | null;
}

/** Lines in the file's order, or damage in the place of one that can't be read. */
export type PasswordLines = readonly (PasswordLine | RowDamage)[];

/**
 * Says what each row of a password export is; damage stays what it is.
 *
 * @param path for the message
 * @throws RunError `password_export_partial`
 */
export async function* toLines<Row>(
  path: string,
  batches: AsyncIterable<readonly (Row | RowDamage)[]>,
  toLine: (row: Row) => PasswordLine | RowDamage,
): AsyncGenerator<PasswordLines> {
  for await (const rows of batches) {
    yield rows.map((row) => {
      if (!(row instanceof RowDamage)) return toLine(row);
      if (row.code === "truncated") throw truncated(path);
      return row;
    });
  }
}

/** What cuts a text off where it is stored, or hides in a terminal: no hash, id or connection has any. */
export const CONTROL = /\p{Cc}/u;

/** Opens the keys that name one user alone. Equal keys join users to the lines of a password export. */
const BY_ID = "id ";

/**
 * The key of a vendor's id, which no other user has.
 *
 * @returns null for a text that is no id
 */
export function idKey(id: string): string | null {
  const trimmed = id.trim();
  return trimmed === "" || CONTROL.test(trimmed) ? null : `${BY_ID}${trimmed}`;
}

/**
 * The key of an email within the database that its user signs in to. At any one time one user has
 * it, over the years perhaps several. An email's case doesn't count.
 *
 * @param connection empty where it isn't known; such a key matches only others of that kind
 * @returns null without an email
 */
export function loginKey(connection: string, email: string): string | null {
  const address = email.trim().toLowerCase();
  if (address === "" || CONTROL.test(address) || CONTROL.test(connection)) return null;
  return `login ${JSON.stringify(connection.trim())} ${address}`;
}

/** Whether a key names one user alone, so that what is found under it needs no second look. */
export function isIdKey(key: string): boolean {
  return key.startsWith(BY_ID);
}

/** @throws RunError: half of an export would look like users without a password */
export function truncated(path: string): RunError {
  const message = `The password export ${path} is cut off before its end; users whose line is missing would lose their password.`;
  return new RunError("password_export_partial", message, {
    hint: "Fetch it again whole and run the same command again.",
  });
}
