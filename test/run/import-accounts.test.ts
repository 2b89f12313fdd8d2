import { describe, expect, it } from "vitest";
import { CoreFailure } from "../../src/core/core-failure.js";
import type { Core } from "../../src/core/core.js";
import { recordCutover } from "../../src/run/cutover.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { accountAt, ANN, BEN, CLEO, HASH, importAccounts } from "./support/accounts.js";
import { newMigration, outcomes, singly, told } from "./support/run.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();
/** A core as it is, which takes accounts whole. */
const whole = <Given>(core: Given): Given => core;

const CREATES = { policy: { roles: "create" } } as const;

const ANN_THERE = {
  recipe: "emailpassword",
  verified: true,
  joined: true,
  metadata: { name: "Ann Blum", plan: "gold" },
  roles: ["admin", "editor"],
  devices: 1,
};
const NONE = { joined: false, metadata: {}, roles: [], devices: 0 };

describe("a user's whole account", () => {
  it("is at the core after an import", async () => {
    const { core, ...migration } = newMigration(newPath, whole);
    const run = await importAccounts({ core, ...migration }, [ANN, BEN, CLEO], CREATES);
    expect(outcomes(run.summary)).toEqual({ imported: 1, created: 2 });
    expect(run.summary.notices).not.toHaveProperty("joined_not_migrated");
    expect(await accountAt(core, "ann@example.com")).toEqual(ANN_THERE);
    const byCode = { ...NONE, recipe: "passwordless" };
    expect(await accountAt(core, "ben@example.com")).toEqual({
      ...byCode,
      verified: false,
      metadata: { name: "Ben Adler" },
    });
    expect(await accountAt(core, "cleo@example.com")).toEqual({
      ...byCode,
      verified: true,
      metadata: { plan: "free" },
    });
  });

  it("takes no second call once it is there", async () => {
    const migration = newMigration(newPath, whole);
    await importAccounts(migration, [ANN, BEN, CLEO], CREATES);
    const again = await importAccounts(migration, [ANN, BEN, CLEO], CREATES);
    expect(outcomes(again.summary)).toEqual({ unchanged: 3 });
    expect(again.summary.calls).toMatchObject({ part: 0, lookup: 0, import: 0 });
  });

  it("is resent where a newer export changes it, by the changed part's call alone", async () => {
    const migration = newMigration(newPath, whole);
    await importAccounts(migration, [ANN, BEN], CREATES);
    const gold = await importAccounts(migration, [ANN, { ...BEN, plan: "gold" }], CREATES);
    expect(outcomes(gold.summary)).toEqual({ created: 1, unchanged: 1 });
    expect(gold.summary.notices).toMatchObject({ account_updated: 1 });
    expect(gold.summary.calls).toMatchObject({ part: 1, code: 0 });
    expect(await accountAt(migration.core, "ben@example.com")).toMatchObject({
      metadata: { name: "Ben Adler", plan: "gold" },
    });
  });

  it("loses what a newer export has taken away, and nothing that the application gave", async () => {
    const migration = newMigration(newPath, whole);
    const { core } = migration;
    const cara = { ...ANN, id: "u-cara", email: "cara@example.com" };
    await importAccounts(migration, [ANN, cara], CREATES);
    const [{ userId } = { userId: "" }] = await core.findUsers({ email: "ann@example.com" });
    await core.part("putRole", { role: "own", permissions: [] });
    await core.part("addUserRole", { userId, role: "own" });
    await core.part("updateMetadata", { userId, metadataUpdate: { theme: "dark" } });
    const { plan: _plan, otp: _otp, ...less } = ANN;
    const newer = [{ ...less, rights: ["editor"] }, cara];
    const run = await importAccounts(migration, newer, CREATES);
    expect(run.summary.calls).toMatchObject({ part: 3, import: 0 });
    expect(run.findings.map(({ code }) => code)).not.toContain("part_not_shown");
    expect(await accountAt(core, "ann@example.com")).toEqual({
      ...ANN_THERE,
      metadata: { name: "Ann Blum", theme: "dark" },
      roles: ["editor", "own"],
      devices: 0,
    });
  });

  it("keeps what a newer export doesn't show of anybody, and says so", async () => {
    const migration = newMigration(newPath, whole);
    await importAccounts(migration, [ANN, BEN], CREATES);
    const { id, email, password_hash } = ANN;
    const shown = { id, email, password_hash } as typeof ANN;
    for (const newer of [[shown], [shown, { ...BEN, name: "Ben A." }]]) {
      const run = await importAccounts(migration, newer, CREATES);
      expect(run.findings).toContainEqual(
        expect.objectContaining({ code: "part_not_shown", count: 1 }),
      );
      const { metadata: _metadata, ...kept } = ANN_THERE;
      expect(await accountAt(migration.core, "ann@example.com")).toMatchObject(kept);
    }
    const whoIs = await accountAt(migration.core, "ben@example.com");
    expect(whoIs).toMatchObject({ verified: false, metadata: { name: "Ben A." } });
  });

  it("isn't brought anew by an export that doesn't show its factor", async () => {
    const migration = newMigration(newPath, whole);
    const { password_hash: _hash, ...byCode } = ANN;
    await importAccounts(migration, [byCode], CREATES);
    const { otp: _otp, ...bare } = ANN;
    const policy = { ...CREATES.policy, changeKind: true, assumeNeverSignedIn: true };
    const run = await importAccounts(migration, [bare], { policy });
    expect(run.summary.rejects).toEqual({ plan_kind_changed: 1 });
    expect(await accountAt(migration.core, "ann@example.com")).toMatchObject({ devices: 1 });
    const all = await importAccounts(migration, [ANN], { policy });
    expect(outcomes(all.summary)).toEqual({ imported: 1 });
    expect(await accountAt(migration.core, "ann@example.com")).toMatchObject({ devices: 1 });
  });

  it("is rejected once it has a factor that isn't carried, unless it came without one before", async () => {
    const mark = { policy: { ...CREATES.policy, onLostFactor: "accept" } } as const;
    const withPasskey = (user: typeof ANN) => ({ ...user, has_passkey: true }) as typeof ANN;
    const { otp: _otp, ...bare } = ANN;
    const migration = newMigration(newPath, whole);
    await importAccounts(migration, [bare, withPasskey(BEN)], mark);
    const newer = [
      withPasskey({ ...bare, password_hash: HASH.replace("$2a$", "$2b$") }),
      withPasskey(BEN),
    ];
    const run = await importAccounts(migration, newer, CREATES);
    expect(outcomes(run.summary)).toEqual({ rejected: 1, unchanged: 1 });
    expect(run.summary.rejects).toEqual({ factor_lost: 1 });
  });

  it("stays as it is since the cut-over", async () => {
    const migration = newMigration(newPath, whole);
    await importAccounts(migration, [ANN, BEN], CREATES);
    recordCutover(migration.checkpoint);
    const changed = [{ ...ANN, rights: ["editor"] }, BEN];
    const run = await importAccounts(migration, changed, CREATES);
    expect(outcomes(run.summary)).toEqual({ skipped: 1, unchanged: 1 });
    expect(run.events.map(told)).toEqual(["1 skip changed_after_cutover"]);
    expect(await accountAt(migration.core, "ann@example.com")).toEqual(ANN_THERE);
  });

  it("gets no part since the cut-over that the user didn't have before", async () => {
    const migration = newMigration(newPath, whole);
    const { plan: _plan, rights: _rights, ...bare } = ANN;
    const { name: _name, ...nameless } = bare;
    await importAccounts(migration, [nameless, BEN], CREATES);
    const before = await accountAt(migration.core, "ann@example.com");
    recordCutover(migration.checkpoint);
    const run = await importAccounts(migration, [ANN, BEN], CREATES);
    expect(outcomes(run.summary)).toEqual({ skipped: 1, unchanged: 1 });
    expect(run.events.map(told)).toEqual(["1 skip changed_after_cutover"]);
    expect(await accountAt(migration.core, "ann@example.com")).toEqual(before);
  });

  it("isn't given to a user who was at the core before, under no policy", async () => {
    for (const onExisting of ["skip", "update"] as const) {
      const migration = newMigration(newPath, whole);
      const { core } = migration;
      await core.importUser({ email: "ann@example.com", passwordHash: HASH });
      const policy = { ...CREATES.policy, onExisting };
      const { summary } = await importAccounts(migration, [ANN], { policy });
      expect(summary.carriedUsers).toEqual({});
      const untouched = { ...NONE, recipe: "emailpassword", verified: false };
      expect(await accountAt(core, "ann@example.com")).toEqual(untouched);
      const again = await importAccounts(migration, [{ ...ANN, plan: "free" }], CREATES);
      expect(again.summary.calls.part).toBe(0);
      expect(await accountAt(core, "ann@example.com")).toEqual(untouched);
    }
  });

  it("is told and left where the operator carries nothing, and comes when it is carried", async () => {
    const migration = newMigration(newPath, whole);
    const { core } = migration;
    const { otp: _otp, ...ann } = ANN;
    const none = await importAccounts(migration, [ann], { policy: { carry: [] } });
    expect(none.summary.notices).toMatchObject({ verification_not_migrated: 1 });
    expect(await accountAt(core, "ann@example.com")).toMatchObject({
      verified: false,
      metadata: {},
    });
    await importAccounts(migration, [ann], CREATES);
    expect(await accountAt(core, "ann@example.com")).toMatchObject({
      verified: true,
      metadata: { plan: "gold" },
      roles: ["admin", "editor"],
    });
  });

  it("is kept under the vendor's id where that is kept", async () => {
    const migration = newMigration(newPath, whole);
    await importAccounts(migration, [ANN, CLEO], { policy: { roles: "create", keepIds: true } });
    const { metadata } = await migration.core.part("getMetadata", { userId: "u-ann" });
    expect(metadata).toEqual({ name: "Ann Blum", plan: "gold" });
    // Also by a run that isn't asked to keep ids.
    await importAccounts(migration, [{ ...ANN, plan: "free" }, CLEO], CREATES);
    expect(await migration.core.part("getMetadata", { userId: "u-ann" })).toMatchObject({
      metadata: { plan: "free" },
    });
  });
});

