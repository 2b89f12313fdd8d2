import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import type { CoreUser } from "../../src/core/user.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { type Account, ANN, accountAt, DORA, importAccounts, killing } from "./support/accounts.js";
import { newMigration, outcomes, type RunOptions, singly, told } from "./support/run.js";

const newPath = temporaryPaths();
const asItIs = <Given>(core: Given): Given => core;
const WAYS = [
  ["whole", asItIs],
  ["part by part", singly],
] as const;
const GOOGLE = { thirdPartyId: "google", thirdPartyUserId: "1077" };

const { email_verified: _verified, ...UNSAID } = DORA;
/** The same user as of an export that doesn't know the social account. */
const { google: _google, ...BY_CODE } = DORA;
const CREATE = { policy: { roles: "create" } } as const satisfies RunOptions;

async function usersOf(core: Core, identity = GOOGLE): Promise<readonly CoreUser[]> {
  return core.findByThirdParty(identity);
}

describe("a user who signs in by a social account alone", () => {
  it.each(WAYS)("is found by it at the core, with every part, brought %s", async (_way, as) => {
    const migration = newMigration(newPath, as);
    const { core } = migration;
    const { summary } = await importAccounts(migration, [DORA], CREATE);
    expect(outcomes(summary)).toEqual({ created: 1 });
    expect(summary.notices).toEqual({});
    expect(await accountAt(core, "dora@example.com")).toEqual({
      recipe: "google",
      verified: true,
      joined: true,
      metadata: { name: "Dora Ehlers", plan: "gold" },
      roles: ["admin", "editor"],
      devices: 1,
    });
    // What an application does when the user signs in there.
    const again = await core.signInUp({
      ...GOOGLE,
      email: "dora@example.com",
      isEmailVerified: true,
    });
    expect(again.createdNewUser).toBe(false);
    expect(await core.countUsers()).toBe(1);
    const next = await importAccounts(migration, [DORA], CREATE);
    expect(outcomes(next.summary)).toEqual({ unchanged: 1 });
    expect(Object.values(next.summary.calls)).toEqual(Array(7).fill(0));
  });

  it.each(WAYS)("is known by the vendor's id where that is kept, brought %s", async (_way, as) => {
    const migration = newMigration(newPath, as);
    const { core } = migration;
    const keepIds = { policy: { ...CREATE.policy, keepIds: true } };
    await importAccounts(migration, [DORA], keepIds);
    expect(await usersOf(core)).toMatchObject([{ userId: "u-dora", isEmailVerified: true }]);
    expect(await core.part("rolesOfUser", { userId: "u-dora" })).toMatchObject({
      roles: ["admin", "editor"],
    });
  });

  it.each([
    ["unverified", { email_verified: false }],
    ["not said to be verified", {}],
  ])("is let in by it also where the email is %s, which stays so", async (_how, said) => {
    const migration = newMigration(newPath);
    const { summary } = await importAccounts(migration, [{ ...UNSAID, ...said }], CREATE);
    expect(outcomes(summary)).toEqual({ created: 1 });
    const [user] = await usersOf(migration.core);
    expect(user).toMatchObject({ email: "dora@example.com" });
    expect(user).not.toHaveProperty("isEmailVerified");
  });

  it("comes without a phone, which is told", async () => {
    const migration = newMigration(newPath);
    const { summary } = await importAccounts(
      migration,
      [{ ...DORA, phone: "+4915112345678" }],
      CREATE,
    );
    expect(summary.notices).toEqual({ phone_not_migrated: 1 });
    expect(await migration.core.findUsers({ phoneNumber: "+4915112345678" })).toEqual([]);
  });

  it("stays out where the vendor keeps the user out", async () => {
    const migration = newMigration(newPath);
    const out = { ...DORA, disabled: true } as Account;
    const { summary } = await importAccounts(migration, [out], CREATE);
    expect(outcomes(summary)).toEqual({ skipped: 1 });
    expect(await migration.core.countUsers()).toBe(0);
  });

  it("is brought by a code where the core takes none, or the run carries none, and told", async () => {
    for (const without of ["core", "carry"] as const) {
      const migration = newMigration(newPath);
      const { core } = migration;
      const capabilities = async () => ({ ...(await core.capabilities()), thirdParty: false });
      const { summary, findings } = await importAccounts(migration, [DORA], {
        core: without === "core" ? { ...core, capabilities } : core,
        policy: without === "carry" ? { carry: ["metadata", "totp"] } : {},
      });
      expect(summary.notices).toMatchObject({ social_identity_dropped: 1 });
      const finding = findings.find(({ code }) => code === "social_identity_dropped");
      expect(finding).toMatchObject({ count: 1, hint: expect.stringContaining("second user") });
      expect(await accountAt(core, "dora@example.com")).toMatchObject({ recipe: "passwordless" });
    }
  });
});

