/** Which embedded core is meant: the one on a data file or the one on a database. It opens neither. */

import { type DatabaseSettings, targetOf } from "../core/embedded/postgres/settings.js";
import type { CoreConfig } from "./core-config.js";
import { dataFileOf, isUrl } from "./data-file.js";
import { databaseOf } from "./database.js";

/** Where the embedded core keeps its users. */
export type CoreChoice =
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "database"; readonly database: DatabaseSettings };

/**
 * @param data by the option; what it leaves open the core's configuration says
 * @param onNote told of a password file that isn't used
 * @throws RunError `config_invalid`
 */
export function coreChoiceOf(
  { data }: { readonly data?: string | undefined },
  config: CoreConfig,
  onNote: (line: string) => void,
): CoreChoice {
  const url = dataFileOf(data, config);
  if (!isUrl(url)) return { kind: "file", file: url };
  const where = data === undefined ? "the core's configuration" : "--data";
  const settings = databaseOf(url, where, onNote);
  return { kind: "database", database: { ...settings, poolSize: config.databasePoolSize } };
}

/** The data file, or the database without its password. */
export function nameOf(choice: CoreChoice): string {
  return choice.kind === "file" ? choice.file : targetOf(choice.database).database;
}

/** Whether the operator said which core is meant: the one that is taken by default may not be. */
export function namesCore({
  core,
  coreConfig,
  data,
}: Partial<Record<"core" | "coreConfig" | "data", string | undefined>>): boolean {
  return (core ?? coreConfig ?? data) !== undefined;
}
