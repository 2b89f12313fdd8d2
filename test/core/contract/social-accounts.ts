/** The core contract of social accounts, and of users who joined elsewhere at another time. */

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ThirdPartyIdentity } from "../../../src/core/account-import.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { newEmail, newExternalId, type Scene } from "./scene.js";

const { passwordHash } = KNOWN_HASHES.bcrypt;
const JOINED = Date.UTC(2019, 3, 1, 12);

export function describeSocialAccounts(scene: Scene): void {
  const { needing, passwordless } = scene;
  const identity = (thirdPartyId = "google"): ThirdPartyIdentity => ({
    thirdPartyId,
    thirdPartyUserId: randomUUID(),
  });
  const signInUp = (account: ThirdPartyIdentity, email: string, isEmailVerified = false) =>
    scene.core.signInUp({ ...account, email, isEmailVerified });

  describe("social accounts", () => {
    needing("thirdParty")("make a user once, who is found by it from then on", async () => {
      const { core } = scene;
      const [account, email] = [identity(), newEmail("gina")];
      const { createdNewUser, user } = await signInUp(account, email);
      expect(createdNewUser).toBe(true);
      const { thirdPartyId: id, thirdPartyUserId } = account;
      const shown = { email, recipe: "other", thirdParty: { id, userId: thirdPartyUserId } };
      expect(user).toMatchObject(shown);
      expect(await signInUp(account, email)).toMatchObject({ createdNewUser: false, user: shown });
      for (const found of [
        await core.findByThirdParty(account),
        await core.findUsers({ email }),
        [await core.getUser(user.userId)],
      ]) {
        expect(found).toMatchObject([{ ...shown, userId: user.userId }]);
      }
      expect(await core.findByThirdParty({ ...account, thirdPartyId: "github" })).toEqual([]);
    });

    needing("thirdParty")("make one user, however many sign up at once", async () => {
      const [account, email] = [identity(), newEmail("gero")];
      const outcomes = await Promise.all([1, 2, 3].map(() => signInUp(account, email)));
      expect(outcomes.filter(({ createdNewUser }) => createdNewUser)).toHaveLength(1);
      expect(new Set(outcomes.map(({ user }) => user.userId)).size).toBe(1);
    });

    needing("thirdParty")("bring their email each time, verified where they say so", async () => {
      const [account, first, second] = [identity(), newEmail("gabi.a"), newEmail("gabi.b")];
      expect((await signInUp(account, first)).user).not.toHaveProperty("isEmailVerified");
      expect((await signInUp(account, first, true)).user).toMatchObject({ isEmailVerified: true });
      expect((await signInUp(account, first)).user).toMatchObject({ isEmailVerified: true });
      const moved = (await signInUp(account, second)).user;
      expect(moved).toMatchObject({ email: second });
      expect(moved).not.toHaveProperty("isEmailVerified");
      expect(await scene.core.findUsers({ email: first })).toEqual([]);
    });

    needing("thirdParty")("of one email are users of their own, beside all others", async () => {
      const { core } = scene;
      const email = newEmail("gudrun");
      const ids = [
        (await signInUp(identity(), email)).user.userId,
        (await signInUp(identity("github"), email)).user.userId,
        (await core.importUser({ email, passwordHash })).user.userId,
        (await passwordless({ email })).user.userId,
      ];
      expect(new Set(ids).size).toBe(4);
      const found = await core.findUsers({ email });
      expect(found.map(({ userId }) => userId).sort()).toEqual(ids.sort());
    });

    needing(
      "thirdParty",
      "mapping",
      "verification",
    )("belong to an external id as others do", async () => {
      const { core } = scene;
      const [account, email] = [identity(), newEmail("gesine")];
      const { userId } = (await signInUp(account, email, true)).user;
      const externalUserId = newExternalId("gesine");
      await core.mapUserId({ userId, externalUserId });
      expect(await core.findByThirdParty(account)).toMatchObject([{ userId: externalUserId }]);
      const request = { userId: externalUserId, email };
      expect(await core.part("isEmailVerified", request)).toMatchObject({ isVerified: true });
    });

    needing("thirdParty", "removal")("are free again when their user is removed", async () => {
      const [account, email] = [identity(), newEmail("gregor")];
      await scene.core.removeUser((await signInUp(account, email)).user.userId);
      expect(await scene.core.findByThirdParty(account)).toEqual([]);
      expect((await signInUp(account, email)).createdNewUser).toBe(true);
    });

    needing("thirdParty")("are listed and counted as a kind of their own", async () => {
      const { core } = scene;
      const { userId } = (await signInUp(identity(), newEmail("gloria"))).user;
      const newest = async (...recipes: ("emailpassword" | "passwordless" | "thirdparty")[]) =>
        (await core.listUsers({ recipes, order: "DESC", limit: 1 })).users.map((one) => one.userId);
      expect(await newest("thirdparty")).toEqual([userId]);
      expect(await newest("thirdparty", "passwordless")).toEqual([userId]);
      expect(await newest("emailpassword", "passwordless")).not.toEqual([userId]);
      const counts = await Promise.all(
        (["emailpassword", "passwordless", "thirdparty"] as const).map((one) =>
          core.countUsers({ recipes: [one] }),
        ),
      );
      expect(await core.countUsers()).toBe(counts.reduce((sum, count) => sum + count, 0));
      expect(await core.countUsers({ recipes: ["passwordless", "thirdparty"] })).toBe(
        (counts[1] ?? 0) + (counts[2] ?? 0),
      );
    });

    needing("thirdParty")("are refused that no column holds", async () => {
      const email = newEmail("gustav");
      const wrong = [
        { thirdPartyId: "g".repeat(29), thirdPartyUserId: "1" },
        { thirdPartyId: "google", thirdPartyUserId: "1".repeat(257) },
        { thirdPartyId: "", thirdPartyUserId: "1" },
      ];
      for (const account of wrong) {
        await expect(signInUp(account, email)).rejects.toMatchObject({ kind: "refused" });
      }
    });

    it.runIf(scene.lacks.thirdParty !== undefined)(
      "aren't offered, and the core says so",
      async () => {
        await expect(signInUp(identity(), newEmail("gerd"))).rejects.toMatchObject({
          kind: "not_offered",
        });
      },
    );
  });

  describe("the time of joining", () => {
    needing("timeJoined")("is the one that a new user is given", async () => {
      const { core } = scene;
      const [email, social] = [newEmail("hanna"), newEmail("hanna.social")];
      const timeJoined = JOINED;
      const imported = (await core.importUser({ email, passwordHash, timeJoined })).user;
      const { preAuthSessionId, linkCode } = await core.createCode({ email });
      await core.consumeCode({ preAuthSessionId, linkCode, timeJoined: JOINED + 1 });
      await core.signInUp({ ...identity(), email: social, isEmailVerified: true, timeJoined });
      expect(imported.timeJoined).toBe(JOINED);
      const found = [
        ...(await core.findUsers({ email })),
        ...(await core.findUsers({ email: social })),
      ];
      expect(found.map((user) => user.timeJoined)).toEqual([JOINED, JOINED + 1, JOINED]);
    });

    needing("timeJoined")("stays that of a user who is there", async () => {
      const email = newEmail("heidi");
      const first = (await scene.core.importUser({ email, passwordHash })).user.timeJoined;
      const again = await scene.core.importUser({ email, passwordHash, timeJoined: JOINED });
      expect(again.user.timeJoined).toBe(first);
    });

    needing("timeJoined")("never lies in the future", async () => {
      const email = newEmail("hugo");
      for (const timeJoined of [Date.now() + 60_000, -1, 1.5, Number.NaN]) {
        await expect(
          scene.core.importUser({ email, passwordHash, timeJoined }),
        ).rejects.toMatchObject({ kind: "refused" });
      }
    });

    it.runIf(scene.lacks.timeJoined !== undefined)(
      "isn't left out in silence where no call takes it",
      async () => {
        const email = newEmail("henri");
        await expect(
          scene.core.importUser({ email, passwordHash, timeJoined: JOINED }),
        ).rejects.toMatchObject({ kind: "not_offered", reached: "no" });
      },
    );
  });
}
