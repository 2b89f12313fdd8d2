/** Email-password users who are imported, many calls at once in one statement, and users by a contact. */

import type { CodeRequest } from "../core.js";
import type { CoreUser, ListedRecipe } from "../user.js";
import { ask, askEach, changeEach, type LockedBy, type Script } from "./script.js";
import type { ImportedUser, NewUser } from "./store.js";
import { asUser, EMAIL_PASSWORD, RECIPE_NUMBERS, SELECT_USERS, type UserRow } from "./user-row.js";

interface ImportItem {
  readonly user: NewUser;
  readonly email: string;
  readonly passwordHash: string;
}

const INSERT = `INSERT INTO auth_core.users (user_id, recipe, email, password_hash, time_joined)
  VALUES ($1::uuid, ${EMAIL_PASSWORD}, $2, $3, $4::bigint)
  ON CONFLICT (email, recipe) WHERE email IS NOT NULL DO`;
const OR_REPLACE = `${INSERT} UPDATE SET password_hash = excluded.password_hash
  RETURNING email, user_id, CAST(time_joined AS double precision), external_user_id`;
const emailOf: LockedBy = ([, email]) => email;
type ImportRow = readonly [string, string, number, string | null];

/** Creates users, or replaces the hashes of those with these emails: of one email the first item makes the user, and the last one's hash counts. */
export function* importPasswords(items: readonly ImportItem[]): Script<ImportedUser[]> {
  const byEmail = new Map<string, ImportItem>();
  for (const item of items) {
    const first = byEmail.get(item.email);
    byEmail.set(item.email, first === undefined ? item : { ...item, user: first.user });
  }
  const sets = [...byEmail.values()].map(({ user, email, passwordHash }) => [
    user.userId,
    email,
    passwordHash,
    user.timeJoined,
  ]);
  const made = yield* changeEach(`${INSERT} NOTHING`, sets, emailOf);
  // The usual case: all are new.
  if (made === items.length) {
    return items.map(({ user: { userId, timeJoined } }) => ({
      userId,
      timeJoined,
      existed: false,
    }));
  }
  const rows = yield* askEach<ImportRow>(OR_REPLACE, sets, emailOf);
  const kept = new Map(rows.map((row) => [row[0], row]));
  return items.map(({ user, email }) => {
    const row = kept.get(email);
    if (row === undefined) throw new Error("an imported user is gone");
    const [, userId, timeJoined, externalId] = row;
    return { userId: externalId ?? userId, timeJoined, existed: userId !== user.userId };
  });
}

/** The users of a contact, oldest first. */
export function* usersByContact({ email, phoneNumber }: CodeRequest): Script<CoreUser[]> {
  const rows =
    email === undefined
      ? yield* ask<UserRow>(`${SELECT_USERS} WHERE phone_number = $1`, phoneNumber ?? null)
      : yield* ask<UserRow>(BY_EMAIL, email, email);
  return rows.map(asUser);
}

const BY_EMAIL = `${SELECT_USERS} WHERE email = $1 OR third_party_email = $2 ORDER BY id`;

/**
 * Reads an index from end to end: a twentieth of a second for a million users.
 * @param recipes all of them where it is null
 */
export function* countUsers(recipes: readonly ListedRecipe[] | null): Script<number> {
  const numbers = recipes?.map((recipe) => RECIPE_NUMBERS[recipe]).join(", ");
  const where = numbers === undefined ? "" : ` WHERE recipe IN (${numbers})`;
  const [row] = yield* ask<[number]>(
    `SELECT CAST(count(*) AS double precision) FROM auth_core.users${where}`,
  );
  return row?.[0] ?? 0;
}
