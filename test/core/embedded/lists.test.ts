import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PageRequest, Recipe } from "../../../src/core/user.js";
import { type EmbeddedCore, openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { addDevices, consumeAll, removeOldDevices } from "../../../src/core/embedded/devices.js";
import { DATA_FILE } from "../../../src/core/embedded/sqlite/schema.js";
import { SqliteScripts } from "../../../src/core/embedded/sqlite/sqlite-scripts.js";
import { changeContacts, mapUserId, removeUser } from "../../../src/core/embedded/user-changes.js";
import type { Judgement } from "../../../src/core/embedded/store.js";
import { listPage, someHash } from "../../../src/core/embedded/user-lists.js";
import {
  countUsers,
  importPasswords,
  usersByContact,
  usersById,
} from "../../../src/core/embedded/users.js";
import { type Database, openDatabase } from "../../../src/sqlite/database.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { passwordlessUser, passwordUser } from "./people.js";
import { repeated } from "../../support/repeated.js";

const path = temporaryPaths();
const NOON = Date.UTC(2026, 0, 15, 12);
const P = "passwordless";
const E = "emailpassword";

/** A core with a user of each of these recipes, every other one mapped, and their ids in this order. */
async function coreWith(recipes: readonly Recipe[], now = () => NOON) {
  const core = openEmbeddedCore({ file: path("core.db"), now });
  const ids: string[] = [];
  for (const [index, recipe] of recipes.entries()) {
    const email = `user.${index}@example.com`;
    const user = await (recipe === P
      ? passwordlessUser(core, { email })
      : passwordUser(core, email));
    const externalUserId = `external ${index}`;
    if (index % 2 === 1) await core.mapUserId({ userId: user.userId, externalUserId });
    ids.push(index % 2 === 1 ? externalUserId : user.userId);
  }
  return { core, ids };
}

/** The ids of every page, in order. Only the first page is asked for by order and recipes. */
async function walk(core: EmbeddedCore, request: PageRequest): Promise<string[]> {
  const ids: string[] = [];
  const { limit } = request;
  let page = await core.listUsers(request);
  for (;;) {
    ids.push(...page.users.map(({ userId }) => userId));
    const { nextPaginationToken: paginationToken } = page;
    if (paginationToken === undefined) return ids;
    page = await core.listUsers({ paginationToken, ...(limit === undefined ? {} : { limit }) });
  }
}

describe("lists of users", () => {
  it("tell everyone once, in the order of joining or against it, of all recipes or of one", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<Recipe>(E, P), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom<PageRequest["order"]>("ASC", "DESC"),
        fc.constantFrom<readonly Recipe[]>([], [E], [P], [E, P]),
        async (recipes, limit, order = "ASC", asked) => {
          const { core, ids } = await coreWith(recipes);
          const expected = ids.filter(
            (_, index) => asked.length === 0 || asked.includes(recipes[index] ?? E),
          );
          if (order === "DESC") expected.reverse();
          expect(await walk(core, { limit, order, recipes: asked })).toEqual(expected);
          expect(await core.countUsers({ recipes: asked })).toBe(expected.length);
          await core.close();
        },
      ),
      { numRuns: repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 10, full: 30 }) },
    );
  });

  it("keep the order of joining when the clock stands still or is set back", async () => {
    let time = NOON;
    const { core, ids } = await coreWith([P, E, P, E], () => {
      time -= 3_600_000;
      return time;
    });
    expect(await walk(core, { limit: 1 })).toEqual(ids);
    await core.close();
  });

  it("keep the order of joining of those whose calls came at once", async () => {
    const core = openEmbeddedCore({ file: path("core.db") });
    const emails = ["zoe@example.com", "ada@example.com", "mia@example.com"];
    const codes = await Promise.all(emails.map((email) => core.createCode({ email })));
    await Promise.all(emails.map((email) => passwordUser(core, email)));
    await Promise.all(codes.map((code) => core.consumeCode(code)));
    const { users } = await core.listUsers({});
    expect(users.map(({ email }) => email)).toEqual([...emails, ...emails]);
    await core.close();
  });

  it("tell those who join meanwhile to one who goes forward only", async () => {
    const { core, ids } = await coreWith([E, E, E]);
    const forward = await core.listUsers({ limit: 2, order: "ASC" });
    const back = await core.listUsers({ limit: 2, order: "DESC" });
    const late = await passwordUser(core, "late@example.com");
    const rest = async (token: string | undefined) => {
      const page = await core.listUsers({ paginationToken: token ?? "" });
      return page.users.map(({ userId }) => userId);
    };
    expect(await rest(forward.nextPaginationToken)).toEqual([ids[2], late.userId]);
    expect(await rest(back.nextPaginationToken)).toEqual([ids[0]]);
    await core.close();
  });

  it("go on after a user who got an external id meanwhile", async () => {
    const { core, ids } = await coreWith([E, E, E]);
    const { nextPaginationToken } = await core.listUsers({ limit: 1 });
    await core.mapUserId({ userId: ids[0] ?? "", externalUserId: "first" });
    const next = await core.listUsers({ paginationToken: nextPaginationToken ?? "" });
    expect(next.users.map(({ userId }) => userId)).toEqual(ids.slice(1));
    await core.close();
  });

  it("refuse a token of another list or of another core, and take their own named in full", async () => {
    const { core } = await coreWith([E, E, P, P]);
    const { core: other } = await coreWith([E, E]);
    const list = { limit: 1, order: "DESC", recipes: [P] } as const;
    const { nextPaginationToken = "" } = await core.listUsers(list);
    const paginationToken = nextPaginationToken;
    expect((await core.listUsers({ ...list, paginationToken })).users).toHaveLength(1);
    const refused = [
      core.listUsers({ ...list, paginationToken, order: "ASC" }),
      core.listUsers({ ...list, paginationToken, recipes: [E] }),
      core.listUsers({ ...list, paginationToken, recipes: [] }),
      core.listUsers({ paginationToken: paginationToken.slice(0, -4) }),
      core.listUsers({ paginationToken: "" }),
      other.listUsers({ paginationToken }),
    ];
    for (const call of refused) {
      await expect(call).rejects.toMatchObject({
        kind: "refused",
        message: expect.stringContaining("paginationToken"),
      });
    }
    await core.close();
    await other.close();
  });
});

