/** Reads users: many by an id or a contact in one statement, and counts. It changes nothing. */

import type { CodeRequest } from "../../core.js";
import type { CoreUser, ListedRecipe } from "../../user.js";
import {
  asUser,
  OWN_ID,
  RECIPE_NUMBERS,
  SELECT_USERS,
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

/** Reads an index from end to end. */
export async function countUsers(
  { readAll }: Pick<Connections, "readAll">,
  recipes: readonly ListedRecipe[] | null,
): Promise<number> {
  const numbers = recipes?.map((recipe) => RECIPE_NUMBERS[recipe]).join(", ");
  const where = numbers === undefined ? "" : ` WHERE recipe IN (${numbers})`;
  const { rows } = await readAll<[number]>(`SELECT count(*)::float8 FROM auth_core.users${where}`);
  return rows[0]?.[0] ?? 0;
}
