import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openEmbeddedCore, type EmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { readStatus } from "../../../src/checkpoint/status.js";
import { importUsers } from "../../../src/run/import-users.js";
import { SIGNER_KEY } from "../../support/known-hashes.js";
import { inFull } from "../../support/repeated.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { readers } from "../support/people.js";
import { allUsers, csvOf, newMigration, outcomes } from "../support/run.js";
import { queuedCore, type Faults } from "./queued-core.js";

const newPath = temporaryPaths();

const PEOPLE = csvOf(readers(9));
const BATCHES = { bulkBatch: 3 } as const;

/** A data file and a checkpoint as a process leaves them that is killed. */
interface Remains {
  readonly when: string;
  readonly folder: string;
}

const FILES = ["core.db", "checkpoint"] as const;

/** Copies what stands on the disk. */
function keepFiles(folder: string, copy: string): void {
  mkdirSync(copy);
  for (const name of FILES.flatMap((file) => [file, `${file}-wal`])) {
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
  }
}

/** What stands on the disk at every call of a run, before it and after it. */
async function remainsOfEveryCall(faults: Faults = {}): Promise<Remains[]> {
  const migration = newMigration(newPath);
  const file = migration.write("users.csv", PEOPLE);
  const remains: Remains[] = [];
  const note = (moment: string) => (method: string) => {
    const folder = newPath("remains");
    keepFiles(dirname(migration.checkpoint), folder);
    remains.push({ when: `${moment} ${method} ${remains.length}`, folder });
  };
  const watch = { ...faults, before: note("before"), after: note("after") };
  const queue = queuedCore(migration, watch);
  const { summary } = await migration.run([file], { ...queue.options, ...BATCHES, concurrency: 1 });
  expect(outcomes(summary)).toEqual({ imported: 4, created: 5 });
  return remains;
}

/** Runs the same import from there, twice. */
async function goOn({ folder }: Remains, open: (file: string) => EmbeddedCore) {
  const core = open(join(folder, "core.db"));
  const migration = newMigration(newPath);
  const file = migration.write("users.csv", PEOPLE);
  const checkpoint = join(folder, "checkpoint");
  const totals = new Set<number | null>();
  const look = (): void => {
    // A copy: in this process, who looks at the file itself has the run wait a second at its end.
    const copy = newPath("look");
    keepFiles(folder, copy);
    const { users, unread } = readStatus(join(copy, "checkpoint"));
    totals.add(unread === null ? null : users + unread);
  };
  look();
  const queue = queuedCore({ core }, { before: look });
  const options = { ...queue.options, ...BATCHES, checkpoint };
  const given = await migration.options([file], options);
  const first = outcomes(await importUsers(given));
  const users = (await allUsers(core)).length;
  const left = (await core.part("countQueued", {})).count;
  const again = outcomes(await importUsers(await migration.options([file], options)));
  const { queued, unknown, failed } = readStatus(options.checkpoint);
  await Promise.all([core.close(), migration.close()]);
  look();
  return { first, totals: [...totals], users, left, again, open: queued + unknown + failed };
}

/** Every third of them; all of them in full. */
function some(remains: readonly Remains[]): readonly Remains[] {
  return inFull ? remains : remains.filter((_, place) => place % 3 === 0);
}

const openCopy = (file: string) => openEmbeddedCore({ file, signerKey: SIGNER_KEY });

describe("an import by the queue that is killed", () => {
  it("before or after any call leaves each user once, with an outcome that holds", async () => {
    for (const remains of some(await remainsOfEveryCall())) {
      const { first, totals, ...end } = await goOn(remains, openCopy);
      // Before the first rows are read nobody is known; from then on all are.
      expect({ when: remains.when, totals: totals.filter((total) => total !== 0) }).toEqual({
        ...{ when: remains.when, totals: [9] },
      });
      const { imported = 0, created = 0, unchanged = 0, ...others } = first;
      const all = imported + created + unchanged;
      expect({ when: remains.when, all, others, ...end }).toEqual({
        ...{ when: remains.when, all: 9, others: {}, users: 9, left: 0 },
        ...{ again: { unchanged: 9 }, open: 0 },
      });
    }
  });

  it.each(["before", "after"] as const)(
    "while every other answer to a batch is lost %s it took effect",
    async (when) => {
      const loses = (call: number) => (call % 2 === 1 ? when : null);
      const remains = await remainsOfEveryCall({ loses });
      for (const one of some(remains.filter(({ when: call }) => /queue|Queue/.test(call)))) {
        const { users, left, again, open } = await goOn(one, openCopy);
        expect({ when: one.when, users, left, again, open }).toEqual({
          ...{ when: one.when, users: 9, left: 0, again: { unchanged: 9 }, open: 0 },
        });
      }
    },
  );
});
