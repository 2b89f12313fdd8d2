/** Email-password users: many imports in one statement. The hashes were checked before. */

import { CoreFailure } from "../../core-failure.js";
import type { ImportedUser, NewUser } from "../store.js";
import { EMAIL_PASSWORD, shownId, type UserRow } from "../user-row.js";
import { bareArray, textArray } from "./array-text.js";
import type { Connections } from "./connections.js";

interface ImportItem {
  readonly user: NewUser;
  readonly email: string;
  readonly passwordHash: string;
}

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
  const lists = [
    bareArray(wanted.map(({ user }) => user.userId)),
    textArray(wanted.map(({ email }) => email)),
    textArray(wanted.map(({ passwordHash }) => passwordHash)),
    bareArray(wanted.map(({ user }) => user.timeJoined)),
  ];
  const { changes } = await write(INSERT, lists);
  const there = new Map<string, UserRow>();
  if (changes < wanted.length) {
    const { rows } = await write<UserRow>(REPLACE, lists.slice(0, 3));
    for (const row of rows) there.set(row[2] ?? "", row);
    // A user whom the operator removes at this moment is imported again.
    if (changes + there.size < wanted.length) {
      throw new CoreFailure("busy", "a user was removed while being imported", {
        reached: "unknown",
        retryAfterMs: 0,
      });
    }
  }
  // The usual case: every user is new.
  if (there.size === 0 && wanted.length === items.length) {
    return items.map(({ user }) => ({
      userId: user.userId,
      timeJoined: user.timeJoined,
      existed: false,
    }));
  }
  const makers = new Map(wanted.map((item) => [item.email, item]));
  return items.map((item) => {
    const old = there.get(item.email);
    if (old !== undefined) return { userId: shownId(old), timeJoined: old[4], existed: true };
    const maker = makers.get(item.email) ?? item;
    return { ...maker.user, existed: maker.user !== item.user };
  });
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
