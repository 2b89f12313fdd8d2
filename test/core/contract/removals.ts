/** The core contract of removing users, and of saying who has signed in: what bringing a user by another way in rests on. */

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { newEmail, newExternalId, newPhone, type Scene } from "./scene.js";

const { passwordHash } = KNOWN_HASHES.bcrypt;

export function describeRemovals(scene: Scene): void {
  const { passwordless, needing } = scene;

  describe("removing users", () => {
    needing("removal", "lookups")(
      "takes a passwordless user away, whose contacts are free from then on",
      async () => {
        const { core } = scene;
        const [email, phoneNumber] = [newEmail("berta"), newPhone()];
        const { userId } = (await passwordless({ email })).user;
        await core.updateUser({ userId, phoneNumber });
        await core.removeUser(userId);
        expect(await core.getUser(userId)).toBeNull();
        expect(await core.findUsers({ email })).toEqual([]);
        expect((await passwordless({ email })).createdNewUser).toBe(true);
        expect((await passwordless({ phoneNumber })).createdNewUser).toBe(true);
      },
    );

    needing("removal", "lookups")(
      "leaves the user with a password alone who has the same email",
      async () => {
        const { core } = scene;
        const email = newEmail("bruno");
        const imported = (await core.importUser({ email, passwordHash })).user;
        await core.removeUser((await passwordless({ email })).user.userId);
        expect(await core.findUsers({ email })).toMatchObject([{ userId: imported.userId }]);
      },
    );

    needing(
      "removal",
      "mapping",
      "lookups",
    )("takes a user's external id away with them, which another one may get then", async () => {
      const { core } = scene;
      const email = newEmail("bianca");
      const { userId } = (await passwordless({ email })).user;
      const externalUserId = newExternalId("bianca");
      await core.mapUserId({ userId, externalUserId });
      const imported = (await core.importUser({ email, passwordHash })).user;
      await core.removeUser(userId);
      expect(await core.getUser(externalUserId)).toBeNull();
      expect(await core.mapUserId({ userId: imported.userId, externalUserId })).toEqual({
        status: "OK",
      });
      expect(await core.getUser(externalUserId)).toMatchObject({ email });
    });

    needing("removal")("is no failure where the core knows no such user", async () => {
      await expect(scene.core.removeUser(randomUUID())).resolves.toBeUndefined();
    });

    it.runIf(scene.lacks.removal !== undefined)("isn't offered, and the core says so", async () => {
      const notOffered = { name: "CoreFailure", kind: "not_offered", reached: "yes" };
      await expect(scene.core.removeUser(randomUUID())).rejects.toMatchObject(notOffered);
    });
  });

  describe("who has signed in", () => {
    needing("signInMark", "lookups")(
      "is said of a passwordless user from the second code on, by either contact",
      async () => {
        const { core } = scene;
        const [email, phoneNumber] = [newEmail("benno"), newPhone()];
        const { user } = await passwordless({ email });
        await core.updateUser({ userId: user.userId, phoneNumber });
        expect(await core.getUser(user.userId)).toMatchObject({ hasSignedIn: false });
        await core.createCode({ phoneNumber });
        expect(await core.getUser(user.userId)).toMatchObject({ hasSignedIn: false });
        expect((await passwordless({ phoneNumber })).user).toMatchObject({ userId: user.userId });
        expect(await core.getUser(user.userId)).toMatchObject({ hasSignedIn: true });
      },
    );

    needing("lookups")("is said of no user with a password", async () => {
      const email = newEmail("beate");
      const { userId } = (await scene.core.importUser({ email, passwordHash })).user;
      expect(await scene.core.getUser(userId)).not.toHaveProperty("hasSignedIn");
    });
  });
}
