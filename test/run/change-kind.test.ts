import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import type { CoreUser } from "../../src/core/user.js";
import { recordCutover } from "../../src/run/cutover.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { beginMigration } from "./support/people.js";
import {
  csvOf,
  type Migration,
  newMigration,
  outcomes,
  type Row,
  type RunOptions,
  told,
} from "./support/run.js";

const newPath = temporaryPaths();
const { password, passwordHash } = KNOWN_HASHES.bcrypt;

/** As the first run read her: her hash stood in a column that nobody knew. */
const DORA: Row = { id: "u-dora", email: "dora@example.com", phone: "+15550100004" };
const DORA_WITH_HASH: Row = { ...DORA, hash: passwordHash };
const VOUCHED = { policy: { changeKind: true, assumeNeverSignedIn: true } } as const;

const begin = (rows: readonly Row[], options?: RunOptions) =>
  beginMigration(newPath, rows, options);

async function signsIn({ core }: Migration): Promise<boolean> {
  return (await core.signIn({ email: "dora@example.com", password })).status === "OK";
}

async function signInByCode(core: Core, email: string): Promise<void> {
  await core.consumeCode(await core.createCode({ email }));
}

/** Everybody's way in and contacts, in the order in which they came. */
async function everybody({ users }: Migration): Promise<string[]> {
  const all = await users();
  return all.map(({ recipe, email = "", phoneNumber = "" }) =>
    `${recipe} ${email} ${phoneNumber}`.trim(),
  );
}

/** A core that shows a user otherwise than it is. */
function showing(core: Core, otherwise: (user: CoreUser) => CoreUser): Core {
  const getUser: Core["getUser"] = async (userId) => {
    const user = await core.getUser(userId);
    return user === null ? null : otherwise(user);
  };
  return { ...core, getUser };
}

/** As SuperTokens, which keeps no mark of a sign-in. */
function silent({ core }: Migration): Core {
  return showing(core, ({ hasSignedIn: _mark, ...user }) => user);
}

/** A moment at which the process ends: before a call is made, or when it was made and nobody knows. */
type Moment = readonly [call: "importUser" | "removeUser" | "mapUserId", when: "before" | "after"];

/** From the first call that changes something to the last one. */
const MOMENTS: readonly Moment[] = [
  ["importUser", "before"],
  ["importUser", "after"],
  ["removeUser", "before"],
  ["removeUser", "after"],
];
const WITH_IDS: readonly Moment[] = [...MOMENTS, ["mapUserId", "before"], ["mapUserId", "after"]];

/** @param known the id of the user who may be removed; asking for another one asks what the core can do */
function killing(core: Core, [call, when]: Moment, known: string): Core {
  const around =
    <Request, T>(name: Moment[0], make: (request: Request) => Promise<T>) =>
    async (request: Request): Promise<T> => {
      const isMeant = name === call && (name !== "removeUser" || request === known);
      if (isMeant && when === "before") throw new Error("killed");
      const answer = await make(request);
      if (isMeant) throw new Error("killed");
      return answer;
    };
  return {
    ...core,
    importUser: around("importUser", core.importUser),
    removeUser: around("removeUser", core.removeUser),
    mapUserId: around("mapUserId", core.mapUserId),
  };
}

const KEEP = { keepIds: true } as const;
const WITHOUT_PASSWORD = "passwordless dora@example.com +15550100004";
const WITH_PASSWORD = "emailpassword dora@example.com";

/** The first run, and the one that is killed. */
async function untilKilled(moment: Moment, policy: RunOptions["policy"] = {}) {
  const { migration, next } = await begin([DORA]);
  if (policy.keepIds === true) await next([DORA], { policy });
  const [coreId = ""] = await ownIds(migration);
  const core = killing(migration.core, moment, coreId);
  const run = next([DORA_WITH_HASH], { policy: { ...VOUCHED.policy, ...policy }, core });
  await expect(run).rejects.toThrow("killed");
  return { migration, next, left: await everybody(migration) };
}

/** The core's own ids, also of users who have another one. */
async function ownIds({ core, users }: Migration): Promise<string[]> {
  const all = await users();
  const mappings = await Promise.all(all.map(({ userId }) => core.findMapping(userId)));
  return all.map(({ userId }, index) => mappings[index]?.userId ?? userId);
}

