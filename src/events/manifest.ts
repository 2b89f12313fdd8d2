/** The manifest of an export that was split: what is in each part, and by what its files are known. Types and their text; whoever reads one from a file checks it. */

import type { RowTotal } from "./reading.js";

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
export interface ManifestPart extends RowTotal {
  /** From 1. */
  readonly shard: number;
  /** In the order in which they are to be read; none where no row falls to the shard. */
  readonly files: readonly PartFile[];
}

/** The export as it was split. */
export interface Manifest extends RowTotal {
  readonly version: typeof MANIFEST_VERSION;
  readonly shards: number;
  /** Whose export it is, for `--from`; null where each file shows it itself. */
  readonly from: string | null;
  /** One for each shard, in their order. */
  readonly parts: readonly ManifestPart[];
}

/** As it is written, for programs and people. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