describe("a social account beside another way in", () => {
  it.each(WAYS)("stays behind and is told, beside a password, brought %s", async (_way, as) => {
    const migration = newMigration(newPath, as);
    const { core } = migration;
    const { summary } = await importAccounts(migration, [{ ...ANN, google: "1077" }], CREATE);
    expect(outcomes(summary)).toEqual({ imported: 1 });
    expect(summary.notices).toEqual({ prehash_possible: 1, social_identity_dropped: 1 });
    expect(await accountAt(core, "ann@example.com")).toMatchObject({ recipe: "emailpassword" });
    expect(await usersOf(core)).toEqual([]);
  });

  it("is the way in of a user whose hash can't be used, where that one comes without", async () => {
    const migration = newMigration(newPath);
    const refused = { ...DORA, password_hash: "not a hash" };
    const policy = { ...CREATE.policy, onUnusableHash: "passwordless" } as const;
    expect(outcomes((await importAccounts(migration, [refused], CREATE)).summary)).toEqual({
      rejected: 1,
    });
    const { summary } = await importAccounts(migration, [refused], { policy });
    expect(summary.notices).toEqual({ password_not_migrated: 1 });
    expect(await usersOf(migration.core)).toHaveLength(1);
  });
});

describe("a social account that two users have", () => {
  const OTHER: Account = { ...DORA, id: "u-olga", email: "olga@example.com", plan: "free" };

  it("is the first one's, and the other is rejected with nothing at the core", async () => {
    const migration = newMigration(newPath);
    const { core } = migration;
    const { summary, events } = await importAccounts(migration, [DORA, OTHER], CREATE);
    expect(outcomes(summary)).toEqual({ created: 1, rejected: 1 });
    expect(events.map(told)).toEqual(["2 reject duplicate_contact"]);
    expect(await usersOf(core)).toMatchObject([{ email: "dora@example.com" }]);
    expect(await core.countUsers()).toBe(1);
    // Nor does a later export change hands.
    const next = await importAccounts(migration, [OTHER], CREATE);
    expect(next.events.map(told)).toEqual(["1 reject duplicate_contact"]);
    expect(await accountAt(core, "dora@example.com")).toMatchObject({ metadata: { plan: "gold" } });
  });

  it("is two where the providers differ", async () => {
    const migration = newMigration(newPath);
    const { google, ...olga } = OTHER;
    const accounts = [DORA, { ...olga, github: google } as Account];
    const map = new Map([["social.github", "github"]]);
    const { summary } = await importAccounts(migration, accounts, CREATE, "both.json", map);
    expect(outcomes(summary)).toEqual({ created: 2 });
    const github = { ...GOOGLE, thirdPartyId: "github" };
    expect(await usersOf(migration.core)).toMatchObject([{ email: "dora@example.com" }]);
    expect(await usersOf(migration.core, github)).toMatchObject([{ email: "olga@example.com" }]);
  });

  it("is one where the operator gives two providers one name, and joins nobody", async () => {
    const migration = newMigration(newPath);
    const { google, ...olga } = OTHER;
    const accounts = [DORA, { ...olga, github: google } as Account];
    const map = new Map([["social.github", "github"]]);
    const policy = { ...CREATE.policy, mapProvider: new Map([["github", "google"]]) };
    const { events } = await importAccounts(migration, accounts, { policy }, "both.json", map);
    expect(events.map(told)).toEqual(["2 reject duplicate_contact"]);
    expect(await migration.core.countUsers()).toBe(1);
  });
});

