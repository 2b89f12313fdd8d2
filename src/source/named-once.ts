/** Holds that each input is named once, before one is opened. */

import { existsSync, realpathSync, statSync } from "node:fs";
import { RunError } from "../errors/run-error.js";
import { STANDARD_INPUT } from "./input-bytes.js";

/** @throws RunError `usage` where the standard input is named twice, or can't be read */
export function requireOneStdin(
  files: readonly unknown[],
  stdin: AsyncIterable<Buffer> | undefined,
): void {
  const times = files.filter((path) => path === STANDARD_INPUT).length;
  if (times > 1) {
    throw new RunError("usage", "The standard input, -, can be only one of the files.", {
      hint: "Name it once, and the other exports as files.",
    });
  }
  if (times === 1 && stdin === undefined) {
    throw new RunError("usage", "The standard input, -, can't be read here.", {
      hint: "Name a file; one that is called - is named ./-.",
    });
  }
}

/**
 * All rows of a file that is read twice would be duplicates.
 *
 * @throws RunError `usage`
 */
export function requireEachOnce(files: readonly unknown[]): void {
  const named = new Map<string, string>();
  for (const path of files) {
    if (typeof path !== "string" || !existsSync(path) || !statSync(path).isFile()) continue;
    const real = realpathSync(path);
    const first = named.get(real);
    named.set(real, path);
    if (first === undefined) continue;
    const as = first === path ? "" : `, as ${first} and ${path}`;
    throw new RunError("usage", `The file ${path} is named twice${as}.`, {
      hint: "Name each file once.",
    });
  }
}
