/** Databases among the inputs of a command line: which one a URL names, what of it is read, and its password, which never stands in argv. */

import { RunError } from "../errors/run-error.js";
import type { DatabaseInput } from "../source/database/database.js";
import type { NamedInput } from "../source/inputs.js";
import { databaseOf, decoded, hasPassword, systemOf } from "./database.js";
import { printable } from "../report/text.js";
import { askForSecret } from "./prompts.js";
import { readSecret } from "./secrets.js";
import { readSmallFile } from "./small-file.js";
import type { Terminal } from "./terminal.js";

/** What is said of databases among the inputs. */
export interface DatabaseValues {
  readonly table?: string | undefined;
  readonly query?: string | undefined;
  readonly inputPasswordFile?: string | undefined;
}

const WHERE = "the command line";

/**
 * What can be said about databases before one is connected to.
 *
 * @throws RunError `usage`
 */
export function requireDatabases(
  files: readonly string[],
  { table, query, inputPasswordFile }: DatabaseValues,
): void {
  const urls = files.filter((file) => systemOf(file) !== null);
  const named = { "--table": table, "--query": query, "--input-password-file": inputPasswordFile };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  if (urls.length === 0 && given.length > 0) {
    throw new RunError(
      "usage",
      `${given[0]?.[0]} is of a database, and none is among the inputs.`,
      {
        hint: "Name it by its URL, as in postgres://reader@db.internal/app.",
      },
    );
  }
  if (table !== undefined && query !== undefined) {
    throw new RunError("usage", "--table and --query both say what is read of the database.", {
      hint: "Give one of the two.",
    });
  }
  if (new Set(urls).size < urls.length) {
    throw new RunError("usage", "A database is named twice.", { hint: "Name it once." });
  }
  for (const url of urls) {
    if (hasPassword(url)) throw passwordTyped();
    databaseOf(
      parted(url).address,
      WHERE,
      () => {},
      {},
      { system: systemOf(url) ?? undefined, code: "usage" },
    );
  }
}

function passwordTyped(): RunError {
  return new RunError("usage", "A password was given on the command line, in a database's URL.", {
    hint: "Others on this machine can read it there. Leave it out of the URL and give --input-password-file, set PGPASSWORD (MYSQL_PWD for MySQL) or write it into ~/.pgpass; and change the password.",
  });
}

/** Gives the inputs with databases in the place of their URLs. */
export type NameInputs = (files: readonly string[]) => Promise<readonly NamedInput[]>;

/**
 * Makes what asks for each database's password once, however often its inputs are opened.
 *
 * @returns it throws RunError `usage`, `config_invalid`
 */
export function inputNamer(
  values: DatabaseValues,
  terminal: Pick<Terminal, "canPrompt" | "io" | "note">,
): NameInputs {
  const known = new Map<string, DatabaseInput>();
  return async (files) => {
    const named: NamedInput[] = [];
    for (const file of files) {
      const input = known.get(file) ?? (await databaseAt(file, values, terminal));
      if (input !== null) known.set(file, input);
      named.push(input ?? file);
    }
    return named;
  };
}

/** Null for a file. */
async function databaseAt(
  url: string,
  { table, query, inputPasswordFile: file }: DatabaseValues,
  terminal: Pick<Terminal, "canPrompt" | "io" | "note">,
): Promise<DatabaseInput | null> {
  const kind = systemOf(url);
  if (kind === null) return null;
  if (hasPassword(url)) throw passwordTyped();
  const reading = { system: kind, code: "usage" } as const;
  const { address, tenant } = parted(url);
  const login = databaseOf(address, WHERE, terminal.note, process.env, reading);
  const sql = query === undefined ? undefined : readSmallFile(query, "--query");
  const given =
    file === undefined
      ? login.password
      : readSecret(file, "--input-password-file", "the database's password");
  const isSocket = login.host.startsWith("/");
  const whose = `${printable(login.user)} at ${printable(login.database)}`;
  const message = `Password of ${whose} (empty if the server asks for none)`;
  const otherwise = "Give it by --input-password-file, PGPASSWORD or MYSQL_PWD.";
  const password = given ?? (isSocket ? null : await askForSecret(terminal, message, otherwise));
  return { kind, login: { ...login, password }, table, tenant, query: sql };
}

/** A URL, and whose users are meant where a database has several's: `postgres://host/keycloak#acme`. */
function parted(url: string): { readonly address: string; readonly tenant?: string } {
  const at = url.indexOf("#");
  if (at < 0) return { address: url };
  return { address: url.slice(0, at), tenant: decoded(url.slice(at + 1)) };
}