describe("the email of a social account", () => {
  it("takes nothing from a user who signs in by it, and joins them with nobody", async () => {
    const migration = newMigration(newPath);
    const { core } = migration;
    const mallory: Account = {
      ...DORA,
      id: "u-mallory",
      email: "ann@example.com",
      email_verified: false,
    };
    const { summary } = await importAccounts(migration, [mallory, ANN], CREATE);
    expect(outcomes(summary)).toEqual({ imported: 1, created: 1 });
    const [theirs] = await usersOf(core);
    const users = await core.findUsers({ email: "ann@example.com" });
    const hers = users.find(({ recipe }) => recipe === "emailpassword");
    expect(hers).toMatchObject({ isEmailVerified: true });
    expect(theirs?.userId).not.toBe(hers?.userId);
    expect(theirs).not.toHaveProperty("isEmailVerified");
    const { userId = "" } = theirs ?? {};
    expect(await core.part("isEmailVerified", { userId, email: "ann@example.com" })).toMatchObject({
      isVerified: false,
    });
  });

  it("tells that a user at the core has it by another way in", async () => {
    const migration = newMigration(newPath, asItIs);
    const { core } = migration;
    const { preAuthSessionId, linkCode } = await core.createCode({ email: "dora@example.com" });
    await core.consumeCode({ preAuthSessionId, linkCode });
    const { summary } = await importAccounts(migration, [DORA], CREATE);
    expect(outcomes(summary)).toEqual({ created: 1 });
    expect(summary.notices).toEqual({ other_way_in: 1 });
  });
});

describe("a user who was at the core by that social account before", () => {
  const THEIRS = { ...GOOGLE, email: "own@example.com", isEmailVerified: false };

  async function isUntouched(core: Core): Promise<void> {
    expect(await usersOf(core)).toMatchObject([{ email: "own@example.com" }]);
    expect(await accountAt(core, "own@example.com")).toEqual({
      recipe: "google",
      verified: false,
      joined: false,
      metadata: {},
      roles: [],
      devices: 0,
    });
    expect(await core.countUsers()).toBe(1);
  }

  it.each(
    WAYS.flatMap(([way, as]) => (["skip", "update"] as const).map((on) => [on, way, as] as const)),
  )("stays as they are under %s, whose account comes %s", async (onExisting, _way, as) => {
    const migration = newMigration(newPath, as);
    const { core } = migration;
    await core.signInUp(THEIRS);
    const policy = { ...CREATE.policy, onExisting, keepIds: true };
    const { summary } = await importAccounts(migration, [DORA], { policy });
    expect(outcomes(summary)).toEqual({ existed: 1 });
    await isUntouched(core);
    await importAccounts(migration, [{ ...DORA, plan: "free" }], { policy });
    await isUntouched(core);
  });

  it("stops the run under fail", async () => {
    const migration = newMigration(newPath);
    await migration.core.signInUp(THEIRS);
    const policy = { onExisting: "fail" } as const;
    await expect(importAccounts(migration, [DORA], { policy })).rejects.toMatchObject({
      code: "user_exists",
    });
  });

  it.each(WAYS)("since the look-up gets no part, nor is verified, %s", async (_way, as) => {
    const migration = newMigration(newPath, as);
    const { core } = migration;
    await core.signInUp({
      ...GOOGLE,
      thirdPartyUserId: "1",
      email: "x@example.com",
      isEmailVerified: false,
    });
    const meanwhile: Core = {
      ...core,
      findByThirdParty: async (identity) => {
        const found = await core.findByThirdParty(identity);
        await core.signInUp({ ...THEIRS, email: "dora@example.com" });
        return found;
      },
    };
    const { summary } = await importAccounts(migration, [DORA], { ...CREATE, core: meanwhile });
    expect(outcomes(summary)).toEqual({ existed: 1 });
    expect(await accountAt(core, "dora@example.com")).toMatchObject({
      verified: false,
      metadata: {},
      roles: [],
      devices: 0,
    });
  });
});

