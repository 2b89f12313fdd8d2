import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import type { CoreUser, UserPage } from "../../src/core/user.js";
import type { ReconcileEvent } from "../../src/reconcile/compare-all.js";
import { openInputs } from "../../src/source/inputs.js";
import { type Prepared, prepareMigration, readers } from "../run/support/people.js";
import { csvOf, newMigration, type RunOptions } from "../run/support/run.js";
import { failure } from "../run/support/scripted-core.js";
import { virtualTiming } from "../run/support/virtual-timing.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { reconcile } from "./support.js";

const newPath = temporaryPaths();

/** A core whose pages are otherwise than its users are. */
function listing(core: Core, change: (page: UserPage, number: number) => UserPage): Core {
  let pages = 0;
  return {
    ...core,
    async listUsers(request) {
      const page = await core.listUsers(request);
      pages += 1;
      return change(page, pages);
    },
  };
}

async function imported(count: number, options: RunOptions = {}): Promise<Prepared> {
  const prepared = prepareMigration(newPath, readers(count));
  await prepared.migration.run([prepared.file], options);
  return prepared;
}

async function signUp(core: Core, contact: Parameters<Core["createCode"]>[0]): Promise<CoreUser> {
  const { preAuthSessionId, linkCode } = await core.createCode(contact);
  const consumed = await core.consumeCode({ preAuthSessionId, linkCode });
  if (consumed.status !== "OK") throw new Error(consumed.status);
  return consumed.user;
}

