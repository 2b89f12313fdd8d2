/** Page tokens: which list a page belongs to and where it ended. They are encoded so that callers don't depend on their contents; they are neither secret nor signed. */

import type { PageRequest, Recipe, UserFilter } from "../core.js";
import { type CoreFailure, refusal } from "../core-failure.js";
import type { PageQuery } from "./store.js";

/** Which list, and from where on. */
type ListPosition = Omit<PageQuery, "limit">;

const TOKEN =
  /^(?<order>ASC|DESC) (?<recipe>emailpassword|passwordless|all) (?<after>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The one recipe that a filter asks for; null where it asks for every one, or names none. */
export function recipeOf({ recipes = [] }: UserFilter): Recipe | null {
  const asked = new Set(recipes);
  const [recipe] = asked;
  return asked.size === 1 && recipe !== undefined ? recipe : null;
}

/** The token of the page after the one that ended with this user. */
export function tokenOf({ order, recipe }: ListPosition, last: string): string {
  return Buffer.from(`${order} ${recipe ?? "all"} ${last}`).toString("base64url");
}

/**
 * Where a request's page begins. A token goes on with its own list, so order and recipes needn't
 * be named again; named otherwise they would be another list's, and users lost or told twice.
 *
 * @throws CoreFailure `refused` where the token can't be one, or is of another list
 */
export function positionOf(request: PageRequest): ListPosition {
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
export function unknownToken(): CoreFailure {
  return refusal("paginationToken is not one that this core gave; begin with the first page");
}

function otherList(what: string): CoreFailure {
  return refusal(`paginationToken is of a list with another ${what}; begin with the first page`);
}