describe("a newer export", () => {
  it("that has lost the social account says that it still opens the user", async () => {
    const migration = newMigration(newPath);
    await importAccounts(migration, [DORA], CREATE);
    const { events } = await importAccounts(migration, [BY_CODE], CREATE);
    expect(events.map(told)).toEqual(["1 reject plan_kind_changed"]);
    expect(events[0]?.hint).toContain("still lets them in");
    expect(await usersOf(migration.core)).toHaveLength(1);
    expect(await migration.core.countUsers()).toBe(1);
  });

  it("that has another one makes no second user", async () => {
    const migration = newMigration(newPath);
    await importAccounts(migration, [DORA], CREATE);
    const { events } = await importAccounts(migration, [{ ...DORA, google: "2077" }], CREATE);
    expect(events.map(told)).toEqual(["1 reject social_changed"]);
    expect(await migration.core.countUsers()).toBe(1);
  });

  it("sends what it has changed, and leaves the email to the provider", async () => {
    const migration = newMigration(newPath);
    const { core } = migration;
    await importAccounts(migration, [DORA], CREATE);
    const newer = { ...DORA, plan: "free", email: "dora@new.example" };
    const { summary } = await importAccounts(migration, [newer], CREATE);
    expect(outcomes(summary)).toEqual({ created: 1 });
    expect(await accountAt(core, "dora@example.com")).toMatchObject({
      verified: true,
      metadata: { plan: "free" },
    });
  });

  it("that knows it where an earlier one didn't brings the user by it, if asked to", async () => {
    const migration = newMigration(newPath);
    const { core } = migration;
    await importAccounts(migration, [BY_CODE], CREATE);
    const refused = await importAccounts(migration, [DORA], CREATE);
    expect(refused.events.map(told)).toEqual(["1 reject plan_kind_changed"]);
    expect(refused.events[0]?.hint).toContain("--change-kind");
    const policy = { ...CREATE.policy, changeKind: true };
    const { summary } = await importAccounts(migration, [DORA], { policy });
    expect(outcomes(summary)).toEqual({ created: 1 });
    expect(summary.notices).toEqual({ kind_changed: 1 });
    expect(await core.countUsers()).toBe(1);
    expect(await accountAt(core, "dora@example.com")).toMatchObject({
      recipe: "google",
      verified: true,
      metadata: { plan: "gold" },
      roles: ["admin", "editor"],
      devices: 1,
    });
    const last = await importAccounts(migration, [DORA], CREATE);
    expect(outcomes(last.summary)).toEqual({ unchanged: 1 });
  });

  it("that knows the password brings the user with it where it is vouched for", async () => {
    const migration = newMigration(newPath);
    const { core } = migration;
    await importAccounts(migration, [DORA], CREATE);
    const withPassword = { ...DORA, password_hash: ANN.password_hash ?? "" };
    const change = { ...CREATE.policy, changeKind: true };
    const refused = await importAccounts(migration, [withPassword], { policy: change });
    expect(refused.events.map(told)).toEqual(["1 reject plan_kind_changed"]);
    const policy = { ...change, assumeNeverSignedIn: true };
    const { summary } = await importAccounts(migration, [withPassword], { policy });
    expect(outcomes(summary)).toEqual({ imported: 1 });
    expect(await usersOf(core)).toEqual([]);
    expect(await accountAt(core, "dora@example.com")).toMatchObject({ recipe: "emailpassword" });
  });

  it.each(["before", "after"] as const)(
    "that brings the user by it, and is killed %s any call, leaves one user in the end",
    async (when) => {
      const options = { policy: { ...CREATE.policy, changeKind: true, keepIds: true } };
      for (let call = 1, isOver = false; !isOver; call += 1) {
        const migration = newMigration(newPath, singly);
        await importAccounts(migration, [BY_CODE], options);
        const { core } = killing(migration.core, call, when);
        isOver = await importAccounts(migration, [DORA], { ...options, core }).then(
          () => call > 3,
          () => false,
        );
        const between = await importAccounts(migration, [BY_CODE], options);
        const last = await importAccounts(migration, [DORA], options);
        expect(outcomes(last.summary), `${call}: ${between.events.map(told).join()}`).toEqual(
          isOver ? { unchanged: 1 } : { created: 1 },
        );
        expect(await migration.core.countUsers()).toBe(1);
        expect(await usersOf(migration.core)).toMatchObject([{ userId: "u-dora" }]);
        expect(await accountAt(migration.core, "dora@example.com")).toMatchObject({
          verified: true,
          metadata: { plan: "gold" },
          roles: ["admin", "editor"],
          devices: 1,
        });
      }
    },
  );

  it.each([
    ["by it", "by a code", BY_CODE, DORA],
    ["by a code", "by it", DORA, BY_CODE],
  ])(
    "that would bring %s whom a killed run may have brought %s is refused until that is known",
    async (_how, _was, was, is) => {
      const migration = newMigration(newPath, asItIs);
      // The first two make the roles.
      const { core } = killing(migration.core, 3, "after");
      await expect(importAccounts(migration, [was], { ...CREATE, core })).rejects.toThrow("killed");
      const { events } = await importAccounts(migration, [is], CREATE);
      expect(events.map(told)).toEqual(["1 reject plan_kind_changed"]);
      expect(events[0]?.hint).toContain("Import the row once as it was then");
      const last = await importAccounts(migration, [was], CREATE);
      expect(outcomes(last.summary)).toEqual({ created: 1 });
      expect(await migration.core.countUsers()).toBe(1);
    },
  );
});
