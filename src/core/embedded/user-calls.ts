/** Looks users up, gives them external ids (`POST /recipe/userid/map`) and removes them. */

import type { Core, PageRequest, Recipe, UserFilter } from "../core.js";
import { type CoreFailure, refusal } from "../core-failure.js";
import { requireContact } from "./contacts.js";
import type { PageQuery, Store } from "./store.js";

type UserCall =
  | "getUser"
  | "removeUser"
  | "findUsers"
  | "listUsers"
  | "countUsers"
  | "mapUserId"
  | "findMapping";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
/** In code points, as the database of the public counterpart counts them. */
const MAX_EXTERNAL_ID = 128;

export function userCalls(store: Store): Pick<Core, UserCall> {
  return {
    removeUser: (userId) => store.removeUser(userId),
    getUser: (userId) => store.getUser(userId),
    findUsers: async (contact) => store.findUsers(requireContact(contact)),
    async listUsers(request) {
      const { limit = DEFAULT_LIMIT } = request;
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
        throw refusal(`limit must be a whole number from 1 to ${MAX_LIMIT}`);
      }
      const position = positionOf(request);
      const page = await store.listUsers({ ...position, limit });
      if (page === null) throw unknownToken();
      const { users, last } = page;
      return last === null ? { users } : { users, nextPaginationToken: tokenOf(position, last) };
    },
    countUsers: (filter = {}) => store.countUsers(recipeOf(filter)),
    async mapUserId(request) {
      const flaw = externalIdFlaw(request.externalUserId);
      if (flaw !== null) throw refusal(`externalUserId ${flaw}`);
      const outcome = await store.mapUserId(request);
      if (typeof outcome === "string") throw refusal(outcome);
      return outcome;
    },
    findMapping: (userId) => store.findMapping(userId),
  };
}

/**
 * Why a text can't be an external id, as the end of a sentence about it; null where it can.
 *
 * An id that a core stored otherwise than it came would no longer match the application's foreign
 * keys: the public counterpart trims blanks and control characters (Java's `trim`), and SQLite's
 * text holds neither NUL nor half a surrogate pair.
 */
function externalIdFlaw(text: string): string | null {
  if (text === "") return "is empty";
  // Code points are never more than UTF-16 units.
  if (text.length > MAX_EXTERNAL_ID && [...text].length > MAX_EXTERNAL_ID) {
    return `is longer than ${MAX_EXTERNAL_ID} characters`;
  }
  if (/^[\0- ]|[\0- ]$/.test(text)) return "begins or ends with a blank or a control character";
  if (/[\0\p{Surrogate}]/u.test(text)) return "holds a character that cannot be stored";
  return null;
}

/** Which list, and from where on. */
type ListPosition = Omit<PageQuery, "limit">;

const TOKEN =
  /^(?<order>ASC|DESC) (?<recipe>emailpassword|passwordless|all) (?<after>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The one recipe that a filter asks for; null where it asks for every one, or names none. */
function recipeOf({ recipes = [] }: UserFilter): Recipe | null {
  const asked = new Set(recipes);
  const [recipe] = asked;
  return asked.size === 1 && recipe !== undefined ? recipe : null;
}

/** The token of the page after the one that ended with this user. */
function tokenOf({ order, recipe }: ListPosition, last: string): string {
  return Buffer.from(`${order} ${recipe ?? "all"} ${last}`).toString("base64url");
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
    return { after: null, order: order ?? "ASC", recipe: recipeOf(request) };
  }
  const list = listOf(paginationToken);
  if (order !== undefined && order !== list.order) throw otherList("order");
  if (recipes !== undefined && recipeOf(request) !== list.recipe) throw otherList("recipes");
  return list;
}

/** @throws CoreFailure `refused` */
function listOf(token: string): ListPosition {
  const parts = TOKEN.exec(Buffer.from(token, "base64url").toString())?.groups;
  const { after } = parts ?? {};
  if (parts === undefined || after === undefined) throw unknownToken();
  const order = parts.order === "DESC" ? "DESC" : "ASC";
  const recipe =
    parts.recipe === "emailpassword" || parts.recipe === "passwordless" ? parts.recipe : null;
  return { after, order, recipe };
}

/** The refusal of a token that was made elsewhere, or cut off on the way. */
function unknownToken(): CoreFailure {
  return refusal("paginationToken is not one that this core gave; begin with the first page");
}

function otherList(what: string): CoreFailure {
  return refusal(`paginationToken is of a list with another ${what}; begin with the first page`);
}
