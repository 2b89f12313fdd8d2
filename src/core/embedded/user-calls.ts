/** Looks users up, gives them external ids (`POST /recipe/userid/map`) and removes them. */

import { UNSTORABLE } from "../account-parts.js";
import type { Core } from "../core.js";
import type { ListedRecipe, PageRequest, UserFilter } from "../user.js";
import { type CoreFailure, refusal } from "../core-failure.js";
import { requireContact } from "./contacts.js";
import type { PageQuery, Store } from "./store.js";
import { mapUserId, removeUser } from "./user-changes.js";
import { listPage } from "./user-lists.js";
import { mappingOf, userById } from "./user-row.js";
import { countUsers, usersByContact, usersById } from "./users.js";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
/** In code points, as the database of SuperTokens counts them. */
const MAX_EXTERNAL_ID = 128;

export function userCalls(store: Store) {
  const findUsers = store.batched("read", usersByContact);
  return {
    removeUser: (userId) => store.change(() => removeUser(userId)),
    getUser: store.batched("read", usersById),
    findUsers: async (contact) => findUsers(requireContact(contact)),
    async listUsers(request) {
      const { limit = DEFAULT_LIMIT } = request;
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
        throw refusal(`limit must be a whole number from 1 to ${MAX_LIMIT}`);
      }
      const position = positionOf(request);
      const page = await store.read(() => listPage({ ...position, limit }));
      if (page === null) throw unknownToken();
      const { users, last } = page;
      return last === null ? { users } : { users, nextPaginationToken: tokenOf(position, last) };
    },
    countUsers: (filter = {}) => store.readAll(() => countUsers(recipesOf(filter))),
    async mapUserId(request) {
      const flaw = externalIdFlaw(request.externalUserId);
      if (flaw !== null) throw refusal(`externalUserId ${flaw}`);
      const outcome = await store.change(() => mapUserId(request));
      if (typeof outcome === "string") throw refusal(outcome);
      return outcome;
    },
    findMapping: async (userId) => mappingOf(await store.read(() => userById(userId))),
  } satisfies Partial<Core>;
}

/**
 * Why a text can't be an external id, as the end of a sentence about it; null where it can.
 *
 * An id that a core stored otherwise than it came would no longer match the application's foreign
 * keys: SuperTokens trims blanks and control characters (Java's `trim`), and SQLite's
 * text holds neither NUL nor half a surrogate pair.
 */
export function externalIdFlaw(text: string): string | null {
  if (text === "") return "is empty";
  // Code points are never more than UTF-16 units.
  if (text.length > MAX_EXTERNAL_ID && [...text].length > MAX_EXTERNAL_ID) {
    return `is longer than ${MAX_EXTERNAL_ID} characters`;
  }
  if (/^[\0- ]|[\0- ]$/.test(text)) return "begins or ends with a blank or a control character";
  if (UNSTORABLE.test(text)) return "holds a character that cannot be stored";
  return null;
}

/** Which list, and from where on. */
type ListPosition = Omit<PageQuery, "limit">;

const RECIPES: readonly ListedRecipe[] = ["emailpassword", "passwordless", "thirdparty"];
const TOKEN =
  /^(?<order>ASC|DESC) (?<recipes>[a-z+]+) (?<after>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The recipes that a filter asks for, in one order; null where it asks for every one, or names none. */
function recipesOf({ recipes = [] }: UserFilter): readonly ListedRecipe[] | null {
  const asked = RECIPES.filter((recipe) => recipes.includes(recipe));
  return asked.length === 0 || asked.length === RECIPES.length ? null : asked;
}

function recipesText(recipes: readonly ListedRecipe[] | null): string {
  return recipes?.join("+") ?? "all";
}

/** The token of the page after the one that ended with this user. */
function tokenOf({ order, recipes }: ListPosition, last: string): string {
  return Buffer.from(`${order} ${recipesText(recipes)} ${last}`).toString("base64url");
}

/**
 * Where a request's page begins. A token goes on with its own list, so order and recipes needn't
 * be named again; named otherwise they would be another list's, and users lost or told twice.
 *
 * @throws CoreFailure `refused` where the token can't be one, or is of another list
 */
function positionOf(request: PageRequest): ListPosition {
  const { order, recipes, paginationToken } = request;
  if (paginationToken === undefined) {
    return { after: null, order: order ?? "ASC", recipes: recipesOf(request) };
  }
  const list = listOf(paginationToken);
  if (order !== undefined && order !== list.order) throw otherList("order");
  if (recipes !== undefined && recipesText(recipesOf(request)) !== recipesText(list.recipes)) {
    throw otherList("recipes");
  }
  return list;
}

/** @throws CoreFailure `refused` */
function listOf(token: string): ListPosition {
  const parts = TOKEN.exec(Buffer.from(token, "base64url").toString())?.groups;
  const { after } = parts ?? {};
  if (parts === undefined || after === undefined) throw unknownToken();
  const order = parts.order === "DESC" ? "DESC" : "ASC";
  const named = parts.recipes?.split("+") ?? [];
  const recipes = recipesOf({ recipes: RECIPES.filter((recipe) => named.includes(recipe)) });
  if (recipesText(recipes) !== parts.recipes) throw unknownToken();
  return { after, order, recipes };
}

/** The refusal of a token that was made elsewhere, or cut off on the way. */
function unknownToken(): CoreFailure {
  return refusal("paginationToken is not one that this core gave; begin with the first page");
}

function otherList(what: string): CoreFailure {
  return refusal(`paginationToken is of a list with another ${what}; begin with the first page`);
}
