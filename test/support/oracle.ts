/** The oracle of every recovery test: after the last run the core holds what a clean run leaves, each user has one outcome, none is told to be at the core before it is so, and no user who was queued or whose outcome was durable was called for again. */

import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { Core } from "../../src/core/core.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { DATA_FILE } from "../../src/core/embedded/sqlite/schema.js";
import { CHECKPOINT_FILE } from "../../src/checkpoint/schema.js";
import { MAPPED, STATE } from "../../src/plan/states.js";
import { createDigester, keyBlob } from "../../src/plan/digests.js";
import type { ImportSummary } from "../../src/events/summary.js";
import { importUsers } from "../../src/run/import-users.js";
import { openInputs } from "../../src/source/inputs.js";
import type { GivenImport } from "../../src/run/defaults.js";
import { type Database, openDatabase, type OpenOptions } from "../../src/sqlite/database.js";

/** The parts of an import that the clean run shares with the runs it judges. */
type Judged = Pick<GivenImport, "policy" | "hashConfig">;

/** What a run that nothing disturbs leaves behind. */
export interface CleanRun {
  readonly summary: ImportSummary;
  /** As {@link usersIn} has them. */
  readonly users: readonly string[];
}

export interface Oracle {
  /** Those who were called for, in order: a first contact, or `id` and the id that is to be kept. */
  readonly calls: readonly string[];
  /** One more call, by somebody who isn't watched. */
  note(subject: string): void;
  /** Hands on to a core and notes the calls that bring a user. */
  watch(core: Core): Core;
  /** Told after every run, however it ended, while nobody has the checkpoint open. */
  runEnded(): void;
  /** How many users were durable when the last run ended. */
  durable(): number;
  /** Told the summary of the last run, with all files closed. */
  expectRecovered(summary: ImportSummary): void;
}

/** @param data the core's data file */
export function createOracle(clean: CleanRun, data: string, checkpoint: string): Oracle {
  const calls: string[] = [];
  const ends: { readonly calls: number; readonly finished: Finished }[] = [];
  const note = (subject: string): void => void calls.push(subject);
  return {
    calls,
    note,
    watch: (core) => ({
      ...core,
      importUser(request) {
        note(request.email);
        return core.importUser(request);
      },
      createCode(request) {
        note(request.email ?? request.phoneNumber);
        return core.createCode(request);
      },
      mapUserId(request) {
        note(`id ${request.externalUserId}`);
        return core.mapUserId(request);
      },
      queueAccounts(accounts) {
        for (const { wayIn } of accounts) {
          note(wayIn.email ?? ("phoneNumber" in wayIn ? (wayIn.phoneNumber ?? "") : ""));
        }
        return core.queueAccounts(accounts);
      },
    }),
    runEnded() {
      // The checkpoint first: what the core gains meanwhile isn't told yet.
      const finished = finishedIn(checkpoint);
      expect(finished.notAmong(contactsIn(data))).toBe(0);
      ends.push({ calls: calls.length, finished });
    },
    durable: () => ends.at(-1)?.finished.size ?? 0,
    expectRecovered(summary) {
      expectSameEnd(summary, clean.summary);
      for (const { calls: before, finished } of ends) {
        const again = calls.slice(before).filter((subject) => finished.has(subject));
        expect(again).toEqual([]);
      }
      expect(usersIn(data)).toEqual(clean.users);
    },
  };
}

