/** The command to type again, as the operator typed it. Argv never holds a secret, so it may be shown. */

import { printable } from "./terminal.js";

/** @param argv as Node.js has it: the first two are the program */
export function resumeCommand(argv: readonly string[] = process.argv): string {
  return ["auth-migrate", ...argv.slice(2)].map(quote).map(printable).join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
