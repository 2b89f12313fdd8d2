/** The people of the import tests: one of every kind with what becomes of them, and readers by the number. */

import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { csvOf, type Migration, newMigration, type Row, type Run, type RunOptions } from "./run.js";

const HASH = KNOWN_HASHES.bcrypt.passwordHash;

/** One of each kind, in file order. */
export const EVERY_KIND: readonly Row[] = [
  { id: "1", email: "Ada@Example.com", hash: HASH },
  { id: "2", email: "ben@example.com", emailVerified: "true" },
  { id: "3", phone: "+15550100003" },
  { id: "4", email: "dora@example.com", phone: "+15550100004" },
  { id: "5", email: "emil@example.com", hash: HASH, disabled: "true" },
  { id: "6", email: "fay@example.com", hash: HASH.slice(0, -3) },
  { id: "7", email: "gus@example.com", emailVerified: "false" },
  { id: "8" },
  { id: "9", email: "not-an-address" },
  { id: "1", email: "ada.two@example.com", hash: HASH },
  { id: "11", email: "ada@example.com", hash: HASH },
];

/** How an import of {@link EVERY_KIND} into an empty core ends. */
export const EVERY_KIND_ENDS = { imported: 1, created: 3, skipped: 1, rejected: 6 };

/** What it tells, by row. */
export const EVERY_KIND_TOLD = [
  "5 skip disabled",
  "6 reject bcrypt_length",
  "7 reject contact_unverified",
  "8 reject no_contact",
  "9 reject email_invalid",
  "10 reject duplicate",
  "11 reject duplicate_contact",
];

/** Orders what was told by row. */
export function byRow(one: string, other: string): number {
  return Number.parseInt(one, 10) - Number.parseInt(other, 10);
}

/** Readers 1 to `count`; every other one has a password. */
export function readers(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const hash = number % 2 === 0 ? HASH : "";
    return { id: `r-${number}`, email: `reader.${number}@example.com`, hash };
  });
}

/** A migration and the CSV export that is to be imported. */
export interface Prepared {
  readonly migration: Migration;
  readonly file: string;
}

export function prepareMigration(
  newPath: (name: string) => string,
  rows: readonly Row[] = EVERY_KIND,
): Prepared {
  const migration = newMigration(newPath);
  return { migration, file: migration.write("users.csv", csvOf(rows)) };
}

/** A migration whose first export is imported, and ways to import the next one or the same once more. */
export async function beginMigration(
  newPath: (name: string) => string,
  rows: readonly Row[],
  options?: RunOptions,
) {
  const { migration, file } = prepareMigration(newPath, rows);
  const first = await migration.run([file], options);
  let exports = 0;
  const next = (newer: readonly Row[], changes?: RunOptions): Promise<Run> => {
    exports += 1;
    return migration.run([migration.write(`export-${exports}.csv`, csvOf(newer))], changes);
  };
  const again = (changes?: RunOptions): Promise<Run> => next(rows, changes);
  return { migration, first, next, again };
}
