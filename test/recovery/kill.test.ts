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
/** Fewer where ids are kept, which the same kills find in flight as well. */
const USERS_WITH_IDS = Math.ceil(USERS / 4);
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
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/**
 * What of the users whose outcome is durable must not be called for again: their first contacts,
 * and the ids that are mapped.
 */
function durableSubjects(): Set<string> {
  const database = openDatabase(checkpoint, {
    applicationId: CHECKPOINT_APPLICATION_ID,
    migrations: CHECKPOINT_MIGRATIONS,
  });
  const ids = database
    .prepare<[string]>("SELECT source_id FROM users WHERE state IN (2, 3, 4)")
    .all();
  const mapped = database.prepare<[string]>("SELECT source_id FROM users WHERE mapped = 1").all();
  database.close();
  const finished = new Set(ids.map(([id]) => id));
  const contacts = people
    .filter(({ id }) => finished.has(id))
    .map(({ email, phone }) => email || phone);
  return new Set([...contacts, ...mapped.map(([id]) => id)]);
}

/** Every user is there once, with what the export says of contacts, and where ids are kept by its id. */
async function expectEveryoneOnce(core: Core, keepIds: boolean): Promise<void> {
  const found = new Map<string, { id: string; email: string; phone: string }>();
  let paginationToken: string | undefined;
  do {
    const page = await core.listUsers({
      limit: 500,
      ...(paginationToken === undefined ? {} : { paginationToken }),
    });
    for (const { userId, email = "", phoneNumber = "" } of page.users) {
      expect(found.has(email || phoneNumber)).toBe(false);
      const id = keepIds ? userId : "";
      found.set(email || phoneNumber, { id, email, phone: phoneNumber });
    }
    paginationToken = page.nextPaginationToken;
  } while (paginationToken !== undefined);
  expect(found.size).toBe(people.length);
  for (const { id, email, phone, hash } of people) {
    const expected = { id: keepIds ? id : "", email, phone: hash === "" ? phone : "" };
    expect(found.get(email || phone)).toEqual(expected);
  }
}

function expectWholeSum(summary: ImportSummary): void {
  const { imported, created, existed, unchanged, skipped, rejected, failed, pending } = summary;
  const rest = [existed, skipped, rejected, failed, pending];
  expect(rest).toEqual([0, 0, 0, 0, 0]);
  expect(imported + created + unchanged).toBe(people.length);
  expect(summary.read).toBe(people.length);
  expect(summary.notices).not.toHaveProperty("id_not_kept");
}

/** After how many calls a run is killed: so many that all runs together leave some for the last. */
const somewhere = (): number =>
  Math.floor((people.length / (KILLS + 1)) * (0.1 + Math.random() * 0.5));

/** Which runs keep ids; the last one does where any does. */
const VARIANTS: readonly (readonly [string, number, (run: number) => boolean])[] = [
  ["", USERS, () => false],
  [", and keeps its ids", USERS_WITH_IDS, () => true],
  [", and keeps its ids although that was asked for later", USERS_WITH_IDS, (run) => run > 1],
];

describe("kill -9 in the middle of an import", () => {
  it.each(VARIANTS)(
    "embedded: the same command again finishes every user exactly once and sends no finished user again%s",
    async (_what, users, keepsIds) => {
      people = writeCrowd(csv, users);
      const log = join(directory, "calls.log");
      writeFileSync(log, "");
      const finishedAt: { readonly line: number; readonly subjects: Set<string> }[] = [];
      let summary: ImportSummary | undefined;
      for (let kills = 0; summary === undefined; kills += 1) {
        const flags = keepsIds(kills) ? ["keep-ids"] : [];
        const child = spawn(
          process.execPath,
          [LOGGED_IMPORT, csv, data, checkpoint, log, ...flags],
          { stdio: ["ignore", "pipe", "inherit"] },
        );
        const killAt = kills < KILLS ? somewhere() : Number.POSITIVE_INFINITY;
        for await (const line of createInterface(child.stdout)) {
          if (line.startsWith("{")) summary = JSON.parse(line);
          else if (Number(line) >= killAt) child.kill("SIGKILL");
        }
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
        const lines = readFileSync(log, "utf8").split("\n").length - 1;
        finishedAt.push({ line: lines, subjects: durableSubjects() });
      }
      expectWholeSum(summary);
      expect(finishedAt.length).toBe(KILLS + 1);
      expect(finishedAt[KILLS - 1]?.subjects.size).toBeGreaterThan(0);

      const calls = readFileSync(log, "utf8").split("\n").slice(0, -1);
      for (const { line, subjects } of finishedAt) {
        const again = calls.slice(line).filter((call) => subjects.has(call.split(" ")[1] ?? ""));
        expect(again.length).toBe(0);
      }
      const core = openEmbeddedCore({ file: data, mustExist: true });
      await expectEveryoneOnce(core, keepsIds(KILLS));
      await core.close();
    },
    TIMEOUT_MS,
  );

  it.each(VARIANTS.slice(0, 2))(
    "remote: the same command again finishes every user exactly once and sends no finished user again%s",
    async (_what, users, keepsIds) => {
      people = writeCrowd(csv, users);
      const core = openEmbeddedCore({ file: data });
      const calls: string[] = [];
      let onCall = (): void => {};
      const log = (subject: string): void => {
        calls.push(subject);
        onCall();
      };
      const logged: Core = {
        ...core,
        importUser(request) {
          log(request.email);
          return core.importUser(request);
        },
        createCode(request) {
          log(request.email ?? request.phoneNumber);
          return core.createCode(request);
        },
        mapUserId(request) {
          log(request.externalUserId);
          return core.mapUserId(request);
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
        ...(keepsIds(0) ? ["--keep-ids"] : []),
      ];
      const finishedAt: { readonly line: number; readonly subjects: Set<string> }[] = [];
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
        finishedAt.push({ line: calls.length, subjects: durableSubjects() });
      }
      await server.close();
      expectWholeSum(summary);
      expect(finishedAt.length).toBe(KILLS + 1);
      for (const { line, subjects } of finishedAt) {
        // A call that was on the wire when its sender died may still arrive; it isn't a second one.
        const again = calls.slice(line).filter((subject) => subjects.has(subject));
        expect(again.length).toBe(0);
      }
      await expectEveryoneOnce(core, keepsIds(KILLS));
      await core.close();
    },
    TIMEOUT_MS,
  );
});
