/** Looks users up, gives them external ids (`POST /recipe/userid/map`) and removes them. */

import type { Core } from "../core.js";
import { refusal } from "../core-failure.js";
import { externalIdFlaw } from "./external-id.js";
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