describe("a core that takes a new user's whole account", () => {
  const EVERYBODY = [ANN, BEN, CLEO];

  it.each([
    ["under the core's own ids", false],
    ["under the vendor's ids", true],
  ])("has after a call for each %s what single calls leave there", async (_ids, keepIds) => {
    const policy = { roles: "create", keepIds } as const;
    const migration = newMigration(newPath, whole);
    const { summary } = await importAccounts(migration, EVERYBODY, { policy });
    expect(outcomes(summary)).toEqual({ imported: 1, created: 2 });
    const none = { lookup: 0, code: 0, consume: 0, update: 0, map: 0, part: 0 };
    expect(summary.calls).toEqual({ ...none, import: 3 });
    const other = newMigration(newPath, whole);
    await importAccounts(other, EVERYBODY, { policy, core: singly(other.core) });
    for (const { email = "", id } of EVERYBODY) {
      expect(await accountAt(migration.core, email)).toEqual(await accountAt(other.core, email));
      expect((await migration.core.getUser(id))?.email).toBe(keepIds ? email : undefined);
    }
    const again = await importAccounts(migration, EVERYBODY, { policy });
    expect(again.summary.calls).toEqual({ ...none, import: 0 });
    // The checkpoint has the ids that the core knows them by.
    const newer = EVERYBODY.map((user) => ({ ...user, plan: "silver" }));
    const changed = await importAccounts(migration, newer, { policy });
    expect(changed.summary.calls).toMatchObject({ import: 0, map: 0, part: 3 });
    const silver = { metadata: { plan: "silver" } };
    for (const { email = "" } of EVERYBODY) {
      expect(await accountAt(migration.core, email)).toMatchObject(silver);
    }
  });

  it.each([false, true])(
    "has everything of a user whose answer was lost (ids kept: %s)",
    async (keepIds) => {
      const migration = newMigration(newPath, whole);
      const { core } = migration;
      const lost = new Set<string>();
      const losing: Core = {
        ...core,
        importAccount: async (request) => {
          const outcome = await core.importAccount(request);
          const key = JSON.stringify(request.wayIn);
          if (lost.has(key)) return outcome;
          lost.add(key);
          throw new CoreFailure("unreachable", "the answer was lost", { reached: "unknown" });
        },
      };
      const policy = { roles: "create", keepIds } as const;
      const options = { policy, core: losing, timing: virtualTiming() };
      const run = await importAccounts(migration, EVERYBODY, options);
      expect(outcomes(run.summary)).toEqual({ imported: 1, created: 2 });
      expect(run.summary.calls).toMatchObject({ import: 6, code: 0, part: 0 });
      expect(await accountAt(core, "ann@example.com")).toEqual(ANN_THERE);
      const again = await importAccounts(migration, EVERYBODY, { policy });
      expect(outcomes(again.summary)).toEqual({ unchanged: 3 });
    },
  );

  it.each([
    ["skip", { existed: 3 }],
    ["update", { imported: 1, existed: 2 }],
  ] as const)(
    "leaves what is theirs to users who signed up since, under %s",
    async (onExisting, expected) => {
      const migration = newMigration(newPath, whole);
      const { core } = migration;
      const late: Core = {
        ...core,
        importAccount: async (request) => {
          await core.importAccount({ wayIn: request.wayIn });
          return core.importAccount(request);
        },
      };
      const policy = { roles: "create", onExisting } as const;
      const run = await importAccounts(migration, EVERYBODY, { policy, core: late });
      expect(outcomes(run.summary)).toEqual(expected);
      expect(run.summary.carriedUsers).toEqual({});
      for (const { email = "" } of EVERYBODY) {
        expect(await accountAt(core, email)).toMatchObject({ ...NONE, verified: false });
      }
    },
  );

  it("has a user by single calls whose phone or id another user has since", async () => {
    const migration = newMigration(newPath, whole);
    const { core } = migration;
    const phoneNumber = "+14155550123";
    const late: Core = {
      ...core,
      importAccount: async (request) => {
        const wayIn = { recipe: "passwordless", phoneNumber } as const;
        await core.importAccount({ wayIn, externalUserId: "u-ann" });
        return core.importAccount(request);
      },
    };
    const policy = { roles: "create", keepIds: true } as const;
    const cleo = { ...CLEO, phone: phoneNumber };
    const run = await importAccounts(migration, [ANN, cleo], { policy, core: late });
    expect(outcomes(run.summary)).toEqual({ imported: 1, created: 1 });
    expect(run.summary.notices).toMatchObject({ id_not_kept: 1, contact_conflict: 1 });
    expect(await accountAt(core, "ann@example.com")).toEqual(ANN_THERE);
    const free = { verified: true, metadata: { plan: "free" } };
    expect(await accountAt(core, "cleo@example.com")).toMatchObject(free);
  });
});

