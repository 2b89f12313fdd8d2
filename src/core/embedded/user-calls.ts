/** Looks users up, gives them external ids (`POST /recipe/userid/map`) and removes them. */

import type { Core } from "../core.js";
import { refusal } from "../core-failure.js";
import { requireContact } from "./contacts.js";
import { positionOf, recipeOf, tokenOf, unknownToken } from "./page-token.js";
import type { Store } from "./store.js";

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
      // Two users would answer to one id.
      if (outcome === null) throw refusal("externalUserId is the id of a user of this core");
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
