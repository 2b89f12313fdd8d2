import { copyFileSync, existsSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { EmbeddedCore } from "../../src/core/embedded/assemble-core.js";
import { RunError } from "../../src/errors/run-error.js";
import { Vault } from "../../src/vault/vault.js";
import { fastFolder } from "../support/memory-folder.js";
import { type Random, randomFrom } from "../support/random.js";
import { repeated } from "../support/repeated.js";
import {
  type Migration,
  migrations,
  type RunChanges,
  removeDatabase,
} from "./support/migration.js";

const HISTORIES = repeated({ variable: "AUTH_MIGRATE_VAULT_HISTORIES", few: 2, full: 40 });
const STEPS = 7;
const WRONG = "another one";
const USERS = 4;
/** More moments than the longest run of these has. */
const MOMENTS = 60;

const migrationOf = migrations(fastFolder());

/** Called before and after each write to the vault and each call to the core. */
let tick = (): void => {};

beforeEach(() => {
  for (const name of ["countImport", "put", "erase"] as const) {
    const write: (...given: never[]) => Promise<unknown> = Vault.prototype[name];
    vi.spyOn(Vault.prototype, name).mockImplementation(async function (
      this: Vault,
      ...given: unknown[]
    ) {
      tick();
      const done = await write.apply(this, given as never[]);
      tick();
      return done as never;
    });
  }
});

afterEach(() => void vi.restoreAllMocks());

function ticking(core: EmbeddedCore): EmbeddedCore {
  const around = ([name, value]: [string, unknown]): [string, unknown] => {
    if (typeof value !== "function") return [name, value];
    const call = (...given: unknown[]): unknown => {
      tick();
      const answer: unknown = value(...given);
      if (!(answer instanceof Promise)) return answer;
      return answer.then((said: unknown) => {
        tick();
        return said;
      });
    };
    return [name, call];
  };
  return Object.fromEntries(Object.entries(core).map(around)) as unknown as EmbeddedCore;
}

type VaultFile = Migration["vault"];

/** One migration with whatever befalls its vault, and what each of its users may be let in by. */
class History {
  readonly #random: Random;
  readonly #migration: Migration;
  readonly #passwords: (string | undefined)[] = [];
  /** What users have set at the core, or the bridge has carried over. */
  readonly #own = new Map<number, string>();
  readonly #vaults: VaultFile[];
  readonly #copies: VaultFile[] = [];
  #made = 0;

  constructor(random: Random) {
    this.#random = random;
    for (let user = 0; user < USERS - 1; user += 1) this.#passwords.push(this.#newPassword());
    this.#migration = migrationOf(this.#passwords);
    this.#vaults = [{ ...this.#migration.vault }];
  }

  /** What befalls the vault, the export, or a user. */
  async step(): Promise<void> {
    const random = this.#random;
    const events: (() => Promise<void> | void)[] = [
      () => this.#edit(),
      () => this.#edit(),
      () => this.#lose(),
      () => this.#name(this.#newVault()),
      () => this.#name(random.pick(this.#vaults)),
      () => this.#copy(),
      () => this.#putBack(),
      () => this.#exchange(),
      () => this.#signIn(),
      () => this.#reset(),
    ];
    await random.pick(events)();
    const run: RunChanges = random.chance(1, 3)
      ? { onUnusableHash: "reseal" }
      : random.chance(1, 6)
        ? { onUnusableHash: "reject" }
        : {};
    if (random.chance(1, 3)) await this.#kill(run);
    else await this.run(run);
  }

  /** A run that is told to keep again what is lost, in a vault of its own, until nothing is left to do. */
  async repair(): Promise<void> {
    this.#name(this.#newVault());
    for (let left = 3; left > 0; left -= 1) await this.run({ onUnusableHash: "reseal" });
    const end = await this.run({});
    expect(end).toMatchObject({ rejected: 0, failed: 0 });
    expect(this.#migration.told).toEqual([]);
  }

  /** A run to its end. Whom it tells nothing of gets in. */
  async run(changes: RunChanges) {
    const summary = await this.#migration.run(changes).catch((error: unknown) => {
      // It has stopped before it sent anything, and says why.
      if (error instanceof RunError && error.code.startsWith("vault_")) return null;
      throw error;
    });
    if (summary === null) return null;
    const told = this.#migration.told.map((text) => Number(text.split(" ")[0]));
    const rows = this.#passwords.flatMap((password, user) => (password === undefined ? [] : user));
    const tries = rows.flatMap((user, at) => {
      if (told.includes(at + 1)) return [];
      const ways = new Set([this.#passwords[user], this.#own.get(user)]);
      const right = [...ways].filter((password) => password !== undefined);
      return [...right, WRONG].map((password): [number, string] => [user, password]);
    });
    const answers = await this.#migration.wouldSignIn(tries);
    const isIn = tries.filter((_, at) => answers[at] === "OK");
    expect(isIn.filter(([, password]) => password === WRONG)).toEqual([]);
    const users = new Set(tries.map(([user]) => user));
    expect(new Set(isIn.map(([user]) => user))).toEqual(users);
    return summary;
  }

  /** What stands on the disk at a moment of the run is all that stays of it. */
  async #kill(changes: RunChanges): Promise<void> {
    let left = 1 + this.#random.below(MOMENTS);
    let remains: (() => void) | null = null;
    tick = () => {
      left -= 1;
      if (left === 0) remains = this.#migration.keepFiles();
      if (left <= 0) throw new Error("killed");
    };
    try {
      await this.#migration.run({ ...changes, wrap: ticking }).catch((error: unknown) => {
        if (remains === null && !(error instanceof RunError)) throw error;
      });
    } finally {
      tick = () => {};
    }
    const putBack = remains as (() => void) | null;
    putBack?.();
  }

  #newPassword(): string {
    this.#made += 1;
    return `Tr0mbone ${this.#made}`;
  }

  /** A newer export: a user has another password, has come, or has gone. */
  #edit(): void {
    const user = this.#random.below(USERS);
    this.#passwords[user] = this.#random.chance(1, 5) ? undefined : this.#newPassword();
    if (!this.#passwords.some((password) => password !== undefined)) {
      this.#passwords[user] = this.#newPassword();
    }
    this.#migration.write(this.#passwords);
  }

  #lose(): void {
    removeDatabase(this.#migration.vault.path);
  }

  #newVault() {
    const { path } = this.#vaults[0] ?? this.#migration.vault;
    const vault = {
      path: `${path}.${this.#vaults.length}`,
      key: Buffer.alloc(32, 8 + this.#vaults.length),
    };
    this.#vaults.push(vault);
    return vault;
  }

  #name(vault: VaultFile): void {
    Object.assign(this.#migration.vault, vault);
  }

  #copy(): void {
    const { path, key } = this.#migration.vault;
    if (!existsSync(path)) return;
    const copy = { path: `${path}.copy-${this.#copies.length}`, key };
    copyFileSync(path, copy.path);
    this.#copies.push(copy);
  }

  /** An older copy, perhaps in the place of another vault. */
  #putBack(): void {
    if (this.#copies.length === 0) return;
    const { path, key } = this.#random.pick(this.#copies);
    removeDatabase(this.#migration.vault.path);
    copyFileSync(path, this.#migration.vault.path);
    this.#migration.vault.key = key;
  }

  /** Another migration's. */
  #exchange(): void {
    const { path, key } = this.#migration.vault;
    removeDatabase(path);
    Vault.open(path, { key, binding: { migration: "another", core: "another" } }).close();
  }

  async #signIn(): Promise<void> {
    const user = this.#random.below(USERS);
    const password = this.#passwords[user];
    if (password === undefined) return;
    const said = await this.#migration.signIn(user, password).catch((error: unknown) => {
      if (error instanceof RunError) return null;
      throw error;
    });
    if (said?.status === "OK") this.#own.set(user, password);
  }

  async #reset(): Promise<void> {
    const user = this.#random.below(USERS);
    if (!(await this.#migration.isThere(user))) return;
    const password = this.#newPassword();
    await this.#migration.reset(user, password);
    this.#own.set(user, password);
  }
}

it.each(Array.from({ length: HISTORIES }, (_, seed) => seed))(
  "no run ends well, or tells a user's row to be well, who is locked out, whatever befalls the vault (%i)",
  async (seed) => {
    const history = new History(randomFrom(seed));
    await history.run({});
    for (let step = 0; step < STEPS; step += 1) await history.step();
    await history.repair();
  },
);
