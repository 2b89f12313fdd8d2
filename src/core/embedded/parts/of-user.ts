/** All parts that are kept under a user's id: in use they stand in the way of an external id, and they end with their user. */

import { ask, type Script } from "../script.js";
import type { UserRow } from "../user-row.js";

/** The tables that have a user's id as it was given, and the recipe by which the public counterpart says that it is in use. */
const BY_GIVEN_ID = [
  { table: "user_metadata", recipe: "UserMetadata" },
  { table: "user_roles", recipe: "UserRoles" },
  { table: "totp_devices", recipe: "TOTP" },
] as const;

const TABLES = [
  ...BY_GIVEN_ID.map(({ table }) => table),
  "totp_failures",
  "verified_emails",
  "verification_tokens",
];

const IN_USE = `SELECT CASE ${BY_GIVEN_ID.map(
  ({ table, recipe }, index) =>
    `WHEN EXISTS (SELECT 1 FROM auth_core.${table} WHERE user_id = $${index + 1}) THEN '${recipe}'`,
).join(" ")} END`;

/** Two users would answer to one id. */
export const IS_OWN_ID = "externalUserId is the id of a user of this core";

/** Why a user's own id can't get an external one any more, in the public counterpart's words; null where it can. */
export function* useOf(userId: string): Script<string | null> {
  const [row] = yield* ask<[string | null]>(IN_USE, ...BY_GIVEN_ID.map(() => userId));
  const recipe = row?.[0] ?? null;
  return recipe === null ? null : `UserId is already in use in ${recipe} recipe`;
}

/** Of a user who is removed, under either id. */
export function* removeParts([userId, , , , , externalUserId]: UserRow): Script<void> {
  for (const table of TABLES) {
    yield* ask(
      `DELETE FROM auth_core.${table} WHERE user_id IN ($1, $2)`,
      userId,
      externalUserId ?? userId,
    );
  }
}
