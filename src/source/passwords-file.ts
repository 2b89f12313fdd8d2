/** Reads the passwords of test users for a proof: a small CSV of users and passwords, or the same as JSON. Passwords are kept to the letter, and neither they nor the users get into a message. */

import { isUtf8 } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { CsvError, parse } from "csv-parse/sync";
import { rowText } from "../errors/place.js";
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
  "Write a CSV whose first row is email,password (or user,password: an email, a phone or the vendor's id), and below it a row for each user, as in ann@example.com,her-password; a value with a comma or a quotation mark in it stands in quotation marks, each of its own doubled. Or JSON with the same names, in an array or a line each.";

/**
 * Reads a passwords file: `user,password`, with or without a header row. Further columns that a
 * header names are ignored, and under it all may stand in any order. As JSON, an array or lines of
 * objects with such names, or one object that has each password under its user.
 *
 * @returns at least one and at most 1 000 users, in the file's order
 * @throws RunError `config_invalid` naming the file and the row
 */
export async function readPasswordsFile(path: string): Promise<TestUser[]> {
  const rows = takeApart(path, await readText(path));
  const header = headerOf(rows[0]?.record ?? []);
  const { user: userColumn, password: passwordColumn } = header ?? { user: 0, password: 1 };
  const columns = header === null ? 2 : (rows[0]?.record.length ?? 0);
  const below = (header === null ? rows : rows.slice(1)).map(({ record, line }, index) => ({
    record,
    where: rowText({ number: index + 1, line }),
  }));
  const longer = below.filter(({ record }) => record.length > columns);
  // A part of a password would be tried in its place.
  if (longer.length > 0) throw invalid(overfull(path, columns, longer));
  const users = below.map(({ record, where }) => {
    const user = record[userColumn]?.trim() ?? "";
    const password = record[passwordColumn] ?? "";
    if (user === "") throw invalid(`${path}, ${where} names no user`);
    if (password === "") throw invalid(`${path}, ${where} has no password`);
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

/** A row's fields, and of a CSV the line on which it begins. */
interface Row {
  readonly record: readonly string[];
  readonly line?: number;
}

/** Rows that are named. */
const MOST_ROWS = 5;

function overfull(
  path: string,
  columns: number,
  rows: readonly { readonly where: string }[],
): string {
  const named = rows.slice(0, MOST_ROWS).map(({ where }) => where);
  const more = rows.length > MOST_ROWS ? ` and ${rows.length - MOST_ROWS} more` : "";
  return `${path} has more than ${columns} fields in ${named.join(", ")}${more}: a value with a comma in it has to stand in quotation marks`;
}

/** An id may stand in braces. */
const JSON_TEXT = /^\uFEFF?\s*[{[]\s*["{[\]}]/;

/** Users of JSON as rows below a header. A number may not be the one that was typed, as with zeros before it. */
function rowsOfJson(path: string, text: string): Row[] {
  let found: unknown;
  try {
    const lines = text.trim().split("\n");
    const areLines = lines.length > 1 && /^\{.*\}\s*$/.test(lines[0] ?? "");
    found = JSON.parse(areLines ? `[${lines.filter((line) => line.trim() !== "")}]` : text.trim());
  } catch {
    // The parser's own message quotes the text.
    throw invalid(`${path} is JSON that can't be read`);
  }
  const isMap = !Array.isArray(found) && headerOf(Object.keys(Object(found))) === null;
  const records = isMap
    ? Object.entries(Object(found))
    : [found].flat().map((one) => {
        const names = Object.keys(Object(one)).filter((name) => Object(one)[name] !== null);
        const { user, password } = headerOf(names) ?? { user: -1, password: -1 };
        return [user, password].map((at) => Object(one)[names[at] ?? ""] ?? "");
      });
  return [["user", "password"], ...records].map((record, at) => {
    if (record.every((value) => typeof value === "string")) return { record };
    throw invalid(`${path}, row ${at} has a value that doesn't stand in quotation marks`);
  });
}

function takeApart(path: string, text: string): Row[] {
  if (JSON_TEXT.test(text)) return rowsOfJson(path, text);
  const rows: Row[] = [];
  try {
    parse(text, {
      bom: true,
      relax_column_count: true,
      // Only inside unquoted fields: a password may have a quotation mark in it.
      relax_quotes: true,
      skip_empty_lines: true,
      on_record(record: string[], { lines }) {
        rows.push({ record, line: lines - (record.join("").split("\n").length - 1) });
        return null;
      },
    });
  } catch (error) {
    // The parser's own message may quote the field.
    if (!(error instanceof CsvError)) throw error;
    throw invalid(`${path} has a quotation mark that is never closed`);
  }
  return rows;
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
