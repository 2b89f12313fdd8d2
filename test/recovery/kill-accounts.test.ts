import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import type { Core } from "../../src/core/core.js";
import { startCoreServer } from "../../src/core/http/server.js";
import { BIN, runProcess } from "../support/cli.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const USERS = repeated({ variable: "AUTH_MIGRATE_KILL_ACCOUNTS", few: 60, full: 400 });
const KILLS = repeated({ variable: "AUTH_MIGRATE_KILLS", few: 1, full: 10 });
const TIMEOUT_MS = 300_000 + KILLS * 30_000 + USERS * 100;
const API_KEY = "kill-test-key-kill-test-key";
const HASH = "$2b$05$K8fTGXk6.EXnmL83Zc20VOBWu3dKyj55dA.yvCUB7ydJbdnFTXWgm";
const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const path = temporaryPaths();

/** Every third comes without a password. Each has all parts, a device of their own among them. */
function rowOf(number: number): string {
  const device = [...String(number)].map((digit) => LETTERS[Number(digit)]).join("");
  const hash = number % 3 === 0 ? "" : HASH;
  const groups = number % 2 === 0 ? "member;editor" : "member";
  const account = `true,Reader ${number},en,${groups},${device.padEnd(4, "Z")}${SECRET}`;
  return `r-${number},reader.${number}@example.com,${account},${hash},2024-05-01T09:00:00Z`;
}

/** The last line of what a command tells. */
function summaryOf(stdout: string) {
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
}

/** The calls of a core that change something are counted. */
function counted(core: Core, onCall: () => void): Core {
  const told = <Asked extends unknown[], T>(call: (...asked: Asked) => Promise<T>) => {
    return (...asked: Asked): Promise<T> => {
      onCall();
      return call(...asked);
    };
  };
  return {
    ...core,
    importUser: told(core.importUser),
    createCode: told(core.createCode),
    consumeCode: told(core.consumeCode),
    part: told(core.part) as Core["part"],
  };
}

describe("kill -9 in the middle of an import of whole accounts", () => {
  it(
    "at a served core leaves everybody there once and every part once, as reconcile finds",
    async () => {
      const csv = path("readers.csv");
      const header = "id,email,email_verified,name,locale,groups,otp,password_hash,created_at";
      const rows = Array.from({ length: USERS }, (_, index) => rowOf(index + 1));
      writeFileSync(csv, `${[header, ...rows].join("\n")}\n`);
      const embedded = openEmbeddedCore({ file: path("core.db") });
      let calls = 0;
      let onCall = (): void => {};
      const core = counted(embedded, () => {
        calls += 1;
        onCall();
      });
      const listening = { host: "127.0.0.1", port: 0, apiKeys: [API_KEY] };
      const server = await startCoreServer(core, listening);
      const env = { AUTH_MIGRATE_API_KEY: API_KEY };
      const files = ["--core", server.url, "--checkpoint", path("checkpoint"), "--json"];
      const carried = ["--map", "roles=groups", "--map", "totp=otp", "--roles", "create"];
      const importing = ["import", csv, ...files, ...carried];

      let killed = 0;
      for (let run = 0; run < KILLS; run += 1) {
        const before = calls;
        // Some seven calls a user; some are left for the last run.
        const share = (USERS * 7) / (KILLS + 1);
        const killAt = before + Math.ceil(share * (0.2 + Math.random()));
        const child = spawn(process.execPath, [BIN, ...importing], {
          ...{ stdio: "ignore", env: { PATH: process.env.PATH, ...env } },
        });
        onCall = () => void (calls >= killAt && child.kill("SIGKILL"));
        const [, signal] = await once(child, "exit");
        if (signal === "SIGKILL") killed += 1;
      }
      onCall = () => {};
      expect(killed).toBeGreaterThanOrEqual(KILLS / 2);

      const inFolder = { cwd: dirname(csv), env };
      const last = await runProcess(importing, inFolder);
      expect(last.code, last.stderr).toBe(0);
      expect(await embedded.countUsers()).toBe(USERS);
      for (const number of [1, 2, 3, USERS]) {
        const [user] = await embedded.findUsers({ email: `reader.${number}@example.com` });
        const userId = user?.userId ?? "";
        expect(user?.isEmailVerified).toBe(true);
        expect((await embedded.part("listTotpDevices", { userId })).devices).toHaveLength(1);
      }

      const reconciling = ["reconcile", csv, ...files, ...carried, "--fields", "--sample", "all"];
      const compared = await runProcess(
        [...reconciling, "--carry", "verified,metadata,totp"],
        inFolder,
      );
      expect(compared.code, compared.stdout.slice(-2000)).toBe(0);
      expect(summaryOf(compared.stdout)).toMatchObject({ agreed: USERS, agrees: true });

      const again = await runProcess(importing, inFolder);
      const summary = summaryOf(again.stdout);
      expect(summary).toMatchObject({ unchanged: USERS, exitCode: 0 });
      expect(Object.values(summary.calls)).toEqual(Array(7).fill(0));
      await server.close();
      await embedded.close();
    },
    TIMEOUT_MS,
  );
});
