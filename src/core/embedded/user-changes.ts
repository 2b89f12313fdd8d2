/** Changes of one user whom a call names by either id, written once for both stores. */

import type { MapOutcome, MapRequest, UpdateOutcome, UpdateRequest } from "../core.js";
import { removeDevicesOf } from "./devices.js";
import { changeEmail } from "./parts/verification.js";
import { ask, found, type Script } from "./script.js";
import { contactsAfter, PASSWORDLESS, shownId, userById } from "./user-row.js";

/**
 * Changes the contacts, normalized, of a passwordless user and removes the devices of each contact that it lost
 * or got. Null: the change would leave the user without any contact; nothing was done.
 */
export function* changeContacts({
  userId,
  ...change
}: UpdateRequest): Script<UpdateOutcome["status"] | null> {
  const row = yield* userById(userId, "FOR UPDATE");
  if (row === undefined || row[1] !== PASSWORDLESS) return "UNKNOWN_USER_ID_ERROR";
  const { email, phone, touched } = contactsAfter(row, change);
  if (email === null && phone === null) return null;
  const [ownId] = row;
  const others = `SELECT user_id FROM auth_core.users
    WHERE recipe = ${PASSWORDLESS} AND user_id <> $1 AND`;
  if (yield* found(`${others} email = $2`, ownId, email)) return "EMAIL_ALREADY_EXISTS_ERROR";
  if (yield* found(`${others} phone_number = $2`, ownId, phone)) {
    return "PHONE_NUMBER_ALREADY_EXISTS_ERROR";
  }
  yield* ask(
    "UPDATE auth_core.users SET email = $1, phone_number = $2 WHERE user_id = $3",
    email,
    phone,
    ownId,
  );
  yield* removeDevicesOf(touched);
  yield* changeEmail(row, email);
  return "OK";
}

/** A user who is known by neither id is gone already. Their codes and parts end with them. */
export function* removeUser(userId: string): Script<void> {
  const row = yield* userById(userId, "FOR UPDATE");
  if (row === undefined) return;
  yield* ask("DELETE FROM auth_core.users WHERE user_id = $1", row[0]);
  // An email-password user has no codes: a passwordless user may have the same address.
  const lost = contactsAfter(row, { email: null, phoneNumber: null }).touched;
  if (row[1] === PASSWORDLESS) yield* removeDevicesOf(lost);
  for (const table of TABLES) {
    const ofEitherId = `DELETE FROM auth_core.${table} WHERE user_id IN ($1, $2)`;
    yield* ask(ofEitherId, row[0], shownId(row));
  }
}

/**
 * Gives a user an external id, by which they are shown and found from then on. A text says why it is
 * refused: that id is a user's own, or parts are kept under the user's own id and it isn't forced;
 * nothing was done.
 */
export function* mapUserId({
  userId,
  externalUserId,
  force = false,
}: MapRequest): Script<MapOutcome | string> {
  const row = yield* userById(userId, "FOR UPDATE");
  if (row === undefined) return { status: "UNKNOWN_USER_ID_ERROR" };
  const holder = yield* userById(externalUserId);
  if (holder?.[0] === externalUserId) return IS_OWN_ID;
  const doesUserIdExist = row[5] !== null;
  const doesExternalUserIdExist = holder !== undefined;
  if (doesUserIdExist || doesExternalUserIdExist) {
    return {
      status: "USER_ID_MAPPING_ALREADY_EXISTS_ERROR",
      doesUserIdExist,
      doesExternalUserIdExist,
    };
  }
  const use = force ? null : yield* useOf(row[0]);
  if (use !== null) return use;
  yield* ask(
    "UPDATE auth_core.users SET external_user_id = $1 WHERE user_id = $2",
    externalUserId,
    row[0],
  );
  return { status: "OK" };
}

/** The tables that have a user's id as it was given, and the recipe by which SuperTokens says that it is in use. */
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
const IS_OWN_ID = "externalUserId is the id of a user of this core";

/** Why a user's own id can't get an external one any more, in SuperTokens' words; null where it can. */
function* useOf(userId: string): Script<string | null> {
  const [row] = yield* ask<[string | null]>(IN_USE, ...BY_GIVEN_ID.map(() => userId));
  const recipe = row?.[0] ?? null;
  return recipe === null ? null : `UserId is already in use in ${recipe} recipe`;
}
