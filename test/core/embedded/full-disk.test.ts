import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { DATA_FILE } from "../../../src/core/embedded/sqlite/schema.js";
import { openDatabase } from "../../../src/sqlite/database.js";
import { type CoreProcess, startCoreProcess } from "../../support/core-process.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

const path = temporaryPaths();
const { password, passwordHash } = KNOWN_HASHES.bcrypt;

/** Node ignores SIGXFSZ, so writing past the limit fails with EFBIG, as it would with ENOSPC. */
const FILE_SIZE = ["-S -f 1000"];
const prlimit = spawnSync("prlimit", ["--version"]).status === 0;

/** Imports, first eight at a time, then one by one, until nobody fits in: those whose import was answered. */
async function fillUp(core: CoreProcess): Promise<string[]> {
  const acknowledged: string[] = [];
  let next = 0;
  for (const size of [8, 1]) {
    for (let room = true; room; ) {
      const emails = Array.from({ length: size }, () => `user.${next++}@example.com`);
      const settled = await Promise.allSettled(
        emails.map((email) => core.call("importUser", { email, passwordHash })),
      );
      for (const [index, email] of emails.entries()) {
        const result = settled[index];
        if (result?.status === "fulfilled") acknowledged.push(email);
        else {
          expect(result?.reason).toMatchObject({ kind: "disk" });
          room = false;
        }
      }
    }
  }
  return acknowledged;
}

function integrityOf(file: string): unknown {
  const database = openDatabase(file, DATA_FILE);
  const result = database.prepare("PRAGMA integrity_check").all();
  database.close();
  return result;
}

describe("a core whose disk is full", () => {
  it("refuses what it can't write, answers what it can read, and has lost nobody after a kill", async () => {
    const file = path("core.db");
    const full = await startCoreProcess({ file }, FILE_SIZE);
    const acknowledged = await fillUp(full);
    const [email = ""] = acknowledged;
    expect(acknowledged.length).toBeGreaterThan(50);
    expect(await full.call("signIn", { email, password })).toMatchObject({ status: "OK" });
    expect(await full.call("countUsers", undefined)).toBe(acknowledged.length);
    await full.kill();

    const core = openEmbeddedCore({ file, mustExist: true });
    const found = await Promise.all(
      acknowledged.map((address) => core.findUsers({ email: address })),
    );
    expect(found.filter((users) => users.length !== 1)).toEqual([]);
    await core.importUser({ email: "with.room@example.com", passwordHash });
    expect(await core.countUsers()).toBe(acknowledged.length + 1);
    await core.close();
    expect(integrityOf(file)).toEqual([["ok"]]);
  });

  it.skipIf(!prlimit)("goes on by itself when there is room again (needs prlimit)", async () => {
    const file = path("core.db");
    const core = await startCoreProcess({ file }, FILE_SIZE);
    const acknowledged = await fillUp(core);
    const roomAgain = spawnSync("prlimit", ["--pid", String(core.pid), "--fsize=unlimited:"]);
    expect(roomAgain.stderr.toString()).toBe("");
    const later = Array.from({ length: 200 }, (_, index) => `later.${index}@example.com`);
    for (const email of later) await core.call("importUser", { email, passwordHash });
    expect(await core.call("countUsers", undefined)).toBe(acknowledged.length + later.length);
    await core.call("close", undefined);
    expect(integrityOf(file)).toEqual([["ok"]]);
  });
});
