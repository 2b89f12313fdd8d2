import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import { openReader } from "../../src/checkpoint/reader.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();

/** A folder with other files, and a way to put checkpoints into it. */
function newFolder() {
  const folder = newPath("work");
  mkdirSync(folder);
  writeFileSync(join(folder, "users.csv"), "id,email\n1,ada@example.com\n".repeat(100));
  writeFileSync(join(folder, "empty.checkpoint"), "");
  const pathOf = (name: string): string => join(folder, name);
  const write = (name: string): string => {
    openCheckpoint(pathOf(name)).close();
    return pathOf(name);
  };
  return { pathOf, write };
}

it("names a checkpoint that lies beside the one that isn't there, under any name", () => {
  const { pathOf, write } = newFolder();
  const pilot = write("pilot.db");
  expect(() => openReader(pathOf("auth-migrate.checkpoint"))).toThrow(
    `There is no checkpoint ${pathOf("auth-migrate.checkpoint")}; there is ${pilot}.`,
  );
});

it("names one of several, and says how many more there are", () => {
  const { pathOf, write } = newFolder();
  const first = write("auth-migrate.shard-1-of-2.checkpoint");
  copyFileSync(first, pathOf("auth-migrate.shard-2-of-2.checkpoint"));
  expect(() => openReader(pathOf("auth-migrate.checkpoint"))).toThrow(
    `; there are ${first} and 1 more.`,
  );
});

it("names nothing where no checkpoint is there, or no such folder", () => {
  const { pathOf } = newFolder();
  for (const path of [pathOf("auth-migrate.checkpoint"), pathOf("gone/auth-migrate.checkpoint")]) {
    expect(() => openReader(path)).toThrow(`There is no checkpoint ${path}.`);
  }
});

it("leaves the lock of a core's data file with the process that has it open", async () => {
  const { pathOf } = newFolder();
  const file = pathOf("auth-core.db");
  const core = openEmbeddedCore({ file });
  expect(() => openReader(pathOf("auth-migrate.checkpoint"))).toThrow("There is no checkpoint");
  // Another process does so as it closes a file that nobody else has open.
  const fold = `new (require("libsql"))(process.argv[1]).exec("PRAGMA journal_mode = DELETE")`;
  const { stderr } = spawnSync(process.execPath, ["-e", fold, file], { encoding: "utf8" });
  expect(stderr).toContain("SQLITE_BUSY");
  await core.close();
});