describe("a change of kind that is killed", () => {
  it.each(WITH_IDS)(
    "ends in one user who signs in, without the option: at %s, %s",
    async (...at) => {
      const { migration, next, left } = await untilKilled(at, KEEP);
      expect(left.length).toBeGreaterThan(0);
      const again = await next([DORA_WITH_HASH], { policy: KEEP, core: silent(migration) });
      expect(again.events).toEqual([]);
      expect(await everybody(migration)).toEqual([WITH_PASSWORD]);
      expect(await migration.users()).toMatchObject([{ userId: "u-dora" }]);
      expect(await signsIn(migration)).toBe(true);
      const last = await next([DORA_WITH_HASH], { policy: KEEP });
      expect(outcomes(last.summary)).toEqual({ unchanged: 1 });
    },
  );

  it.each(MOMENTS)(
    "is undone or told where the export has no password any more: at %s, %s",
    async (...at) => {
      const { migration, next, left } = await untilKilled(at);
      const run = await next([DORA]);
      expect(await everybody(migration)).toEqual(left);
      if (left.includes(WITH_PASSWORD)) {
        expect(run.events[0]?.hint).toContain("that finishes it");
        await next([DORA_WITH_HASH]);
        expect(await everybody(migration)).toEqual([WITH_PASSWORD]);
        return;
      }
      expect(run.events).toEqual([]);
      expect(outcomes((await next([DORA])).summary)).toEqual({ unchanged: 1 });
    },
  );

  it.each(MOMENTS)(
    "is ended after the cut-over where the core shows that they never signed in: at %s, %s",
    async (...at) => {
      const { migration, next, left } = await untilKilled(at);
      recordCutover(migration.checkpoint);
      const quiet = await next([DORA_WITH_HASH], { ...VOUCHED, core: silent(migration) });
      if (left.length === 2) expect(quiet.events[0]?.hint).toContain("Both are at the core");
      expect(await everybody(migration)).toEqual(left);
      const run = await next([DORA_WITH_HASH]);
      const isBrought = left.includes(WITH_PASSWORD);
      expect(await everybody(migration)).toEqual([isBrought ? WITH_PASSWORD : WITHOUT_PASSWORD]);
      expect(run.events.map(told)).toEqual(isBrought ? [] : ["1 reject plan_kind_changed"]);
      expect([run.summary.calls.import, quiet.summary.calls.import]).toEqual([0, 0]);
    },
  );

  it.each(MOMENTS.slice(0, -1))(
    "takes nobody away who has signed in by a code since: at %s, %s",
    async (...at) => {
      const { migration, next, left } = await untilKilled(at);
      await signInByCode(migration.core, "dora@example.com");
      const run = await next([DORA_WITH_HASH], VOUCHED);
      expect(run.events.map(told)).toEqual(["1 reject plan_kind_changed"]);
      expect(await everybody(migration)).toEqual(left);
    },
  );

  it.each(MOMENTS.slice(2))(
    "keeps the id that was kept, or asks for it: at %s, %s",
    async (...at) => {
      const { migration, next } = await untilKilled(at, KEEP);
      const run = await next([DORA_WITH_HASH]);
      expect(run.events[0]?.hint).toContain("give --keep-ids again");
      await next([DORA_WITH_HASH], { policy: KEEP });
      expect(await migration.users()).toMatchObject([
        { userId: "u-dora", recipe: "emailpassword" },
      ]);
    },
  );
});

describe("a user for the bridge, and an export without their password", () => {
  const PBKDF2 = "pbkdf2_sha256$1000$c2FsdHNhbHQ$YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=";
  const bridged = (path: string) => ({
    policy: { onUnusableHash: "bridge" } as const,
    vault: { path: `${path}.vault`, key: new Uint8Array(32).fill(7) },
  });

  it.each([
    ["they were brought", null],
    ["they may have been brought", "importUser"],
  ] as const)("is told what keeps them, and not to remove them: %s", async (_how, dies) => {
    const ada: Row = { id: "u-ada", email: "ada@example.com" };
    const migration = newMigration(newPath);
    const withHash = migration.write("with.csv", csvOf([{ ...ada, hash: PBKDF2 }]));
    const without = migration.write("without.csv", csvOf([ada]));
    const options = bridged(migration.checkpoint);
    const importUser: Core["importUser"] = async (asked) => {
      await migration.core.importUser(asked);
      throw new Error("killed");
    };
    const core = { ...migration.core, ...(dies === null ? {} : { importUser }) };
    const first = migration.run([withHash], { ...options, core });
    await (dies === null ? first : expect(first).rejects.toThrow("killed"));
    // The second time the hint is the same: nothing of theirs has changed.
    for (let time = 1; time <= 2; time += 1) {
      const { events } = await migration.run([without], options);
      const hints = events.map((event) => ("hint" in event ? event.hint : ""));
      expect(events.map(told)).toEqual(["1 reject plan_kind_changed"]);
      expect(hints[0]).toMatch(/stand-in.*on-?unusable-?hash.*bridge.*upstream/is);
      expect(hints[0]).not.toMatch(/remove/);
    }
    const { summary } = await migration.run([withHash], options);
    expect(outcomes(summary)).toEqual({ unchanged: 1 });
  });
});
