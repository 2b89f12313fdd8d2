/** Looks users up at a remote core, gives them external ids and removes them. Every dialect uses SuperTokens' names: interface.md has none. */

import type { z } from "zod";
import { spellingsOf } from "../../contact/email.js";
import type { Core } from "../core.js";
import type { CoreUser, UserFilter } from "../user.js";
import { accountOf, ask, isBy, usersOf } from "./answers.js";
import { ENDPOINTS } from "./endpoints.js";
import type { Transport } from "./transport.js";

/** SuperTokens insists on this parameter; for one contact it changes nothing. */
const doUnionOfAccountInfo = "false" as const;

export function userRequests(call: Transport["call"]) {
  return {
    async getUser(userId) {
      const found = await ask(call, ENDPOINTS.getUser, { userId });
      return found.status === "OK" ? accountOf(found.user) : null;
    },
    async removeUser(userId) {
      // Users who are linked to this one stay.
      await ask(call, ENDPOINTS.removeUser, { userId, removeAllLinkedAccounts: false });
    },
    findUsers: ({ email, phoneNumber }) =>
      email === undefined
        ? usersBy(call, { phoneNumber, doUnionOfAccountInfo })
        : usersByEmail(call, email),
    async findByThirdParty({ thirdPartyId, thirdPartyUserId }) {
      const identity = { thirdPartyId, thirdPartyUserId };
      const users = await usersBy(call, { ...identity, doUnionOfAccountInfo });
      // Of linked accounts the core shows every way in.
      return users.filter((user) => isBy(user, identity));
    },
    async listUsers({ limit, paginationToken, order: timeJoinedOrder, ...filter }) {
      const { users, nextPaginationToken } = await ask(call, ENDPOINTS.listUsers, {
        ...filterQuery(filter),
        timeJoinedOrder,
        limit: limit?.toString(),
        paginationToken,
      });
      return {
        // The core lists all linked accounts where it lists one.
        users: users.flatMap(usersOf).filter((user) => isMeant(user, filter)),
        ...(nextPaginationToken === undefined ? {} : { nextPaginationToken }),
      };
    },
    countUsers: async (filter = {}) =>
      (await ask(call, ENDPOINTS.countUsers, filterQuery(filter))).count,
    async mapUserId({ userId: superTokensUserId, ...mapping }) {
      const outcome = await ask(call, ENDPOINTS.mapUserId, { superTokensUserId, ...mapping });
      switch (outcome.status) {
        case "OK":
          return outcome;
        case "UNKNOWN_SUPERTOKENS_USER_ID_ERROR":
          return { status: "UNKNOWN_USER_ID_ERROR" };
        default: {
          const { doesSuperTokensUserIdExist: doesUserIdExist, ...rest } = outcome;
          return { ...rest, doesUserIdExist };
        }
      }
    },
    async findMapping(userId) {
      const found = await ask(call, ENDPOINTS.findMapping, { userId, userIdType: "ANY" });
      if (found.status !== "OK") return null;
      return { userId: found.superTokensUserId, externalUserId: found.externalUserId };
    },
  } satisfies Partial<Core>;
}

async function usersBy(
  call: Transport["call"],
  query: z.input<(typeof ENDPOINTS)["findUsers"]["request"]>,
): Promise<readonly CoreUser[]> {
  return (await ask(call, ENDPOINTS.findUsers, query)).users.flatMap(usersOf);
}

/** A core that knows the spellings of an email answers each of them with the same users. */
async function usersByEmail(call: Transport["call"], given: string): Promise<CoreUser[]> {
  const found = new Map<string, CoreUser>();
  for (const email of spellingsOf(given)) {
    for (const user of await usersBy(call, { email, doUnionOfAccountInfo })) {
      found.set(`${user.recipe} ${user.recipeUserId ?? user.userId}`, user);
    }
  }
  return [...found.values()];
}

function filterQuery({ recipes }: UserFilter) {
  return { includeRecipeIds: recipes?.join(",") };
}

function isMeant({ recipe, thirdParty }: CoreUser, { recipes }: UserFilter): boolean {
  if (recipe === "other")
    return thirdParty !== undefined && recipes?.includes("thirdparty") === true;
  return recipe === null || recipes === undefined || recipes.includes(recipe);
}
