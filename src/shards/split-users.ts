/** Splits an export into a part for each shard, and sees once to what needs the whole of it: who belongs together, and in which order. A row stands in its part as it stood. */

import { SYSTEM_TIMING } from "../events/timing.js";
import { RunError } from "../errors/run-error.js";
import type { MigrationEvent, ProgressEvent, RowRef } from "../events/events.js";
import { rowOf } from "../errors/place.js";
import { type Manifest, MANIFEST_VERSION, MOST_SHARDS } from "../events/shard.js";
import { readInputs, type RowWatch } from "../stage/read-inputs.js";
import { checkSum } from "../run/run-end.js";
import { completeReading, type GivenReading } from "../run/defaults.js";
import type { ReadingOptions } from "../run/options.js";
import { createDryDigester, type Key } from "../plan/digests.js";
import { ALL_OFFERED, carriedBy } from "../plan/carried.js";
import { sourceNames } from "../source/inputs.js";
import { Stage } from "../stage/stage.js";
import { PartFiles } from "./part-files.js";
import { PartsFolder } from "./parts-folder.js";

/** What splitting is given: the options by which the parts will be imported, since they say whose row comes first. */
export type SplitOptions = Pick<
  GivenReading,
  "inputs" | "policy" | "hashConfig" | "signerKey" | "namespace" | "signal" | "timing"
> & {
  /** How many parts. */
  readonly shards: number;
  /** A new or empty folder for them, or one in which a split was killed. */
  readonly directory: string;
  /** `--from`, where the operator gave it; null to be told by the files. */
  readonly from?: string | null;
  /** Told how far the reading is, at most once a second; must not throw. */
  readonly onEvent?: (event: ProgressEvent) => void;
};

/**
 * Reads the inputs, once, and writes the parts.
 *
 * @returns the manifest, which stands beside the parts as `manifest.json`
 * @throws RunError what reading throws, and then the parts are removed; `input_unrecognized` (its users
 *   are of several objects each), `usage` (number of parts, a folder that isn't empty), `in_use`
 *   (another split writes there), `input_damaged` (an input or its hash column is cut off),
 *   `interrupted`, `disk`
 */
export async function splitUsers(given: SplitOptions): Promise<Manifest> {
  const { shards, from = null, onEvent: onProgress = () => {}, ...reading } = given;
  if (!Number.isInteger(shards) || shards < 1 || shards > MOST_SHARDS) {
    throw new RunError("usage", `An export is split into 1 to ${MOST_SHARDS} parts.`, {
      hint: "Take as many parts as processes will import at once.",
    });
  }
  const names = sourceNames(given.inputs);
  const folder = new PartsFolder(given.directory);
  const directory = folder.working;
  const options = { ...completeReading(reading), shards, directory, onProgress };
  const parts = Array.from({ length: shards }, (_, at) => new PartFiles(at + 1, directory));
  // Of a user no more is kept than says whose row comes first.
  const stage = new Stage(directory, "counted");
  try {
    const rows = await readInto(stage, options);
    divide(stage, { ...options, parts });
    checkSum(
      rows,
      parts.reduce((sum, part) => sum + part.rows, 0),
    );
    const manifest: Manifest = {
      version: MANIFEST_VERSION,
      shards,
      rows,
      from: from ?? (names.includes(",") ? null : names),
      parts: await Promise.all(parts.map((part) => part.described())),
    };
    folder.complete(manifest);
    return manifest;
  } catch (error) {
    for (const part of parts) part.discard();
    folder.abandon();
    throw error;
  } finally {
    stage.close();
  }
}

type Splitting = ReadingOptions & {
  readonly shards: number;
  readonly directory: string;
  readonly onProgress: (event: ProgressEvent) => void;
};

/** @throws RunError `input_damaged`, `interrupted`, what reading throws, `disk` */
async function readInto(stage: Stage, options: Splitting): Promise<number> {
  const { timing = SYSTEM_TIMING, onProgress, policy } = options;
  const { signal = new AbortController().signal } = options;
  // As most cores have it: who is brought by a social account claims that, and no email.
  const carried = carriedBy(policy, ALL_OFFERED);
  const emit = (event: MigrationEvent): void => {
    if (event.type === "progress") onProgress(event);
  };
  const run = { stage, signal, emit, timing, start: timing.now(), digester: DIVIDING };
  // A part's rows stand as those of rejects do.
  const reading = { ...options, carried, keepsRaw: true, watch: USERS_ALONE };
  const inspection = await readInputs(reading, { ...run, phase: "run" });
  if (signal.aborted) {
    throw new RunError("interrupted", "Stopped before the export was split.", {
      hint: "The parts are removed; run the same command again.",
    });
  }
  for (const { input, isWhole, column } of inspection.files) {
    if (!isWhole) {
      throw new RunError("input_damaged", `${input.path} was cut off before its end.`, {
        hint: "Export it again whole; parts of it would hide that users are missing.",
      });
    }
    if (column.refusesWhole()) {
      throw new RunError("input_damaged", `The hash column of ${input.path} is cut off.`, {
        hint: "Export the hashes again from a field that is wide enough. Only the whole column shows which hashes look whole by chance; import it as one process, where that must be.",
      });
    }
  }
  return inspection.rows;
}

/** What others say of a user would have to stand in each part whose users it is of. */
const USERS_ALONE: RowWatch = {
  take({ path }, items) {
    if (!items.some((item) => "related" in item)) return;
    const what = `${path} holds objects that say more of its users, and can't be split.`;
    throw new RunError("input_unrecognized", what, {
      hint: "Import it as one process, or export the users as a table.",
    });
  },
  settle() {},
};

/** Puts each row into its part. */
function divide(
  stage: Stage,
  { inputs, parts }: Pick<Splitting, "inputs"> & { readonly parts: readonly PartFiles[] },
): void {
  let number = 0;
  for (const input of inputs) {
    for (const part of parts) part.beginInput();
    for (const rows of stage.read(input)) {
      for (const staged of rows) {
        number += 1;
        const row = rowOf(input.path, staged);
        const { among, user } = staged;
        const leader = among === undefined ? user?.keys.identity : stage.leader(number);
        // A row that came to no part would be missed by the sum.
        parts[partOf(row, leader ?? null, parts.length) - 1]?.put(staged, row);
      }
    }
    for (const part of parts) part.endInput();
  }
}

/** Nothing random: a newer export of the same users comes to the same parts. */
const DIVIDING = createDryDigester("");

/**
 * The number, from 1, of the part that a row falls to. A user falls to it by the vendor's id, and only
 * without one by the first contact: when a newer export has another contact, the user still comes to
 * the part whose checkpoint knows them, and isn't brought a second time. A second row of one user
 * follows the first. So does a row whose contact another user's has taken: its import finds the same.
 *
 * @param leader the identity of the row that it follows; null for a row without a user
 */
function partOf({ file, number }: RowRef, leader: Key | null, parts: number): number {
  const key = leader ?? DIVIDING.row(file, number);
  // By the key's first 48 bits.
  let bits = 0;
  for (let at = 0; at < 6; at += 1) bits = 256 * bits + key.charCodeAt(at);
  return 1 + (bits % parts);
}
