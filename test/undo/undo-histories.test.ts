import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { openReport } from "../../src/checkpoint/report-source.js";
import type { Core } from "../../src/core/core.js";
import { CoreFailure } from "../../src/core/core-failure.js";
import { type EmbeddedCore, openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import type { CoreUser } from "../../src/core/user.js";
import type { RowEvent } from "../../src/events/events.js";
import { importUsers } from "../../src/run/import-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { type Undone, undoUsers } from "../../src/undo/undo-users.js";
import { Vault } from "../../src/vault/vault.js";
import { quickTiming } from "../recovery/quick-timing.js";
import { allUsers, csvOf, ELSEWHERE, type Row, singly } from "../run/support/run.js";
import { bcryptOf } from "../run/support/hashes.js";
import { type Random, randomFrom } from "../support/random.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const HISTORIES = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 10, full: 80 });
const newPath = temporaryPaths();

const LEFT_BY_RUNS = ["core.db", "checkpoint", "vault"].flatMap((name) => [
  ...[name, `${name}-wal`],
  // Where there is no lock, a run looks at the file before it opens it.
  `${name}.lock`,
]);
const HASHES = [1, 2, 3].map((seed) => bcryptOf(seed));
/** Hashes that no core takes: their users get a stand-in. */
const OLD_HASHES = ["sea", "salt"].map(
  (salt) => `pbkdf2_sha256$1$${salt}$${Buffer.alloc(32, salt).toString("base64")}`,
);
const VAULT_KEY = Buffer.alloc(32, 7);
/** As often a call is made that is answered by a 500. */
const ATTEMPTS = 3;
const USERS = 6;

/**
 * What befalls a run at one of its calls: its process is killed before or after it, or the core answers
 * 500 without or with having done it; null for nothing.
 */
interface Fault {
  readonly call: number;
  readonly when: "before" | "after";
  readonly what: "kill" | "500";
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** A core, a checkpoint and a vault, strangers who sign up beside, and processes that are killed. */
class Scene {
  /** The ids of users whom no import made. */
  readonly strangers = new Set<string>();
  /** The ids of those who have signed in, whoever made them. */
  readonly inUse = new Set<string>();
  /** Which contacts each of the vendor's users had in any export. */
  readonly contacts = new Map<string, Set<string>>();
  /** The ids of strangers whose password an import replaced. */
  readonly replaced = new Set<string>();
  /** Of users with a stand-in what it is, by their ids. */
  readonly #standIns = new Map<string, string>();
  /** The emails of users with a stand-in whom undos have removed since the last import. */
  readonly #removed = new Set<string>();
  readonly #random: Random;
  readonly #onExisting: "skip" | "update";
  #folder = newFolder();
  #core = this.#open();

  constructor(random: Random) {
    this.#random = random;
    this.#onExisting = random.pick(["skip", "update"] as const);
  }

  /** @returns whether it was killed: what stands on the disk at that moment is all that stays */
  async #befallen(
    fault: Fault | null,
    work: (core: Core, signal: AbortSignal) => Promise<unknown>,
  ) {
    const stop = new AbortController();
    const remains = newFolder();
    let calls = 0;
    const end = (): void => {
      copyFiles(this.#folder, remains);
      stop.abort();
    };
    const befall = (when: Fault["when"], call: number): void => {
      if (fault === null || fault.when !== when || call < fault.call) return;
      if (fault.what === "kill" && call === fault.call) end();
      if (fault.what === "500" && call < fault.call + ATTEMPTS) {
        throw new CoreFailure("broken", "not now", { reached: "yes", status: 500 });
      }
    };
    const around = async <T>(make: () => Promise<T>): Promise<T> => {
      calls += 1;
      const call = calls;
      befall("before", call);
      if (stop.signal.aborted) throw new Error("killed");
      const answer = await make();
      // The remains may be without it.
      if (stop.signal.aborted) throw new Error("killed");
      befall("after", call);
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

  async import(rows: readonly Row[], fault: Fault | null = null): Promise<void> {
    for (const { id = "", email, phone } of rows) {
      const known = this.contacts.get(id) ?? new Set();
      for (const contact of [email, phone]) if (contact !== undefined) known.add(contact);
      this.contacts.set(id, known);
    }
    const path = join(this.#folder, "users.csv");
    writeFileSync(path, csvOf(rows));
    this.#removed.clear();
    const policy = {
      onUnusableHash: "bridge",
      onExisting: this.#onExisting,
      changeKind: true,
      assumeNeverSignedIn: true,
    } as const;
    await this.#befallen(fault, async (core, signal) => {
      const inputs = await openInputs([path]);
      await importUsers({ ...this.#options(core), inputs, policy, signal, concurrency: 4 });
    });
  }

  /** @returns who was told to stay, and what it came to; null where it was killed */
  async undo(fault: Fault | null = null, assumeNeverSignedIn = true) {
    const told: RowEvent[] = [];
    const undos: Undone[] = [];
    const { brought, bridged } = this.#report();
    const followsKill = existsSync(join(this.#folder, "checkpoint-wal"));
    const isKilled = await this.#befallen(fault, async (core, signal) => {
      const watched: Core = {
        ...core,
        // The first call. In this process what looked for the core's name holds the file of a killed
        // run until it is collected, and the undo's end would wait a second for it.
        probe: async () => {
          if (followsKill) collectGarbage();
          await turn();
          return core.probe();
        },
        removeUser: async (userId) => {
          // A vault that has nobody's hash as far as the checkpoint knows isn't asked for.
          const isKept = bridged > 0 && this.#standIns.has(userId);
          const user = isKept ? await this.#core.getUser(userId) : null;
          if (user?.email !== undefined) this.#removed.add(user.email);
          return core.removeUser(userId);
        },
      };
      const undone = await undoUsers({
        ...this.#options(watched),
        ...{ signal, assumeNeverSignedIn },
        onEvent: (event) => {
          if (event.type === "skip" || event.type === "failure") told.push(event);
        },
      });
      undos.push(undone);
    });
    const undone = isKilled ? undefined : undos[0];
    await this.#requireStandIns(undone !== undefined && undone.failed === 0);
    if (undone === undefined) return null;
    expect(undone.users).toBe(brought.length);
    const { removed, gone, failed, left, users, queued } = undone;
    expect(removed + gone + failed + left).toBeGreaterThanOrEqual(users + queued);
    return { told, removed };
  }

  /** Who is at the core by a stand-in signs in through the bridge, and of who was removed the vault has nothing. */
  async #requireStandIns(isFinished: boolean): Promise<void> {
    const users = await this.users();
    const bridged = users.filter(({ userId }) => this.#standIns.has(userId));
    const path = join(this.#folder, "vault");
    if (!existsSync(path)) return expect(bridged).toEqual([]);
    const vault = Vault.open(path, { key: VAULT_KEY, binding: null, mustExist: true });
    for (const { userId, email = "" } of bridged) {
      const hashes = vault.get(email)?.standIns.map(({ hash }) => hash);
      expect(hashes, email).toContain(this.#standIns.get(userId));
    }
    const there = new Set(users.map(({ email }) => email));
    for (const email of isFinished ? this.#removed : []) {
      if (!there.has(email)) expect(vault.get(email), email).toBeNull();
    }
    vault.close();
  }

  #options(core: Core) {
    const binding = { kind: "embedded", coreId: this.#core.coreId } as const;
    const vault = { path: join(this.#folder, "vault"), key: VAULT_KEY };
    const timing = quickTiming(() => this.#random.below(1000) / 1000, 1000);
    return { core, binding, checkpoint: join(this.#folder, "checkpoint"), vault, timing };
  }

  /** Somebody signs in by a code, or signs up. */
  async enters(email: string): Promise<void> {
    const answer = await this.#core.consumeCode(await this.#core.createCode({ email }));
    if (answer.status !== "OK") return;
    (answer.createdNewUser ? this.strangers : this.inUse).add(answer.user.userId);
  }

  /** Somebody signs up by a password, unless the email has one. */
  async signsUp(email: string): Promise<void> {
    const found = await this.#core.findUsers({ email });
    if (found.some(({ recipe }) => recipe === "emailpassword")) return;
    const { user } = await this.#core.importUser({ email, passwordHash: bcryptOf(9) });
    this.strangers.add(user.userId);
  }

  users(): Promise<CoreUser[]> {
    return allUsers(this.#core);
  }

  /** The core's ids of whom the checkpoint takes for brought. */
  brought(): string[] {
    return this.#report().brought.flatMap(({ coreId }) => coreId ?? []);
  }

  #report() {
    // A copy: in this process, who reads the file itself has the next run wait a second at its end.
    const folder = newFolder();
    copyFiles(this.#folder, folder);
    const report = openReport(join(folder, "checkpoint"));
    const brought = [...report.migrated()].filter(({ isNew }) => isNew);
    const { bridged } = report.status;
    report.close();
    return { brought, bridged };
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
      importUser: async (request) => {
        const answer = await around(async () => {
          const made = await core.importUser(request);
          this.#standIns.delete(made.user.userId);
          return made;
        });
        const { userId } = answer.user;
        const { passwordHash } = request;
        if (this.strangers.has(userId)) this.replaced.add(userId);
        if (passwordHash.startsWith("$argon2")) this.#standIns.set(userId, passwordHash);
        return answer;
      },
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

/** As a kill leaves them. */
function copyFiles(from: string, to: string): void {
  for (const name of LEFT_BY_RUNS) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}

/** Users are told apart by their ids, and may have each other's contacts. */
function rowOf(random: Random, user: number): Row {
  const has = (): number => (random.chance(1, 4) ? random.below(USERS) : user);
  return {
    id: `u-${user}`,
    email: `reader.${has()}@example.com`,
    emailVerified: random.pick(["true", "true", ""]),
    hash: random.chance(1, 2) ? random.pick([...HASHES, ...OLD_HASHES]) : "",
    disabled: random.chance(1, 8) ? "true" : "",
    ...(random.chance(1, 3) ? { phone: `+1555010${1000 + has()}` } : {}),
  };
}

const faultOf = (random: Random): Fault => ({
  call: 1 + random.below(8),
  when: random.pick(["before", "after"] as const),
  what: random.pick(["kill", "kill", "500"] as const),
});

it.each(Array.from({ length: HISTORIES }, (_, seed) => seed))(
  "an undo removes nobody else, and leaves nobody of ours untold, whatever went before (%i)",
  async (seed) => {
    const random = randomFrom(seed);
    const scene = new Scene(random);
    onTestFinished(() => scene.close());
    const someEmail = (): string => `reader.${random.below(USERS + 2)}@example.com`;
    if (random.chance(1, 2)) await scene.signsUp(someEmail());
    let rows: Row[] = Array.from({ length: USERS }, (_, user) => rowOf(random, user));
    await scene.import(rows, random.chance(1, 3) ? faultOf(random) : null);
    for (let step = random.below(6); step > 0; step -= 1) {
      const what = random.below(6);
      if (what === 0)
        rows = rows.map((row, user) => (random.chance(1, 3) ? rowOf(random, user) : row));
      if (what <= 1) await scene.import(rows, random.chance(1, 2) ? faultOf(random) : null);
      else if (what <= 3) await scene.enters(someEmail());
      else if (what === 4) await scene.signsUp(someEmail());
      else {
        await scene.undo(faultOf(random));
        // One that ends leaves nothing begun, also without the word that the first one had.
        await scene.undo(null, random.chance(1, 2));
      }
    }
    if (random.chance(2, 3)) await scene.import(rows);

    const stay = (await scene.users()).filter(
      ({ userId }) => scene.strangers.has(userId) || scene.inUse.has(userId),
    );
    for (let faults = random.below(3); faults > 0; faults -= 1) await scene.undo(faultOf(random));
    if (random.chance(1, 3)) await scene.undo(null, false);
    const end = await scene.undo();
    const left = await scene.users();
    expect(left).toEqual(expect.arrayContaining(stay));
    const told = new Set(
      end?.told.flatMap(({ sourceId }) => [...(scene.contacts.get(sourceId ?? "") ?? [])]),
    );
    for (const { userId, email = "", phoneNumber = "" } of left) {
      if (scene.strangers.has(userId) && !scene.replaced.has(userId)) continue;
      expect(told.has(email) || told.has(phoneNumber), `${email} ${phoneNumber}`).toBe(true);
    }
    expect((await scene.undo())?.removed).toBe(0);

    await scene.import(rows);
    const ids = (await scene.users()).map(({ userId }) => userId);
    expect(ids).toEqual(expect.arrayContaining(scene.brought()));
  },
);
