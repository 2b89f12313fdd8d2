import { describe, expect, it } from "vitest";
import { CoreFailure } from "../../src/core/core-failure.js";
import type { Core } from "../../src/core/core.js";
import type { CoreUser } from "../../src/core/user.js";
import { recordCutover } from "../../src/run/cutover.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { beginMigration, prepareMigration, readers } from "./support/people.js";
import {
  csvOf,
  type Migration,
  outcomes,
  type Row,
  type Run,
  type RunOptions,
  told,
} from "./support/run.js";
import { bcryptOf } from "./support/test-users.js";

const newPath = temporaryPaths();
const { password, passwordHash } = KNOWN_HASHES.bcrypt;
const OTHER_HASH = bcryptOf("another password");

/** As the first run read her: her hash stood in a column that nobody knew. */
const DORA: Row = { id: "u-dora", email: "dora@example.com", phone: "+15550100004" };
const DORA_WITH_HASH: Row = { ...DORA, hash: passwordHash };
const EMIL: Row = { id: "u-emil", phone: "+15550100005" };
const CHANGE = { policy: { changeKind: true } } as const;
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

/** The reason of the one refusal, and that nothing has happened. */
function whyRefused(run: Run): string {
  expect(run.events.map(told)).toEqual(["1 reject plan_kind_changed"]);
  expect(run.summary.calls).toMatchObject({ import: 0, update: 0 });
  return run.events[0]?.hint ?? "";
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

describe("a user whom an earlier run brought without their password", () => {
  it("is brought with it under --change-kind, and is one user then", async () => {
    const { migration, next } = await begin([DORA, ...readers(6)]);
    const run = await next([DORA_WITH_HASH, ...readers(6)], CHANGE);
    expect(outcomes(run.summary)).toEqual({ imported: 1, unchanged: 6 });
    expect(run.summary.notices).toMatchObject({ kind_changed: 1, phone_not_migrated: 1 });
    expect(await signsIn(migration)).toBe(true);
    const dora = await migration.core.findUsers({ email: "dora@example.com" });
    expect(dora).toMatchObject([{ recipe: "emailpassword" }]);
    expect(await migration.core.findUsers({ phoneNumber: "+15550100004" })).toEqual([]);
    expect(await migration.core.countUsers()).toBe(7);
  });

  it("is unchanged in the run after it, and gets a newer hash as anybody does", async () => {
    const { next } = await begin([DORA]);
    await next([DORA_WITH_HASH], CHANGE);
    expect(outcomes((await next([DORA_WITH_HASH])).summary)).toEqual({ unchanged: 1 });
    const run = await next([{ ...DORA, hash: OTHER_HASH }]);
    expect(run.summary.notices).toMatchObject({ hash_updated: 1 });
  });

  it("leaves the phone, which has no place beside a password, free for somebody else", async () => {
    const { next } = await begin([DORA]);
    await next([DORA_WITH_HASH], CHANGE);
    const run = await next([DORA_WITH_HASH, { id: "u-fritz", phone: "+15550100004" }]);
    expect(outcomes(run.summary)).toEqual({ unchanged: 1, created: 1 });
  });

  it("is brought under an email that the first export didn't have", async () => {
    const { migration, next } = await begin([EMIL]);
    const row = { ...EMIL, email: "emil@example.com", hash: passwordHash };
    expect(outcomes((await next([row], CHANGE)).summary)).toEqual({ imported: 1 });
    expect(await everybody(migration)).toEqual(["emailpassword emil@example.com"]);
  });

  it("keeps the vendor's id", async () => {
    const keepIds = { policy: { keepIds: true } };
    const { migration, next } = await begin([DORA], keepIds);
    const run = await next([DORA_WITH_HASH], { policy: { ...CHANGE.policy, keepIds: true } });
    expect(run.summary).toMatchObject({ imported: 1, mapped: 0, notices: { kind_changed: 1 } });
    expect(run.summary.notices).not.toHaveProperty("id_not_kept");
    expect(await migration.users()).toMatchObject([{ userId: "u-dora", recipe: "emailpassword" }]);
  });

  it("loses no kept id where --keep-ids isn't given again", async () => {
    const { migration, next } = await begin([DORA], { policy: { keepIds: true } });
    const run = await next([DORA_WITH_HASH], CHANGE);
    expect(whyRefused(run)).toContain("--keep-ids");
    expect(await everybody(migration)).toEqual(["passwordless dora@example.com +15550100004"]);
  });

  it("stays as they are without the option, which the hint names", async () => {
    const { migration, next } = await begin([DORA]);
    const run = await next([DORA_WITH_HASH]);
    expect(whyRefused(run)).toContain("--change-kind");
    expect(run.summary.calls).toMatchObject({ lookup: 0 });
    expect(await everybody(migration)).toEqual(["passwordless dora@example.com +15550100004"]);
  });

  it("stays as they are since the cut-over, and the hint doesn't name the option", async () => {
    const { migration, next } = await begin([DORA]);
    recordCutover(migration.checkpoint);
    const hint = whyRefused(await next([DORA_WITH_HASH], VOUCHED));
    expect(hint).toContain("cut-over");
    expect(hint).not.toContain("--change-kind");
  });

  it("stays as they are once they have signed in by a code", async () => {
    const { migration, next } = await begin([DORA]);
    await signInByCode(migration.core, "dora@example.com");
    for (const options of [CHANGE, VOUCHED]) {
      const run = await next([DORA_WITH_HASH], options);
      expect(whyRefused(run)).toContain("has signed in");
    }
    expect(await migration.core.countUsers()).toBe(1);
  });

  it("stays as they are where the core doesn't say, unless the operator vouches for it", async () => {
    const { migration, next } = await begin([DORA]);
    const core = silent(migration);
    const run = await next([DORA_WITH_HASH], { ...CHANGE, core });
    expect(whyRefused(run)).toContain("--assume-never-signed-in");
    expect(outcomes((await next([DORA_WITH_HASH], { ...VOUCHED, core })).summary)).toEqual({
      imported: 1,
    });
    expect(await everybody(migration)).toEqual(["emailpassword dora@example.com"]);
  });

  it.each<[string, (user: CoreUser) => CoreUser]>([
    ["another email", (user) => ({ ...user, email: "dora@example.org" })],
    ["a contact less", ({ phoneNumber: _phone, ...user }) => user],
    ["a contact more", (user) => ({ ...user, phoneNumber: "+15550100009" })],
    ["another way in", (user) => ({ ...user, recipe: "other" })],
    ["a way in that it doesn't tell", (user) => ({ ...user, recipe: null })],
    ["somebody joined with them", (user) => ({ ...user, isLinked: true })],
  ])("stays as they are where the core shows %s", async (_what, otherwise) => {
    const { migration, next } = await begin([DORA]);
    const core = showing(migration.core, otherwise);
    const run = await next([DORA_WITH_HASH], { ...VOUCHED, core });
    expect(whyRefused(run)).toContain("doesn't show this user as");
  });

  it("stays as they are where another user has the email with a password", async () => {
    const { migration, next } = await begin([DORA]);
    await migration.core.importUser({ email: "dora@example.com", passwordHash: OTHER_HASH });
    for (const onExisting of ["skip", "update"] as const) {
      const run = await next([DORA_WITH_HASH], { policy: { ...CHANGE.policy, onExisting } });
      expect(whyRefused(run)).toContain("Another user has this email");
    }
    expect(await signsIn(migration)).toBe(false);
  });

  it("stays as they are where the core removes nobody", async () => {
    const { migration, next } = await begin([DORA]);
    const removeUser: Core["removeUser"] = async () => {
      throw new CoreFailure("not_offered", "HTTP 404", { reached: "yes" });
    };
    const core = { ...migration.core, removeUser };
    const run = await next([DORA_WITH_HASH], { ...CHANGE, core });
    expect(whyRefused(run)).toContain("doesn't remove users");
  });

  it("isn't brought again where they were removed at the core", async () => {
    const { migration, next } = await begin([DORA]);
    for (const { userId } of await migration.users()) await migration.core.removeUser(userId);
    const run = await next([DORA_WITH_HASH], VOUCHED);
    expect(run.events.map(told)).toEqual(["1 reject removed_at_core"]);
    expect(await migration.core.countUsers()).toBe(0);
  });

  it("stays without a password where the core refuses the hash", async () => {
    const { migration, next } = await begin([DORA]);
    const importUser: Core["importUser"] = async () => {
      throw new CoreFailure("refused", "passwordHash is no hash", { reached: "yes" });
    };
    const run = await next([DORA_WITH_HASH], {
      ...CHANGE,
      core: { ...migration.core, importUser },
    });
    expect(run.events.map(told)).toEqual(["1 reject core_refused"]);
    expect(await everybody(migration)).toEqual(["passwordless dora@example.com +15550100004"]);
    // And is again what they were when the export says so.
    const back = await next([DORA]);
    expect(outcomes(back.summary)).toEqual({ created: 1 });
    expect(outcomes((await next([DORA])).summary)).toEqual({ unchanged: 1 });
    expect(await everybody(migration)).toEqual(["passwordless dora@example.com +15550100004"]);
  });

  it("is looked at also under --assume-empty", async () => {
    const { migration, next } = await begin([DORA]);
    await signInByCode(migration.core, "dora@example.com");
    const run = await next([DORA_WITH_HASH], { policy: { ...CHANGE.policy, assumeEmpty: true } });
    expect(whyRefused(run)).toContain("has signed in");
  });
});

describe("a user of another kind", () => {
  it("keeps their password where the export has none any more", async () => {
    const { migration, next } = await begin([DORA_WITH_HASH]);
    const hint = whyRefused(await next([DORA], VOUCHED));
    expect(hint).toContain("that password stays");
    expect(await signsIn(migration)).toBe(true);
  });

  it("is left alone who was at the core before this migration", async () => {
    const { migration, file } = prepareMigration(newPath, [DORA]);
    await signInByCode(migration.core, "dora@example.com");
    await migration.run([file]);
    const newer = migration.write("newer.csv", csvOf([DORA_WITH_HASH]));
    const run = await migration.run([newer], VOUCHED);
    expect(whyRefused(run)).toContain("before this migration");
    expect(await migration.core.countUsers()).toBe(1);
  });
});

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
