/** Which embedded core is meant: the one on a data file or the one on a database; and whether others may read its file. It opens neither. */

import { type DatabaseSettings, targetOf } from "../core/embedded/postgres/settings.js";
import { isOpenToOthers } from "../files/own-file.js";
import type { CoreConfig } from "./core-config.js";
import { databaseOf } from "./database.js";
import type { Terminal } from "./terminal.js";

/** In the working directory, where neither option nor configuration names another one. */
export const DEFAULT_DATA = "auth-core.db";

/** Whether `--data` names a database and no file; any URL does, so that a mistyped one makes no file. */
export function isUrl(data: string): boolean {
  return /^[a-z][\w+.-]+:\/\//i.test(data);
}

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
  const url = data ?? config.data ?? DEFAULT_DATA;
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

/**
 * Looks at files that are about to be opened for writing, which takes them from other readers.
 *
 * @returns says so of those that were taken; to be called once they are open
 */
export function readersOf(paths: readonly string[], terminal: Terminal): () => void {
  const open = paths.filter(isOpenToOthers);
  return () => {
    for (const path of open) {
      if (isOpenToOthers(path)) continue;
      terminal.problem(
        `Other users of this machine could read ${path}. From now on it is its owner's alone (mode 0600); what they have read before, they know.`,
      );
    }
  };
}
