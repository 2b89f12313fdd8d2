/** The files of a command line, opened for a command and closed behind it. `-` is this process's stdin, which must be no terminal then. */

import { statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { RunError } from "../errors/run-error.js";
import { STANDARD_INPUT } from "../source/input-bytes.js";
import { isModule } from "../source/registry.js";
import { closeInputs, type Input, type InputOptions, openInputs } from "../source/inputs.js";
import { type DatabaseValues, inputNamer } from "./input-database.js";
import type { Io } from "./io.js";
import { loadPasswordExport, type PasswordExport } from "../password-export/load-export.js";
import { count, printable } from "../report/text.js";
import type { Terminal } from "./terminal.js";

/** Opens the inputs, lets `work` have them, and closes what it left open. Says first which code that runs. */
export async function withInputs<T>(
  files: readonly string[],
  { databases = {}, ...options }: InputOptions & { readonly databases?: DatabaseValues },
  terminal: Terminal,
  work: (inputs: readonly Input[]) => Promise<T>,
): Promise<T> {
  tellOwnCode(options, terminal);
  const named = await inputNamer(databases, terminal)(files);
  const inputs = await openInputs(named, {
    ...options,
    stdin: standardInput(files, terminal.io.stdin),
  });
  try {
    return await work(inputs);
  } finally {
    await closeInputs(inputs);
  }
}

/**
 * Refuses to write into a folder that is read as a whole: the same command again would read the new file.
 *
 * @param written paths by the options that name them; undefined where nothing is written
 * @throws RunError `usage`
 */
export function requireApart(
  files: readonly string[],
  written: Readonly<Record<string, string | undefined>>,
): void {
  const folders = files.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  for (const [option, path] of Object.entries(written)) {
    const folder = folders.find((one) => path !== undefined && isReadIn(one, path));
    if (folder === undefined) continue;
    throw new RunError(
      "usage",
      `${path} would be written into the folder ${folder}, and all files in there are read.`,
      { hint: `Name the export's files, or another place by ${option}.` },
    );
  }
}

/** Whether a file is one of those that are read in a folder: files that begin with a dot aren't. */
function isReadIn(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return !isAbsolute(way) && !/(?:^|[\\/])\./.test(way);
}

/** Says before a module of the operator's own is run that it is. */
export function tellOwnCode({ from = "" }: InputOptions, { note }: Pick<Terminal, "note">): void {
  if (typeof from === "string" && isModule(from))
    note(`Running the code of ${printable(from)}, as --from says`);
}

/**
 * What `-` stands for, or undefined where it isn't among the files.
 *
 * @throws RunError `usage` for a terminal, where nothing would come and nothing would say so
 */
export function standardInput(
  files: readonly string[],
  stdin: Io["stdin"],
): AsyncIterable<Buffer> | undefined {
  if (!files.includes(STANDARD_INPUT)) return undefined;
  if (!stdin.isTTY) return stdin;
  throw new RunError("usage", "- reads the export from standard input, which is a terminal here.", {
    hint: "Pipe the export in, as in: gunzip -c users.csv.gz | auth-migrate validate - (or name the file).",
  });
}

/** How often the loading of a large export tells how far it is, in milliseconds. */
const INTERVAL = 5000;

/** Inputs as a command reads them. */
export interface GivenUsers {
  readonly inputs: readonly Input[];
  readonly passwordExport: PasswordExport | undefined;
}

/**
 * Loads the password exports that were named, if any, lets `work` have them beside the inputs, and
 * removes what was kept of them.
 *
 * @throws RunError what loading throws
 */
export async function withPasswords<T>(
  inputs: readonly Input[],
  { passwordExport: files }: { readonly passwordExport: readonly string[] },
  terminal: Pick<Terminal, "note">,
  work: (users: GivenUsers) => Promise<T>,
): Promise<T> {
  if (files.length === 0) return work({ inputs, passwordExport: undefined });
  const passwordExport = await loadPasswordExport(files, { onLines: tellLines(terminal) });
  const { lines } = passwordExport;
  terminal.note(`${files.join(", ")}: a password export of ${count(lines, "line")}`);
  try {
    return await work({ inputs, passwordExport });
  } finally {
    passwordExport.close();
  }
}

/** Says now and then how far the loading is. */
function tellLines(terminal: Pick<Terminal, "note">): (file: string, lines: number) => void {
  let last = performance.now();
  return (file, lines) => {
    if (performance.now() - last < INTERVAL) return;
    last = performance.now();
    terminal.note(`Reading the password export ${file}: ${count(lines, "line")}`);
  };
}
