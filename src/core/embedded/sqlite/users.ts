/** The statements on users: finding and changing one, and walking over all. Each runs inside the caller's transaction, and every page is one range of one index, wherever in millions of users it lies. */

import type { Database, Statement } from "../../../sqlite/database.js";
import type {
  CodeRequest,
  CoreUser,
  MapOutcome,
  MapRequest,
  Recipe,
  UpdateOutcome,
  UserIdMapping,
} from "../../core.js";
import type { ContactChange, ImportedUser, NewUser, PageQuery, StoredPage } from "../store.js";
import {
  asUser,
  codeContactsOf,
  contactsAfter,
  EMAIL_PASSWORD,
  PASSWORDLESS,
  pickedSlot,
  RECIPE_NUMBERS,
  shownId,
  type UserRow,
} from "../user-row.js";

const USER_COLUMNS =
  "user_id, recipe, email, phone_number, time_joined, external_user_id, signed_in";

/** What an update came to, and the contacts whose codes end with it. */
interface UserUpdate {
  readonly status: UpdateOutcome["status"] | null;
  readonly touched: readonly CodeRequest[];
}

interface UserStatements {
  /** By either of the user's ids. */
  byId(userId: string): UserRow | undefined;
  /** An email-password user's hash, and the user. */
  readonly passwordByEmail: Statement<readonly [string, ...UserRow]>;
  /** Creates an email-password user, or replaces the hash of the one with this email. */
  importPassword(user: NewUser, email: string, passwordHash: string): ImportedUser;
  byContact(contact: CodeRequest): readonly CoreUser[];
  /** The passwordless user with this contact, created if there is none. */
  signInUp(contact: CodeRequest, newUser: NewUser): { createdNewUser: boolean; user: CoreUser };
  change(userId: string, change: ContactChange): UserUpdate;
  /** By either id; returns the contacts whose codes end with the user. */
  remove(userId: string): readonly CodeRequest[];
  /** `null`: the external id is a user's own id. */
  map(request: MapRequest): MapOutcome | null;
  mapping(userId: string): UserIdMapping | null;
}

export function prepareUsers(database: Database): UserStatements {
  const select = (rest: string) =>
    database.prepare<UserRow>(`SELECT ${USER_COLUMNS} FROM user ${rest}`);
  const byOwnId = select("WHERE user_id = ?");
  const byExternalId = select("WHERE external_user_id = ?");
  const byEmail = select("WHERE email = ? AND recipe = ?");
  const byPhone = select("WHERE phone_number = ?");
  const allByEmail = select("WHERE email = ? ORDER BY id");
  // A lookup before it would cost a third of the insert, and seldom finds a user.
  const insertPassword = database.prepare(
    `INSERT INTO user (user_id, recipe, email, password_hash, time_joined)
     VALUES (?, ${EMAIL_PASSWORD}, ?, ?, ?)
     ON CONFLICT (email, recipe) WHERE email IS NOT NULL DO NOTHING`,
  );
  const replaceHash = database.prepare<UserRow>(
    `UPDATE user SET password_hash = ? WHERE email = ? AND recipe = ${EMAIL_PASSWORD}
     RETURNING ${USER_COLUMNS}`,
  );
  const insertPasswordless = database.prepare(
    `INSERT INTO user (user_id, recipe, email, phone_number, time_joined, signed_in)
     VALUES (?, ${PASSWORDLESS}, ?, ?, ?, 0)`,
  );
  const setSignedIn = database.prepare("UPDATE user SET signed_in = 1 WHERE user_id = ?");
  const removeUser = database.prepare("DELETE FROM user WHERE user_id = ?");
  const setContacts = database.prepare(
    "UPDATE user SET email = ?, phone_number = ? WHERE user_id = ?",
  );
  const setExternalId = database.prepare("UPDATE user SET external_user_id = ? WHERE user_id = ?");

  function byId(userId: string): UserRow | undefined {
    return byOwnId.get(userId) ?? byExternalId.get(userId);
  }

  function passwordless(contact: CodeRequest): UserRow | undefined {
    return contact.email === undefined
      ? byPhone.get(contact.phoneNumber)
      : byEmail.get(contact.email, PASSWORDLESS);
  }

  return {
    byId,
    passwordByEmail: database.prepare(
      `SELECT password_hash, ${USER_COLUMNS} FROM user
       WHERE email = ? AND recipe = ${EMAIL_PASSWORD}`,
    ),
    importPassword({ userId, timeJoined }, email, passwordHash) {
      const { changes } = insertPassword.run(userId, email, passwordHash, timeJoined);
      const there = changes === 1 ? undefined : replaceHash.all(passwordHash, email)[0];
      return there === undefined
        ? { userId, timeJoined, existed: false }
        : { userId: shownId(there), timeJoined: there[4], existed: true };
    },
    byContact(contact) {
      const rows =
        contact.email === undefined
          ? byPhone.all(contact.phoneNumber)
          : allByEmail.all(contact.email);
      return rows.map(asUser);
    },
    signInUp(contact, { userId, timeJoined }) {
      const there = passwordless(contact);
      if (there !== undefined) {
        setSignedIn.run(there[0]);
        return { createdNewUser: false, user: { ...asUser(there), hasSignedIn: true } };
      }
      insertPasswordless.run(
        userId,
        contact.email ?? null,
        contact.phoneNumber ?? null,
        timeJoined,
      );
      return {
        createdNewUser: true,
        user: { userId, ...contact, timeJoined, recipe: "passwordless", hasSignedIn: false },
      };
    },
    remove(userId) {
      const row = byId(userId);
      if (row !== undefined) removeUser.run(row[0]);
      return row === undefined ? [] : codeContactsOf(row);
    },
    change(userId, change) {
      const row = byId(userId);
      if (row === undefined || row[1] !== PASSWORDLESS) {
        return { status: "UNKNOWN_USER_ID_ERROR", touched: [] };
      }
      const [ownId] = row;
      const { email, phone, touched } = contactsAfter(row, change);
      if (email === null && phone === null) return { status: null, touched: [] };
      if (email !== null && isTaken(byEmail.get(email, PASSWORDLESS), ownId)) {
        return { status: "EMAIL_ALREADY_EXISTS_ERROR", touched: [] };
      }
      if (phone !== null && isTaken(byPhone.get(phone), ownId)) {
        return { status: "PHONE_NUMBER_ALREADY_EXISTS_ERROR", touched: [] };
      }
      setContacts.run(email, phone, ownId);
      return { status: "OK", touched };
    },
    map({ userId, externalUserId }) {
      const row = byId(userId);
      if (row === undefined) return { status: "UNKNOWN_USER_ID_ERROR" };
      if (byOwnId.get(externalUserId) !== undefined) return null;
      const doesUserIdExist = row[5] !== null;
      const doesExternalUserIdExist = byExternalId.get(externalUserId) !== undefined;
      if (doesUserIdExist || doesExternalUserIdExist) {
        return {
          status: "USER_ID_MAPPING_ALREADY_EXISTS_ERROR",
          doesUserIdExist,
          doesExternalUserIdExist,
        };
      }
      setExternalId.run(externalUserId, row[0]);
      return { status: "OK" };
    },
    mapping(userId) {
      const row = byId(userId);
      if (row === undefined) return null;
      const [ownId, , , , , externalUserId] = row;
      return externalUserId === null ? null : { userId: ownId, externalUserId };
    },
  };
}

