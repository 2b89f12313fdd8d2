/** The statements on users. Each runs inside the caller's transaction and knows nothing of codes. */

import type { Database, Statement } from "../../sqlite/database.js";
import type { CodeRequest, CoreUser, UpdateOutcome } from "../core.js";
import { EMAIL_PASSWORD, PASSWORDLESS } from "./sqlite-schema.js";
import type { ContactChange, NewUser } from "./store.js";

/** `[user_id, recipe, email, phone_number, time_joined]` */
export type UserRow = readonly [string, number, string | null, string | null, number];

const COLUMNS = "user_id, recipe, email, phone_number, time_joined";

/** What an update came to, and the contacts whose codes end with it. */
interface UserUpdate {
  readonly status: UpdateOutcome["status"] | null;
  readonly touched: readonly CodeRequest[];
}

export interface UserStatements {
  readonly byId: Statement<UserRow>;
  /** Email, recipe. */
  readonly byEmail: Statement<UserRow>;
  readonly hashByEmail: Statement<[string]>;
  /** User id, email, hash, time joined. */
  readonly insertPassword: Statement;
  /** Hash, email. */
  readonly replaceHash: Statement;
  /** Last id of the page before, limit. */
  readonly page: Statement<UserRow>;
  readonly count: Statement<[number]>;
  byContact(contact: CodeRequest): readonly CoreUser[];
  /** The passwordless user with this contact, created if there is none. */
  signInUp(contact: CodeRequest, newUser: NewUser): { createdNewUser: boolean; user: CoreUser };
  change(userId: string, change: ContactChange): UserUpdate;
}

export function asUser(row: UserRow): CoreUser {
  const [userId, recipe, email, phoneNumber, timeJoined] = row;
  return {
    userId,
    ...(email === null ? {} : { email }),
    ...(phoneNumber === null ? {} : { phoneNumber }),
    timeJoined,
    recipe: recipe === EMAIL_PASSWORD ? "emailpassword" : "passwordless",
  };
}

export function prepareUsers(database: Database): UserStatements {
  const select = (rest: string) => database.prepare<UserRow>(`SELECT ${COLUMNS} FROM user ${rest}`);
  const byId = select("WHERE user_id = ?");
  const byEmail = select("WHERE email = ? AND recipe = ?");
  const byPhone = select("WHERE phone_number = ?");
  const allByEmail = select("WHERE email = ? ORDER BY user_id");
  const insertPasswordless = database.prepare(
    `INSERT INTO user (user_id, recipe, email, phone_number, time_joined)
     VALUES (?, ${PASSWORDLESS}, ?, ?, ?)`,
  );
  const setContacts = database.prepare(
    "UPDATE user SET email = ?, phone_number = ? WHERE user_id = ?",
  );

  function passwordless(contact: CodeRequest): UserRow | undefined {
    return contact.email === undefined
      ? byPhone.get(contact.phoneNumber)
      : byEmail.get(contact.email, PASSWORDLESS);
  }

  return {
    byId,
    byEmail,
    hashByEmail: database.prepare(
      `SELECT password_hash FROM user WHERE email = ? AND recipe = ${EMAIL_PASSWORD}`,
    ),
    insertPassword: database.prepare(
      `INSERT INTO user (user_id, recipe, email, password_hash, time_joined)
       VALUES (?, ${EMAIL_PASSWORD}, ?, ?, ?)`,
    ),
    replaceHash: database.prepare(
      `UPDATE user SET password_hash = ? WHERE email = ? AND recipe = ${EMAIL_PASSWORD}`,
    ),
    page: select("WHERE user_id > ? ORDER BY user_id LIMIT ?"),
    count: database.prepare("SELECT count(*) FROM user"),
    byContact(contact) {
      const rows =
        contact.email === undefined
          ? byPhone.all(contact.phoneNumber)
          : allByEmail.all(contact.email);
      return rows.map(asUser);
    },
    signInUp(contact, { userId, timeJoined }) {
      const there = passwordless(contact);
      if (there !== undefined) return { createdNewUser: false, user: asUser(there) };
      insertPasswordless.run(
        userId,
        contact.email ?? null,
        contact.phoneNumber ?? null,
        timeJoined,
      );
      return {
        createdNewUser: true,
        user: { userId, ...contact, timeJoined, recipe: "passwordless" },
      };
    },
    change(userId, change) {
      const row = byId.get(userId);
      if (row === undefined || row[1] !== PASSWORDLESS) {
        return { status: "UNKNOWN_USER_ID_ERROR", touched: [] };
      }
      const [, , oldEmail, oldPhone] = row;
      const email = change.email === undefined ? oldEmail : change.email;
      const phone = change.phoneNumber === undefined ? oldPhone : change.phoneNumber;
      if (email === null && phone === null) return { status: null, touched: [] };
      const touched = [
        ...lostAndGot(oldEmail, email).map((value) => ({ email: value })),
        ...lostAndGot(oldPhone, phone).map((value) => ({ phoneNumber: value })),
      ];
      if (email !== null && isTaken(byEmail.get(email, PASSWORDLESS), userId)) {
        return { status: "EMAIL_ALREADY_EXISTS_ERROR", touched: [] };
      }
      if (phone !== null && isTaken(byPhone.get(phone), userId)) {
        return { status: "PHONE_NUMBER_ALREADY_EXISTS_ERROR", touched: [] };
      }
      setContacts.run(email, phone, userId);
      return { status: "OK", touched };
    },
  };
}

/** The old and the new contact where they differ. */
function lostAndGot(before: string | null, after: string | null): readonly string[] {
  return before === after ? [] : [before, after].filter((value) => value !== null);
}

function isTaken(row: UserRow | undefined, userId: string): boolean {
  return row !== undefined && row[0] !== userId;
}
