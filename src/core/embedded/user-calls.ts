/** Looks users up, gives them external ids (`POST /recipe/userid/map`) and removes them. */

import type { Core } from "../core.js";
import type { ListedRecipe, PageRequest, UserFilter } from "../user.js";
import { type CoreFailure, refusal } from "../core-failure.js";
import { boundedNumber, requireExternalId } from "./bounds.js";
import { requireContact } from "./contacts.js";
import type { PageQuery, Store } from "./store.js";
import { mapUserId, removeUser } from "./user-changes.js";
import { listPage } from "./user-lists.js";
import { mappingOf, userById } from "./user-row.js";
import { countUsers, usersByContact, usersById } from "./users.js";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

export function userCalls(store: Store) {
  const findUsers = store.batched("read", usersByContact);
  return {
    removeUser: (userId) => store.change(() => removeUser(userId)),
    getUser: store.batched("read", usersById),
    findUsers: async (contact) => findUsers(requireContact(contact)),
    async listUsers(request) {
      const limit = boundedNumber("limit", request.limit ?? DEFAULT_LIMIT, 1, MAX_LIMIT);
      const position = positionOf(request);
      const page = await store.read(() => listPage({ ...position, limit }));
      if (page === null) throw unknownToken();
      const { users, last } = page;
      return last === null ? { users } : { users, nextPaginationToken: tokenOf(position, last) };
    },
    countUsers: (filter = {}) => store.readAll(() => countUsers(recipesOf(filter))),
    async mapUserId(request) {
      requireExternalId(request.externalUserId);
      const outcome = await store.change(() => mapUserId(request));
      if (typeof outcome === "string") throw refusal(outcome);
      return outcome;
    },
    findMapping: async (userId) => mappingOf(await store.read(() => userById(userId))),
  } satisfies Partial<Core>;
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
