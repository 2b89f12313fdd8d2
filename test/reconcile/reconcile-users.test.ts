import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import type { CoreUser } from "../../src/core/user.js";
import { openInputs } from "../../src/source/inputs.js";
import { type Prepared, prepareMigration, readers } from "../run/support/people.js";
import { csvOf, newMigration, type RunOptions } from "../run/support/run.js";
import { failure } from "../run/support/scripted-core.js";
import { virtualTiming } from "../run/support/virtual-timing.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { reconcile } from "./support.js";

const newPath = temporaryPaths();

async function imported(rows = readers(40), options: RunOptions = {}): Promise<Prepared> {
  const prepared = prepareMigration(newPath, rows);
  await prepared.migration.run([prepared.file], options);
  return prepared;
}

/** A core that shows some users otherwise than they are: `null` for one who isn't there. */
function showing(core: Core, show: (user: CoreUser) => CoreUser | null): Core {
  return {
    ...core,
    async getUser(userId) {
      const user = await core.getUser(userId);
      return user === null ? null : show(user);
    },
    async findUsers(contact) {
      const users = await core.findUsers(contact);
      return users.flatMap((user) => show(user) ?? []);
    },
    async listUsers(request) {
      const page = await core.listUsers(request);
      return { ...page, users: page.users.flatMap((user) => show(user) ?? []) };
    },
  };
}

/** A core that offers no list, so that each user is asked for. */
function withoutList(core: Core): Core {
  return { ...core, listUsers: async () => Promise.reject(failure("not_offered")) };
}

const WAYS = [
  ["by pages", (core: Core) => core],
  ["by id", withoutList],
] as const;

