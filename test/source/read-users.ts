/** Reads an export given as text through one source: its records, and what else the rows are. */

import type { UserRecord } from "../../src/account/user-record.js";
import type { FileHead, ReadOptions, Source } from "../../src/source/source.js";
import { collect, PLAIN, pieces } from "./support.js";

/** Records as they are; of a reject or a truncation its code and hint. */
export async function readUsers(
  source: Source,
  text: string,
  options: ReadOptions = PLAIN,
): Promise<(UserRecord | string)[]> {
  const items = await collect(source.read("users", pieces(Buffer.from(text), 997), options));
  return items.map((item) => {
    if (item.kind === "record") return item.record;
    if (item.kind === "truncated") return `truncated: ${item.hint}`;
    return `${item.code}: ${item.hint}`;
  });
}

/** The one row of an export. */
export async function readOnly(
  source: Source,
  text: string,
  options: ReadOptions = PLAIN,
): Promise<UserRecord | string> {
  const users = await readUsers(source, text, options);
  if (users.length !== 1) throw new Error(`expected one row, not ${users.length}`);
  return users[0]!;
}

/** The head of a file that holds this text and, where it isn't complete, more. */
export function headOf(text: string, complete = true): FileHead {
  return { path: "users", text, complete };
}
