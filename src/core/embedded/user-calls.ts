/** Looking users up. Nothing here changes anything. */

import type { Core } from "../core.js";
import { refusal } from "../core-failure.js";
import { requireContact } from "./contacts.js";
import type { Store } from "./store.js";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
const USER_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function userCalls(
  store: Store,
): Pick<Core, "getUser" | "findUsers" | "listUsers" | "countUsers"> {
  return {
    getUser: (userId) => store.getUser(userId),
    findUsers: async (contact) => store.findUsers(requireContact(contact)),
    async listUsers({ limit = DEFAULT_LIMIT, paginationToken }) {
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
        throw refusal(`limit must be a whole number from 1 to ${MAX_LIMIT}`);
      }
      const afterId = paginationToken === undefined ? "" : idOf(paginationToken);
      // One more than asked for tells whether there is a next page.
      const found = await store.listUsers(afterId, limit + 1);
      const users = found.slice(0, limit);
      const last = users.at(-1);
      return found.length > limit && last !== undefined
        ? { users, nextPaginationToken: tokenOf(last.userId) }
        : { users };
    },
    countUsers: () => store.countUsers(),
  };
}

/** The token is the last id of a page; encoded, so that nobody builds on that. */
function tokenOf(userId: string): string {
  return Buffer.from(userId).toString("base64url");
}

function idOf(token: string): string {
  const userId = Buffer.from(token, "base64url").toString();
  if (!USER_ID.test(userId)) throw refusal("paginationToken is not one that this core gave");
  return userId;
}
