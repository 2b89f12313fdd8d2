import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import type { UserRecord } from "../../src/account/user-record.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { inputOf } from "./support/batches.js";
import { bcryptOf } from "./support/hashes.js";
import { type Ending, ModelMigration, type ModelUser } from "./support/model-migration.js";
import { email, phone, record } from "./support/records.js";
import { type Migration, newMigration, type Run } from "./support/run.js";
import { shuffled } from "./support/shuffled.js";
import { repeated } from "../support/repeated.js";

/** How many migrations are played; each has data files and checkpoints of its own. */
const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 3, full: 15 });
const newPath = temporaryPaths();

const HASHES = [1, 2, 3].map((seed) => bcryptOf(seed));
const DAMAGED = bcryptOf(4).slice(0, -1);
const usable = (hash: string): boolean => hash !== DAMAGED;

/** What an export says of somebody. */
interface Said {
  readonly id: number | null;
  readonly email: number | null;
  readonly phone: number | null;
  readonly hash: string | null;
  readonly disabled: boolean;
  readonly verified: boolean | null;
}

const fields = {
  id: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 7 }),
  email: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 8 }),
  phone: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 2 }),
  hash: fc.constantFrom(...HASHES, null, null, null, DAMAGED),
  disabled: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  verified: fc.constantFrom(null, true),
};
/** What happens between two exports: somebody's field changes, or they go, or somebody comes. */
const edit: fc.Arbitrary<(said: readonly Said[]) => readonly Said[]> = fc.oneof(
  ...(["email", "phone", "hash", "hash", "id", "disabled", "verified"] as const).map((field) =>
    fc.tuple(fc.nat(), fields[field]).map(([at, value]) => (said: readonly Said[]) => {
      return said.map((one, index) =>
        index === at % said.length ? { ...one, [field]: value } : one,
      );
    }),
  ),
  fc.nat().map((at) => (said: readonly Said[]) => {
    return said.length < 2 ? said : said.filter((_, index) => index !== at % said.length);
  }),
  fc.record(fields).map((one) => (said: readonly Said[]) => [...said, one]),
  fc.constant((said: readonly Said[]) => said.toReversed()),
);
const exports: fc.Arbitrary<UserRecord[][]> = fc
  .tuple(
    fc.array(fc.record(fields), { minLength: 3, maxLength: 12 }),
    fc.array(fc.array(edit, { maxLength: 5 }), { minLength: 1, maxLength: 4 }),
  )
  .map(([first, changes]) => {
    const all: (readonly Said[])[] = [first];
    for (const edits of changes) {
      all.push(edits.reduce((said, change) => change(said), all.at(-1) ?? []));
    }
    // Now and then an older file comes again.
    if (changes.length > 2) all.push(all[1] ?? first);
    return all.map((said) => said.map(recordOf));
  });

function recordOf(said: Said): UserRecord {
  return record({
    sourceId: said.id === null ? null : `u-${said.id}`,
    email: said.email === null ? null : email(`reader.${said.email}@example.com`, said.verified),
    phone: said.phone === null ? null : phone(`+1555010100${said.phone}`),
    hash: said.hash === null ? null : { kind: "text", text: said.hash },
    exclusions: said.disabled ? ["disabled"] : [],
  });
}

const strangers: fc.Arbitrary<ModelUser[]> = fc.uniqueArray(
  fc.record({
    recipe: fc.constantFrom("emailpassword", "passwordless"),
    email: fc.integer({ min: 1, max: 14 }).map((number) => `reader.${number}@example.com`),
    phone: fc.constant(null),
    hash: fc.constant(null),
  }),
  { maxLength: 2, selector: (user) => `${user.recipe} ${user.email}` },
);

/** Brings the strangers in, and remembers the hash that everybody got last. */
async function withStrangers(
  { core }: Migration,
  people: readonly ModelUser[],
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const { recipe, email: address } of people) {
    if (address === null) continue;
    if (recipe === "passwordless")
      await core.consumeCode(await core.createCode({ email: address }));
    else await core.importUser({ email: address, passwordHash: bcryptOf("a stranger's") });
  }
  return hashes;
}

/** Notes whose hash was sent last. */
function noting(core: Core, hashes: Map<string, string>): Core {
  return {
    ...core,
    importUser(request) {
      hashes.set(request.email, request.passwordHash);
      return core.importUser(request);
    },
  };
}

/** What a run tells and counts, in the model's words. */
function endingsOf({ summary, events }: Run): Record<string, number> {
  const { imported, created, existed, unchanged, notices } = summary;
  const { hash_updated = 0, kind_changed = 0, account_updated = 0, contact_kept = 0 } = notices;
  const counts: Record<string, number> = {
    imported: imported - hash_updated - kind_changed,
    "imported kind_changed": kind_changed,
    created: created - account_updated,
    ...{ existed, unchanged },
    "imported hash_updated": hash_updated,
    "created account_updated": account_updated - contact_kept,
    "created contact_kept account_updated": contact_kept,
  };
  for (const { type, code } of events) {
    const ending = `${type} ${code}`;
    counts[ending] = (counts[ending] ?? 0) + 1;
  }
  return withoutZeros(counts);
}

