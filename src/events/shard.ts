/** Several processes import an export together: each imports a part that `split` wrote. A manifest says which files and rows a part has; its reader checks it. */

import { hash } from "node:crypto";

/** Shard `index` of `count`, from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The facts about a part that its import needs beside its files. */
export interface Part extends Shard {
  /** Rows of the whole export. */
  readonly exportRows: number;
  /** Tells one split from another: 64 hexadecimal digits. */
  readonly split: string;
}

/** What a summary says about its shard. */
export type ShardSummary = Omit<Part, "split">;

/** @param part undefined for a whole export */
export function shardSummary(part: Part | undefined): ShardSummary | null {
  if (part === undefined) return null;
  const { index, count, exportRows } = part;
  return { index, count, exportRows };
}

/** The checkpoint's note on the part that it imported last. */
export interface NotedPart extends Shard, Pick<Part, "split"> {
  /** Null until an import has come to the part's end. */
  readonly end: { readonly read: number; readonly failed: number } | null;
}

/** Parts are written at once, and a system gives a process about a thousand handles. */
export const MOST_SHARDS = 500;

/** @returns null for text that {@link shardText} didn't write */
function parseShard(text: string): Shard | null {
  const match = /^(\d{1,3})\/(\d{1,3})$/.exec(text);
  if (match === null) return null;
  const [index, count] = [Number(match[1]), Number(match[2])];
  return index >= 1 && index <= count && count <= MOST_SHARDS ? { index, count } : null;
}

/** `3/8`, as it is told and kept. */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** As the checkpoint keeps it. */
export function notedText({ split, end, ...shard }: NotedPart): string {
  return [shardText(shard), split, ...(end === null ? [] : [end.read, end.failed])].join(" ");
}

/** @returns null for what {@link notedText} didn't write */
export function parseNoted(text: string): NotedPart | null {
  const [name = "", split, read, failed] = text.split(" ");
  const shard = parseShard(name);
  if (shard === null || split === undefined) return null;
  const end = read === undefined ? null : { read: Number(read), failed: Number(failed) };
  return { ...shard, split, end };
}

/** What a part is called: by this name its first file stands beside the manifest, if any row falls to it. */
export function partName(index: number): string {
  return `part-${index}`;
}

/** The version of the form that is written. */
export const MANIFEST_VERSION = 1;

/** A file of a part. */
export interface PartFile {
  /** Beside the manifest, without a folder. */
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** What of the export falls to one shard. */
export interface ManifestPart {
  /** From 1. */
  readonly shard: number;
  readonly rows: number;
  /** In the order in which they are to be read; none where no row falls to the shard. */
  readonly files: readonly PartFile[];
}

/** The export as it was split. */
export interface Manifest {
  readonly version: typeof MANIFEST_VERSION;
  readonly shards: number;
  /** Of the export; the sum of those of the parts. */
  readonly rows: number;
  /** Whose export it is, for `--from`; null where each file shows it itself. */
  readonly from: string | null;
  /** One for each shard, in their order. */
  readonly parts: readonly ManifestPart[];
}

/** What `split` calls the manifest, beside the parts. */
export const MANIFEST_NAME = "manifest.json";

/** As it is written, for programs and people. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** What tells one split from another: a digest of what is in all parts, the same for the same rows. */
export function splitDigest({ parts }: Manifest): string {
  const lines = parts.map(({ shard, rows, files }) => [
    shard,
    rows,
    ...files.map(({ sha256 }) => sha256),
  ]);
  return hash("sha256", lines.map((line) => line.join(" ")).join("\n"));
}

/** What the import of a shard's part is told. @param index from 1 */
export function partOf(manifest: Manifest, index: number): Part {
  const { shards: count, rows: exportRows } = manifest;
  return { index, count, exportRows, split: splitDigest(manifest) };
}
