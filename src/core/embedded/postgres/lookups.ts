/** Reads users: many by an id or a contact in one statement, pages in the order in which they joined, counts, and a hash picked from all. It changes nothing. */

import type { CodeRequest } from "../../core.js";
import type { CoreUser, ListedRecipe } from "../../user.js";
import type { PageQuery, StoredPage } from "../store.js";
import {
  asUser,
  dummyUser,
  EMAIL_PASSWORD,
  OWN_ID,
  pageOf,
  RECIPE_NUMBERS,
  SELECT_USERS,
  USER_COLUMNS,
  type UserRow,
  userOrNull,
} from "../user-row.js";
import { bareArray, textArray } from "./array-text.js";
import type { Ask, Connections } from "./connections.js";

/** PostgreSQL's texts hold no NUL, so no user has such an id. */
const NUL = "\0";

/** A user for each id, the core's own or else an external one, or null. */
export async function usersById(
  { read }: Pick<Connections, "read">,
  userIds: readonly string[],
): Promise<(CoreUser | null)[]> {
  const found = new Map<string, UserRow>();
  const asked = [...new Set(userIds)].filter((id) => !id.includes(NUL));
  const { rows: external } = await read<UserRow>(
    `${SELECT_USERS} WHERE external_user_id = ANY ($1)`,
    [textArray(asked)],
  );
  for (const row of external) found.set(row[5] ?? "", row);
  const own = asked.filter((id) => OWN_ID.test(id));
  if (own.length > 0) {
    const ids = [bareArray(own)];
    const { rows } = await read<UserRow>(`${SELECT_USERS} WHERE user_id = ANY ($1::uuid[])`, ids);
    for (const row of rows) found.set(row[0], row);
  }
  return userIds.map((id) => userOrNull(found.get(id)));
}

/** The users of each contact, oldest first. */
export async function usersByContact(
  { read }: Pick<Connections, "read">,
  contacts: readonly CodeRequest[],
): Promise<CoreUser[][]> {
  const emails = contacts.flatMap(({ email }) => email ?? []);
  const phones = contacts.flatMap(({ phoneNumber }) => phoneNumber ?? []);
  const byEmail = await grouped(read, "email", emails);
  const byPhone = await grouped(read, "phone_number", phones);
  return contacts.map(
    ({ email, phoneNumber }) =>
      (email === undefined ? byPhone.get(phoneNumber) : byEmail.get(email)) ?? [],
  );
}

async function grouped(
  read: Ask,
  column: "email" | "phone_number",
  contacts: readonly string[],
): Promise<Map<string, CoreUser[]>> {
  const found = new Map<string, CoreUser[]>();
  if (contacts.length === 0) return found;
  const where =
    column === "email"
      ? "email = ANY ($1) OR third_party_email = ANY ($1)"
      : `${column} = ANY ($1)`;
  const { rows } = await read<UserRow>(`${SELECT_USERS} WHERE ${where} ORDER BY id`, [
    textArray(contacts),
  ]);
  for (const row of rows) {
    const contact = (column === "email" ? row[2] : row[3]) ?? "";
    const users = found.get(contact);
    if (users === undefined) found.set(contact, [asUser(row)]);
    else users.push(asUser(row));
  }
  return found;
}

function numbersOf(recipes: readonly ListedRecipe[] | null): readonly number[] {
  return recipes?.map((recipe) => RECIPE_NUMBERS[recipe]) ?? Object.values(RECIPE_NUMBERS);
}

const BEYOND = { ASC: ">", DESC: "<" } as const;

export async function listPage(
  { read }: Pick<Connections, "read">,
  { after, order, recipes, limit }: PageQuery,
): Promise<StoredPage | null> {
  const from = after === null ? null : await numberOf(read, after);
  if (from === undefined) return null;
  const walks = numbersOf(recipes).map(
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
  return pageOf(found, limit);
}

/** The user's number as text, because it is sent back as text. */
async function numberOf(read: Connections["read"], userId: string): Promise<string | undefined> {
  const { rows } = await read<[string]>("SELECT id::text FROM auth_core.users WHERE user_id = $1", [
    userId,
  ]);
  return rows[0]?.[0];
}

/** Reads an index from end to end. */
export async function countUsers(
  { readAll }: Pick<Connections, "readAll">,
  recipes: readonly ListedRecipe[] | null,
): Promise<number> {
  const where = recipes === null ? "" : ` WHERE recipe IN (${numbersOf(recipes).join(", ")})`;
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
    [dummyUser(point, lasts[0]?.[0] ?? 0)],
  );
  return rows[0]?.[0] ?? null;
}
