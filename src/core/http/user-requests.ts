/** Looks users up at a remote core, gives them external ids and removes them. Every dialect uses SuperTokens' names: interface.md has none. */

import { z } from "zod";
import { spellingsOf } from "../../contact/email.js";
import type { Core, MapOutcome } from "../core.js";
import type { CoreUser, UserFilter, UserPage } from "../user.js";
import {
  accountOf,
  countAnswer,
  expectAnswer,
  expectOk,
  requireOk,
  shownUser,
  statusOf,
  text,
  unknownStatus,
  userAnswer,
  usersOf,
} from "./answers.js";
import type { JsonAnswer, Transport } from "./transport.js";

/** SuperTokens insists on this parameter; for one contact it changes nothing. */
const doUnionOfAccountInfo = "false";

/** Before its interface version 4.0 SuperTokens lists each user beside its recipe. */
const listedUser = z.union([
  z
    .object({ recipeId: text, user: shownUser })
    .transform(({ recipeId, user: { email, ...rest } }) => {
      const { phoneNumber, timeJoined } = rest;
      return { ...rest, email, loginMethods: [{ recipeId, email, phoneNumber, timeJoined }] };
    }),
  shownUser,
]);

const usersAnswer = z.object({
  users: z.array(listedUser),
  nextPaginationToken: text.optional(),
});

const mappingAnswer = z.object({ superTokensUserId: text, externalUserId: text });

const alreadyMappedAnswer = z.object({
  doesSuperTokensUserIdExist: z.boolean(),
  doesExternalUserIdExist: z.boolean(),
});

export function userRequests(call: Transport["call"]) {
  return {
    async getUser(userId) {
      const answer = await call({ method: "GET", path: "/user/id", query: { userId } });
      if (statusOf(answer) === "UNKNOWN_USER_ID_ERROR") return null;
      return accountOf(expectOk(answer, userAnswer).user);
    },
    async removeUser(userId) {
      // Users who are linked to this one stay.
      const body = { userId, removeAllLinkedAccounts: false };
      requireOk(await call({ method: "POST", path: "/user/remove", body }));
    },
    findUsers: ({ email, phoneNumber }) =>
      email === undefined
        ? usersBy(call, { phoneNumber, doUnionOfAccountInfo })
        : usersByEmail(call, email),
    async findByThirdParty({ thirdPartyId, thirdPartyUserId }) {
      const users = await usersBy(call, {
        thirdPartyId,
        thirdPartyUserId,
        doUnionOfAccountInfo,
      });
      // Of linked accounts the core shows every way in.
      return users.filter(
        ({ thirdParty }) =>
          thirdParty?.id === thirdPartyId && thirdParty.userId === thirdPartyUserId,
      );
    },
    async listUsers({ limit, paginationToken, order, ...filter }) {
      const query = { ...filterQuery(filter), timeJoinedOrder: order, limit, paginationToken };
      const page = usersIn(await call({ method: "GET", path: "/users", query }));
      // The core lists all linked accounts where it lists one.
      return { ...page, users: page.users.filter((user) => isMeant(user, filter)) };
    },
    async countUsers(filter = {}) {
      const query = filterQuery(filter);
      const answer = await call({ method: "GET", path: "/users/count", query });
      return expectOk(answer, countAnswer).count;
    },
    async mapUserId({ userId, ...mapping }) {
      const body = { superTokensUserId: userId, ...mapping };
      return mapOutcome(await call({ method: "POST", path: "/recipe/userid/map", body }));
    },
    async findMapping(userId) {
      const query = { userId, userIdType: "ANY" };
      const answer = await call({ method: "GET", path: "/recipe/userid/map", query });
      if (statusOf(answer) === "UNKNOWN_MAPPING_ERROR") return null;
      const { superTokensUserId, externalUserId } = expectOk(answer, mappingAnswer);
      return { userId: superTokensUserId, externalUserId };
    },
  } satisfies Partial<Core>;
}

function usersBy(
  call: Transport["call"],
  query: Readonly<Record<string, string>>,
): Promise<readonly CoreUser[]> {
  return call({ method: "GET", path: "/users/by-accountinfo", query }).then(
    (answer) => usersIn(answer).users,
  );
}

function usersByEmail(call: Transport["call"], email: string): Promise<readonly CoreUser[]> {
  const spellings = spellingsOf(email);
  return spellings.length === 1
    ? usersBy(call, { email, doUnionOfAccountInfo })
    : usersBySpellings(call, spellings);
}

/** A core that knows the spellings answers each of them with the same users. */
async function usersBySpellings(
  call: Transport["call"],
  spellings: readonly string[],
): Promise<readonly CoreUser[]> {
  const found: CoreUser[] = [];
  for (const email of spellings) {
    found.push(...(await usersBy(call, { email, doUnionOfAccountInfo })));
  }
  return found.filter(
    ({ userId, recipe }, index) =>
      index === found.findIndex((one) => one.userId === userId && one.recipe === recipe),
  );
}

function mapOutcome(answer: JsonAnswer): MapOutcome {
  const status = statusOf(answer);
  switch (status) {
    case "OK":
      return { status };
    case "UNKNOWN_SUPERTOKENS_USER_ID_ERROR":
      return { status: "UNKNOWN_USER_ID_ERROR" };
    case "USER_ID_MAPPING_ALREADY_EXISTS_ERROR": {
      const { doesSuperTokensUserIdExist: doesUserIdExist, doesExternalUserIdExist } = expectAnswer(
        answer,
        alreadyMappedAnswer,
      );
      return { status, doesUserIdExist, doesExternalUserIdExist };
    }
    default:
      throw unknownStatus(status);
  }
}

function filterQuery({ recipes }: UserFilter) {
  return { includeRecipeIds: recipes?.join(",") };
}

function isMeant({ recipe, thirdParty }: CoreUser, { recipes }: UserFilter): boolean {
  if (recipe === "other")
    return thirdParty !== undefined && recipes?.includes("thirdparty") === true;
  return recipe === null || recipes === undefined || recipes.includes(recipe);
}

function usersIn(answer: JsonAnswer): UserPage {
  const { users, nextPaginationToken } = expectOk(answer, usersAnswer);
  return {
    users: users.flatMap(usersOf),
    ...(nextPaginationToken === undefined ? {} : { nextPaginationToken }),
  };
}
