/** What is read, as it is named: a file, users out of a program, or a database. */

import type { DatabaseInput } from "./database/database.js";
import { openBytes, type UsersInput } from "./input-bytes.js";
import type { Source } from "./source.js";

/** What is read: a file by its path, users out of a program, or those of a database. */
export type NamedInput = string | UsersInput | DatabaseInput;

export function isDatabase(given: NamedInput): given is DatabaseInput {
  return typeof given === "object" && "login" in given;
}

/** How an input is opened. */
interface Opening {
  readonly encoding: string | null;
  /** What `-` stands for. */
  readonly stdin: AsyncIterable<Buffer> | undefined;
  /** Those whose tables are looked for in a database. */
  readonly sources: readonly Source[];
}

/**
 * An input's bytes, what it is called, and whose users a database's are.
 *
 * @throws RunError `input_unreadable`; of a database also `key_refused`, `outage`, `in_use`,
 *   `input_unrecognized`, `input_damaged`
 */
export async function openNamed(given: NamedInput, { encoding, stdin, sources }: Opening) {
  if (isDatabase(given)) {
    // What few runs need is loaded by those.
    const { openDatabase } = await import("./database/open-database.js");
    const { path, bytes, found } = await openDatabase(given, { encoding, sources });
    return { path, bytes, users: found };
  }
  const path = typeof given === "string" ? given : given.name;
  return { path, bytes: await openBytes(given, encoding, stdin), users: null };
}