/** A database that keeps every statement's text. */
function listening() {
  const database = openDatabase("", DATA_FILE);
  const statements: string[] = [];
  const prepare: typeof database.prepare = (sql) => {
    statements.push(sql);
    return database.prepare(sql);
  };
  return { database: { ...database, prepare }, plain: database, statements };
}

/** Makes the calls of which several go together, each for as many as are asked for, so that each statement of that is asked. */
function callForEach(scripts: SqliteScripts, people: readonly string[]): void {
  const user = { userId: "", timeJoined: 0 };
  const newUser = (name: string, number: number) => ({ ...user, userId: `${name} ${number}` });
  const contacts = people.flatMap((name, index) => [
    { email: `${name}@example.com` },
    { phoneNumber: `+361111111${index}` },
  ]);
  const devices = contacts.flatMap((contact, index) =>
    ["accept", "end", "count"].map((action) => ({
      ...{ contact, salt: Buffer.of(1), linkDigest: action, failedAttempts: 0, timeCreated: 9 },
      preAuthSessionId: `${action} ${index}`,
    })),
  );
  const consuming = devices.map(({ preAuthSessionId, linkDigest }, index) => ({
    preAuthSessionId,
    judge: () => ({ action: linkDigest, reason: "wrong", failedAttempts: 1 }) as Judgement,
    newUser: newUser("by code", index),
  }));
  for (let again = 0; again < 2; again += 1) {
    scripts.run(addDevices(devices));
    scripts.run(consumeAll(consuming.toReversed()));
    scripts.run(consumeAll(consuming));
    for (const one of consuming) scripts.run(consumeAll([one]));
    scripts.run(removeOldDevices(10));
  }
  scripts.run(
    importPasswords(
      people.map((name, index) => ({
        ...{ email: `${name}@example.com`, passwordHash: "" },
        user: newUser(name, index),
      })),
    ),
  );
  scripts.run(usersById(people.map((_, index) => `0197000${index}-0000-7000-8000-000000000001`)));
  scripts.run(usersByContact(contacts));
  scripts.run(countUsers(["passwordless", "thirdparty"]));
  scripts.run(countUsers(null));
}

