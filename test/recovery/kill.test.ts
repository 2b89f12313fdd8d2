import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Core, openEmbeddedCore } from "../../src/index.js";
import { startCoreServer } from "../../src/core/http/server.js";
import type { ImportSummary } from "../../src/migration/events.js";
import {
  CHECKPOINT_APPLICATION_ID,
  CHECKPOINT_MIGRATIONS,
} from "../../src/migration/checkpoint/schema.js";
import { openDatabase } from "../../src/sqlite/database.js";
import { type Person, writeCrowd } from "./crowd.js";

const USERS = Number(process.env.AUTH_MIGRATE_KILL_USERS ?? 20_000);
const KILLS = Number(process.env.AUTH_MIGRATE_KILLS ?? 5);
/** Six runs each, of real processes on a machine that may be busy. */
const TIMEOUT_MS = 300_000;
const CLI = fileURLToPath(new URL("../../bin/auth-migrate.js", import.meta.url));
const LOGGED_IMPORT = fileURLToPath(new URL("./import-with-call-log.mjs", import.meta.url));

let directory: string;
let csv: string;
let data: string;
let checkpoint: string;
let people: Person[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "auth-migrate-kill-"));
  csv = join(directory, "readers.csv");
  data = join(directory, "core.db");
  checkpoint = join(directory, "checkpoint");
  people = writeCrowd(csv, USERS);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The first contacts of the users whose outcome is durable: none of them may be called for again. */
function durableContacts(): Set<string> {
  const database = openDatabase(checkpoint, {
    applicationId: CHECKPOINT_APPLICATION_ID,
    migrations: CHECKPOINT_MIGRATIONS,
  });
  const ids = database
    .prepare<[string]>("SELECT source_id FROM users WHERE state IN (2, 3, 4)")
    .all();
  database.close();
  const finished = new Set(ids.map(([id]) => id));
  return new Set(
    people.filter(({ id }) => finished.has(id)).map(({ email, phone }) => email || phone),
  );
}

/** Every user is there once, with what the export says of contacts. */
async function expectEveryoneOnce(core: Core): Promise<void> {
  const found = new Map<string, { email: string; phone: string }>();
  let paginationToken: string | undefined;
  do {
    const page = await core.listUsers({
      limit: 500,
      ...(paginationToken === undefined ? {} : { paginationToken }),
    });
    for (const { email = "", phoneNumber = "" } of page.users) {
      expect(found.has(email || phoneNumber)).toBe(false);
      found.set(email || phoneNumber, { email, phone: phoneNumber });
    }
    paginationToken = page.nextPaginationToken;
  } while (paginationToken !== undefined);
  expect(found.size).toBe(USERS);
  for (const { email, phone, hash } of people) {
    expect(found.get(email || phone)).toEqual({ email, phone: hash === "" ? phone : "" });
  }
}

function expectWholeSum(summary: ImportSummary): void {
  const { imported, created, existed, unchanged, skipped, rejected, failed, pending } = summary;
  const rest = [existed, skipped, rejected, failed, pending];
  expect(rest).toEqual([0, 0, 0, 0, 0]);
  expect(imported + created + unchanged).toBe(USERS);
  expect(summary.read).toBe(USERS);
}

/** After how many calls a run is killed: so many that all runs together leave some for the last. */
const somewhere = (): number => Math.floor((USERS / (KILLS + 1)) * (0.1 + Math.random() * 0.5));

describe("kill -9 in the middle of an import", () => {
  it(
    "embedded: the same command again finishes every user exactly once and sends no finished user again",
    async () => {
      const log = join(directory, "calls.log");
      writeFileSync(log, "");
      const finishedAt: { readonly line: number; readonly contacts: Set<string> }[] = [];
      let summary: ImportSummary | undefined;
      for (let kills = 0; summary === undefined; kills += 1) {
        const child = spawn(process.execPath, [LOGGED_IMPORT, csv, data, checkpoint, log], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        const killAt = kills < KILLS ? somewhere() : Number.POSITIVE_INFINITY;
        for await (const line of createInterface(child.stdout)) {
          if (line.startsWith("{")) summary = JSON.parse(line);
          else if (Number(line) >= killAt) child.kill("SIGKILL");
        }
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
        const lines = readFileSync(log, "utf8").split("\n").length - 1;
        finishedAt.push({ line: lines, contacts: durableContacts() });
      }
      expectWholeSum(summary);
      expect(finishedAt.length).toBe(KILLS + 1);
      expect(finishedAt[KILLS - 1]?.contacts.size).toBeGreaterThan(0);

      const calls = readFileSync(log, "utf8").split("\n").slice(0, -1);
      for (const { line, contacts } of finishedAt) {
        const again = calls.slice(line).filter((call) => contacts.has(call.split(" ")[1] ?? ""));
        expect(again.length).toBe(0);
      }
      const core = openEmbeddedCore({ file: data, mustExist: true });
      await expectEveryoneOnce(core);
      await core.close();
    },
    TIMEOUT_MS,
  );

  it(
    "remote: the same command again finishes every user exactly once and sends no finished user again",
    async () => {
      const core = openEmbeddedCore({ file: data });
      const calls: string[] = [];
      let onCall = (): void => {};
      const logged: Core = {
        ...core,
        importUser(request) {
          calls.push(request.email);
          onCall();
          return core.importUser(request);
        },
        createCode(request) {
          calls.push(request.email ?? request.phoneNumber);
          onCall();
          return core.createCode(request);
        },
      };
      const keyFile = join(directory, "key");
      const apiKey = "kill-test-key-kill-test-key";
      writeFileSync(keyFile, apiKey);
      const server = await startCoreServer(logged, {
        host: "127.0.0.1",
        port: 0,
        apiKeys: [apiKey],
      });
      const parameters = [
        "import",
        csv,
        "--json",
        "--quiet",
        "--core",
        server.url,
        "--api-key-file",
        keyFile,
      ];
      const finishedAt: { readonly line: number; readonly contacts: Set<string> }[] = [];
      let summary: ImportSummary | undefined;
      for (let kills = 0; summary === undefined; kills += 1) {
        const child = spawn(process.execPath, [CLI, ...parameters, "--checkpoint", checkpoint], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        const killAt = calls.length + (kills < KILLS ? somewhere() : Number.POSITIVE_INFINITY);
        onCall = () => {
          if (calls.length >= killAt) child.kill("SIGKILL");
        };
        for await (const line of createInterface(child.stdout)) {
          const event = JSON.parse(line);
          if (event.type === "summary") summary = event;
        }
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
        finishedAt.push({ line: calls.length, contacts: durableContacts() });
      }
      await server.close();
      expectWholeSum(summary);
      expect(finishedAt.length).toBe(KILLS + 1);
      for (const { line, contacts } of finishedAt) {
        // A call that was on the wire when its sender died may still arrive; it isn't a second one.
        const again = calls.slice(line).filter((contact) => contacts.has(contact));
        expect(again.length).toBe(0);
      }
      await expectEveryoneOnce(core);
      await core.close();
    },
    TIMEOUT_MS,
  );
});
