/** The inputs of a run: each file with the source that reads it. */

import { statSync } from "node:fs";
import { RunError } from "../errors/run-error.js";
import { findVendor } from "../hash/vendors.js";
import { detectSource } from "../source/detect.js";
import { openFile, readHead } from "../source/file.js";
import { findSource, SOURCES } from "../source/registry.js";
import type { Progress } from "./progress.js";
import type { ReadingRules, ReadOptions, Source, SourceItem } from "../source/source.js";

/** One file and its reader. */
export interface Input {
  readonly path: string;
  readonly source: Source;
  /** Whose hashes are in it: what `--from` names, else the source's own name. */
  readonly vendor: string;
  /** By what the source was recognized, for people; or that it was named. */
  readonly reason: string;
  readonly bytes: number;
  /** True for what isn't a regular file: it can't be looked at before it is read. */
  readonly readOnce: boolean;
  /** Reads the rows from the first on, in batches; see {@link Source.read}. */
  read(run: ReadRun): AsyncIterable<readonly SourceItem[]>;
}

/** What one reading of an input is told. */
export type ReadRun = Pick<ReadOptions, "signal" | "onBytes">;

/** How inputs are to be read. */
export interface InputOptions extends Partial<ReadingRules> {
  /** A source's or a vendor's name (`--from`); detection where undefined. */
  readonly from?: string | undefined;
}

/**
 * Finds the reader of every file, by its shape or by name.
 *
 * @param files paths, in the order in which they are to be read
 * @param options for all files alike
 * @throws RunError `usage` (unknown source), `input_missing`, `input_unreadable`, `input_empty`,
 *   `input_unrecognized`, `input_ambiguous`
 */
export async function openInputs(
  files: readonly string[],
  { from, ...given }: InputOptions = {},
): Promise<Input[]> {
  const rules: ReadingRules = { map: new Map(), ...given };
  const named = from === undefined ? null : findSource(from);
  const vendor = from === undefined || named !== null ? null : knownVendor(from);
  const inputs: Input[] = [];
  for (const path of files) {
    const head = await readHead(path);
    const stat = statSync(path);
    const found =
      named === null ? detectSource(head) : { source: named, reason: "named by --from" };
    inputs.push({
      path,
      ...found,
      vendor: vendor ?? found.source.name,
      bytes: stat.size,
      readOnce: !stat.isFile(),
      read: (run) => found.source.read(path, openFile(path), { ...rules, ...run }),
    });
  }
  return inputs;
}

/**
 * The vendor that `--from` names where no file is read: a source's name, or a vendor's.
 *
 * @throws RunError `usage` (unknown)
 */
export function vendorNamed(from: string): string {
  return findSource(from)?.name ?? knownVendor(from);
}

/** A vendor that has no reader of its own: the file is read by its shape, its hashes as that vendor's. */
function knownVendor(from: string): string {
  const vendor = findVendor(from);
  if (vendor !== null) return vendor.name;
  const names = SOURCES.map((source) => source.name).join(", ");
  throw new RunError("usage", `There is no source or vendor named ${JSON.stringify(from)}.`, {
    hint: `Give --from one of the sources (${names}) or the vendor whose hashes these are (docs/hashes.md lists them).`,
  });
}

/** The names of the inputs' sources, each once: `source` in the summary. */
export function sourceNames(inputs: readonly Input[]): string {
  return [...new Set(inputs.map((input) => input.source.name))].join(",");
}

/** What all inputs weigh together, in bytes. */
export function totalBytes(inputs: readonly Input[]): number {
  return inputs.reduce((sum, input) => sum + input.bytes, 0);
}

/** Reads an input's rows in batches and tells the progress. */
export function readInput(
  input: Input,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress?: Progress | undefined },
): AsyncIterable<readonly SourceItem[]> {
  return input.read({ signal, onBytes: (bytes) => progress?.readBytes(bytes) });
}
