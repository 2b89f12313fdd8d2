/** Reads the passwords of test users for a proof: a small CSV of users and passwords. Passwords are kept to the letter, and neither they nor the users get into a message. */

import { isUtf8 } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { CsvError, parse } from "csv-parse/sync";
import { RunError, systemErrorCode } from "../errors/run-error.js";

/** A test user and their password. */
export interface TestUser {
  /** An email address, a phone number or the vendor's id, as written. */
  readonly user: string;
  /** Exactly as the user types it. */
  readonly password: string;
}

/** A proof is a sample: every user costs as much as a sign-in. */
const MAX_USERS = 1000;
const MAX_BYTES = 1024 * 1024;

const PASSWORD_COLUMN = /^pass(?:word|wd)?$/i;
const USER_COLUMN = /^(?:e-?mail|phone|user|username|user_?id|id|login|localid|sourceid)$/i;

const HINT =
  "Write one user a line, as in ann@example.com,her-password; a password with a comma or a quotation mark in it stands in quotation marks, each of its own doubled.";

/**
 * Reads a passwords file: `user,password`, with or without a header row. Further columns that a
 * header names are ignored, and under it all may stand in any order.
 *
 * @returns at least one and at most 1 000 users, in the file's order
 * @throws RunError `config_invalid` naming the file and the row
 */
export async function readPasswordsFile(path: string): Promise<TestUser[]> {
  const rows = takeApart(path, await readText(path));
  const header = headerOf(rows[0] ?? []);
  const { user: userColumn, password: passwordColumn } = header ?? { user: 0, password: 1 };
  const columns = header === null ? 2 : (rows[0]?.length ?? 0);
  const users = (header === null ? rows : rows.slice(1)).map((row, index) => {
    const user = row[userColumn]?.trim() ?? "";
    const password = row[passwordColumn] ?? "";
    if (row.length > columns) {
      // A part of the password would be tried in its place.
      throw invalid(
        `${path}, row ${index + 1} has ${row.length} fields and not ${columns}: quote a password with a comma in it`,
      );
    }
    if (user === "") throw invalid(`${path}, row ${index + 1} names no user`);
    if (password === "") throw invalid(`${path}, row ${index + 1} has no password`);
    return { user, password };
  });
  if (users.length === 0) throw invalid(`${path} has no users in it`);
  if (users.length > MAX_USERS) {
    throw invalid(`${path} has ${users.length} users, and a proof takes at most ${MAX_USERS}`);
  }
  return users;
}

async function readText(path: string): Promise<string> {
  const fail = (error: unknown): never => {
    const missing = systemErrorCode(error) === "ENOENT";
    throw invalid(missing ? `${path} does not exist` : `${path} can't be read`, error);
  };
  const { size } = await stat(path).catch(fail);
  if (size > MAX_BYTES) throw invalid(`${path} is larger than a passwords file can be`);
  const bytes = await readFile(path).catch(fail);
  if (!isUtf8(bytes)) throw invalid(`${path} isn't UTF-8 text`);
  return bytes.toString();
}

function takeApart(path: string, text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      relax_column_count: true,
      // Only inside unquoted fields: a password may have a quotation mark in it.
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    // The parser's own message may quote the field.
    if (!(error instanceof CsvError)) throw error;
    throw invalid(`${path} has a quotation mark that is never closed`);
  }
}

/** Where the two columns are, or null where the first row is a user's. */
function headerOf(row: readonly string[]): { user: number; password: number } | null {
  const password = row.findIndex((name) => PASSWORD_COLUMN.test(name.trim()));
  const user = row.findIndex((name) => USER_COLUMN.test(name.trim()));
  return password === -1 || user === -1 ? null : { user, password };
}

function invalid(what: string, cause?: unknown): RunError {
  return new RunError("config_invalid", `The passwords can't be used: ${what}.`, {
    hint: HINT,
    cause,
  });
}
