/** The statements on users that SQLite is asked most: importing, finding and counting them. Each runs inside the caller's transaction. */

import type { Database } from "../../../sqlite/database.js";
import type { CodeRequest } from "../../core.js";
import type { CoreUser, ListedRecipe } from "../../user.js";
import type { ImportedUser, NewUser } from "../store.js";
import {
  asUser,
  EMAIL_PASSWORD,
  newPasswordless,
  PASSWORDLESS,
  RECIPE_NUMBERS,
  shownId,
  USER_COLUMNS,
  type UserRow,
} from "../user-row.js";

export class Users {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  byContact({ email, phoneNumber }: CodeRequest): readonly CoreUser[] {
    if (email === undefined) return this.#sql.byPhone.all(phoneNumber).map(asUser);
    return [...this.#sql.allByEmail.all(email), ...this.#sql.byThirdPartyEmail.all(email)].map(
      asUser,
    );
  }

  /** Creates an email-password user, or replaces the hash of the one with this email. */
  importPassword(
    { userId, timeJoined }: NewUser,
    email: string,
    passwordHash: string,
  ): ImportedUser {
    const { changes } = this.#sql.insertPassword.run(userId, email, passwordHash, timeJoined);
    const there = changes === 1 ? undefined : this.#sql.replaceHash.all(passwordHash, email)[0];
    return there === undefined
      ? { userId, timeJoined, existed: false }
      : { userId: shownId(there), timeJoined: there[4], existed: true };
  }

  /** The passwordless user with this contact, created if there is none. */
  signInUp(
    contact: CodeRequest,
    newUser: NewUser,
  ): { readonly createdNewUser: boolean; readonly user: CoreUser } {
    const { email, phoneNumber } = contact;
    const there =
      email === undefined
        ? this.#sql.byPhone.get(phoneNumber)
        : this.#sql.byEmail.get(email, PASSWORDLESS);
    if (there !== undefined) {
      const verified = email === undefined ? there[7] : 1;
      this.#sql.setSignedIn.run(verified, there[0]);
      const user = { ...asUser(there), hasSignedIn: true };
      return {
        createdNewUser: false,
        user: verified === 1 ? { ...user, isEmailVerified: true } : user,
      };
    }
    const { userId, timeJoined } = newUser;
    const verified = email === undefined ? null : 1;
    this.#sql.insertPasswordless.run(
      userId,
      email ?? null,
      phoneNumber ?? null,
      timeJoined,
      verified,
    );
    return { createdNewUser: true, user: newPasswordless(newUser, contact) };
  }

  /** Reads an index from end to end: a twentieth of a second for a million users. */
  count(recipes: readonly ListedRecipe[] | null): number {
    if (recipes === null) return this.#sql.countAll.get()?.[0] ?? 0;
    const counts = recipes.map(
      (recipe) => this.#sql.countOne.get(RECIPE_NUMBERS[recipe])?.[0] ?? 0,
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }
}

function prepare(database: Database) {
  const select = (rest: string) =>
    database.prepare<UserRow>(`SELECT ${USER_COLUMNS} FROM user ${rest}`);
  return {
    byEmail: select("WHERE email = ? AND recipe = ?"),
    byPhone: select("WHERE phone_number = ?"),
    allByEmail: select("WHERE email = ? ORDER BY id"),
    byThirdPartyEmail: select("WHERE third_party_email = ? ORDER BY id"),
    // A lookup before it would cost a third of the insert, and seldom finds a user.
    insertPassword: database.prepare(
      `INSERT INTO user (user_id, recipe, email, password_hash, time_joined)
       VALUES (?, ${EMAIL_PASSWORD}, ?, ?, ?)
       ON CONFLICT (email, recipe) WHERE email IS NOT NULL DO NOTHING`,
    ),
    replaceHash: database.prepare<UserRow>(
      `UPDATE user SET password_hash = ? WHERE email = ? AND recipe = ${EMAIL_PASSWORD}
       RETURNING ${USER_COLUMNS}`,
    ),
    insertPasswordless: database.prepare(
      `INSERT INTO user (user_id, recipe, email, phone_number, time_joined, signed_in, email_verified)
       VALUES (?, ${PASSWORDLESS}, ?, ?, ?, 0, ?)`,
    ),
    setSignedIn: database.prepare(
      "UPDATE user SET signed_in = 1, email_verified = ? WHERE user_id = ?",
    ),
    countAll: database.prepare<[number]>("SELECT count(*) FROM user"),
    countOne: database.prepare<[number]>("SELECT count(*) FROM user WHERE recipe = ?"),
  };
}
