/** The files of one part while an export is split: written row by row as the rows stood, then described for the manifest, or removed. */

import { createHash } from "node:crypto";
import { createReadStream, statSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import type { RowRef } from "../events/events.js";
import { type ManifestPart, type PartFile, partName } from "../events/shard.js";
import type { StagedRow } from "../stage/staged-row.js";
import { RawFiles, type RowsFileWords } from "../run/rows-file.js";

const WORDS: RowsFileWords = {
  again: "it splits the export anew",
  option: optionName("--out-dir"),
};

export class PartFiles {
  readonly #index: number;
  readonly #directory: string;
  #rows = 0;
  /** Of the inputs read so far, in their order. */
  readonly #written: string[] = [];
  /** Of the input that is read now: those of all at once would be more than a process may open. */
  #files: RawFiles | null = null;

  /** @param index from 1 */
  constructor(index: number, directory: string) {
    this.#index = index;
    this.#directory = directory;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Rows of two inputs stand in two files, so that the parts are read in the order of the export. */
  beginInput(): void {
    const path = join(this.#directory, partName(this.#index));
    this.#files = new RawFiles(path, WORDS);
  }

  /** @throws RunError `disk` */
  put(item: Pick<StagedRow, "raw">, row: RowRef): void {
    const raw = item.raw?.();
    if (this.#files === null || raw === undefined) {
      throw new RunError("internal", `${row.file}, row ${row.number} has no text to be written.`, {
        hint: "Please report this; import the export as a whole meanwhile.",
      });
    }
    this.#rows += 1;
    // It stands with each of its users.
    if (raw.text === "" && raw.state === "whole") return;
    // In other words than a row of rejects: a part is an export of its own.
    this.#files.write(raw, { code: "", hint: "", row: `from row ${row.number} of ${row.file}` });
  }

  endInput(): void {
    const files = this.#files;
    this.#files = null;
    if (files === null) return;
    this.#written.push(...files.written);
    files.close();
  }

  async described(): Promise<ManifestPart> {
    const files: PartFile[] = [];
    for (const path of this.#written) {
      const { size } = statSync(path);
      files.push({ name: basename(path), bytes: size, sha256: await digestFile(path) });
    }
    return { shard: this.#index, rows: this.#rows, files };
  }

  /** What is half written must not be taken for a part. */
  discard(): void {
    try {
      this.endInput();
    } catch {
      // The failure that led here is told.
    }
    for (const path of this.#written) {
      try {
        unlinkSync(path);
      } catch {
        // Without a manifest it is no part.
      }
    }
  }
}

/**
 * The SHA-256 of a file, by which a part is known to be the one that was split off.
 *
 * @returns 64 hexadecimal digits
 * @throws what the system says about a file that can't be read
 */
export async function digestFile(path: string): Promise<string> {
  const digest = createHash("sha256");
  await pipeline(createReadStream(path), digest);
  return digest.digest("hex");
}