describe("a core that doesn't keep all of an account", () => {
  it("has the user, and what it refuses is told", async () => {
    const { core, ...migration } = newMigration(newPath, whole);
    const refusing: Core = {
      ...singly(core),
      part: (name, request) =>
        name === "updateMetadata"
          ? Promise.reject(new CoreFailure("refused", "too long", { reached: "yes" }))
          : core.part(name, request),
    };
    const run = await importAccounts({ core, ...migration }, [ANN, BEN], {
      ...CREATES,
      core: refusing,
    });
    expect(outcomes(run.summary)).toEqual({ imported: 1, created: 1 });
    expect(run.summary.notices).toMatchObject({ metadata_not_migrated: 2 });
    expect(await accountAt(core, "ann@example.com")).toMatchObject({ metadata: {}, devices: 1 });
  });

  it("leaves an email unverified, and says so, where it takes none of its own tokens", async () => {
    const { core, ...migration } = newMigration(newPath);
    const forgetful: Core = {
      ...core,
      part: (name, request) =>
        name === "verifyEmail"
          ? Promise.resolve({ status: "EMAIL_VERIFICATION_INVALID_TOKEN_ERROR" } as never)
          : core.part(name, request),
    };
    const run = await importAccounts({ core, ...migration }, [ANN], {
      ...CREATES,
      core: forgetful,
    });
    expect(outcomes(run.summary)).toEqual({ imported: 1 });
    expect(run.summary.notices).toMatchObject({ verification_not_migrated: 1 });
  });

  it("is asked once for what takes a license", async () => {
    const migration = newMigration(newPath, whole);
    const { core } = migration;
    let asked = 0;
    const licensed: Core = {
      ...singly(core),
      part: (name, request) => {
        if (name !== "updateMetadata") return core.part(name, request);
        asked += 1;
        return Promise.reject(new CoreFailure("disabled", "no license", { reached: "yes" }));
      },
    };
    const run = await importAccounts(migration, [ANN, BEN, CLEO], {
      ...CREATES,
      core: licensed,
      concurrency: 1,
    });
    expect(outcomes(run.summary)).toEqual({ imported: 1, created: 2 });
    expect(run.summary.notices).toMatchObject({ metadata_not_migrated: 3 });
    expect(asked).toBe(1);
  });

  it("leaves a user unfinished whom a part didn't reach, and the next run does the rest", async () => {
    const migration = newMigration(newPath, whole);
    const { core } = migration;
    const failing: Core = {
      ...singly(core),
      part: (name, request) =>
        name === "addUserRole"
          ? Promise.reject(new CoreFailure("broken", "500", { reached: "yes" }))
          : core.part(name, request),
    };
    const first = await importAccounts(migration, [ANN, CLEO], {
      ...CREATES,
      core: failing,
      timing: virtualTiming(),
    });
    expect(outcomes(first.summary)).toEqual({ created: 1, failed: 1 });
    expect(first.events.map(told)).toEqual(["1 failure core_broken"]);
    const next = await importAccounts(migration, [ANN, CLEO], CREATES);
    expect(outcomes(next.summary)).toEqual({ imported: 1, unchanged: 1 });
    expect(next.summary.calls).toMatchObject({ import: 0, part: 3 });
    expect(await accountAt(core, "ann@example.com")).toEqual(ANN_THERE);
  });
});