/** Imports files into a core of their own, undisturbed. */
export async function runClean(files: readonly string[], judged: Judged = {}): Promise<CleanRun> {
  const folder = mkdtempSync(join(tmpdir(), "auth-migrate-clean-"));
  try {
    const data = join(folder, "core.db");
    const core = openEmbeddedCore({ file: data, signerKey: judged.hashConfig?.signerKey ?? null });
    const summary = await importUsers({
      ...judged,
      inputs: await openInputs(files),
      core,
      checkpoint: join(folder, "checkpoint"),
      concurrency: 256,
    });
    await core.close();
    return { summary, users: usersIn(data) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Everybody in a data file as text, but for ids that the core gave and times. */
export function usersIn(data: string): string[] {
  const options = DATA_FILE;
  return inCopy(data, options, (database) =>
    database
      .prepare("SELECT recipe, email, phone_number, password_hash, external_user_id FROM user")
      .all()
      .map((user) => JSON.stringify(user))
      .sort(),
  );
}

/** The contacts of all users in a data file. */
function contactsIn(data: string): readonly (readonly ["email" | "phone", string])[] {
  if (!existsSync(data)) return [];
  const options = DATA_FILE;
  return inCopy(data, options, (database) =>
    database
      .prepare<[string | null, string | null]>("SELECT email, phone_number FROM user")
      .all()
      .flatMap(([email, phone]) => [
        ...(email === null ? [] : [["email", email] as const]),
        ...(phone === null ? [] : [["phone", phone] as const]),
      ]),
  );
}

/** Who has an outcome for good, or stands in the core's queue. */
interface Finished {
  readonly size: number;
  has(subject: string): boolean;
  /** How many contacts of users who are said to be at the core aren't among these. */
  notAmong(contacts: ReturnType<typeof contactsIn>): number;
}

function finishedIn(checkpoint: string): Finished {
  if (!existsSync(checkpoint)) return { size: 0, has: () => false, notAmong: () => 0 };
  const options = CHECKPOINT_FILE;
  return inCopy(checkpoint, options, (database) => {
    const texts = (sql: string): string[] =>
      database
        .prepare(sql)
        .all()
        .map(([value]) => (Buffer.isBuffer(value) ? value.toString("latin1") : String(value)));
    const [salt = ""] = texts("SELECT value FROM meta WHERE name = 'salt'");
    const { contact } = createDigester(salt);
    const contactsOf = (...states: readonly number[]): string[] =>
      texts(`SELECT key FROM user_keys JOIN users ON users.id = owner WHERE state IN (${states})`);
    const there = contactsOf(STATE.imported, STATE.created, STATE.existed);
    const keys = new Set([...there, ...contactsOf(STATE.queued)]);
    const ids = new Set(texts(`SELECT source_id FROM users WHERE mapped = ${MAPPED.yes}`));
    const keyOf = (kind: "email" | "phone", value: string) =>
      keyBlob(contact(kind, value)).toString("latin1");
    return {
      size: keys.size,
      has(subject) {
        if (subject.startsWith("id ")) return ids.has(subject.slice(3));
        return keys.has(keyOf(subject.startsWith("+") ? "phone" : "email", subject));
      },
      notAmong(contacts) {
        const at = new Set(contacts.map(([kind, value]) => keyOf(kind, value)));
        return there.filter((key) => !at.has(key)).length;
      },
    };
  });
}

/** Looks into a copy: what a dead process left behind is for the next run alone to recover. */
function inCopy<T>(file: string, options: OpenOptions, look: (database: Database) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "auth-migrate-look-"));
  try {
    const copy = join(folder, "copy");
    for (const end of ["", "-wal"]) {
      if (existsSync(file + end)) copyFileSync(file + end, copy + end);
    }
    const database = openDatabase(copy, options);
    try {
      return look(database);
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Everybody has one outcome: the clean run's, or `unchanged` where an earlier run brought them. */
function expectSameEnd(last: ImportSummary, clean: ImportSummary): void {
  const ends = ({ read, skips, rejects, skipped, rejected, ...rest }: ImportSummary) => {
    const { imported, created, unchanged, existed, failed, pending } = rest;
    const brought = imported + created + unchanged;
    return { read, skips, rejects, skipped, rejected, brought, existed, failed, pending };
  };
  expect(ends(last)).toEqual({ ...ends(clean), pending: 0, failed: 0, existed: 0 });
  expect(last.notices).not.toHaveProperty("id_not_kept");
}
