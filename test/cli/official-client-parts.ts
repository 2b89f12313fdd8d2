/** What an application asks SuperTokens' client about an account beside its ways in. The client was started before. */

import supertokens from "supertokens-node";
import EmailVerification from "supertokens-node/recipe/emailverification";
import ThirdParty from "supertokens-node/recipe/thirdparty";
import Totp from "supertokens-node/recipe/totp";
import UserMetadata from "supertokens-node/recipe/usermetadata";
import UserRoles from "supertokens-node/recipe/userroles";
import { describe, expect, it } from "vitest";
import { codeAt, fromBase32 } from "../../src/core/embedded/parts/totp-code.js";

const TENANT = "public";
/** Seconds; so long that no test sees the next one begin. */
const PERIOD = 86_400;

export function describeAccountParts(): void {
  describe("a migrated user's account", () => {
    it("has metadata, which is merged and removed", async () => {
      const userId = "u-00041";
      await UserMetadata.updateUserMetadata(userId, { first_name: "Ben", plan: { name: "gold" } });
      const { metadata } = await UserMetadata.updateUserMetadata(userId, { plan: null, tags: [1] });
      expect(metadata).toEqual({ name: "Ben Yilmaz", first_name: "Ben", tags: [1] });
      expect(await UserMetadata.getUserMetadata(userId)).toMatchObject({ metadata });
      await UserMetadata.clearUserMetadata(userId);
      expect(await UserMetadata.getUserMetadata(userId)).toMatchObject({ metadata: {} });
    });

    it("has an email that is verified by a token, and taken back", async () => {
      const id = supertokens.convertToRecipeUserId("u-00001");
      // The export says so.
      expect(await EmailVerification.isEmailVerified(id)).toBe(true);
      await EmailVerification.unverifyEmail(id);
      const created = await EmailVerification.createEmailVerificationToken(TENANT, id);
      if (created.status !== "OK") throw new Error(created.status);
      const { token } = created;
      expect(await EmailVerification.verifyEmailUsingToken(TENANT, token)).toMatchObject({
        ...{ status: "OK", user: { email: "hugo.yilmaz.1@example.com" } },
      });
      expect(await EmailVerification.verifyEmailUsingToken(TENANT, token)).toEqual({
        status: "EMAIL_VERIFICATION_INVALID_TOKEN_ERROR",
      });
      expect(await EmailVerification.isEmailVerified(id)).toBe(true);
      const user = await supertokens.getUser("u-00001");
      expect(user?.loginMethods[0]).toMatchObject({ verified: true });
      await EmailVerification.unverifyEmail(id);
      expect(await EmailVerification.isEmailVerified(id)).toBe(false);
      await EmailVerification.revokeEmailVerificationTokens(TENANT, id);
    });

    it("may be a social one, made and found by its provider's id", async () => {
      const email = "greta.novak.142@example.com";
      const create = (verified: boolean) =>
        ThirdParty.manuallyCreateOrUpdateUser(TENANT, "google", "104857", email, verified);
      const made = await create(false);
      if (made.status !== "OK") throw new Error(made.status);
      const { id } = made.user;
      expect(made).toMatchObject({ createdNewRecipeUser: true });
      expect(await create(true)).toMatchObject({ createdNewRecipeUser: false, user: { id } });
      const thirdParty = { id: "google", userId: "104857" };
      const found = await supertokens.listUsersByAccountInfo(TENANT, { thirdParty });
      expect(found).toMatchObject([
        {
          ...{ id, thirdParty: [thirdParty], emails: [email] },
          loginMethods: [{ recipeId: "thirdparty", thirdParty, verified: true }],
        },
      ]);
      expect(await supertokens.listUsersByAccountInfo(TENANT, { email })).toHaveLength(2);
      expect(await supertokens.getUserCount(["thirdparty"])).toBe(1);
      await supertokens.deleteUser(id);
      expect(await supertokens.listUsersByAccountInfo(TENANT, { thirdParty })).toEqual([]);
    });

    it("has second factors, made and asked", async () => {
      const userId = "u-00141";
      const made = await Totp.createDevice(userId, undefined, "Phone", 1, PERIOD);
      if (made.status !== "OK") throw new Error(made.status);
      const totp = codeAt(
        fromBase32(made.secret) ?? Buffer.alloc(0),
        Math.floor(Date.now() / 1000 / PERIOD),
      );
      expect(await Totp.verifyTOTP(TENANT, userId, totp)).toMatchObject({
        status: "UNKNOWN_USER_ID_ERROR",
      });
      expect(await Totp.verifyDevice(TENANT, userId, "Phone", totp)).toMatchObject({
        ...{ status: "OK", wasAlreadyVerified: false },
      });
      expect(await Totp.verifyTOTP(TENANT, userId, totp)).toMatchObject({
        ...{ status: "INVALID_TOTP_ERROR", currentNumberOfFailedAttempts: 1 },
      });
      expect(await Totp.updateDevice(userId, "Phone", "Tablet")).toMatchObject({ status: "OK" });
      expect(await Totp.listDevices(userId)).toMatchObject({
        devices: [{ name: "Tablet", period: PERIOD, skew: 1, verified: true }],
      });
      expect(await Totp.removeDevice(userId, "Tablet")).toMatchObject({ didDeviceExist: true });
    });

    it("has roles with permissions", async () => {
      const [userId, role] = ["u-00111", "gardener"];
      expect(await UserRoles.addRoleToUser(TENANT, userId, role)).toEqual({
        status: "UNKNOWN_ROLE_ERROR",
      });
      await UserRoles.createNewRoleOrAddPermissions(role, ["water", "sow"]);
      await UserRoles.addRoleToUser(TENANT, userId, role);
      expect(await UserRoles.getRolesForUser(TENANT, userId)).toMatchObject({ roles: [role] });
      expect(await UserRoles.getUsersThatHaveRole(TENANT, role)).toMatchObject({ users: [userId] });
      await UserRoles.removePermissionsFromRole(role, ["sow"]);
      expect(await UserRoles.getPermissionsForRole(role)).toMatchObject({ permissions: ["water"] });
      expect(await UserRoles.getRolesThatHavePermission("water")).toMatchObject({ roles: [role] });
      expect(await UserRoles.getAllRoles()).toMatchObject({ roles: [role] });
      await UserRoles.removeUserRole(TENANT, userId, role);
      expect(await UserRoles.getRolesForUser(TENANT, userId)).toMatchObject({ roles: [] });
      expect(await UserRoles.deleteRole(role)).toMatchObject({ didRoleExist: true });
    });
  });
}
