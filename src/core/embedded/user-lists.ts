/** Pages of users, and a hash picked from all, read by one script for both stores. */

import { ask, type Script } from "./script.js";
import type { PageQuery } from "./store.js";
import { asUser, EMAIL_PASSWORD, RECIPE_NUMBERS, USER_COLUMNS, type UserRow } from "./user-row.js";

/** How a list goes on, and where its first page begins. Users' numbers begin at 1. */
const WALKS = {
  ASC: { beyond: ">", start: 0 },
  DESC: { beyond: "<", start: Number.MAX_SAFE_INTEGER },
} as const;

/**
 * A page of each recipe is one range of one index, wherever in millions of users it lies; of them
 * the first users are taken.
 *
 * @returns the users, and the own id of the last one where more come after; null where no user has
 *   the id that the page is to come after
 */
export function* listPage({ after, order, recipes, limit }: PageQuery) {
  const { beyond, start } = WALKS[order];
  const numberOf = "SELECT CAST(id AS double precision) FROM auth_core.users WHERE user_id = $1";
  const [from] = after === null ? [[start]] : yield* ask<readonly [number]>(numberOf, after);
  if (from === undefined) return null;
  const asked = recipes?.map((recipe) => RECIPE_NUMBERS[recipe]) ?? Object.values(RECIPE_NUMBERS);
  const walks = asked.map(
    (number, at) => `SELECT * FROM (SELECT * FROM auth_core.users
       WHERE recipe = ${number} AND id ${beyond} $${2 * at + 1}
       ORDER BY id ${order} LIMIT $${2 * at + 2}) AS walk${number}`,
  );
  // One more than asked for tells whether there is a next page.
  const most = limit + 1;
  const found = yield* ask<UserRow>(
    `SELECT ${USER_COLUMNS} FROM (${walks.join(" UNION ALL ")}) AS found
     ORDER BY id ${order} LIMIT $${2 * asked.length + 1}`,
    ...asked.flatMap(() => [from[0] ?? start, most]),
    most,
  );
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1)?.[0] : undefined;
  return { users: rows.map(asUser), last: last ?? null };
}

/**
 * The hash of a user whom `point`, from 0 up to but not including 1, picks among all that have one;
 * null where no user has one.
 */
export function* someHash(point: number): Script<string | null> {
  const all = `FROM auth_core.users WHERE recipe = ${EMAIL_PASSWORD}`;
  const newest = `SELECT CAST(id AS double precision) ${all} ORDER BY id DESC LIMIT 1`;
  const [last] = yield* ask<readonly [number]>(newest);
  const [row] = yield* ask<readonly [string]>(
    `SELECT password_hash ${all} AND id >= $1 ORDER BY id LIMIT 1`,
    dummyUser(point, last?.[0] ?? 0),
  );
  return row?.[0] ?? null;
}

/**
 * As in linear hashing, a user who joins takes over one slot and moves no other pick.
 *
 * @param point from 0 up to but not including 1
 * @param last the newest user's number; numbers begin at 1 and may have gaps
 * @returns a number: the first user at or after it is picked; 1 where the core has no user
 */
function dummyUser(point: number, last: number): number {
  if (last < 1) return 1;
  const slots = 2 ** Math.ceil(Math.log2(last));
  const slot = Math.floor(point * slots) + 1;
  return slot > last ? slot - slots / 2 : slot;
}
