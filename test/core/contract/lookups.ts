/** The core contract of looking users up: by contact, by id, in pages and by number. A core may have any number of other users. */

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CoreUser, PageRequest } from "../../../src/core/user.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { newEmail, newPhone, type Scene } from "./scene.js";

const { passwordHash } = KNOWN_HASHES.bcrypt;
/** The newest users are ours, unless others are busy at the core. */
const MOST_PAGES = 40;

export function describeLookups(scene: Scene): void {
  const { passwordless, needing } = scene;

  /** Goes through pages until the last one or until all of these users were seen. */
  async function pagesOf(request: PageRequest, wanted: readonly string[]): Promise<CoreUser[]> {
    const seen: CoreUser[] = [];
    let token: Pick<PageRequest, "paginationToken"> = {};
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { users, nextPaginationToken } = await scene.core.listUsers({ ...request, ...token });
      expect(users.length).toBeLessThanOrEqual(request.limit ?? 100);
      seen.push(...users);
      const ids = seen.map(({ userId }) => userId);
      if (nextPaginationToken === undefined || wanted.every((id) => ids.includes(id))) return seen;
      token = { paginationToken: nextPaginationToken };
    }
    throw new Error("too many users came in between");
  }

  async function fiveUsers(): Promise<string[]> {
    const ids: string[] = [];
    for (const name of ["kim", "lea", "max", "nele", "olaf"]) {
      const email = newEmail(name);
      const { user } =
        ids.length % 2 === 0
          ? await passwordless({ email })
          : await scene.core.importUser({ email, passwordHash });
      ids.push(user.userId);
    }
    return ids;
  }

  describe("look-ups", () => {
    needing("lookups")("find all users of a contact, of both recipes", async () => {
      const email = newEmail("ida+shop");
      const imported = await scene.core.importUser({ email, passwordHash });
      const created = await passwordless({ email });
      const found = await scene.core.findUsers({ email });
      expect(Object.fromEntries(found.map(({ userId, recipe }) => [userId, recipe]))).toEqual({
        [imported.user.userId]: "emailpassword",
        [created.user.userId]: "passwordless",
      });
      expect(await scene.core.findUsers({ phoneNumber: newPhone() })).toEqual([]);
    });

    needing("lookups")("find a user by phone", async () => {
      const phoneNumber = newPhone();
      const { user } = await passwordless({ phoneNumber });
      const found = await scene.core.findUsers({ phoneNumber });
      expect(found.map(({ userId }) => userId)).toEqual([user.userId]);
    });

    needing("lookups", "normalizedContacts")("find a contact however it is written", async () => {
      const email = newEmail("ivo");
      const { user } = await passwordless({ email });
      const found = await scene.core.findUsers({ email: ` ${email.toUpperCase()}` });
      expect(found.map(({ userId }) => userId)).toEqual([user.userId]);
    });

    needing("lookups")("get a user by id, and null for an unknown one", async () => {
      const { user } = await passwordless({ email: newEmail("jan") });
      expect(await scene.core.getUser(user.userId)).toEqual(user);
      expect(await scene.core.getUser(randomUUID())).toBeNull();
    });

    needing("lookups")("page from the newest user back, losing and repeating none", async () => {
      const ours = await fiveUsers();
      const seen = await pagesOf({ limit: 2, order: "DESC" }, ours);
      expect(new Set(seen.map(({ userId }) => userId)).size).toBe(seen.length);
      const joined = seen.map(({ timeJoined = 0 }) => timeJoined);
      expect(joined).toEqual([...joined].sort((a, b) => b - a));
      expect(seen.map(({ userId }) => userId)).toEqual(expect.arrayContaining(ours));
    });

    needing("lookups")("page from the oldest user on by default", async () => {
      const ours = await fiveUsers();
      const total = await scene.core.countUsers();
      const limit = Math.min(500, Math.max(2, Math.ceil(total / 7)));
      // A core with more users than these pages hold is only begun.
      const all = total <= limit * 8 ? ours : [];
      const seen = await pagesOf({ limit }, all);
      const joined = seen.map(({ timeJoined = 0 }) => timeJoined);
      expect(joined).toEqual([...joined].sort((a, b) => a - b));
      expect(seen.map(({ userId }) => userId)).toEqual(expect.arrayContaining(all));
    });

    needing("lookups")("list and count the users of one recipe alone", async () => {
      const recipes = ["emailpassword", "passwordless"] as const;
      const before = await Promise.all(
        recipes.map((recipe) => scene.core.countUsers({ recipes: [recipe] })),
      );
      await fiveUsers();
      for (const [index, recipe] of recipes.entries()) {
        const count = await scene.core.countUsers({ recipes: [recipe] });
        // Three are passwordless and two have passwords; others may have joined, too.
        expect(count).toBeGreaterThanOrEqual((before[index] ?? 0) + 2 + index);
        const { users } = await scene.core.listUsers({
          recipes: [recipe],
          order: "DESC",
          limit: 3,
        });
        expect(users.map((user) => user.recipe)).toEqual(Array(3).fill(recipe));
      }
      const both = await scene.core.countUsers({ recipes });
      expect(both).toBeGreaterThanOrEqual(before.reduce((sum, count) => sum + count, 5));
    });

    needing("lookups")("refuse a page of no users or of too many", async () => {
      for (const limit of [0, 501]) {
        await expect(scene.core.listUsers({ limit })).rejects.toMatchObject({ kind: "refused" });
      }
    });

    it.runIf(scene.lacks.lookups !== undefined)("says that it has no look-ups", async () => {
      const notOffered = { name: "CoreFailure", kind: "not_offered", reached: "yes" };
      const { core } = scene;
      await expect(core.findUsers({ email: newEmail("pia") })).rejects.toMatchObject(notOffered);
      await expect(core.getUser(randomUUID())).rejects.toMatchObject(notOffered);
      await expect(core.listUsers({})).rejects.toMatchObject(notOffered);
      await expect(core.countUsers()).rejects.toMatchObject(notOffered);
    });
  });
}
