/** The core contract of external ids: a user who has one is shown by it, and found by either id. */

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { newEmail, newExternalId, newPhone, type Scene } from "./scene.js";

const { password, passwordHash } = KNOWN_HASHES.bcrypt;
const MOST_CHARACTERS = 128;

export function describeMappings(scene: Scene): void {
  const { passwordless, needing } = scene;

  /** An imported user with an external id. */
  async function mapped(name: string) {
    const email = newEmail(name);
    const { userId } = (await scene.core.importUser({ email, passwordHash })).user;
    const externalUserId = newExternalId(name);
    expect(await scene.core.mapUserId({ userId, externalUserId })).toEqual({ status: "OK" });
    return { email, userId, externalUserId };
  }

  describe("external ids", () => {
    needing(
      "mapping",
      "lookups",
      "signIn",
    )("show a user with a password by theirs", async () => {
      const { email, userId, externalUserId } = await mapped("adele");
      const again = await scene.core.importUser({ email, passwordHash });
      expect(again).toMatchObject({ didUserAlreadyExist: true, user: { userId: externalUserId } });
      const signedIn = await scene.core.signIn({ email, password });
      expect(signedIn).toMatchObject({ status: "OK", user: { userId: externalUserId } });
      const found = await scene.core.findUsers({ email });
      expect(found.map((user) => user.userId)).toEqual([externalUserId]);
      for (const id of [userId, externalUserId]) {
        expect(await scene.core.getUser(id)).toMatchObject({ userId: externalUserId, email });
      }
      const { users } = await scene.core.listUsers({ order: "DESC", limit: 100 });
      const ids = users.map((user) => user.userId);
      expect(ids).toContain(externalUserId);
      expect(ids).not.toContain(userId);
    });

    needing("mapping")(
      "show a passwordless user by theirs, whose contacts change by either id",
      async () => {
        const email = newEmail("alois");
        const { userId } = (await passwordless({ email })).user;
        const externalUserId = newExternalId("alois");
        expect(await scene.core.mapUserId({ userId, externalUserId })).toEqual({ status: "OK" });
        const [first, second] = [newPhone(), newPhone()];
        const { core } = scene;
        const byOwn = await core.updateUser({ userId, phoneNumber: first });
        expect(byOwn).toEqual({ status: "OK" });
        const byExternal = await core.updateUser({ userId: externalUserId, phoneNumber: second });
        expect(byExternal).toEqual({ status: "OK" });
        const { createdNewUser, user } = await passwordless({ phoneNumber: second });
        expect(createdNewUser).toBe(false);
        expect(user).toMatchObject({ userId: externalUserId, email });
        expect((await passwordless({ phoneNumber: first })).createdNewUser).toBe(true);
      },
    );

    needing("mapping")("are found by either id", async () => {
      const { userId, externalUserId } = await mapped("anna");
      for (const id of [userId, externalUserId]) {
        expect(await scene.core.findMapping(id)).toEqual({ userId, externalUserId });
      }
    });

    needing("mapping")("are none of a user who was given none", async () => {
      const { userId } = (await passwordless({ email: newEmail("arne") })).user;
      for (const id of [userId, randomUUID()]) {
        expect(await scene.core.findMapping(id)).toBeNull();
      }
    });

    needing("mapping")("are refused to a user whom the core doesn't know", async () => {
      const mapping = { userId: randomUUID(), externalUserId: newExternalId("nobody") };
      expect(await scene.core.mapUserId(mapping)).toEqual({ status: "UNKNOWN_USER_ID_ERROR" });
    });

    needing("mapping")("are given once, and to one user", async () => {
      const one = await mapped("arthur");
      const { userId } = (await passwordless({ email: newEmail("astrid") })).user;
      const status = "USER_ID_MAPPING_ALREADY_EXISTS_ERROR";
      const { core } = scene;
      for (const [mapping, doesUserIdExist, doesExternalUserIdExist] of [
        [one, true, true],
        [{ ...one, externalUserId: newExternalId("other") }, true, false],
        [{ ...one, userId }, false, true],
      ] as const) {
        const { userId: id, externalUserId } = mapping;
        expect(await core.mapUserId({ userId: id, externalUserId })).toEqual({
          status,
          doesUserIdExist,
          doesExternalUserIdExist,
        });
      }
      expect(await core.findMapping(userId)).toBeNull();
    });

    needing("mapping")("can't be the id of a user of this core", async () => {
      const { userId } = (await passwordless({ email: newEmail("axel") })).user;
      const other = (await passwordless({ email: newEmail("agnes") })).user;
      const mapping = { userId, externalUserId: other.userId };
      await expect(scene.core.mapUserId(mapping)).rejects.toMatchObject({ kind: "refused" });
    });

    needing("mapping")("can't be empty", async () => {
      const { userId } = (await passwordless({ email: newEmail("arwed") })).user;
      const mapping = { userId, externalUserId: "" };
      await expect(scene.core.mapUserId(mapping)).rejects.toMatchObject({ kind: "refused" });
    });

    needing("mapping", "strictMapping")("have 128 characters at the most", async () => {
      const { userId } = (await passwordless({ email: newEmail("albin") })).user;
      const long = newExternalId("albin").padEnd(MOST_CHARACTERS, "x");
      await expect(
        scene.core.mapUserId({ userId, externalUserId: `${long}x` }),
      ).rejects.toMatchObject({ kind: "refused" });
      const mapping = { userId, externalUserId: long };
      expect(await scene.core.mapUserId(mapping)).toEqual({ status: "OK" });
    });

    it.runIf(scene.lacks.mapping !== undefined)(
      "aren't offered, and the core says so",
      async () => {
        const notOffered = { name: "CoreFailure", kind: "not_offered", reached: "yes" };
        const mapping = { userId: randomUUID(), externalUserId: newExternalId("nobody") };
        await expect(scene.core.mapUserId(mapping)).rejects.toMatchObject(notOffered);
        await expect(scene.core.findMapping(randomUUID())).rejects.toMatchObject(notOffered);
      },
    );
  });
}
