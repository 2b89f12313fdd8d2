/** A user as a store's row and as the core shows it, and which user an unknown email is verified against. */

import type { CodeRequest, UpdateRequest, UserIdMapping } from "../core.js";
import type { CoreUser, ListedRecipe, Recipe } from "../user.js";
import { ask, type Script } from "./script.js";
import type { NewUser } from "./store.js";

/** The values of the column `recipe`. */
export const EMAIL_PASSWORD = 1;
export const PASSWORDLESS = 2;
export const THIRD_PARTY = 3;

/** The column's value by the recipe's name. */
export const RECIPE_NUMBERS = {
  emailpassword: EMAIL_PASSWORD,
  passwordless: PASSWORDLESS,
  thirdparty: THIRD_PARTY,
} as const satisfies Record<ListedRecipe, number>;

/** The ways in that every core knows. */
const RECIPES: ReadonlyMap<number, Recipe> = new Map([
  [EMAIL_PASSWORD, "emailpassword"],
  [PASSWORDLESS, "passwordless"],
]);

/**
 * `[user_id, recipe, email, phone_number, time_joined, external_user_id, signed_in, email_verified,
 * third_party_id, third_party_user_id]`; `email` is a third-party user's own as well. `signed_in` is
 * 1 where the user has consumed a code after the one that created them. It is null for one who
 * signs in with a password. `email_verified` is 1 where the email is
 * verified.
 */
export type UserRow = readonly [
  string,
  number,
  string | null,
  string | null,
  number,
  string | null,
  number | null,
  number | null,
  string | null,
  string | null,
];

/** The columns of such a row, in both stores' words. */
export const USER_COLUMNS = `user_id, recipe, coalesce(email, third_party_email), phone_number,
    CAST(time_joined AS double precision), external_user_id, signed_in, email_verified,
    third_party_id, third_party_user_id`;

/** Selects users as such rows, in the words of a script. */
export const SELECT_USERS = `SELECT ${USER_COLUMNS} FROM auth_core.users`;

/** How the core's own ids look; nothing else is one, also where PostgreSQL would read it as one. */
export const OWN_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The user who has an id, be it the core's own or an external one.
 *
 * @param lock keeps the row as it is until the transaction ends
 */
export function* userById(
  userId: string,
  lock: "FOR UPDATE" | "" = "",
): Script<UserRow | undefined> {
  const [own] = OWN_ID.test(userId)
    ? yield* ask<UserRow>(`${SELECT_USERS} WHERE user_id = $1 ${lock}`, userId)
    : [];
  // PostgreSQL takes no text with a NUL, and no user has such an id.
  if (own !== undefined || userId.includes("\0")) return own;
  return (yield* ask<UserRow>(`${SELECT_USERS} WHERE external_user_id = $1 ${lock}`, userId))[0];
}

export function userOrNull(row: UserRow | undefined): CoreUser | null {
  return row === undefined ? null : asUser(row);
}

export function asUser(row: UserRow): CoreUser {
  const [ownId, recipe, email, phoneNumber, timeJoined, externalId] = row;
  const [, , , , , , signedIn, verified, id, thirdPartyUserId] = row;
  const user: { -readonly [Field in keyof CoreUser]: CoreUser[Field] } = {
    userId: externalId ?? ownId,
    recipe: RECIPES.get(recipe) ?? "other",
    timeJoined,
  };
  if (email !== null) user.email = email;
  if (phoneNumber !== null) user.phoneNumber = phoneNumber;
  if (id !== null) user.thirdParty = { id, userId: thirdPartyUserId ?? "" };
  if (signedIn !== null) user.hasSignedIn = signedIn === 1;
  if (verified === 1) user.isEmailVerified = true;
  return user;
}

/** As the code that is consumed makes them: it came by the contact, so an email is verified. */
export function newPasswordless({ userId, timeJoined }: NewUser, contact: CodeRequest): CoreUser {
  return {
    userId,
    ...contact,
    timeJoined,
    recipe: "passwordless",
    hasSignedIn: false,
    ...(contact.email === undefined ? {} : { isEmailVerified: true }),
  };
}

/** The user's two ids; null without an external one. */
export function mappingOf(row: UserRow | undefined): UserIdMapping | null {
  const externalUserId = row?.[5] ?? null;
  return row === undefined || externalUserId === null ? null : { userId: row[0], externalUserId };
}

/** The external id where there is one. */
export function shownId([userId, , , , , externalUserId]: UserRow): string {
  return externalUserId ?? userId;
}

/**
 * The contacts of a user after a change; both are null where none would be left. `touched` are those
 * that the user lost or got: their codes end.
 */
export function contactsAfter(
  [, , oldEmail, oldPhone]: UserRow,
  change: Omit<UpdateRequest, "userId">,
) {
  const email = change.email === undefined ? oldEmail : change.email;
  const phone = change.phoneNumber === undefined ? oldPhone : change.phoneNumber;
  const touched: readonly CodeRequest[] = [
    ...lostAndGot(oldEmail, email).map((value) => ({ email: value })),
    ...lostAndGot(oldPhone, phone).map((value) => ({ phoneNumber: value })),
  ];
  return { email, phone, touched };
}

/** The old and the new contact where they differ. */
function lostAndGot(before: string | null, after: string | null): readonly string[] {
  return before === after ? [] : [before, after].filter((value) => value !== null);
}
