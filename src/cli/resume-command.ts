/** The command to type next, made of the one that was typed. Argv never holds a secret, so it may be shown. */

import { printable } from "./terminal.js";

/**
 * The same command again.
 *
 * @param argv as Node.js has it: the first two are the program
 */
export function resumeCommand(argv: readonly string[] = process.argv): string {
  return commandLine(argv.slice(2));
}

/** The import that a dry run, `validate` or `import --dry-run`, has shown to be possible. */
export function importCommand(argv: readonly string[] = process.argv): string {
  return commandLine(["import", ...argv.slice(3).filter((word) => word !== "--dry-run")]);
}

function commandLine(words: readonly string[]): string {
  return ["auth-migrate", ...words].map(quote).map(printable).join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
