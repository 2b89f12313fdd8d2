import { existsSync, mkdirSync, readdirSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import { purgeCheckpoint } from "../../src/checkpoint/purge.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { EMPTY_FILE, NO_CHECKPOINTS } from "./no-checkpoints.js";
import { prepareMigration } from "../run/support/people.js";
import { outcomes } from "../run/support/run.js";

const newPath = temporaryPaths();

function newCheckpoint(): string {
  const folder = newPath("run");
  mkdirSync(folder);
  return join(folder, "auth-migrate.checkpoint");
}

describe("purging a checkpoint", () => {
  it("removes it and all that belongs to it, and says what stood in it", async () => {
    const { migration, file } = prepareMigration(newPath);
    await migration.run([file]);
    const path = migration.checkpoint;
    // As a run that was killed leaves them.
    for (const suffix of ["-wal", "-shm"]) writeFileSync(`${path}${suffix}`, "");
    const { status, removed } = purgeCheckpoint(path);
    expect(status).toMatchObject({ users: 9, imported: 1, created: 3, running: false });
    expect([...removed].sort()).toEqual([path, `${path}-shm`, `${path}-wal`, `${path}.lock`]);
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith("checkpoint"))).toEqual([]);

    const { summary } = await migration.run([file]);
    expect(outcomes(summary)).toEqual({ existed: 4, skipped: 1, rejected: 6 });
  });

  it("leaves a checkpoint alone that a run is using", () => {
    const path = newCheckpoint();
    const checkpoint = openCheckpoint(path);
    const locked = expect.objectContaining({ code: "in_use" });
    expect(() => purgeCheckpoint(path)).toThrow(locked);
    expect(existsSync(path)).toBe(true);
    checkpoint.close();
    purgeCheckpoint(path);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it("says which file can't be removed", () => {
    const path = newCheckpoint();
    openCheckpoint(path).close();
    mkdirSync(`${path}-journal`);
    const disk = expect.objectContaining({ code: "disk", message: expect.stringContaining(path) });
    expect(() => purgeCheckpoint(path)).toThrow(disk);
    rmdirSync(`${path}-journal`);
  });

  it("takes a symbolic link and what it leads to", () => {
    const path = newCheckpoint();
    openCheckpoint(path).close();
    const link = newPath("link");
    symlinkSync(path, link);
    expect(purgeCheckpoint(link).removed).toEqual([path, `${path}.lock`, link]);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it("removes nothing where there is no checkpoint", () => {
    const path = newCheckpoint();
    const missing = expect.objectContaining({ code: "checkpoint_missing" });
    expect(() => purgeCheckpoint(path)).toThrow(missing);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it.each([...NO_CHECKPOINTS, EMPTY_FILE])("removes nothing that is %s", (_what, write) => {
    const path = newCheckpoint();
    write(path);
    const invalid = expect.objectContaining({ code: "checkpoint_invalid" });
    expect(() => purgeCheckpoint(path)).toThrow(invalid);
    expect(readdirSync(dirname(path))).toEqual(["auth-migrate.checkpoint"]);
  });
});
