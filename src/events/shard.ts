/** Several processes import an export together: each imports a part that `split` wrote. A manifest says which files and rows a part has; its reader checks it. */

import { hash } from "node:crypto";
import { z } from "zod";

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

/** `3/8`, as it is told and kept. */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** What a part is called: by this name its first file stands beside the manifest, if any row falls to it. */
export function partName(index: number): string {
  return `part-${index}`;
}

/** The version of the form that is written. */
export const MANIFEST_VERSION = 1;

/** A manifest's form. */
export const MANIFEST = z.object({
  version: z.literal(MANIFEST_VERSION),
  shards: z.int().min(1).max(MOST_SHARDS),
  /** Of the export; the sum of those of the parts. */
  rows: z.int().min(0),
  /** Whose export it is, for `--from`; null where each file shows it itself. */
  from: z.string().nullable(),
  /** One for each shard, in their order. */
  parts: z.array(
    z.object({
      /** From 1. */
      shard: z.int().min(1),
      rows: z.int().min(0),
      /** In the order in which they are to be read; none where no row falls to the shard. */
      files: z.array(
        z.object({
          /** Beside the manifest: one from elsewhere must not name files elsewhere. */
          name: z.string().regex(/^[^/\\]+$/),
          bytes: z.int().min(0),
          sha256: z.string().regex(/^[\da-f]{64}$/),
        }),
      ),
    }),
  ),
});

/** The export as it was split. */
export interface Manifest extends z.infer<typeof MANIFEST> {}

/** What of the export falls to one shard. */
export type ManifestPart = Manifest["parts"][number];

/** A file of a part. */
export type PartFile = ManifestPart["files"][number];

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
