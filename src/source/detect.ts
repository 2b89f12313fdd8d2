/** Says whose export a file is, by its shape. Its name is not looked at, and nothing is guessed: two that fit is an error. */

import { RunError } from "../errors/run-error.js";
import { SOURCES } from "./registry.js";
import type { FileHead, Source } from "./source.js";

/** A file's source and by what it was recognized, for people. */
export interface Detection {
  readonly source: Source;
  readonly reason: string;
}

/**
 * @param sources all known ones by default
 * @throws RunError `input_unrecognized` where no source takes the file for its own,
 *   `input_ambiguous` where several do
 */
export function detectSource(head: FileHead, sources: readonly Source[] = SOURCES): Detection {
  const all: Detection[] = [];
  for (const source of sources) {
    const reason = source.recognize(head);
    if (reason !== null) all.push({ source, reason });
  }
  const vendors = all.filter(({ source }) => !source.generic);
  const fitting = vendors.length > 0 ? vendors : all;
  const [only, ...others] = fitting;
  if (only === undefined) throw unrecognized(head.path, sources);
  if (others.length > 0) {
    const names = fitting.map(({ source }) => source.name);
    throw new RunError("input_ambiguous", `${head.path} could be from ${names.join(" or ")}`, {
      hint: `Say whose it is: ${names.map((name) => `--from ${name}`).join(" or ")}.`,
    });
  }
  return only;
}

function unrecognized(path: string, sources: readonly Source[]): RunError {
  const known = sources.map(({ name, label }) => `${name} (${label})`).join(", ");
  return new RunError("input_unrecognized", `${path} is not an export that is known here`, {
    hint: `Expected one of: ${known}. A CSV file with column names of its own is read with --from csv and --map, as in --map email=COLUMN.`,
  });
}
