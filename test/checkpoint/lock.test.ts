import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import { isLocked } from "../../src/checkpoint/lock.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const HOLDER = fileURLToPath(new URL("../run/support/hold-checkpoint.mjs", import.meta.url));
const TURNS = fileURLToPath(new URL("../run/support/take-turns.mjs", import.meta.url));
const locked = expect.objectContaining({ code: "in_use" });

function newCheckpoint(): string {
  const folder = newPath("run");
  mkdirSync(folder);
  return join(folder, "auth-migrate.checkpoint");
}

/** Another process that holds a checkpoint until it is killed. */
async function holdElsewhere(path: string): Promise<{ kill(): Promise<void> }> {
  const child = spawn(process.execPath, [HOLDER, path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return {
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

describe("whether a run holds the lock", () => {
  it("is told beside it, and is over as soon as its process is killed", async () => {
    const path = newCheckpoint();
    expect(isLocked(path)).toBe(false);
    const holder = await holdElsewhere(path);
    expect(isLocked(path)).toBe(true);
    await holder.kill();
    expect(isLocked(path)).toBe(false);
    openCheckpoint(path).close();
  });

  it("is told within the process of the run, which keeps its lock", () => {
    const path = newCheckpoint();
    const checkpoint = openCheckpoint(path);
    expect(isLocked(path)).toBe(true);
    expect(() => openCheckpoint(path)).toThrow(locked);
    checkpoint.close();
    expect(isLocked(path)).toBe(false);
  });
});

describe("the lock", () => {
  it.each([
    ["back", new Date("2001-02-03")],
    ["on", new Date("2088-02-03")],
  ])("doesn't care for a clock that jumps %s", async (_where, time) => {
    const path = newCheckpoint();
    const holder = await holdElsewhere(path);
    for (const name of [path, `${path}.lock`]) utimesSync(name, time, time);
    expect(() => openCheckpoint(path)).toThrow(locked);
    await holder.kill();
    for (const name of [path, `${path}.lock`]) utimesSync(name, time, time);
    openCheckpoint(path).close();
  });

  it("is one for a file and a symbolic link to it", () => {
    const path = newCheckpoint();
    openCheckpoint(path).close();
    const link = newPath("link");
    symlinkSync(path, link);
    const checkpoint = openCheckpoint(link);
    expect(() => openCheckpoint(path)).toThrow(locked);
    checkpoint.close();
  });

  it("is another one for a copy", () => {
    const path = newCheckpoint();
    openCheckpoint(path).close();
    const copy = newPath("copy");
    copyFileSync(path, copy);
    const checkpoint = openCheckpoint(path);
    openCheckpoint(copy).close();
    checkpoint.close();
  });

  it("lets one process in at a time, also while others purge the checkpoint", async () => {
    const path = newCheckpoint();
    const run = promisify(execFile);
    const turns = Array.from({ length: 3 }, () => run(process.execPath, [TURNS, path, "6"]));
    const said = (await Promise.all(turns)).map(({ stdout }) => stdout);
    expect(said).toEqual(["well\n", "well\n", "well\n"]);
  });
});