function counted(endings: readonly Ending[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const ending of endings) counts[ending] = (counts[ending] ?? 0) + 1;
  return counts;
}

function withoutZeros(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

/** What was told of which row. */
function rowsTold({ events }: Run): string[] {
  return events.map(({ row: { number }, type, code }) => `${number} ${type} ${code}`).sort();
}

function rowsExpected(endings: readonly Ending[]): string[] {
  const told = endings.map((ending, index) => `${index + 1} ${ending}`);
  return told.filter((text) => /^\d+ (?:reject|skip) /.test(text)).sort();
}

function textOf(user: {
  recipe: unknown;
  email?: unknown;
  phone?: unknown;
  hash?: unknown;
}): string {
  return [user.recipe, user.email ?? "", user.phone ?? "", user.hash ?? ""].join(" ");
}

async function atTheCore({ users }: Migration, hashes: Map<string, string>): Promise<string[]> {
  const all = await users();
  return all
    .map(({ recipe, email: address, phoneNumber }) =>
      textOf({
        recipe,
        email: address,
        phone: phoneNumber,
        hash: recipe === "emailpassword" ? hashes.get(address ?? "") : undefined,
      }),
    )
    .sort();
}

const turns = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 7 });
/** Which of the runs may bring people by another kind. */
const changing = fc.array(fc.boolean(), { minLength: 1, maxLength: 4 });
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 });

describe("any sequence of exports", () => {
  it("ends as a plain model says, whatever the order of answers and the size of batches", async () => {
    await fc.assert(
      fc.asyncProperty(
        exports,
        strangers,
        turns,
        sizes,
        changing,
        async (all, people, delays, cut, kinds) => {
          const migration = newMigration(newPath);
          const model = new ModelMigration(people);
          const hashes = await withStrangers(migration, people);
          for (const [index, records] of all.entries()) {
            const changeKind = kinds[index % kinds.length] ?? false;
            const endings = model.run(records, usable, changeKind);
            fc.pre(!model.conflicts);
            const run = await migration.run([], {
              inputs: [inputOf(`export-${index}.csv`, records, cut)],
              core: shuffled(noting(migration.core, hashes), delays),
              // The model knows contacts and hashes alone.
              policy: { changeKind, carry: [] },
            });
            expect(rowsTold(run)).toEqual(rowsExpected(endings));
            expect(endingsOf(run)).toEqual(counted(endings));
            expect(await atTheCore(migration, hashes)).toEqual(model.users.map(textOf).sort());
          }
          await migration.close();
        },
      ),
      { numRuns: RUNS },
    );
  });

  it("ends the same where each run is stopped at any call, and the same export goes on", async () => {
    const stops = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        exports,
        strangers,
        stops,
        sizes,
        changing,
        async (all, people, after, cut, kinds) => {
          const migration = newMigration(newPath);
          const model = new ModelMigration(people);
          const hashes = await withStrangers(migration, people);
          const core = shuffled(noting(migration.core, hashes), [0, 1]);
          for (const [index, records] of all.entries()) {
            const policy = { changeKind: kinds[index % kinds.length] ?? false, carry: [] };
            model.run(records, usable, policy.changeKind);
            fc.pre(!model.conflicts);
            const inputs = [inputOf(`export-${index}.csv`, records, cut)];
            // Who gets a contact that another user has left depends on which run it is.
            for (const calls of model.movedContacts ? [] : after) {
              await migration.run([], { inputs, policy, ...stoppedAfter(core, calls) });
            }
            const last = await migration.run([], { inputs, policy, core });
            expect(last.summary.pending + last.summary.failed).toBe(0);
            expect(await atTheCore(migration, hashes)).toEqual(model.users.map(textOf).sort());
          }
          await migration.close();
        },
      ),
      { numRuns: RUNS },
    );
  });
});

function stoppedAfter(core: Core, calls: number): { core: Core; signal: AbortSignal } {
  const stop = new AbortController();
  let left = calls;
  const counting = <T>(answer: T): T => {
    left -= 1;
    if (left === 0) stop.abort();
    return answer;
  };
  return {
    signal: stop.signal,
    core: {
      ...core,
      findUsers: (contact) => counting(core.findUsers(contact)),
      getUser: (userId) => counting(core.getUser(userId)),
      importUser: (request) => counting(core.importUser(request)),
      consumeCode: (request) => counting(core.consumeCode(request)),
      updateUser: (request) => counting(core.updateUser(request)),
      removeUser: (userId) => counting(core.removeUser(userId)),
    },
  };
}
