/** Email-password users who are imported, and users by an id or a contact: scripts for many calls at once, in one statement for each question. */

import type { CodeRequest } from "../core.js";
import type { CoreUser, ListedRecipe } from "../user.js";
import { ask, askEach, changeEach, type LockedBy, type Script } from "./script.js";
import type { NewUser } from "./store.js";
import {
  asUser,
  EMAIL_PASSWORD,
  OWN_ID,
  RECIPE_NUMBERS,
  SELECT_USERS,
  userById,
  type UserRow,
  userOrNull,
} from "./user-row.js";

/** An email-password user after an import: a new one, or the one who was there. */
interface ImportedUser extends NewUser {
  readonly existed: boolean;
}

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

/** A user for each id, the core's own or else an external one, or null. */
export function* usersById(userIds: readonly string[]): Script<(CoreUser | null)[]> {
  const [only = ""] = userIds;
  // One alone took twice as long by what follows.
  if (userIds.length === 1) return [userOrNull(yield* userById(only))];
  const asked = [...new Set(userIds)];
  const own = yield* askEach<UserRow>(
    `${SELECT_USERS} WHERE user_id IN (VALUES ($1::uuid))`,
    asked.filter((id) => OWN_ID.test(id)).map((id) => [id]),
  );
  const found = new Map(own.map((row) => [row[0], row]));
  // PostgreSQL takes no text with a NUL, and no user has such an id.
  const others = asked.filter((id) => !found.has(id) && !id.includes("\0"));
  const external = yield* askEach<UserRow>(
    `${SELECT_USERS} WHERE external_user_id IN (VALUES ($1))`,
    others.map((id) => [id]),
  );
  for (const row of external) found.set(row[5] ?? "", row);
  return userIds.map((id) => userOrNull(found.get(id)));
}

const BY_EMAIL = `${SELECT_USERS}
  WHERE email IN (VALUES ($1)) OR third_party_email IN (VALUES ($1)) ORDER BY id`;
const BY_PHONE = `${SELECT_USERS} WHERE phone_number IN (VALUES ($1))`;

/** The users of each contact, oldest first. */
export function* usersByContact(contacts: readonly CodeRequest[]): Script<CoreUser[][]> {
  const [{ email = null, phoneNumber = null } = {}] = contacts;
  if (contacts.length === 1) {
    // As of ids.
    const one =
      email === null ? ask<UserRow>(BY_PHONE, phoneNumber) : ask<UserRow>(BY_EMAIL, email);
    return [(yield* one).map(asUser)];
  }
  const [emails, phones] = contactsOf(contacts);
  const byEmail = yield* askEach<UserRow>(BY_EMAIL, emails);
  const byPhone = yield* askEach<UserRow>(BY_PHONE, phones);
  const found = new Map<string, CoreUser[]>();
  for (const [rows, place] of [
    [byEmail, 2],
    [byPhone, 3],
  ] as const) {
    for (const row of rows) {
      const contact = row[place] ?? "";
      found.set(contact, [...(found.get(contact) ?? []), asUser(row)]);
    }
  }
  return contacts.map(({ email, phoneNumber = "" }) => found.get(email ?? phoneNumber) ?? []);
}

/** The emails and the phone numbers, as sets of values, each once. */
export function contactsOf(
  contacts: readonly CodeRequest[],
): readonly [emails: [string][], phones: [string][]] {
  const unique = (texts: readonly string[]) => [...new Set(texts)].map((text): [string] => [text]);
  return [
    unique(contacts.flatMap(({ email }) => email ?? [])),
    unique(contacts.flatMap(({ phoneNumber }) => phoneNumber ?? [])),
  ];
}

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