describe("reconciling", () => {
  it("agrees after an import, by id and by contact", async () => {
    const { migration, file } = prepareMigration(newPath);
    await migration.run([file]);
    const { result, told } = await reconcile(migration);
    expect(result).toMatchObject({
      ...{ finished: 4, unfinished: 0, asked: 4, agreed: 4, differing: 0, unasked: 0 },
      counts: {
        emailpassword: { brought: 1, core: 1 },
        passwordless: { brought: 3, core: 3 },
      },
      ...{ agrees: true, running: false, rows: null, interrupted: false },
    });
    expect(told).toEqual([]);

    const inputs = await openInputs([file]);
    const byContact = await reconcile(migration, { inputs });
    // The second row of user 1 is of a finished user as well, who is asked for once.
    expect(byContact.result).toMatchObject({ agrees: true, differing: 0, asked: 4 });
    expect(byContact.result.rows).toEqual({ read: 11, notBrought: 6 });
  });

  it("agrees where users are known by the vendor's ids at the core", async () => {
    const { migration, file } = await imported(readers(10), { policy: { keepIds: true } });
    expect((await migration.users())[0]?.userId).toMatch(/^r-/);
    const inputs = await openInputs([file]);
    expect((await reconcile(migration, { inputs })).result).toMatchObject({
      ...{ asked: 10, agreed: 10, agrees: true },
    });
  });

  it("differs where a vendor's id that was kept doesn't lead to its user any more", async () => {
    const { migration } = await imported(readers(10), { policy: { keepIds: true } });
    const { core } = migration;
    const ownId = (await core.findMapping("r-3"))?.userId ?? "";
    const unmapped: Core = {
      ...showing(core, (user) =>
        user.userId === "r-3" ? { ...user, userId: ownId, recipeUserId: ownId } : user,
      ),
      findMapping: async (id) => (id === "r-3" ? null : core.findMapping(id)),
    };
    for (const given of [unmapped, withoutList(unmapped)]) {
      const { result, told } = await reconcile(migration, { core: given });
      expect(told).toEqual(["3 difference id_differs"]);
      expect(result).toMatchObject({ agreed: 9, differing: 1, agrees: false });
    }
  });

  it("agrees where users were there before, under other ids and with other contacts", async () => {
    const migration = newMigration(newPath);
    await migration.core.importUser({
      email: "reader.2@example.com",
      passwordHash: readers(2)[1]?.hash ?? "",
    });
    await migration.run([migration.write("users.csv", csvOf(readers(4)))]);
    const { result } = await reconcile(migration);
    expect(result).toMatchObject({ finished: 4, agreed: 4, agrees: true });
    expect(result.counts.emailpassword).toEqual({ brought: 1, core: 2 });
  });

  it.each(WAYS)(
    "names users whom the core doesn't know any more: asked %s",
    async (_how, offering) => {
      const { migration } = await imported();
      const core = showing(migration.core, (user) =>
        user.email === "reader.7@example.com" || user.email === "reader.8@example.com"
          ? null
          : user,
      );
      const { result, told } = await reconcile(migration, { core: offering(core) });
      expect([...told].sort()).toEqual(["7 difference user_missing", "8 difference user_missing"]);
      expect(result).toMatchObject({ asked: 40, agreed: 38, differing: 2, agrees: false });
      expect(result.differences).toEqual({ user_missing: 2 });
    },
  );

  it.each(WAYS)(
    "names users who sign in another way, or have none of their contacts: asked %s",
    async (_how, offering) => {
      const { migration } = await imported();
      const core = showing(migration.core, (user) => {
        if (user.email === "reader.2@example.com") return { ...user, recipe: "passwordless" };
        if (user.email === "reader.3@example.com") return { ...user, email: "someone@example.com" };
        return user;
      });
      const { told } = await reconcile(migration, { core: offering(core) });
      expect([...told].sort()).toEqual([
        "2 difference recipe_differs",
        "3 difference contact_differs",
      ]);
    },
  );

  it("finds a user whose account is linked with another way to sign in", async () => {
    const { migration } = await imported();
    const linked = (user: CoreUser): CoreUser => ({
      ...user,
      recipe: "emailpassword",
      email: "linked@example.com",
    });
    const core: Core = {
      ...migration.core,
      async getUser(userId) {
        const user = await migration.core.getUser(userId);
        return user?.email === "reader.5@example.com" ? linked(user) : user;
      },
      async findUsers(contact) {
        const email = contact.email === "linked@example.com" ? "reader.5@example.com" : undefined;
        const users = await migration.core.findUsers(email === undefined ? contact : { email });
        if (email === undefined) return users;
        const other = {
          userId: "other",
          recipe: "passwordless",
          email: "linked@example.com",
        } as const;
        return users.flatMap((user) => [linked(user), other, user]);
      },
    };
    expect((await reconcile(migration, { core })).result).toMatchObject({ agreed: 40 });
  });

  it("names contacts that lead to nobody or to somebody else, where files say which they are", async () => {
    const { migration, file } = await imported();
    const inputs = await openInputs([file]);
    const [stranger] = (await migration.users()).slice(-1);
    const core: Core = {
      ...migration.core,
      async findUsers(contact) {
        if (contact.email === "reader.3@example.com") return [];
        // A namesake who signs in another way is no way in for this user.
        if (contact.email === "reader.7@example.com") {
          return [{ userId: "namesake", recipe: "emailpassword", email: contact.email }];
        }
        if (contact.email === "reader.5@example.com" && stranger) {
          return [{ ...stranger, recipe: "passwordless" }];
        }
        return migration.core.findUsers(contact);
      },
    };
    const { told } = await reconcile(migration, { core: withoutList(core), inputs });
    expect([...told].sort()).toEqual([
      "3 difference contact_missing",
      "5 difference contact_of_other",
      "7 difference contact_missing",
    ]);
  });

  it.each([
    ["leads to nobody", [], "1 difference contact_missing"],
    ["is another user's", ["+15550100078"], "1 difference contact_of_other"],
  ])(
    "names a user who was there before and of whose row a contact %s",
    async (_what, others, expected) => {
      const migration = newMigration(newPath);
      const there = [
        { email: "ida@example.com" },
        ...others.map((phoneNumber) => ({ phoneNumber })),
      ];
      for (const contact of there) {
        const { preAuthSessionId, linkCode } = await migration.core.createCode(contact);
        await migration.core.consumeCode({ preAuthSessionId, linkCode });
      }
      const rows = [{ id: "1", email: "ida@example.com", phone: "+15550100078" }];
      const file = migration.write("users.csv", csvOf(rows));
      const { summary } = await migration.run([file]);
      expect([summary.existed, summary.notices.contact_conflict]).toEqual([1, 1]);
      const inputs = await openInputs([file]);
      expect((await reconcile(migration, { inputs })).told).toEqual([expected]);
    },
  );

  it("takes a second contact that is somebody else's for what the import has told", async () => {
    const migration = newMigration(newPath);
    const code = await migration.core.createCode({ phoneNumber: "+15550100077" });
    const { preAuthSessionId, linkCode } = code;
    await migration.core.consumeCode({ preAuthSessionId, linkCode });
    const rows = [{ id: "1", email: "ida@example.com", phone: "+15550100077" }];
    const file = migration.write("users.csv", csvOf(rows));
    const { summary } = await migration.run([file], { policy: { assumeEmpty: true } });
    expect(summary.notices).toMatchObject({ contact_conflict: 1 });
    const inputs = await openInputs([file]);
    expect((await reconcile(migration, { inputs })).result).toMatchObject({ agreed: 1 });
  });

  it("differs where the core has fewer users than were brought", async () => {
    const { migration } = await imported();
    const core: Core = { ...migration.core, countUsers: async () => 12 };
    const { result } = await reconcile(migration, { core });
    expect(result).toMatchObject({ agrees: false, differing: 0 });
    expect(result.counts.passwordless).toEqual({ brought: 20, core: 12 });
  });

  it("does without counts where the core has none", async () => {
    const { migration } = await imported();
    const countUsers = async () => Promise.reject(failure("not_offered"));
    const { result } = await reconcile(migration, { core: { ...migration.core, countUsers } });
    expect(result.counts.emailpassword).toEqual({ brought: 20, core: null });
    expect(result).toMatchObject({ agrees: true, agreed: 40 });
  });

  it("asks for everybody in a sample once, and for everybody in all where that is wanted", async () => {
    const { migration, file } = await imported(readers(520));
    for (const inputs of [[], await openInputs([file])]) {
      const asked: string[] = [];
      const core: Core = {
        ...migration.core,
        getUser: (userId) => {
          asked.push(userId);
          return migration.core.getUser(userId);
        },
      };
      let seed = 7;
      const random = (): number => {
        seed = (seed * 16_807) % 2_147_483_647;
        return seed / 2_147_483_647;
      };
      const timing = { ...virtualTiming(), random };
      const by = { core: withoutList(core), inputs, sample: 50, timing };
      const { result } = await reconcile(migration, by);
      expect(result).toMatchObject({ finished: 520, asked: 50, agreed: 50, agrees: true });
      expect(new Set(asked).size).toBe(50);
    }
    expect((await reconcile(migration)).result).toMatchObject({ asked: 520, agreed: 520 });
  });

  it("says who got no answer, and asks for the others", async () => {
    const { migration } = await imported();
    const lost = (await migration.users())[4]?.userId;
    const core: Core = {
      ...migration.core,
      getUser: async (userId) =>
        userId === lost ? Promise.reject(failure("broken")) : migration.core.getUser(userId),
    };
    const { result, told } = await reconcile(migration, { core: withoutList(core) });
    expect(result).toMatchObject({ asked: 40, agreed: 39, unanswered: 1, agrees: true });
    expect(told).toEqual([expect.stringMatching(/^\d+ failure core_broken$/)]);
  });

  it("stops at a signal, and says so", async () => {
    const { migration } = await imported(readers(200));
    const controller = new AbortController();
    let asked = 0;
    const core: Core = {
      ...migration.core,
      getUser: (userId) => {
        asked += 1;
        if (asked === 5) controller.abort();
        return migration.core.getUser(userId);
      },
    };
    const { signal } = controller;
    const { result } = await reconcile(migration, { core: withoutList(core), signal });
    expect(result.interrupted).toBe(true);
    expect(result.asked).toBeLessThan(200);
  });

  it("stops before it has asked for anybody, and says what it knows", async () => {
    const { migration, file } = await imported(readers(20));
    const controller = new AbortController();
    const countUsers = (): Promise<number> => {
      controller.abort();
      return Promise.reject(failure("unreachable"));
    };
    const core = { ...migration.core, countUsers };
    const inputs = await openInputs([file]);
    const { result } = await reconcile(migration, { core, inputs, signal: controller.signal });
    expect(result).toMatchObject({ interrupted: true, asked: 0, finished: 20 });
    expect(result.counts.emailpassword).toEqual({ brought: 10, core: null });
  });

  it("asks its first question again where the answer is lost, and none once it is stopped", async () => {
    const { migration } = await imported(readers(4));
    let questions = 0;
    const core: Core = {
      ...migration.core,
      findUsers(contact) {
        questions += 1;
        if (questions > 1) return migration.core.findUsers(contact);
        return Promise.reject(failure("unreachable", { reached: "unknown" }));
      },
    };
    const timing = virtualTiming();
    expect((await reconcile(migration, { core, timing })).result.agrees).toBe(true);
    expect(questions).toBe(2);
    const { result } = await reconcile(migration, { core, signal: AbortSignal.abort() });
    expect(result).toMatchObject({ interrupted: true, asked: 0 });
    expect(questions).toBe(2);
  });

  it.each([
    ["that refuses the key", "key_refused", "key_refused", /--api-key-file/],
    ["without look-ups", "not_offered", "core_without_lookups", /auth-migrate status/],
    ["that is gone", "unreachable", "core_unreachable", /--core/],
  ] as const)("ends at a core %s", async (_what, kind, code, next) => {
    const { migration } = await imported(readers(4));
    const findUsers = async () => Promise.reject(failure(kind, { reached: "no" }));
    const run = reconcile(migration, { core: { ...migration.core, findUsers } });
    await expect(run).rejects.toMatchObject({ code, hint: expect.stringMatching(next) });
  });

  it("is refused for another core than the checkpoint's", async () => {
    const { migration } = await imported(readers(4));
    const other = newMigration(newPath);
    const binding = { kind: "embedded", coreId: other.core.coreId } as const;
    const run = reconcile(migration, { core: other.core, binding });
    await expect(run).rejects.toMatchObject({ code: "checkpoint_other_core" });
  });

  it("has nothing to compare where nobody was sent, or where there is no checkpoint", async () => {
    const { migration } = prepareMigration(newPath);
    await expect(reconcile(migration)).rejects.toMatchObject({ code: "checkpoint_missing" });
    await migration.run([migration.write("nobody.csv", csvOf([{ id: "1" }]))]);
    await expect(reconcile(migration)).rejects.toMatchObject({ code: "checkpoint_missing" });
    writeFileSync(migration.checkpoint, "not a checkpoint\n".repeat(100));
    await expect(reconcile(migration)).rejects.toMatchObject({ code: "checkpoint_invalid" });
  });
});
