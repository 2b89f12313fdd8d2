/** The core contract of verified emails: by a token, or by a code that is consumed; each address for itself. */

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { newEmail, newExternalId, newPhone, type Scene } from "./scene.js";

const { passwordHash } = KNOWN_HASHES.bcrypt;

export function describeVerification(scene: Scene): void {
  const { needing, passwordless } = scene;

  const tokenFor = async (userId: string, email: string): Promise<string> => {
    const outcome = await scene.core.part("createVerificationToken", { userId, email });
    if (outcome.status !== "OK") throw new Error(outcome.status);
    return outcome.token;
  };
  const spend = (token: string) => scene.core.part("verifyEmail", { method: "token", token });
  const verify = async (userId: string, email: string) => spend(await tokenFor(userId, email));
  const isVerified = async (userId: string, email: string) =>
    (await scene.core.part("isEmailVerified", { userId, email })).isVerified;
  const imported = async (email: string) =>
    (await scene.core.importUser({ email, passwordHash })).user.userId;
  const invalidToken = { status: "EMAIL_VERIFICATION_INVALID_TOKEN_ERROR" };

  describe("verified emails", () => {
    needing("verification", "lookups")("begin unverified where they were imported", async () => {
      const email = newEmail("emil");
      const userId = await imported(email);
      expect(await isVerified(userId, email)).toBe(false);
      expect(await scene.core.getUser(userId)).not.toHaveProperty("isEmailVerified");
    });

    needing("verification", "lookups")("become so by a token, which is good once", async () => {
      const email = newEmail("elif");
      const userId = await imported(email);
      const [token, other] = [await tokenFor(userId, email), await tokenFor(userId, email)];
      expect(await spend(token)).toEqual({ status: "OK", userId, email });
      for (const spent of [token, other, "made-up"]) {
        expect(await spend(spent)).toEqual(invalidToken);
      }
      expect(await isVerified(userId, email)).toBe(true);
      expect(await scene.core.getUser(userId)).toMatchObject({ isEmailVerified: true });
      expect(await scene.core.findUsers({ email })).toMatchObject([{ isEmailVerified: true }]);
      expect(await scene.core.part("createVerificationToken", { userId, email })).toEqual({
        status: "EMAIL_ALREADY_VERIFIED_ERROR",
      });
    });

    needing("verification")("are taken back, as often as one likes", async () => {
      const email = newEmail("enno");
      const userId = await imported(email);
      await verify(userId, email);
      for (const _ of [1, 2]) {
        expect(await scene.core.part("unverifyEmail", { userId, email })).toEqual({ status: "OK" });
        expect(await isVerified(userId, email)).toBe(false);
      }
      expect(await verify(userId, email)).toMatchObject({ status: "OK" });
    });

    needing("verification", "lookups")("are those by which a code came", async () => {
      const [email, phoneNumber] = [newEmail("eva"), newPhone()];
      const { user } = await passwordless({ email });
      const { userId } = user;
      expect(user).toMatchObject({ isEmailVerified: true });
      expect(await isVerified(userId, email)).toBe(true);
      await scene.core.part("unverifyEmail", { userId, email });
      await scene.core.updateUser({ userId, phoneNumber });
      await passwordless({ phoneNumber });
      expect(await isVerified(userId, email)).toBe(false);
      await passwordless({ email });
      expect(await isVerified(userId, email)).toBe(true);
    });

    needing("verification", "lookups")("stay each with its address when it changes", async () => {
      const [first, second] = [newEmail("edda.first"), newEmail("edda.second")];
      const { userId } = (await passwordless({ email: first })).user;
      await scene.core.updateUser({ userId, email: second });
      expect(await isVerified(userId, second)).toBe(false);
      expect(await scene.core.getUser(userId)).not.toHaveProperty("isEmailVerified");
      expect(await isVerified(userId, first)).toBe(true);
      await scene.core.updateUser({ userId, email: first });
      expect(await scene.core.getUser(userId)).toMatchObject({ isEmailVerified: true });
    });

    needing("verification", "lookups")("may be so before they are the user's", async () => {
      const [first, second] = [newEmail("ewald.first"), newEmail("ewald.second")];
      const { userId } = (await passwordless({ email: first })).user;
      expect(await verify(userId, second)).toMatchObject({ status: "OK" });
      expect(await isVerified(userId, second)).toBe(true);
      await scene.core.updateUser({ userId, email: second });
      expect(await scene.core.getUser(userId)).toMatchObject({ isEmailVerified: true });
    });

    needing("verification", "mapping")(
      "are asked and told by the external id, given before or after",
      async () => {
        const email = newEmail("esra");
        const userId = await imported(email);
        const token = await tokenFor(userId, email);
        const externalUserId = newExternalId("esra");
        await scene.core.mapUserId({ userId, externalUserId });
        expect(await spend(token)).toEqual({ status: "OK", userId: externalUserId, email });
        expect(await isVerified(externalUserId, email)).toBe(true);
      },
    );

    needing("verification")("don't come by a token that was revoked", async () => {
      const email = newEmail("egon");
      const userId = await imported(email);
      const token = await tokenFor(userId, email);
      await scene.core.part("revokeVerificationTokens", { userId, email });
      expect(await spend(token)).toEqual(invalidToken);
    });

    needing("verification", "removal")("end with their user", async () => {
      const email = newEmail("elke");
      const userId = await imported(email);
      await verify(userId, email);
      await scene.core.removeUser(userId);
      expect(await isVerified(userId, email)).toBe(false);
      expect(await isVerified(await imported(email), email)).toBe(false);
    });

    it.runIf(scene.lacks.verification !== undefined)(
      "aren't offered, and the core says so",
      async () => {
        await expect(isVerified(randomUUID(), newEmail("erna"))).rejects.toMatchObject({
          kind: "not_offered",
        });
      },
    );
  });
}