describe("reconciling by pages", () => {
  it("reads five hundred users a call, and asks for nobody else", async () => {
    const { migration, file } = await imported(1200);
    const { result, calls } = await reconcile(migration);
    expect(result).toMatchObject({ asked: 1200, agreed: 1200, pages: 3, agrees: true });
    // A hundred thousand users take two hundred pages, and the same four questions before.
    expect(calls).toEqual({ probe: 1, findUsers: 1, countUsers: 2, listUsers: 3 });

    const inputs = await openInputs([file]);
    const byRow = await reconcile(migration, { inputs });
    expect(byRow.result).toMatchObject({ asked: 1200, agreed: 1200, agrees: true });
    expect(byRow.calls).toEqual(calls);
  });

  it("asks by id where few are asked for", async () => {
    const { migration } = await imported(40);
    for (let stranger = 0; stranger < 20; stranger += 1) {
      await signUp(migration.core, { email: `stranger.${stranger}@example.com` });
    }
    const { result, calls } = await reconcile(migration, { sample: 1 });
    expect(result).toMatchObject({ asked: 1, agreed: 1, pages: 0 });
    expect(calls).toMatchObject({ getUser: 1 });
    expect(calls.listUsers).toBeUndefined();
  });

  it("asks by id for users whom shifted pages passed over, before it calls them missing", async () => {
    const { migration } = await imported(40);
    const [passedOver, gone] = await migration.users();
    const core = listing(migration.core, (page) => ({
      ...page,
      users: page.users.filter(({ userId }) => userId !== passedOver?.userId),
    }));
    await migration.core.removeUser(gone?.userId ?? "");
    const { result, told, calls } = await reconcile(migration, { core });
    expect(result).toMatchObject({ asked: 40, agreed: 39, differing: 1 });
    expect(told).toEqual([expect.stringMatching(/^\d+ difference user_missing$/)]);
    expect(calls.getUser).toBe(2);
  });

  it("finds two people behind one row: the email is one user's, the phone another's", async () => {
    const migration = newMigration(newPath);
    await signUp(migration.core, { email: "ida@example.com" });
    await signUp(migration.core, { phoneNumber: "+15550100078" });
    const rows = [
      { id: "1", email: "ida@example.com", phone: "+15550100078" },
      { id: "2", email: "jon@example.com", phone: "+15550100079" },
    ];
    const file = migration.write("users.csv", csvOf(rows));
    expect((await migration.run([file])).summary).toMatchObject({ existed: 1, created: 1 });
    const { told } = await reconcile(migration);
    expect(told).toEqual(["1 difference contact_of_other"]);
    const inputs = await openInputs([file]);
    expect((await reconcile(migration, { inputs })).told).toEqual(told);
  });

  it("takes a person who was there under two ways in for one, where both contacts lead to them", async () => {
    const migration = newMigration(newPath);
    const { userId } = await signUp(migration.core, { email: "ida@example.com" });
    await migration.core.updateUser({ userId, phoneNumber: "+15550100078" });
    const passwordHash = readers(2)[1]?.hash ?? "";
    await migration.core.importUser({ email: "ida@example.com", passwordHash });
    const rows = [{ id: "1", email: "ida@example.com", phone: "+15550100078" }];
    await migration.run([migration.write("users.csv", csvOf(rows))]);
    expect((await reconcile(migration)).result).toMatchObject({ agreed: 1, agrees: true });
  });

  it("knows users by the vendor's ids where the core shows those", async () => {
    const { migration } = await imported(10, { policy: { keepIds: true } });
    const { result, calls } = await reconcile(migration);
    expect(result).toMatchObject({ agreed: 10, agrees: true });
    expect(calls.getUser).toBeUndefined();
  });

  it("takes a vendor's id that another person has at the core for nothing", async () => {
    const { migration } = await imported(10, { policy: { keepIds: true } });
    const core = listing(migration.core, ({ users, ...page }) => ({
      ...page,
      users: users.map((user) => ({ ...user, email: `other.${user.userId}@example.com` })),
    }));
    const { calls } = await reconcile(migration, { core });
    expect(calls.getUser).toBe(10);
  });

  it("finds the brought way in of a linked account", async () => {
    const { migration } = await imported(10);
    const core = listing(migration.core, ({ users, ...page }) => ({
      ...page,
      users: users.flatMap((user): CoreUser[] => {
        const { userId, recipe } = user;
        const other = recipe === "passwordless" ? "emailpassword" : "passwordless";
        const account = { userId: `account of ${userId}` };
        return [
          { ...account, recipe: other, email: "linked@example.com", recipeUserId: "linked" },
          { ...user, ...account, recipeUserId: userId },
        ];
      }),
    }));
    const { result, calls } = await reconcile(migration, { core });
    expect(result).toMatchObject({ agreed: 10 });
    expect(calls.getUser).toBeUndefined();
  });

  it("asks for each user at a core that lists none, and says so", async () => {
    const { migration } = await imported(10);
    const listUsers = async () => Promise.reject(failure("not_offered"));
    const { result } = await reconcile(migration, { core: { ...migration.core, listUsers } });
    expect(result).toMatchObject({ agreed: 10, pages: null, agrees: true });
  });

  it("asks by id for users of pages that no call brought", async () => {
    const { migration } = await imported(520);
    const core = listing(migration.core, (page, number) => {
      if (number > 1) throw failure("refused");
      return page;
    });
    const { result, calls } = await reconcile(migration, { core });
    expect(result).toMatchObject({ agreed: 520, pages: 1, agrees: true });
    expect(calls.getUser).toBe(20);
  });

  it("isn't held up by a cache that gives one page again and again", async () => {
    const { migration } = await imported(520);
    const recipes = ["emailpassword", "passwordless"] as const;
    const first = await migration.core.listUsers({ limit: 500, recipes });
    const core = listing(migration.core, () => first);
    const { result } = await reconcile(migration, { core });
    expect(result).toMatchObject({ agreed: 520, pages: 2 });
  });

  it("stops between two pages at a signal", async () => {
    const { migration } = await imported(520);
    const controller = new AbortController();
    const core = listing(migration.core, (page) => {
      controller.abort();
      return page;
    });
    const { result } = await reconcile(migration, { core, signal: controller.signal });
    expect(result).toMatchObject({ interrupted: true, pages: 1, asked: 0 });
  });

  it("tells how many users of the core's it has listed", async () => {
    const { migration } = await imported(520);
    const events: ReconcileEvent[] = [];
    let now = 0;
    const timing = {
      ...virtualTiming(),
      now() {
        now += 1000;
        return now;
      },
    };
    const onEvent = (event: ReconcileEvent): void => void events.push(event);
    await reconcile(migration, { timing, onEvent });
    const listed = events.filter((event) => event.type === "progress" && event.phase === "list");
    expect(listed).toMatchObject([
      { read: 500, total: 520 },
      { read: 520, total: 520 },
    ]);
  });
});
