/** PostgreSQL's password file, as libpq reads it: a line for a server, database and user, the first that matches holds. A file that others can read isn't used. */

import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readSmallText } from "./small-file.js";

/** Who logs in where. */
interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** Five fields with colons between; a backslash takes the meaning from a colon or a backslash. */
const FIELD = /(?:[^:\\]|\\.)*/y;

/**
 * The password for a login, from the file that `PGPASSFILE` names or `.pgpass` in the home folder.
 *
 * @param onNote told of a file that can't be used
 * @returns null where there is none
 */
export function passwordFromFile(
  login: Login,
  env: NodeJS.ProcessEnv,
  onNote: (line: string) => void,
): string | null {
  const file = env.PGPASSFILE ?? join(homedir(), ".pgpass");
  if (!existsSync(file)) return null;
  if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
    onNote(`${file} isn't used, since others on this machine can read it: chmod 600 it.`);
    return null;
  }
  const found = readSmallText(file);
  if (!("text" in found)) {
    onNote(`${file} isn't used: ${found.flaw}.`);
    return null;
  }
  return passwordIn(found.text, login);
}

/** The password that a password file's text has for a login, or null. */
export function passwordIn(text: string, { host, port, database, user }: Login): string | null {
  // A Unix socket's folder goes by the name of this machine, as in libpq's default.
  const wanted = [host.startsWith("/") ? "localhost" : host, `${port}`, database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const [password, ...fields] = fieldsOf(line).reverse();
    const matches =
      fields.length === wanted.length &&
      fields.reverse().every((field, index) => field === "*" || field === wanted[index]);
    if (matches && password !== undefined && password !== "") return password;
  }
  return null;
}

function fieldsOf(line: string): string[] {
  const fields: string[] = [];
  for (let at = 0; at <= line.length; at += 1) {
    FIELD.lastIndex = at;
    const [field = ""] = FIELD.exec(line) ?? [];
    fields.push(field.replace(/\\(.)/g, "$1"));
    at += field.length;
  }
  return fields;
}
