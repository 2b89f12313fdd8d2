/** The statements that walk over users: pages in the order in which they joined, counts, and a hash picked from all. A page is a range of one index for each recipe, wherever in millions of users it lies. */

import type { Recipe } from "../../core.js";
import { pickedSlot, asUser, EMAIL_PASSWORD, RECIPE_NUMBERS, type UserRow } from "../user-row.js";
import type { PageQuery, StoredPage } from "../store.js";
import type { Connections } from "./connections.js";
import { USER_COLUMNS } from "./imports.js";

const RECIPES = Object.values(RECIPE_NUMBERS);
const BEYOND = { ASC: ">", DESC: "<" } as const;

export async function listPage(
  { read }: Pick<Connections, "read">,
  { after, order, recipe, limit }: PageQuery,
): Promise<StoredPage | null> {
  const from = after === null ? null : await numberOf(read, after);
  if (from === undefined) return null;
  const recipes = recipe === null ? RECIPES : [RECIPE_NUMBERS[recipe]];
  const walks = recipes.map(
    (number) =>
      `(SELECT * FROM auth_core.users WHERE recipe = ${number}
         ${from === null ? "" : `AND id ${BEYOND[order]} $2`} ORDER BY id ${order} LIMIT $1)`,
  );
  // One more than asked for tells whether there is a next page.
  const { rows: found } = await read<UserRow>(
    `SELECT ${USER_COLUMNS} FROM (${walks.join(" UNION ALL ")}) AS found
     ORDER BY id ${order} LIMIT $1`,
    from === null ? [limit + 1] : [limit + 1, from],
  );
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1)?.[0] : undefined;
  return { users: rows.map(asUser), last: last ?? null };
}

/** As a text, which it goes back as. */
async function numberOf(read: Connections["read"], userId: string): Promise<string | undefined> {
  const { rows } = await read<[string]>("SELECT id::text FROM auth_core.users WHERE user_id = $1", [
    userId,
  ]);
  return rows[0]?.[0];
}

/** Reads an index from end to end. */
export async function countUsers(
  { readAll }: Pick<Connections, "readAll">,
  recipe: Recipe | null,
): Promise<number> {
  const where = recipe === null ? "" : ` WHERE recipe = ${RECIPE_NUMBERS[recipe]}`;
  const { rows } = await readAll<[number]>(`SELECT count(*)::float8 FROM auth_core.users${where}`);
  return rows[0]?.[0] ?? 0;
}

export async function someHash(
  { read }: Pick<Connections, "read">,
  point: number,
): Promise<string | null> {
  const { rows: lasts } = await read<[number | null]>(
    `SELECT max(id)::float8 FROM auth_core.users WHERE recipe = ${EMAIL_PASSWORD}`,
  );
  const { rows } = await read<[string]>(
    `SELECT password_hash FROM auth_core.users WHERE recipe = ${EMAIL_PASSWORD} AND id >= $1
     ORDER BY id LIMIT 1`,
    [pickedSlot(point, lasts[0]?.[0] ?? 0)],
  );
  return rows[0]?.[0] ?? null;
}