/** Makes every change of one user and lists the others, so that each statement of that is asked. */
function changeAll(database: Database, scripts: SqliteScripts): void {
  const userId = "01970000-0000-7000-8000-000000000001";
  database
    .prepare("INSERT INTO user (user_id, recipe, phone_number, time_joined) VALUES (?, 2, ?, 0)")
    .run(userId, "+3611111111");
  scripts.run(mapUserId({ userId, externalUserId: "ana-7" }));
  scripts.run(changeContacts({ userId: "ana-7", email: "ana@example.com", phoneNumber: null }));
  for (const order of ["ASC", "DESC"] as const) {
    for (const recipes of [null, ["passwordless"]] as const) {
      scripts.run(listPage({ after: userId, order, recipes, limit: 2 }));
    }
  }
  scripts.run(someHash(0.5));
  scripts.run(removeUser("ana-7"));
}

describe("the store's statements", () => {
  it("each find what they need by an index and sort no more than a page, one email's users and the calls of a batch", () => {
    const { database, plain, statements } = listening();
    const scripts = new SqliteScripts(database);
    changeAll(plain, scripts);
    callForEach(scripts, ["dora"]);
    callForEach(scripts, ["dora", "emil", "fanni"]);
    const planned = (step: RegExp) =>
      statements.filter((sql) =>
        plain
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .some((row) => step.test(String(row.at(-1)))),
      );
    expect(planned(/^SEARCH (user|device) USING/).length).toBeGreaterThan(15);
    expect(planned(/^SCAN (?!CONSTANT ROW|found|json_each|walk\d)/)).toEqual([
      "SELECT CAST(count(*) AS double precision) FROM user",
    ]);
    expect(planned(/user_recipe/).every((sql) => !/VALUES|json_each/.test(sql))).toBe(true);
    const isPage = (sql: string) => sql.includes("AS found");
    const walk = /^SEARCH user USING INDEX user_recipe \(recipe=\? AND rowid[<>]\?\)$/;
    expect(planned(walk).filter(isPage)).toHaveLength(4);
    const sorted = planned(/TEMP B-TREE/).filter((sql) => !isPage(sql));
    expect(
      sorted.filter((sql) => !/WITH (?:asked|there) AS|WHERE email .* ORDER BY id/.test(sql)),
    ).toEqual([]);
    database.close();
  });
});

describe("a hash picked by a point", () => {
  const hashes = ["first", "second", "third"];
  function listsOf(recipes: readonly number[]) {
    const database = openDatabase("", DATA_FILE);
    const insert = database.prepare(
      "INSERT INTO user (user_id, recipe, email, password_hash, time_joined) VALUES (?, ?, ?, ?, 0)",
    );
    let next = 0;
    for (const [index, recipe] of recipes.entries()) {
      const hash = recipe === 1 ? (hashes[next++] ?? null) : null;
      insert.run(`id ${index}`, recipe, `user.${index}@example.com`, hash);
    }
    const scripts = new SqliteScripts(database);
    const pick = (point: number) => scripts.run(someHash(point));
    return { pick, close: () => database.close() };
  }

  it("is one of those that there are, the same one each time, and each one's turn comes", () => {
    const { pick, close } = listsOf([1, 2, 1, 2, 2, 1, 2, 2]);
    const points = Array.from({ length: 100 }, (_, index) => index / 100);
    const picked = points.map(pick);
    expect(new Set(picked)).toEqual(new Set(hashes));
    expect(points.map(pick)).toEqual(picked);
    close();
  });

  it("is none where nobody has one", () => {
    for (const recipes of [[], [2, 2]]) {
      const { pick, close } = listsOf(recipes);
      expect([0, 0.5, 0.999].map(pick)).toEqual([null, null, null]);
      close();
    }
  });
});
