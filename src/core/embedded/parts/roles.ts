/** Roles, their permissions, and who has them. */

import type { PartHandlers, PartOutcome } from "../../account-parts.js";
import { boundedText } from "../bounds.js";
import { ask, found, type Script, texts } from "../script.js";
import type { Store } from "../store.js";

/** As SuperTokens' columns. */
const MAX_NAME = 255;
const UNKNOWN_ROLE = { status: "UNKNOWN_ROLE_ERROR" } as const;

export function roleCalls({ read, change }: Store) {
  return {
    putRole: async ({ role, permissions }) => {
      const names = permissions.map((name) => named("permissions", name));
      return change(() => put(named("role", role), names));
    },
    removeRole: ({ role }) => change(() => remove(role.trim())),
    listRoles: async () => ({
      status: "OK",
      roles: await read(() => texts("SELECT role FROM auth_core.roles ORDER BY role")),
    }),
    listPermissions: ({ role }) =>
      read(function* () {
        if (!(yield* exists(role.trim()))) return UNKNOWN_ROLE;
        const permissions = yield* texts(
          "SELECT permission FROM auth_core.role_permissions WHERE role = $1 ORDER BY permission",
          role.trim(),
        );
        return { status: "OK", permissions } as const;
      }),
    removePermissions: ({ role, permissions }) =>
      change(() => removePermissions(role.trim(), permissions)),
    rolesWithPermission: async ({ permission }) => ({
      status: "OK",
      roles: await read(() =>
        texts(
          "SELECT role FROM auth_core.role_permissions WHERE permission = $1 ORDER BY role",
          permission.trim(),
        ),
      ),
    }),
    addUserRole: ({ userId, role }) => change(() => addUserRole(userId, role.trim())),
    removeUserRole: ({ userId, role }) =>
      change(function* () {
        if (!(yield* exists(role.trim()))) return UNKNOWN_ROLE;
        const didUserHaveRole = yield* found(
          "DELETE FROM auth_core.user_roles WHERE user_id = $1 AND role = $2 RETURNING role",
          userId,
          role.trim(),
        );
        return { status: "OK", didUserHaveRole } as const;
      }),
    rolesOfUser: async ({ userId }) => ({
      status: "OK",
      roles: await read(() =>
        texts("SELECT role FROM auth_core.user_roles WHERE user_id = $1 ORDER BY role", userId),
      ),
    }),
    usersOfRole: ({ role }) =>
      read(function* () {
        if (!(yield* exists(role.trim()))) return UNKNOWN_ROLE;
        const users = yield* texts(
          "SELECT user_id FROM auth_core.user_roles WHERE role = $1 ORDER BY user_id",
          role.trim(),
        );
        return { status: "OK", users } as const;
      }),
  } satisfies Partial<PartHandlers>;
}

/** @throws CoreFailure `refused` */
export function named(field: "role" | "roles" | "permissions", text: string): string {
  return boundedText(`${field}: a name`, text.trim(), MAX_NAME);
}

function* exists(role: string): Script<boolean> {
  return yield* found("SELECT role FROM auth_core.roles WHERE role = $1", role);
}

function* put(role: string, permissions: readonly string[]) {
  const createdNewRole = yield* found(
    "INSERT INTO auth_core.roles (role) VALUES ($1) ON CONFLICT (role) DO NOTHING RETURNING role",
    role,
  );
  for (const permission of permissions) {
    yield* ask(
      `INSERT INTO auth_core.role_permissions (role, permission) VALUES ($1, $2)
       ON CONFLICT (role, permission) DO NOTHING`,
      role,
      permission,
    );
  }
  return { status: "OK", createdNewRole } as const;
}

/** The role goes first: a user who gets it meanwhile waits for its row, and finds it gone. */
function* remove(role: string) {
  const didRoleExist = yield* found(
    "DELETE FROM auth_core.roles WHERE role = $1 RETURNING role",
    role,
  );
  yield* ask("DELETE FROM auth_core.role_permissions WHERE role = $1", role);
  yield* ask("DELETE FROM auth_core.user_roles WHERE role = $1", role);
  return { status: "OK", didRoleExist } as const;
}

function* removePermissions(role: string, permissions: readonly string[] | undefined) {
  if (!(yield* exists(role))) return UNKNOWN_ROLE;
  if (permissions === undefined) {
    yield* ask("DELETE FROM auth_core.role_permissions WHERE role = $1", role);
  }
  for (const permission of permissions ?? []) {
    yield* ask(
      "DELETE FROM auth_core.role_permissions WHERE role = $1 AND permission = $2",
      role,
      permission.trim(),
    );
  }
  return { status: "OK" } as const;
}

/** Whether there is such a role, which then can't be removed before the end of the transaction. */
export function* holdRole(role: string): Script<boolean> {
  return yield* found("SELECT role FROM auth_core.roles WHERE role = $1 FOR KEY SHARE", role);
}

function* addUserRole(userId: string, role: string): Script<PartOutcome<"addUserRole">> {
  if (!(yield* holdRole(role))) return UNKNOWN_ROLE;
  const isNew = yield* found(
    `INSERT INTO auth_core.user_roles (user_id, role) VALUES ($1, $2)
     ON CONFLICT (user_id, role) DO NOTHING RETURNING role`,
    userId,
    role,
  );
  return { status: "OK", didUserAlreadyHaveRole: !isNew } as const;
}