function isTaken(row: UserRow | undefined, ownId: string): boolean {
  return row !== undefined && row[0] !== ownId;
}

/** Where the first page of a list begins. Rowids begin at 1. */
const WALKS = {
  ASC: { beyond: ">", start: 0 },
  DESC: { beyond: "<", start: Number.MAX_SAFE_INTEGER },
} as const;

interface ListStatements {
  /** `null`: no user has the id that the page is to come after. */
  page(query: PageQuery): StoredPage | null;
  /** Reads an index from end to end: a twentieth of a second for a million users. */
  count(recipe: Recipe | null): number;
  someHash(point: number): string | null;
}

export function prepareLists(database: Database): ListStatements {
  const walk = (order: PageQuery["order"]) => {
    const page = (where: string) =>
      database.prepare<UserRow>(
        `SELECT ${USER_COLUMNS} FROM user WHERE ${where} id ${WALKS[order].beyond} ?
         ORDER BY id ${order} LIMIT ?`,
      );
    return { all: page(""), ofRecipe: page("recipe = ? AND") };
  };
  const pages = { ASC: walk("ASC"), DESC: walk("DESC") };
  const rowOf = database.prepare<[number]>("SELECT id FROM user WHERE user_id = ?");
  const countAll = database.prepare<[number]>("SELECT count(*) FROM user");
  const countOne = database.prepare<[number]>("SELECT count(*) FROM user WHERE recipe = ?");
  const lastWithHash = database.prepare<[number | null]>(
    `SELECT max(id) FROM user WHERE recipe = ${EMAIL_PASSWORD}`,
  );
  const hashFrom = database.prepare<[string]>(
    `SELECT password_hash FROM user WHERE recipe = ${EMAIL_PASSWORD} AND id >= ?
     ORDER BY id LIMIT 1`,
  );

  return {
    page({ after, order, recipe, limit }) {
      const from = after === null ? WALKS[order].start : rowOf.get(after)?.[0];
      if (from === undefined) return null;
      const { all, ofRecipe } = pages[order];
      // One more than asked for tells whether there is a next page.
      const found =
        recipe === null
          ? all.all(from, limit + 1)
          : ofRecipe.all(RECIPE_NUMBERS[recipe], from, limit + 1);
      const rows = found.slice(0, limit);
      const last = found.length > limit ? rows.at(-1)?.[0] : undefined;
      return { users: rows.map(asUser), last: last ?? null };
    },
    count: (recipe) =>
      (recipe === null ? countAll.get() : countOne.get(RECIPE_NUMBERS[recipe]))?.[0] ?? 0,
    someHash(point) {
      const last = lastWithHash.get()?.[0] ?? 0;
      return hashFrom.get(pickedSlot(point, last))?.[0] ?? null;
    },
  };
}
