/** The core contract of the queue: accounts that are checked when they come, written by a job, and gone from the queue once they are users. */

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { AccountRequest, WayIn } from "../../../src/core/account-import.js";
import type { QueuedAccount } from "../../../src/core/account-queue.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { newEmail, newExternalId, newPhone, type Scene } from "./scene.js";

const { passwordHash, password } = KNOWN_HASHES.bcrypt;
const JOINED = Date.UTC(2018, 0, 2, 3);
const DEVICE = { deviceName: "Phone", secretKey: "JBSWY3DPEHPK3PXP", period: 30, skew: 1 };

export function describeQueue(scene: Scene): void {
  const test = scene.needing("queue");
  const byPassword = (email: string): WayIn => ({ recipe: "emailpassword", email, passwordHash });
  const account = (name: string): AccountRequest => ({ wayIn: byPassword(newEmail(name)) });

  async function queued(accounts: readonly AccountRequest[]) {
    const outcome = await scene.core.queueAccounts(accounts);
    if (outcome.status !== "OK") throw new Error(JSON.stringify(outcome));
    return outcome.users;
  }
  async function inQueue(): Promise<QueuedAccount[]> {
    const all: QueuedAccount[] = [];
    let paginationToken: string | undefined;
    do {
      const page = await scene.core.listQueued({ limit: 2, paginationToken });
      all.push(...page.users);
      paginationToken = page.nextPaginationToken;
    } while (paginationToken !== undefined);
    return all;
  }
  /** What is still in the queue, as its status and the code of its error; then the queue is emptied. */
  async function leftover(): Promise<string[]> {
    const left = await inQueue();
    await scene.core.part("removeQueued", { ids: left.map(({ id }) => id) });
    return left.map(({ status, errorMessage }) =>
      [status, errorMessage?.replace(/:.*/, "") ?? []].flat().join(" "),
    );
  }

  describe("the queue", () => {
    test("keeps accounts until its job writes each with every part", async () => {
      const { core } = scene;
      const [role, externalUserId] = [`reader-${randomUUID()}`, newExternalId("quirin")];
      await core.part("putRole", { role, permissions: [] });
      const email = newEmail("quirin");
      const request = {
        ...{ wayIn: byPassword(email), externalUserId, timeJoined: JOINED, isEmailVerified: true },
        ...{ metadata: { plan: "pro" }, roles: [role], totpDevices: [DEVICE] },
      };
      const other = account("qadir");
      const [first, second] = await queued([request, other]);
      expect(first?.userId).toBe(externalUserId);
      expect(await core.findUsers({ email })).toEqual([]);
      const [kept] = await inQueue();
      expect(kept).toMatchObject({ status: "NEW", errorMessage: null, account: request });
      expect(kept?.userId).toBe(first?.recipeUserId);
      expect((await core.part("countQueued", { status: "NEW" })).count).toBe(2);
      await scene.importQueued();
      expect((await core.part("countQueued", {})).count).toBe(0);
      const user = { userId: externalUserId, email, timeJoined: JOINED, isEmailVerified: true };
      expect(await core.signIn({ email, password })).toMatchObject({ status: "OK", user });
      expect(await core.findMapping(externalUserId)).toMatchObject({ userId: first?.recipeUserId });
      const userId = externalUserId;
      expect((await core.part("getMetadata", { userId })).metadata).toEqual({ plan: "pro" });
      expect((await core.part("rolesOfUser", { userId })).roles).toEqual([role]);
      const shown = { name: "Phone", verified: true };
      const { devices } = await core.part("listTotpDevices", { userId });
      expect(devices).toMatchObject([shown]);
      expect(await core.getUser(second?.userId ?? "")).toMatchObject({ recipe: "emailpassword" });
    });

    test("holds a chunk up by one account that can't be written, and writes it the next time", async () => {
      const { core } = scene;
      const there = newEmail("thea");
      await core.importUser({ email: there, passwordHash });
      const [before] = await core.findUsers({ email: there });
      const others = [account("tom"), account("tina")];
      const bad = { wayIn: byPassword(there), metadata: { mine: false }, isEmailVerified: true };
      const users = await queued([...others, bad]);
      await scene.importQueued();
      const statuses = (await inQueue()).map(({ status }) => status);
      expect(statuses).toEqual(["PROCESSING", "PROCESSING", "FAILED"]);
      expect(await core.getUser(users[0]?.userId ?? "")).toBeNull();
      await scene.importQueued();
      expect(await core.getUser(users[0]?.userId ?? "")).not.toBeNull();
      expect(await core.getUser(users[1]?.userId ?? "")).not.toBeNull();
      expect(await leftover()).toEqual(["FAILED E003"]);
      expect(await core.findUsers({ email: there })).toEqual([before]);
    });

    test("takes the same accounts twice, and fails them the second time", async () => {
      const { core } = scene;
      const email = newEmail("doris");
      await queued([{ wayIn: byPassword(email) }]);
      await queued([{ wayIn: byPassword(email) }]);
      await scene.importQueued();
      await scene.importQueued();
      expect(await core.findUsers({ email })).toHaveLength(1);
      expect(await leftover()).toEqual(["FAILED E003"]);
    });

    test("says by a code what is another user's, or gone", async () => {
      const { core } = scene;
      const [email, phoneNumber, externalUserId] = [newEmail("c"), newPhone(), newExternalId("c")];
      const thirdParty = { thirdPartyId: "google", thirdPartyUserId: randomUUID() };
      const role = `fleeting-${randomUUID()}`;
      await core.part("putRole", { role, permissions: [] });
      const social = { recipe: "thirdparty", email, ...thirdParty } as const;
      const taken: readonly AccountRequest[] = [
        { wayIn: { recipe: "passwordless", email } },
        { wayIn: { recipe: "passwordless", phoneNumber } },
        { wayIn: social },
        { ...account("carl"), externalUserId },
      ];
      await queued(taken);
      await scene.importQueued();
      await queued([...taken.slice(0, 3), { ...account("cleo"), externalUserId }]);
      await queued([{ ...account("cora"), roles: [role] }]);
      await core.part("removeRole", { role });
      await scene.importQueued();
      const codes = ["E006", "E007", "E005", "E031", "E034"];
      expect(await leftover()).toEqual(codes.map((code) => `FAILED ${code}`));
    });

    test("refuses all accounts for one that is wrong, and says which and why", async () => {
      const { core } = scene;
      const externalUserId = newExternalId("ruth");
      const good = { ...account("ruth"), externalUserId };
      const cut = { wayIn: { ...byPassword(newEmail("rolf")), passwordHash: "$2a$10$short" } };
      const outcome = await core.queueAccounts([
        ...[good, cut as AccountRequest, { ...account("rosa"), externalUserId }],
      ]);
      expect(outcome).toMatchObject({
        status: "INVALID_USERS_ERROR",
        users: [
          { index: 1, errors: [expect.stringContaining("passwordHash")] },
          { index: 2, errors: [expect.stringContaining("externalUserId")] },
        ],
      });
      const ghost = { ...account("rike"), roles: [`ghost-${randomUUID()}`] };
      const unknown = await core.queueAccounts([account("rita"), ghost]);
      expect(unknown).toMatchObject({ status: "INVALID_USERS_ERROR", users: [{ index: 1 }] });
      expect(await inQueue()).toEqual([]);
    });

    test("takes no more than 10,000 accounts at a time", async () => {
      const many = Array.from({ length: 10_001 }, () => account("m"));
      const refusal = { kind: "refused", status: 400 };
      await expect(scene.core.queueAccounts(many)).rejects.toMatchObject(refusal);
      expect(await inQueue()).toEqual([]);
    });

    test("writes nobody who was removed from it", async () => {
      const { core } = scene;
      const [user] = await queued([account("xenia")]);
      const ids = (await inQueue()).map(({ id }) => id);
      const unknown = randomUUID();
      const removed = await core.part("removeQueued", { ids: [...ids, unknown] });
      expect(removed).toEqual({ deletedIds: ids, invalidIds: [unknown] });
      await scene.importQueued();
      expect(await core.getUser(user?.userId ?? "")).toBeNull();
    });
  });

  if (scene.lacks.queue?.startsWith("this stub")) {
    it("takes no accounts into a queue that it doesn't have", async () => {
      const refusal = { kind: "not_offered" };
      await expect(scene.core.queueAccounts([account("nils")])).rejects.toMatchObject(refusal);
      await expect(scene.core.listQueued({})).rejects.toMatchObject(refusal);
    });
  }
}
