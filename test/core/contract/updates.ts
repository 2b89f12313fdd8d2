/** The core contract of interface.md 4.3: changing a passwordless user's contacts. */

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { newEmail, newPhone, type Scene } from "./scene.js";

export function describeUpdates(scene: Scene): void {
  const { passwordless } = scene;

  describe("updates", () => {
    it("adds the missing contact and keeps the other", async () => {
      const email = newEmail("vera");
      const phoneNumber = newPhone();
      const { user } = await passwordless({ email });
      const { userId } = user;
      expect(await scene.core.updateUser({ userId, phoneNumber })).toEqual({ status: "OK" });
      for (const contact of [{ email }, { phoneNumber }]) {
        const again = await passwordless(contact);
        expect(again.createdNewUser).toBe(false);
        expect(again.user).toMatchObject({ userId, email, phoneNumber });
      }
    });

    it("clears a contact that is given as null", async () => {
      const email = newEmail("wanda");
      const { user } = await passwordless({ email });
      const { userId } = user;
      await scene.core.updateUser({ userId, phoneNumber: newPhone() });
      expect(await scene.core.updateUser({ userId, email: null })).toEqual({ status: "OK" });
      expect((await passwordless({ email })).user.userId).not.toBe(userId);
    });

    it("says which contact already belongs to somebody else", async () => {
      const email = newEmail("xaver");
      const phoneNumber = newPhone();
      await passwordless({ email });
      await passwordless({ phoneNumber });
      const { userId } = (await passwordless({ email: newEmail("yara") })).user;
      expect(await scene.core.updateUser({ userId, email })).toEqual({
        status: "EMAIL_ALREADY_EXISTS_ERROR",
      });
      expect(await scene.core.updateUser({ userId, phoneNumber })).toEqual({
        status: "PHONE_NUMBER_ALREADY_EXISTS_ERROR",
      });
    });

    it("says that it doesn't know a user", async () => {
      const update = { userId: randomUUID(), email: newEmail("zoe") };
      expect(await scene.core.updateUser(update)).toEqual({ status: "UNKNOWN_USER_ID_ERROR" });
    });

    it("doesn't know an email-password user among the passwordless ones", async () => {
      const { passwordHash } = KNOWN_HASHES.bcrypt;
      const { user } = await scene.core.importUser({ email: newEmail("alba"), passwordHash });
      const update = { userId: user.userId, phoneNumber: newPhone() };
      expect(await scene.core.updateUser(update)).toEqual({ status: "UNKNOWN_USER_ID_ERROR" });
    });

    it("refuses to leave a user without any contact", async () => {
      const { userId } = (await passwordless({ email: newEmail("anton") })).user;
      for (const id of [userId, randomUUID()]) {
        await expect(
          scene.core.updateUser({ userId: id, email: null, phoneNumber: null }),
        ).rejects.toMatchObject({ kind: "refused", status: 400 });
      }
    });
  });
}
