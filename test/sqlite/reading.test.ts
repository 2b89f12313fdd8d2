import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/sqlite/database.js";
import { isLockedExclusively, openForReading } from "../../src/sqlite/reading.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const READER = fileURLToPath(new URL("read-for-a-moment.mjs", import.meta.url));
const OURS = { applicationId: 0x74657374, schema: "CREATE TABLE t (x)", version: 1 };

/** A file in a folder of its own, whose name would mean something in a URI. */
function newFile(): string {
  const folder = newPath("50% of #1? é");
  mkdirSync(folder);
  return join(folder, "a file.db");
}

/** Another process that reads a file for so many milliseconds, or until it is told to go. */
async function readElsewhere(path: string, ...moment: readonly number[]) {
  const args = [READER, path, String(OURS.applicationId), ...moment.map(String)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const gone = once(child, "exit");
  const tellToGo = (): Promise<unknown> => {
    child.stdin.end();
    return gone;
  };
  return { gone, tellToGo };
}

describe("a file that is only read", () => {
  it("shows what its writer has committed by now", () => {
    const path = newFile();
    const writer = openDatabase(path, OURS);
    writer.exec("INSERT INTO t VALUES (1)");
    const reader = openForReading(path, OURS);
    const count = reader.prepare<[number]>("SELECT count(*) FROM t");
    expect(count.all()).toEqual([[1]]);
    writer.exec("INSERT INTO t VALUES (2)");
    expect(count.all()).toEqual([[2]]);
    reader.close();
    writer.close();
  });

  it("can't be written to", () => {
    const path = newFile();
    openDatabase(path, OURS).close();
    const reader = openForReading(path, OURS);
    expect(() => reader.exec("INSERT INTO t VALUES (1)")).toThrow(/SQLITE_READONLY/);
    reader.close();
  });

  it("isn't made where it isn't there", () => {
    const path = newFile();
    const missing = expect.objectContaining({ kind: "missing" });
    expect(() => openForReading(path, OURS)).toThrow(missing);
    expect(isLockedExclusively(path)).toBe(false);
    expect(existsSync(path)).toBe(false);
  });

  it("is ours, and has something in it", () => {
    const path = newFile();
    const foreign = expect.objectContaining({ kind: "foreign" });
    writeFileSync(path, "");
    expect(() => openForReading(path, OURS)).toThrow(foreign);
    rmSync(path);
    openDatabase(path, { ...OURS, applicationId: 7 }).close();
    expect(() => openForReading(path, OURS)).toThrow(foreign);
  });

  it("is brought back first where a killed writer left half a change", () => {
    const path = newFile();
    const writer = openDatabase(path, { ...OURS, journal: "none" });
    writer.exec("INSERT INTO t VALUES (1)");
    writer.exec("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN");
    // More than a page of memory: what isn't committed is in the file, what was there in its journal.
    writer.exec("UPDATE t SET x = 2; CREATE TABLE more (y)");
    const insert = writer.prepare("INSERT INTO more VALUES (?)");
    for (let row = 0; row < 200; row += 1) insert.run("x".repeat(500));
    const copy = newFile();
    for (const suffix of ["", "-journal"]) {
      copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
    }
    const reader = openForReading(copy, OURS);
    expect(reader.prepare("SELECT x FROM t").all()).toEqual([[1]]);
    expect(reader.prepare("SELECT name FROM sqlite_master").all()).toEqual([["t"]]);
    reader.close();
    writer.exec("ROLLBACK");
    writer.close();
  });
});

describe("the end of a writer", () => {
  it("waits for who reads the file, and folds it then", async () => {
    const path = newFile();
    const writer = openDatabase(path, { ...OURS, foldWaitMs: 20_000 });
    writer.exec("INSERT INTO t VALUES (1)");
    const { gone } = await readElsewhere(path, 200);
    writer.close();
    expect(readdirSync(join(path, ".."))).toEqual(["a file.db"]);
    await gone;
  });

  it("comes at once where it isn't told to wait, with nothing lost", async () => {
    const path = newFile();
    const writer = openDatabase(path, OURS);
    writer.exec("INSERT INTO t VALUES (1)");
    const { tellToGo } = await readElsewhere(path);
    writer.close();
    expect(existsSync(`${path}-wal`)).toBe(true);
    await tellToGo();
    const again = openDatabase(path, OURS);
    expect(again.prepare("SELECT count(*) FROM t").all()).toEqual([[1]]);
    again.close();
  });
});
