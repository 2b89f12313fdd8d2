/** The manifest: what `split` wrote of an export, and the files of a part, which must be as it wrote them. */

import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { RunError } from "../errors/run-error.js";
import { digestFile } from "../shards/part-files.js";
import {
  MANIFEST,
  MANIFEST_NAME,
  type Manifest,
  type PartFile,
  partName,
  partOf,
  type Part,
} from "../events/shard.js";
import { isKnown } from "../source/inputs.js";
import { isModule } from "../source/registry.js";
import { readSmallFile } from "./small-file.js";

interface GivenPart {
  readonly files: string[];
  readonly part: Part;
  /**
   * For `--from`, where the operator says nothing of it.
   *
   * @throws RunError `config_invalid` for a mapping or a module of the operator's own: a manifest may
   *   come from elsewhere, and no file of it is read or run
   */
  readonly from: () => string | undefined;
}

/** A part's name, and a further file of it. An ordinary file's name has an ending. */
const PART = /^part-([1-9]\d{0,2})(?:-\d+)?$/;

/**
 * The part that files are of, by their names; its manifest lies beside it.
 *
 * @returns null for a whole export
 * @throws RunError `usage` for several parts, or for a part and what is none
 */
export function partNamed(
  files: readonly string[],
): { readonly manifest: string; readonly shard: number } | null {
  const [first = null, ...others] = files.map((file) => {
    const [, number] = PART.exec(basename(file)) ?? [];
    if (number === undefined || isFolder(file)) return null;
    return { manifest: join(dirname(file), MANIFEST_NAME), shard: Number(number) };
  });
  if (others.every((other) => isDeepStrictEqual(other, first))) return first;
  throw new RunError("usage", "A part of a split export is imported alone.", {
    hint: "Start an import for each part: every one has a checkpoint of its own.",
  });
}

/** A hundred files of an export in five hundred parts are about ten megabytes. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/**
 * Finds a shard's part and checks its files, before anything is read from them.
 *
 * @param shard from 1
 * @throws RunError `config_invalid` (no such manifest), `input_unrecognized`, `usage` for a part that
 *   there is not, `input_damaged`
 */
export async function openPart(path: string, shard: number): Promise<GivenPart> {
  if (!existsSync(path)) {
    throw manifestInvalid(path, `it isn't there, beside ${partName(shard)}`);
  }
  const manifest = readManifest(path);
  const folder = dirname(path);
  if (shard > manifest.shards) {
    throw new RunError("usage", `${path} has ${manifest.shards} parts, and none is ${shard}.`, {
      hint: "Start as many imports as there are parts: the first one is of part-1.",
    });
  }
  const part = manifest.parts.find((one) => one.shard === shard);
  if (part === undefined) throw manifestInvalid(path, `it has no part ${shard}`);
  for (const file of part.files) await requireUnchanged(join(folder, file.name), file);
  return {
    files: part.files.map(({ name }) => join(folder, name)),
    part: partOf(manifest, shard),
    from: () => requireShipped(path, manifest.from ?? undefined),
  };
}

function requireShipped(path: string, from: string | undefined): string | undefined {
  if (from === undefined || isKnown(from)) return from;
  const named = isModule(from)
    ? `--from ${from}. Code is run only where the command line names it.`
    : "--mapping FILE.";
  throw new RunError(
    "config_invalid",
    `The manifest ${path} says that the parts are read by ${from}, which doesn't come along.`,
    { hint: `Say so on the command line, as split was told: ${named}` },
  );
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** @throws RunError `config_invalid` (no such manifest), `input_unrecognized` */
export function readManifest(path: string): Manifest {
  let parsed: unknown;
  try {
    // Also where the folder was named that `split` wrote it into.
    const file = isFolder(path) ? join(path, MANIFEST_NAME) : path;
    parsed = JSON.parse(readSmallFile(file, "--manifest", MAX_MANIFEST_BYTES));
  } catch (error) {
    throw error instanceof RunError ? error : manifestInvalid(path, "it isn't JSON");
  }
  const checked = MANIFEST.safeParse(parsed);
  if (checked.success) return checked.data;
  const where = checked.error.issues[0]?.path.join(".") ?? "";
  throw manifestInvalid(path, where === "" ? "it is no manifest" : `${where} is wrong`);
}

function manifestInvalid(path: string, why: string): RunError {
  return new RunError("input_unrecognized", `The manifest ${path} can't be used: ${why}.`, {
    hint: "Name the manifest.json that auth-migrate split wrote beside the parts, or split the export anew. A file that is no part needs another name.",
  });
}

/** Half a part would read as fewer users, and a changed one as other users. */
async function requireUnchanged(path: string, { bytes, sha256 }: PartFile): Promise<void> {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === bytes && (await digestOf(path)) === sha256) return;
  throw new RunError(
    "input_damaged",
    size === undefined
      ? `There is no part ${path}.`
      : `The part ${path} isn't as its manifest says: ${size === bytes ? "its contents differ" : `it has ${size} bytes, not ${bytes}`}.`,
    {
      hint: "Copy it again whole from where the export was split, or split the export anew. Rows that you mended go into a file of their own.",
    },
  );
}

async function digestOf(path: string): Promise<string | null> {
  try {
    return await digestFile(path);
  } catch {
    return null;
  }
}
