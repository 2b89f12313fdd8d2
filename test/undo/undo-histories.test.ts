import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openReport } from "../../src/checkpoint/report-source.js";
import type { Core } from "../../src/core/core.js";
import { type EmbeddedCore, openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import type { CoreUser } from "../../src/core/user.js";
import type { RowEvent } from "../../src/events/events.js";
import { importUsers } from "../../src/run/import-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { undoUsers } from "../../src/undo/undo-users.js";
import { allUsers, csvOf, ELSEWHERE, type Row, singly } from "../run/support/run.js";
import { bcryptOf } from "../run/support/hashes.js";
import { type Random, randomFrom } from "../support/random.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const HISTORIES = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 10, full: 80 });
const newPath = temporaryPaths();

const LEFT_BY_RUNS = ["core.db", "core.db-wal", "checkpoint", "checkpoint-wal"];
const HASHES = [1, 2, 3].map((seed) => bcryptOf(seed));
const USERS = 6;

/** The call at which a process is killed, before or after it; null for none. */
interface Kill {
  readonly call: number;
  readonly when: "before" | "after";
}

/** A core and a checkpoint, strangers who sign up beside, and processes that are killed. */
class Scene {
  /** The ids of users whom no import made. */
  readonly strangers = new Set<string>();
  /** The ids of those who have signed in, whoever made them. */
  readonly inUse = new Set<string>();
  /** Which contacts each of the vendor's users had in any export. */
  readonly contacts = new Map<string, Set<string>>();
  #folder = newFolder();
  #core = this.#open();

  /** @returns whether it was killed: what stands on the disk at that moment is all that stays */
  async #killed(kill: Kill | null, work: (core: Core, signal: AbortSignal) => Promise<unknown>) {
    const stop = new AbortController();
    const remains = newFolder();
    let left = kill?.call ?? 0;
    const end = (): void => {
      for (const name of LEFT_BY_RUNS) {
        const path = join(this.#folder, name);
        if (existsSync(path)) copyFileSync(path, join(remains, name));
      }
      stop.abort();
    };
    const around = async <T>(make: () => Promise<T>): Promise<T> => {
      left -= 1;
      if (left === 0 && kill?.when === "before") end();
      if (stop.signal.aborted) throw new Error("killed");
      const answer = await make();
      if (left === 0 && kill?.when === "after") end();
      return answer;
    };
    await work(this.#watched(around), stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    if (!stop.signal.aborted) return false;
    await this.close();
    this.#folder = remains;
    this.#core = this.#open();
    return true;
  }

  async import(rows: readonly Row[], kill: Kill | null = null): Promise<void> {
    for (const { id = "", email, phone } of rows) {
      const known = this.contacts.get(id) ?? new Set();
      for (const contact of [email, phone]) if (contact !== undefined) known.add(contact);
      this.contacts.set(id, known);
    }
    const path = join(this.#folder, "users.csv");
    writeFileSync(path, csvOf(rows));
    await this.#killed(kill, async (core, signal) => {
      const inputs = await openInputs([path]);
      await importUsers({ ...this.#options(core), inputs, signal, concurrency: 4 });
    });
  }

  /** @returns who was told to stay, and how many were removed; null where it was killed */
  async undo(kill: Kill | null = null) {
    const told: RowEvent[] = [];
    let removed = 0;
    const isKilled = await this.#killed(kill, async (core, signal) => {
      const undone = await undoUsers({
        ...this.#options(core),
        ...{ signal, assumeNeverSignedIn: true },
        onEvent: (event) => {
          if (event.type === "skip" || event.type === "failure") told.push(event);
        },
      });
      removed = undone.removed;
    });
    return isKilled ? null : { told, removed };
  }

  #options(core: Core) {
    const binding = { kind: "embedded", coreId: this.#core.coreId } as const;
    return { core, binding, checkpoint: join(this.#folder, "checkpoint") };
  }

  /** Somebody signs in by a code, or signs up. */
  async enters(email: string): Promise<void> {
    const answer = await this.#core.consumeCode(await this.#core.createCode({ email }));
    if (answer.status !== "OK") return;
    (answer.createdNewUser ? this.strangers : this.inUse).add(answer.user.userId);
  }

  users(): Promise<CoreUser[]> {
    return allUsers(this.#core);
  }

  /** The core's ids of whom the checkpoint takes for brought. */
  brought(): string[] {
    const report = openReport(join(this.#folder, "checkpoint"));
    const ids = [...report.migrated()].flatMap(({ isNew, coreId }) =>
      isNew ? (coreId ?? []) : [],
    );
    report.close();
    return ids;
  }

  close(): Promise<void> {
    return this.#core.close();
  }

  #open(): EmbeddedCore {
    return openEmbeddedCore({ file: join(this.#folder, "core.db") });
  }

  #watched(around: <T>(make: () => Promise<T>) => Promise<T>): Core {
    const core = singly(this.#core);
    return {
      ...core,
      // Where strangers may come at any time, so that a run looks everybody up.
      target: ELSEWHERE,
      importUser: (request) => around(() => core.importUser(request)),
      consumeCode: (request) => around(() => core.consumeCode(request)),
      updateUser: (request) => around(() => core.updateUser(request)),
      removeUser: (userId) => around(() => core.removeUser(userId)),
    };
  }
}

function newFolder(): string {
  const folder = newPath("undo");
  mkdirSync(folder);
  return folder;
}

/** Users are told apart by their ids, and may have each other's contacts. */
function rowOf(random: Random, user: number): Row {
  const has = (): number => (random.chance(1, 4) ? random.below(USERS) : user);
  return {
    id: `u-${user}`,
    email: `reader.${has()}@example.com`,
    emailVerified: random.pick(["true", "true", ""]),
    hash: random.chance(1, 2) ? random.pick(HASHES) : "",
    ...(random.chance(1, 3) ? { phone: `+1555010${1000 + has()}` } : {}),
  };
}

const killOf = (random: Random): Kill => ({
  call: 1 + random.below(8),
  when: random.pick(["before", "after"] as const),
});

it.each(Array.from({ length: HISTORIES }, (_, seed) => seed))(
  "an undo removes nobody else, and leaves nobody of ours untold, whatever went before (%i)",
  async (seed) => {
    const random = randomFrom(seed);
    const scene = new Scene();
    onTestFinished(() => scene.close());
    let rows: Row[] = Array.from({ length: USERS }, (_, user) => rowOf(random, user));
    await scene.import(rows, random.chance(1, 3) ? killOf(random) : null);
    for (let step = random.below(6); step > 0; step -= 1) {
      const what = random.below(5);
      if (what === 0)
        rows = rows.map((row, user) => (random.chance(1, 3) ? rowOf(random, user) : row));
      if (what <= 1) await scene.import(rows, random.chance(1, 2) ? killOf(random) : null);
      else if (what <= 3) await scene.enters(`reader.${random.below(USERS + 2)}@example.com`);
      else await scene.undo(killOf(random));
      // A run that was killed while users were removed is finished before the next import.
      if (what === 4) await scene.undo();
    }
    await scene.import(rows);

    const stay = (await scene.users()).filter(
      ({ userId }) => scene.strangers.has(userId) || scene.inUse.has(userId),
    );
    for (let kills = random.below(3); kills > 0; kills -= 1) await scene.undo(killOf(random));
    const end = await scene.undo();
    const left = await scene.users();
    expect(left).toEqual(expect.arrayContaining(stay));
    const told = new Set(
      end?.told.flatMap(({ sourceId }) => [...(scene.contacts.get(sourceId ?? "") ?? [])]),
    );
    for (const { userId, email = "", phoneNumber = "" } of left) {
      if (scene.strangers.has(userId)) continue;
      expect(told.has(email) || told.has(phoneNumber), `${email} ${phoneNumber}`).toBe(true);
    }
    expect((await scene.undo())?.removed).toBe(0);

    await scene.import(rows);
    const ids = (await scene.users()).map(({ userId }) => userId);
    expect(ids).toEqual(expect.arrayContaining(scene.brought()));
  },
);
