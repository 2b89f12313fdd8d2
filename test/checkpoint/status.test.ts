import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import { type CheckpointStatus, readStatus } from "../../src/checkpoint/status.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { EMPTY_FILE, NO_CHECKPOINTS } from "./no-checkpoints.js";
import { prepareMigration } from "../run/support/people.js";

const newPath = temporaryPaths();
const HOLDER = fileURLToPath(new URL("../run/support/hold-checkpoint.mjs", import.meta.url));

function newFolder(): string {
  const folder = newPath("run");
  mkdirSync(folder);
  return folder;
}

/** Everything about a folder's files that reading must not change. */
function filesIn(folder: string): string[] {
  return readdirSync(folder).map((name) => {
    const { mtimeMs, mode } = statSync(join(folder, name));
    const bytes = readFileSync(join(folder, name)).toString("base64");
    // The index of the log belongs to whoever has it open.
    return JSON.stringify([name, mode, ...(name.endsWith("-shm") ? [] : [mtimeMs, bytes])]);
  });
}

/** The counts alone. */
function countsOf(status: CheckpointStatus): Record<string, unknown> {
  const { checkpoint: _path, core: _core, begunAt: _begun, writtenAt: _written, ...rest } = status;
  return rest;
}

describe("the status of a checkpoint", () => {
  it("counts everybody by state and by code", async () => {
    const { migration, file } = prepareMigration(newPath);
    await migration.run([file]);
    const status = readStatus(migration.checkpoint);
    expect(countsOf(status)).toEqual({
      shard: null,
      running: false,
      cutoverAt: null,
      progress: { done: 11, total: 11, perSecond: null, leftMs: null },
      endedBy: null,
      command: null,
      check: null,
      users: 9,
      imported: 1,
      bridged: 0,
      created: 3,
      social: 0,
      existed: 0,
      skipped: 1,
      rejected: 4,
      failed: 0,
      queued: 0,
      written: 0,
      pending: 0,
      unknown: 0,
      unmapped: 0,
      unproved: 0,
      rejects: { bcrypt_length: 1, contact_unverified: 1, email_invalid: 1, no_contact: 1 },
      skips: { disabled: 1 },
      failures: {},
      otherRows: { rejects: { duplicate: 1, duplicate_contact: 1 }, skips: {}, failures: {} },
      notices: { prehash_possible: 1 },
      unread: 0,
      stillThere: {},
      cut: null,
      proved: false,
      provedUsers: { sent: 0, bridged: 0 },
      unvaulted: 0,
      vault: null,
    });
    expect(status.core).toEqual({ kind: "embedded", coreId: migration.core.coreId });
    expect(status.checkpoint).toBe(migration.checkpoint);
  });

  it("says when it was begun, and when it was written last", async () => {
    const { migration, file } = prepareMigration(newPath);
    const timeOf = (path: string): number => statSync(path).mtimeMs;
    await migration.run([file]);
    const { begunAt, writtenAt } = readStatus(migration.checkpoint);
    const begun = begunAt?.getTime() ?? 0;
    // In the order in which the files were written; a file system's clock is coarser than the process's.
    expect(begun).toBeGreaterThan(timeOf(file) - 50);
    expect(writtenAt.getTime()).toBeGreaterThan(begun - 50);
    expect(timeOf(newFolder())).toBeGreaterThan(writtenAt.getTime() - 50);
    await migration.run([file]);
    expect(readStatus(migration.checkpoint).begunAt).toEqual(begunAt);
  });

  it("belongs to no core before anybody was sent", () => {
    const path = join(newFolder(), "checkpoint");
    openCheckpoint(path).close();
    expect(readStatus(path)).toMatchObject({ core: null, users: 0, running: false });
  });

  it("shows the cut-over that was recorded", () => {
    const path = join(newFolder(), "checkpoint");
    const checkpoint = openCheckpoint(path);
    const moment = new Date("2026-12-24T06:00:00.000Z");
    checkpoint.recordCutOver(moment.getTime());
    checkpoint.close();
    expect(readStatus(path).cutoverAt).toEqual(moment);
  });

  it("is read while a run holds the checkpoint, and after that was killed", async () => {
    const folder = newFolder();
    const path = join(folder, "checkpoint");
    const child = spawn(process.execPath, [HOLDER, path], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    expect(readStatus(path)).toMatchObject({ running: true, users: 0 });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(readdirSync(folder)).toContain("checkpoint-wal");
    const before = filesIn(folder);
    expect(readStatus(path)).toMatchObject({ running: false, users: 0 });
    expect(filesIn(folder)).toEqual(before);
  });

  it("isn't made up where there is no checkpoint, and none is made", () => {
    const folder = newFolder();
    const missing = expect.objectContaining({ code: "checkpoint_missing" });
    expect(() => readStatus(join(folder, "checkpoint"))).toThrow(missing);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([...NO_CHECKPOINTS, EMPTY_FILE])(
    "isn't read from %s, which stays as it is",
    (_what, write) => {
      const path = join(newFolder(), "checkpoint");
      write(path);
      const before = filesIn(dirname(path));
      const invalid = expect.objectContaining({ code: "checkpoint_invalid" });
      expect(() => readStatus(path)).toThrow(invalid);
      expect(filesIn(dirname(path))).toEqual(before);
    },
  );
});
