import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { DATA_FILE } from "../../../src/core/embedded/sqlite/schema.js";
import { openDatabase } from "../../../src/sqlite/database.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { repeated } from "../../support/repeated.js";

const path = temporaryPaths();
const SCRIPT = fileURLToPath(new URL("../../support/import-until-killed.mjs", import.meta.url));
const BUILT = fileURLToPath(
  new URL("../../../dist/core/embedded/embedded-core.js", import.meta.url),
);
const KILLS = repeated({ variable: "AUTH_MIGRATE_TEST_KILLS", few: 1, full: 4 });
const { password, passwordHash } = KNOWN_HASHES.bcrypt;

/** The emails that were acknowledged before the process was killed, which it is after `count`. */
function importAndKill(file: string, run: number, count: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SCRIPT, file, String(run), passwordHash], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += String(chunk);
      if (text.split("\n").length > count) child.kill("SIGKILL");
    });
    child.on("close", (code, signal) => {
      // What comes after the last line feed was cut off in the middle.
      if (signal === "SIGKILL") resolve(text.split("\n").slice(0, -1));
      else reject(new Error(`the importing process ended with ${code}`));
    });
  });
}

describe("a killed embedded core", () => {
  it("has every user whose import was answered", async () => {
    expect(existsSync(BUILT), "run npm run build first").toBe(true);
    const file = path("core.db");
    const acknowledged: string[] = [];
    for (let run = 1; run <= KILLS; run += 1) {
      acknowledged.push(...(await importAndKill(file, run, Math.ceil(Math.random() * 2000))));
      const core = openEmbeddedCore({ file, mustExist: true });
      const found = await Promise.all(acknowledged.map((email) => core.findUsers({ email })));
      expect(found.filter((users) => users.length !== 1)).toEqual([]);
      expect(await core.countUsers()).toBeLessThanOrEqual(acknowledged.length + 64 * run);
      const email = acknowledged.at(-1) ?? "";
      expect(await core.signIn({ email, password })).toMatchObject({ status: "OK" });
      await core.close();
      expect(existsSync(`${file}-wal`)).toBe(false);
    }
    const database = openDatabase(file, DATA_FILE);
    expect(database.prepare("PRAGMA integrity_check").all()).toEqual([["ok"]]);
    database.close();
  });
});
