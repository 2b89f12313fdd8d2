/** Files that are no checkpoint, nor one yet: what they are, and what writes one. */

import { writeFileSync } from "node:fs";
import { CHECKPOINT_FILE } from "../../src/checkpoint/schema.js";
import { openDatabase } from "../../src/sqlite/database.js";

export const NO_CHECKPOINTS: readonly (readonly [string, (path: string) => void])[] = [
  ["a text", (path) => writeFileSync(path, "id,email\n1,ada@example.com\n".repeat(50))],
  [
    "another application's database",
    (path) =>
      openDatabase(path, { applicationId: 7, schema: "CREATE TABLE t (x)", version: 1 }).close(),
  ],
  ...[CHECKPOINT_FILE.version + 1, CHECKPOINT_FILE.version - 1].map(
    (version) =>
      [
        `a checkpoint whose version is ${version}`,
        (path: string) => openDatabase(path, { ...CHECKPOINT_FILE, version }).close(),
      ] as const,
  ),
];

/** It becomes one where a run names it. */
export const EMPTY_FILE = ["an empty file", (path: string) => writeFileSync(path, "")] as const;
