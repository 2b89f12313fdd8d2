/** Exports full of duplicates, and the imports of the parts that they are split into. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type Manifest, partOf } from "../../../src/events/shard.js";
import { splitUsers } from "../../../src/shards/split-users.js";
import { openInputs } from "../../../src/source/inputs.js";
import { BCRYPT } from "../../run/support/records.js";
import {
  csvOf,
  type Migration,
  outcomes,
  type Row,
  type Run,
  type RunOptions,
} from "../../run/support/run.js";

/** Few ids and contacts for many rows: a user stands in several, and users claim each other's contacts. */
const row: fc.Arbitrary<Row> = fc
  .record({
    id: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 4 }),
    email: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 5 }),
    emailVerified: fc.constantFrom("true", "true", "false", ""),
    phone: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 2 }),
    hash: fc.constantFrom(BCRYPT, BCRYPT.slice(0, -1), ""),
    disabled: fc.constantFrom("true", "false", "false"),
  })
  .map(({ id, email, phone, ...rest }) => ({
    ...(id === null ? {} : { id: `u-${id}` }),
    ...(email === null ? {} : { email: `reader.${email}@example.com` }),
    ...(phone === null ? {} : { phone: `+1555010${1000 + phone}` }),
    ...rest,
  }));

/** One to three files of an export. */
export const tables = fc.array(fc.array(row, { minLength: 1, maxLength: 30 }), {
  minLength: 1,
  maxLength: 3,
});

/** Writes each table into a file. */
export function writeTables(migration: Migration, all: readonly (readonly Row[])[]): string[] {
  return all.map((rows, at) => migration.write(`users-${at}.csv`, csvOf(rows)));
}

/** An export that was split, and the checkpoints of its parts. */
export interface Parts {
  readonly manifest: Manifest;
  readonly checkpoints: readonly string[];
  /** The options by which a part is read. */
  optionsOf(index: number): Promise<RunOptions>;
  /** Imports a part with its own checkpoint. */
  run(index: number, options?: RunOptions): Promise<Run>;
}

/** Splits files into a new folder, to be imported part by part into a migration's core. */
export async function splitFiles(
  migration: Migration,
  files: readonly string[],
  shards: number,
  directory: string,
): Promise<Parts> {
  mkdirSync(directory);
  const manifest = await splitUsers({ inputs: await openInputs(files), shards, directory });
  const checkpointOf = (index: number): string => `${migration.checkpoint}-${index}-of-${shards}`;
  const optionsOf = async (index: number): Promise<RunOptions> => {
    const paths = manifest.parts[index - 1]?.files.map(({ name }) => join(directory, name)) ?? [];
    const inputs = await openInputs(paths, { from: manifest.from ?? undefined });
    return { inputs, part: partOf(manifest, index), checkpoint: checkpointOf(index) };
  };
  return {
    manifest,
    checkpoints: manifest.parts.map(({ shard }) => checkpointOf(shard)),
    optionsOf,
    run: async (index, options) => migration.run([], { ...(await optionsOf(index)), ...options }),
  };
}

/** Outcomes of all runs, without which run brought a user: one that goes on says `unchanged`. */
export function ends(runs: readonly Run[]): Record<string, number> {
  const sums: Record<string, number> = { read: 0 };
  for (const { summary } of runs) {
    sums.read = (sums.read ?? 0) + summary.read;
    for (const [name, count] of Object.entries(outcomes(summary))) {
      const what = ["imported", "created", "unchanged"].includes(name) ? "there" : name;
      sums[what] = (sums[what] ?? 0) + count;
    }
  }
  return sums;
}

/** What was told of rows, in any order: parts number their rows otherwise. */
export function codes(runs: readonly Run[]): string[] {
  return runs.flatMap(({ events }) => events.map(({ type, code }) => `${type} ${code}`)).sort();
}
