/** The core contract of roles: what they permit, and who has them. */

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newEmail, newExternalId, type Scene } from "./scene.js";

/** The core may be used by others, so roles are new every time. */
const newRole = (name: string): string => `${name}-${randomUUID()}`;

export function describeRoles(scene: Scene): void {
  const { needing, passwordless } = scene;
  const put = (role: string, permissions: readonly string[] = []) =>
    scene.core.part("putRole", { role, permissions });
  const unknownRole = { status: "UNKNOWN_ROLE_ERROR" };

  describe("roles", () => {
    needing("roles")("are made once, and listed", async () => {
      const role = newRole("editor");
      expect(await put(role)).toEqual({ status: "OK", createdNewRole: true });
      expect(await put(role)).toEqual({ status: "OK", createdNewRole: false });
      expect((await scene.core.part("listRoles", {})).roles).toContain(role);
    });

    needing("roles")("gain and lose permissions", async () => {
      const [role, permission] = [newRole("editor"), newRole("read")];
      await put(role, [permission, "write"]);
      await put(role, ["write", "delete"]);
      const { core } = scene;
      const listed = async () => {
        const outcome = await core.part("listPermissions", { role });
        return outcome.status === "OK" ? [...outcome.permissions].sort() : outcome;
      };
      expect(await listed()).toEqual(["delete", permission, "write"].sort());
      expect((await core.part("rolesWithPermission", { permission })).roles).toEqual([role]);
      await core.part("removePermissions", { role, permissions: ["delete"] });
      expect(await listed()).toEqual([permission, "write"].sort());
      await core.part("removePermissions", { role });
      expect(await listed()).toEqual([]);
    });

    needing("roles")("are given to users and taken from them", async () => {
      const { core } = scene;
      const role = newRole("editor");
      await put(role);
      const { userId } = (await passwordless({ email: newEmail("dora") })).user;
      for (const didUserAlreadyHaveRole of [false, true]) {
        expect(await core.part("addUserRole", { userId, role })).toEqual({
          status: "OK",
          didUserAlreadyHaveRole,
        });
      }
      expect(await core.part("rolesOfUser", { userId })).toEqual({ status: "OK", roles: [role] });
      expect(await core.part("usersOfRole", { role })).toEqual({ status: "OK", users: [userId] });
      for (const didUserHaveRole of [true, false]) {
        expect(await core.part("removeUserRole", { userId, role })).toEqual({
          status: "OK",
          didUserHaveRole,
        });
      }
      expect((await core.part("rolesOfUser", { userId })).roles).toEqual([]);
    });

    needing("roles")("that are unknown are told so by every call on them", async () => {
      const { core } = scene;
      const [role, userId] = [newRole("nobody"), randomUUID()];
      expect(await core.part("addUserRole", { userId, role })).toEqual(unknownRole);
      expect(await core.part("removeUserRole", { userId, role })).toEqual(unknownRole);
      expect(await core.part("usersOfRole", { role })).toEqual(unknownRole);
      expect(await core.part("listPermissions", { role })).toEqual(unknownRole);
      expect(await core.part("removePermissions", { role })).toEqual(unknownRole);
      expect((await core.part("rolesOfUser", { userId })).roles).toEqual([]);
    });

    needing("roles")("that are removed are taken from every user", async () => {
      const { core } = scene;
      const [role, userId] = [newRole("editor"), randomUUID()];
      await put(role, ["write"]);
      await core.part("addUserRole", { userId, role });
      expect(await core.part("removeRole", { role })).toEqual({ status: "OK", didRoleExist: true });
      expect(await core.part("removeRole", { role })).toMatchObject({ didRoleExist: false });
      await put(role);
      expect(await core.part("usersOfRole", { role })).toEqual({ status: "OK", users: [] });
      expect(await core.part("listPermissions", { role })).toMatchObject({ permissions: [] });
    });

    needing("roles")("have names of 1 to 255 characters", async () => {
      for (const role of ["", "   ", "r".repeat(256)]) {
        await expect(put(role)).rejects.toMatchObject({ kind: "refused", status: 400 });
      }
    });

    needing("roles", "removal")("of a user go with the user", async () => {
      const { core } = scene;
      const role = newRole("editor");
      await put(role);
      const { userId } = (await passwordless({ email: newEmail("dario") })).user;
      await core.part("addUserRole", { userId, role });
      await core.removeUser(userId);
      expect(await core.part("usersOfRole", { role })).toEqual({ status: "OK", users: [] });
    });

    needing("roles", "mapping")(
      "of a user's own id are in the way of an external one",
      async () => {
        const { core } = scene;
        const role = newRole("editor");
        await put(role);
        const { userId } = (await passwordless({ email: newEmail("dunja") })).user;
        await core.part("addUserRole", { userId, role });
        const mapping = { userId, externalUserId: newExternalId("dunja") };
        await expect(core.mapUserId(mapping)).rejects.toMatchObject({
          kind: "refused",
          message: expect.stringContaining("UserId is already in use in UserRoles recipe"),
        });
        expect(await core.mapUserId({ ...mapping, force: true })).toEqual({ status: "OK" });
        expect((await core.part("rolesOfUser", { userId })).roles).toEqual([role]);
      },
    );

    it.runIf(scene.lacks.roles !== undefined)("aren't offered, and the core says so", async () => {
      await expect(scene.core.part("listRoles", {})).rejects.toMatchObject({ kind: "not_offered" });
    });
  });
}
