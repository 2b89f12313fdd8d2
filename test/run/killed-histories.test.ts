import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openReport } from "../../src/checkpoint/report-source.js";
import type { Core } from "../../src/core/core.js";
import { type EmbeddedCore, openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import type { MigrationEvent } from "../../src/events/events.js";
import type { ImportSummary } from "../../src/events/summary.js";
import { importUsers } from "../../src/run/import-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { type Random, randomFrom } from "../support/random.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { bcryptOf } from "./support/hashes.js";
import { allUsers, csvOf, type Row, singly } from "./support/run.js";

const HISTORIES = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 5, full: 60 });
const newPath = temporaryPaths();

const LEFT_BY_RUNS = ["core.db", "core.db-wal", "checkpoint", "checkpoint-wal"];
const HASHES = [1, 2, 3].map((seed) => bcryptOf(seed));
const USERS = 6;

/** A run that is killed, before or after one of its calls. */
interface Kill {
  readonly call: number;
  readonly when: "before" | "after";
}

/** Data file and checkpoint as the last run has left them, killed or not. */
class Remains {
  /** Hashes that the core took, by email. */
  readonly hashes = new Map<string, string>();
  #folder = newFolder();
  #core = this.#open();

  /** Runs an import until it is killed: what stands on the disk at that moment is all that stays. */
  async kill(files: readonly Row[][], { call, when }: Kill): Promise<void> {
    const stop = new AbortController();
    const remains = newFolder();
    let left = call;
    const killed = (): void => {
      for (const name of LEFT_BY_RUNS) {
        const path = join(this.#folder, name);
        if (existsSync(path)) copyFileSync(path, join(remains, name));
      }
      stop.abort();
    };
    const core = this.#watched(async (make) => {
      left -= 1;
      if (left === 0 && when === "before") killed();
      // Nothing that is sent later is at the core.
      if (stop.signal.aborted) throw new Error("killed");
      const answer = await make();
      if (left === 0 && when === "after") killed();
      return answer;
    });
    await this.#import(files, core, stop.signal).catch((error: unknown) => {
      // What a killed run says, nobody hears.
      if (!stop.signal.aborted) throw error;
    });
    if (!stop.signal.aborted) return;
    await this.close();
    this.#folder = remains;
    this.#core = this.#open();
  }

  /**
   * Runs an import to its end until it sends nothing: a contact that one user has left is free for
   * another one from the next run on.
   *
   * @returns the last run's summary, and the rows that it has told nothing of
   */
  async settle(files: readonly Row[][]) {
    const run = () =>
      this.#import(
        files,
        this.#watched((make) => make()),
      );
    let last = await run();
    for (let left = USERS; left > 0; left -= 1) {
      last = await run();
      if (sentBy(last.summary) === 0) break;
    }
    return last;
  }

  /** The ids of users at the core, and of those whom the checkpoint says to have been brought. */
  async ids(): Promise<{ atTheCore: string[]; brought: (string | null)[] }> {
    const report = openReport(join(this.#folder, "checkpoint"));
    const brought = [...report.migrated()].flatMap(({ isNew, coreId }) => (isNew ? [coreId] : []));
    report.close();
    const atTheCore = (await allUsers(this.#core)).map(({ userId }) => userId);
    return { atTheCore: atTheCore.sort(), brought: brought.sort() };
  }

  close(): Promise<void> {
    return this.#core.close();
  }

  #open(): EmbeddedCore {
    return openEmbeddedCore({ file: join(this.#folder, "core.db") });
  }

  /** @param around makes a call, or doesn't */
  #watched(around: <T>(make: () => Promise<T>) => Promise<T>): Core {
    const core = singly(this.#core);
    return {
      ...core,
      importUser: (request) =>
        around(async () => {
          const answer = await core.importUser(request);
          this.hashes.set(request.email, request.passwordHash);
          return answer;
        }),
      consumeCode: (request) => around(() => core.consumeCode(request)),
      updateUser: (request) => around(() => core.updateUser(request)),
    };
  }

  async #import(files: readonly Row[][], core: Core, signal?: AbortSignal) {
    const paths = files.map((rows, at) => {
      const path = join(this.#folder, `users-${at}.csv`);
      writeFileSync(path, csvOf(rows));
      return path;
    });
    const told = new Set<string>();
    const onEvent = (event: MigrationEvent): void => {
      if ("row" in event) told.add(`${event.row.file} ${event.row.number}`);
    };
    const binding = { kind: "embedded", coreId: this.#core.coreId } as const;
    const checkpoint = join(this.#folder, "checkpoint");
    const given = { core, binding, checkpoint, onEvent, concurrency: 4 };
    const inputs = await openInputs(paths);
    const summary = await importUsers({ ...given, inputs, ...(signal && { signal }) });
    const done = files.flatMap((rows, at) =>
      rows.filter((_, index) => !told.has(`${paths[at]} ${index + 1}`)),
    );
    return { summary, done };
  }
}

function sentBy({ calls }: ImportSummary): number {
  return calls.import + calls.code + calls.consume + calls.update;
}

function newFolder(): string {
  const folder = newPath("remains");
  mkdirSync(folder);
  return folder;
}

/** Users are told apart by their ids, and may have each other's contacts. */
function rowOf(random: Random, user: number): Row {
  const has = (): number => (random.chance(1, 3) ? random.below(USERS) : user);
  return {
    id: `u-${user}`,
    email: `reader.${has()}@example.com`,
    emailVerified: random.pick(["true", "true", "", "false"]),
    hash: random.chance(2, 3) ? random.pick(HASHES) : "",
    ...(random.chance(1, 3) ? { phone: `+1555010${1000 + has()}` } : {}),
  };
}

/** An export in two files, in any order; some users stand in it twice. */
function exportOf(random: Random, before: readonly Row[]): Row[] {
  const rows = Array.from({ length: USERS }, (_, user) => {
    const known = before.find(({ id }) => id === `u-${user}`);
    return known === undefined || random.chance(1, 4) ? rowOf(random, user) : known;
  });
  if (random.chance(1, 3)) rows.push(rowOf(random, random.below(USERS)));
  return random.chance(1, 2) ? rows : rows.toReversed();
}

function inFiles(rows: readonly Row[], cut: number): Row[][] {
  return [rows.slice(0, cut), rows.slice(cut)];
}

it.each(Array.from({ length: HISTORIES }, (_, seed) => seed))(
  "runs over changing exports, killed at any call, leave each user once and tell what is so (%i)",
  async (seed) => {
    const random = randomFrom(seed);
    const remains = new Remains();
    onTestFinished(() => remains.close());
    let rows: Row[] = [];
    for (let run = 0; run < 3; run += 1) {
      const older = rows;
      rows = exportOf(random, older);
      for (let kills = 1 + random.below(3); kills > 0; kills -= 1) {
        const killed = older.length > 0 && random.chance(1, 3) ? older : rows;
        const kill = { call: 1 + random.below(6), when: random.pick(["before", "after"] as const) };
        await remains.kill(inFiles(killed, 1 + random.below(USERS - 1)), kill);
      }
      const { summary, done } = await remains.settle(inFiles(rows, 1 + random.below(USERS - 1)));
      expect([summary.failed, sentBy(summary)]).toEqual([0, 0]);
      const { atTheCore, brought } = await remains.ids();
      expect(brought).toEqual(atTheCore);
      for (const { email = "", hash } of done) {
        if (hash !== "") expect(remains.hashes.get(email), `${email}, run ${run + 1}`).toBe(hash);
      }
    }
  },
);
