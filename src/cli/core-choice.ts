/** Which embedded core is meant: the one on a data file or the one on a database. It opens neither. */

import type { Command } from "commander";
import { type DatabaseSettings, targetOf } from "../core/embedded/postgres/settings.js";
import { RunError } from "../errors/run-error.js";
import type { CoreConfig } from "./core-config.js";
import { dataFileOf } from "./data-file.js";
import { databaseOf, hasPassword } from "./database.js";

/** Where the embedded core keeps its users. */
export type CoreChoice =
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "database"; readonly database: DatabaseSettings };

/** Who wins where both are named. */
const RANKS = ["config", "env", "cli"];

/**
 * Of `--data` and `--database-url` the one that was named nearer to the command line stays.
 *
 * @throws RunError `usage` where both were named alike, or where argv holds a password, which
 *   every user who may list processes can read
 */
export function settleCoreChoice(command: Command): void {
  const url: unknown = command.getOptionValue("databaseUrl");
  if (typeof url !== "string") return;
  const source = command.getOptionValueSource("databaseUrl") ?? "";
  if (source === "cli" && hasPassword(url)) {
    throw new RunError("usage", "A password was given on the command line, by --database-url.", {
      hint: "Others on this machine can read it there. Leave it out of the URL and set PGPASSWORD, write it into ~/.pgpass, or give the whole URL as AUTH_MIGRATE_DATABASE_URL; and change the password.",
    });
  }
  if (command.getOptionValue("data") === undefined) return;
  const other = command.getOptionValueSource("data") ?? "";
  if (source === other) {
    throw new RunError("usage", "Both --data and --database-url are given.", {
      hint: "The embedded core is on a data file or on a database: name one of them.",
    });
  }
  const loser = RANKS.indexOf(source) > RANKS.indexOf(other) ? "data" : "databaseUrl";
  command.setOptionValueWithSource(loser, undefined, "default");
}

/**
 * @param given by the options; what they leave open the core's configuration says
 * @param onNote told of a password file that isn't used
 * @throws RunError `usage` (a name that is empty), `config_invalid`
 */
export function coreChoiceOf(
  given: { readonly data?: string | undefined; readonly databaseUrl?: string | undefined },
  config: CoreConfig,
  onNote: (line: string) => void,
): CoreChoice {
  const { data, databaseUrl } = given;
  const url = databaseUrl ?? (data === undefined ? config.databaseUrl : undefined);
  if (url === undefined) return { kind: "file", file: dataFileOf(data, config) };
  const where = databaseUrl === undefined ? "the core's configuration" : "--database-url";
  const settings = databaseOf(url, where, onNote);
  return { kind: "database", database: { ...settings, poolSize: config.databasePoolSize } };
}

/** The data file, or the database without its password. */
export function nameOf(choice: CoreChoice): string {
  return choice.kind === "file" ? choice.file : targetOf(choice.database).database;
}
