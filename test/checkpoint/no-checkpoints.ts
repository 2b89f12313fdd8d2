/** Files that are no checkpoint, nor one yet: what they are, and what writes one. */

import { writeFileSync } from "node:fs";
import { CHECKPOINT_APPLICATION_ID, CHECKPOINT_MIGRATIONS } from "../../src/checkpoint/schema.js";
import { openDatabase } from "../../src/sqlite/database.js";

export const NO_CHECKPOINTS: readonly (readonly [string, (path: string) => void])[] = [
  ["a text", (path) => writeFileSync(path, "id,email\n1,ada@example.com\n".repeat(50))],
  [
    "another application's database",
    (path) => openDatabase(path, { applicationId: 7, migrations: ["CREATE TABLE t (x)"] }).close(),
  ],
  [
    "a newer version's checkpoint",
    (path) => {
      const migrations = [...CHECKPOINT_MIGRATIONS, "CREATE TABLE later (x)"];
      openDatabase(path, { applicationId: CHECKPOINT_APPLICATION_ID, migrations }).close();
    },
  ],
];

/** It becomes one where a run names it. */
export const EMPTY_FILE = ["an empty file", (path: string) => writeFileSync(path, "")] as const;
