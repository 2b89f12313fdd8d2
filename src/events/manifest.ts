/** The manifest of an export that was split: the rows, files and digests of each part. The reader checks a manifest that comes from a file. */

import { hash } from "node:crypto";
import type { Part } from "./shard.js";

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
