/** What an application asks the public counterpart's client about an account beside its ways in. The client was started before. */

import UserMetadata from "supertokens-node/recipe/usermetadata";
import UserRoles from "supertokens-node/recipe/userroles";
import { describe, expect, it } from "vitest";

const TENANT = "public";

export function describeAccountParts(): void {
  describe("a migrated user's account", () => {
    it("has metadata, which is merged and removed", async () => {
      const userId = "u-00041";
      await UserMetadata.updateUserMetadata(userId, { first_name: "Ben", plan: { name: "gold" } });
      const { metadata } = await UserMetadata.updateUserMetadata(userId, { plan: null, tags: [1] });
      expect(metadata).toEqual({ first_name: "Ben", tags: [1] });
      expect(await UserMetadata.getUserMetadata(userId)).toMatchObject({ metadata });
      await UserMetadata.clearUserMetadata(userId);
      expect(await UserMetadata.getUserMetadata(userId)).toMatchObject({ metadata: {} });
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
