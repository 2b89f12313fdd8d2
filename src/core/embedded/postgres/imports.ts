/** Email-password users: many imports in one statement, and the hash that a sign-in needs. The hashes were checked before. */

import type { CoreUser } from "../../user.js";
import { CoreFailure } from "../../core-failure.js";
import type { ImportedUser, NewUser } from "../store.js";
import { asUser, EMAIL_PASSWORD, shownId, type UserRow } from "../user-row.js";
import { bareArray, textArray } from "./array-text.js";
import type { Connections } from "./connections.js";

interface ImportItem {
  readonly user: NewUser;
  readonly email: string;
  readonly passwordHash: string;
}

/** `time_joined` as a number: it fits until the year 287396. */
export const USER_COLUMNS = `user_id, recipe, coalesce(email, third_party_email) AS email, phone_number,
   time_joined::float8, external_user_id, signed_in, email_verified, third_party_id,
   third_party_user_id`;

/**
 * Users who exist already are left as they are; the count of new rows tells whether there were any.
 * The emails are sorted, so that two processes with the same users take locks in one order.
 */
const INSERT = `
  INSERT INTO auth_core.users (user_id, recipe, email, password_hash, time_joined)
  SELECT user_id, ${EMAIL_PASSWORD}, email, password_hash, time_joined
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[])
    AS given (user_id, email, password_hash, time_joined)
  ON CONFLICT (email, recipe) WHERE email IS NOT NULL DO NOTHING`;

/** The users whom the statement before didn't create. */
const REPLACE = `
  WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) AS given (user_id, email, hash)
  ), there AS (
    SELECT old.user_id, given.hash
    FROM given JOIN auth_core.users AS old
      ON old.email = given.email AND old.recipe = ${EMAIL_PASSWORD} AND old.email IS NOT NULL
    WHERE old.user_id <> given.user_id
    ORDER BY old.email FOR NO KEY UPDATE OF old
  )
  UPDATE auth_core.users AS mine SET password_hash = there.hash
  FROM there WHERE mine.user_id = there.user_id
  RETURNING mine.user_id, mine.recipe, mine.email, mine.phone_number,
    mine.time_joined::float8, mine.external_user_id, mine.signed_in, mine.email_verified,
    mine.third_party_id, mine.third_party_user_id`;

/** Imports users in one statement, and in a second one where some existed already. */
export async function importAll(
  { write }: Pick<Connections, "write">,
  items: readonly ImportItem[],
): Promise<ImportedUser[]> {
  const wanted = byEmail(items);
  const lists = parameters(wanted);
  const { changes } = await write(INSERT, lists);
  const there = new Map<string, UserRow>();
  if (changes < wanted.length) {
    const { rows } = await write<UserRow>(REPLACE, lists.slice(0, 3));
    for (const row of rows) there.set(row[2] ?? "", row);
    if (changes + there.size < wanted.length) throw removedMeanwhile();
  }
  // The usual case: every user is new.
  if (there.size === 0 && wanted.length === items.length) return items.map(asMade);
  const makers = new Map(wanted.map((item) => [item.email, item]));
  return items.map((item) => {
    const old = there.get(item.email);
    if (old !== undefined) return { userId: shownId(old), timeJoined: old[4], existed: true };
    const maker = makers.get(item.email) ?? item;
    return { ...maker.user, existed: maker.user !== item.user };
  });
}

function asMade({ user }: ImportItem): ImportedUser {
  return { userId: user.userId, timeJoined: user.timeJoined, existed: false };
}

/** One import for each email, sorted by email: the first one creates the user, the last one's hash counts. */
function byEmail(items: readonly ImportItem[]): ImportItem[] {
  // The sort is stable: of one email the first that was asked for stays the first.
  const sorted = items.toSorted((a, b) => (a.email < b.email ? -1 : a.email > b.email ? 1 : 0));
  const wanted: ImportItem[] = [];
  for (const item of sorted) {
    const last = wanted.at(-1);
    if (last?.email !== item.email) wanted.push(item);
    else wanted[wanted.length - 1] = { ...last, passwordHash: item.passwordHash };
  }
  return wanted;
}

function parameters(items: readonly ImportItem[]): string[] {
  return [
    bareArray(items.map(({ user }) => user.userId)),
    textArray(items.map(({ email }) => email)),
    textArray(items.map(({ passwordHash }) => passwordHash)),
    bareArray(items.map(({ user }) => user.timeJoined)),
  ];
}

/** A user whom the operator removes at this moment is imported again. */
function removedMeanwhile(): CoreFailure {
  return new CoreFailure("busy", "a user was removed while being imported", {
    reached: "unknown",
    retryAfterMs: 0,
  });
}

/** The email-password user with an email, and its hash. */
export async function findPassword(
  { read }: Pick<Connections, "read">,
  email: string,
): Promise<{ readonly user: CoreUser; readonly passwordHash: string } | null> {
  const { rows } = await read<readonly [string, ...UserRow]>(
    `SELECT password_hash, ${USER_COLUMNS} FROM auth_core.users
     WHERE email = $1 AND recipe = ${EMAIL_PASSWORD}`,
    [email],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const [passwordHash, ...user] = row;
  return { user: asUser(user), passwordHash };
}
