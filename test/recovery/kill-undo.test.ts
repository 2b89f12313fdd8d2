import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { startCoreServer } from "../../src/core/http/server.js";
import { csvOf } from "../run/support/run.js";
import { readers } from "../run/support/people.js";
import { BIN, runProcess } from "../support/cli.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const KILLS = repeated({ variable: "AUTH_MIGRATE_KILLS", few: 1, full: 50 });
const USERS = 40 * KILLS;
const API_KEY = "kill-test-key-kill-test-key";
const path = temporaryPaths();

it(
  "kill -9 in the middle of an undo loses nobody: the same undo goes on, and a stranger stays",
  async () => {
    const csv = path("readers.csv");
    writeFileSync(csv, csvOf(readers(USERS)));
    const embedded = openEmbeddedCore({ file: path("core.db") });
    let calls = 0;
    let onCall = (): void => {};
    const counted = {
      ...embedded,
      removeUser(userId: string) {
        calls += 1;
        onCall();
        return embedded.removeUser(userId);
      },
    };
    const listening = { host: "127.0.0.1", port: 0, apiKeys: [API_KEY] };
    const server = await startCoreServer(counted, listening);
    await embedded.consumeCode(await embedded.createCode({ email: "stranger@example.com" }));
    const env = { AUTH_MIGRATE_API_KEY: API_KEY };
    const inFolder = { cwd: dirname(csv), env };
    const where = ["--core", server.url, "--checkpoint", path("checkpoint"), "--json"];
    const imported = await runProcess(["import", csv, ...where], inFolder);
    expect(imported.code, imported.stderr).toBe(0);
    expect(await embedded.countUsers()).toBe(USERS + 1);

    const undoing = ["undo", ...where, "--yes", "--assume-never-signed-in"];
    let killed = 0;
    for (let run = 0; run < KILLS; run += 1) {
      const killAt = calls + Math.ceil((USERS / (KILLS + 1)) * (0.2 + Math.random()));
      const child = spawn(process.execPath, [BIN, ...undoing], {
        stdio: "ignore",
        env: { PATH: process.env.PATH, ...env },
      });
      onCall = () => void (calls >= killAt && child.kill("SIGKILL"));
      const [, signal] = await once(child, "exit");
      if (signal === "SIGKILL") killed += 1;
    }
    onCall = () => {};
    expect(killed).toBeGreaterThanOrEqual(KILLS / 2);

    const last = await runProcess(undoing, inFolder);
    expect(last.code, last.stderr).toBe(0);
    expect(await embedded.countUsers()).toBe(1);
    const again = await runProcess(["import", csv, ...where], inFolder);
    expect(again.code, again.stderr).toBe(0);
    expect(await embedded.countUsers()).toBe(USERS + 1);
    await server.close();
    await embedded.close();
  },
  120_000 + KILLS * 20_000,
);
