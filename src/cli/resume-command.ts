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

/** The same command for all users, after a pilot of some. */
export function unlimitedCommand(argv: readonly string[] = process.argv): string {
  const isLimit = (word: string | undefined): boolean => word === "--limit";
  const words = argv.slice(2);
  return commandLine(
    words.filter(
      (word, index) => !isLimit(word) && !isLimit(words[index - 1]) && !word.startsWith("--limit="),
    ),
  );
}

/** The import after a proof: of the same files by the same options, proved again where it can be. */
export function provedImportCommand(argv: readonly string[] = process.argv): string {
  const words: string[] = [];
  let isUser = false;
  for (const word of argv.slice(3)) {
    // A user is a contact, and asked for one by one; a passwords file serves an import as well.
    if (!isUser && !/^--user(?:=|$)/.test(word)) {
      words.push(word.replace(/^--passwords(?==|$)/, "--prove"));
    }
    isUser = !isUser && word === "--user";
  }
  return commandLine(["import", ...words]);
}

/** A command as it is typed in a shell; safe to print. */
export function commandLine(words: readonly string[]): string {
  return ["auth-migrate", ...words].map(quote).map(printable).join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
