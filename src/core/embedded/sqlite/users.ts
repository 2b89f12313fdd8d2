/** The statements on users that SQLite is asked most, or has indexes of its own for: importing and finding one, and walking over all. Each runs inside the caller's transaction, and every page is one range of one index, wherever in millions of users it lies. */

import type { Database } from "../../../sqlite/database.js";
import type { CodeRequest } from "../../core.js";
import type { CoreUser, ListedRecipe } from "../../user.js";
import type { ImportedUser, NewUser, PageQuery, StoredPage } from "../store.js";
import {
  asUser,
  dummyUser,
  EMAIL_PASSWORD,
  newPasswordless,
  PASSWORDLESS,
  pageOf,
  RECIPE_NUMBERS,
  shownId,
  USER_COLUMNS,
  type UserRow,
} from "../user-row.js";

/** Where the first page of a list begins. Rowids begin at 1. */
const WALKS = {
  ASC: { beyond: ">", start: 0 },
  DESC: { beyond: "<", start: Number.MAX_SAFE_INTEGER },
} as const;

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

  /** `null`: no user has the id that the page is to come after. */
  page({ after, order, recipes, limit }: PageQuery): StoredPage | null {
    const from = after === null ? WALKS[order].start : this.#sql.rowOf.get(after)?.[0];
    if (from === undefined) return null;
    const { all, ofOne, ofOthers } = this.#sql.pages[order];
    const [one, ...others] = numbersOf(recipes);
    // One more than asked for tells whether there is a next page.
    if (one === undefined) return pageOf(all.all(from, limit + 1), limit);
    if (others.length === 0) return pageOf(ofOne.all(one, from, limit + 1), limit);
    const missing = ALL_RECIPES - one - (others[0] ?? 0);
    return pageOf(ofOthers.all(missing, from, limit + 1), limit);
  }

  /** Reads an index from end to end: a twentieth of a second for a million users. */
  count(recipes: readonly ListedRecipe[] | null): number {
    if (recipes === null) return this.#sql.countAll.get()?.[0] ?? 0;
    const counts = numbersOf(recipes).map((one) => this.#sql.countOne.get(one)?.[0] ?? 0);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  someHash(point: number): string | null {
    const last = this.#sql.lastWithHash.get()?.[0] ?? 0;
    return this.#sql.hashFrom.get(dummyUser(point, last))?.[0] ?? null;
  }
}

function prepare(database: Database) {
  const select = (rest: string) =>
    database.prepare<UserRow>(`SELECT ${USER_COLUMNS} FROM user ${rest}`);
  const walk = (order: PageQuery["order"]) => {
    const rest = `id ${WALKS[order].beyond} ? ORDER BY id ${order} LIMIT ?`;
    return {
      all: select(`WHERE ${rest}`),
      ofOne: select(`WHERE recipe = ? AND ${rest}`),
      // No index says which users are of neither: this walks past those of the third recipe.
      ofOthers: select(`WHERE recipe <> ? AND ${rest}`),
    };
  };
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
    pages: { ASC: walk("ASC"), DESC: walk("DESC") },
    rowOf: database.prepare<[number]>("SELECT id FROM user WHERE user_id = ?"),
    countAll: database.prepare<[number]>("SELECT count(*) FROM user"),
    countOne: database.prepare<[number]>("SELECT count(*) FROM user WHERE recipe = ?"),
    lastWithHash: database.prepare<[number | null]>(
      `SELECT max(id) FROM user WHERE recipe = ${EMAIL_PASSWORD}`,
    ),
    hashFrom: database.prepare<[string]>(
      `SELECT password_hash FROM user WHERE recipe = ${EMAIL_PASSWORD} AND id >= ?
       ORDER BY id LIMIT 1`,
    ),
  };
}

/** The sum of all three: without two of them the third is left. */
const ALL_RECIPES = Object.values(RECIPE_NUMBERS).reduce((sum, one) => sum + one, 0);

function numbersOf(recipes: readonly ListedRecipe[] | null): number[] {
  return (recipes ?? []).map((recipe) => RECIPE_NUMBERS[recipe]);
}
