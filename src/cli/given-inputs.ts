/** The files of a command line, opened for a command and closed behind it. `-` is this process's stdin, which is nobody's keyboard then. */

import { RunError } from "../errors/run-error.js";
import { STANDARD_INPUT } from "../source/input-bytes.js";
import { closeInputs, type Input, type InputOptions, openInputs } from "../source/inputs.js";
import type { Io } from "./io.js";

/** Opens the inputs, lets `work` have them, and closes what it left open. */
export async function withInputs<T>(
  files: readonly string[],
  options: InputOptions,
  stdin: Io["stdin"],
  work: (inputs: readonly Input[]) => Promise<T>,
): Promise<T> {
  const inputs = await openInputs(files, { ...options, stdin: standardInput(files, stdin) });
  try {
    return await work(inputs);
  } finally {
    await closeInputs(inputs);
  }
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
