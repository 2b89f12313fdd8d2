/** The rows of lookups, removals and external ids. They go beyond interface.md and have SuperTokens' shapes. */

import { refusal } from "../core-failure.js";
import type { CoreUser } from "../user.js";
import { ENDPOINTS } from "./endpoints.js";
import { listsBesideRecipes } from "./request.js";
import { type Route, route } from "./route.js";
import { recipeIdOf, userJson } from "./user-json.js";

export const USER_ROUTES: readonly Route[] = [
  route(ENDPOINTS.getUser, async (core, { userId }) => {
    const user = await core.getUser(userId);
    return user === null
      ? { status: "UNKNOWN_USER_ID_ERROR" }
      : { status: "OK", user: userJson(user) };
  }),
  route(ENDPOINTS.removeUser, async (core, { userId }) => {
    await core.removeUser(userId);
    return { status: "OK" };
  }),
  route(ENDPOINTS.listUsers, async (core, asked, incoming) => {
    const { limit, paginationToken, timeJoinedOrder: order, includeRecipeIds: recipes } = asked;
    if (recipes?.length === 0) return { status: "OK", users: [] };
    const page = await core.listUsers({ limit, paginationToken, order, recipes });
    // As versions before 4.0 of SuperTokens' interface list a user.
    const toJson = listsBesideRecipes(incoming)
      ? (user: CoreUser) => ({ recipeId: recipeIdOf(user), user: userJson(user) })
      : userJson;
    return { status: "OK", ...page, users: page.users.map(toJson) };
  }),
  route(ENDPOINTS.countUsers, async (core, { includeRecipeIds: recipes }) => {
    const count = recipes?.length === 0 ? 0 : await core.countUsers({ recipes });
    return { status: "OK", count };
  }),
  route(ENDPOINTS.findUsers, async (core, asked) => {
    const { email, phoneNumber, thirdPartyId, thirdPartyUserId, ...rest } = asked;
    if ((thirdPartyId === undefined) !== (thirdPartyUserId === undefined)) {
      throw refusal("thirdPartyId and thirdPartyUserId: give both or none");
    }
    const found = await Promise.all([
      ...(email === undefined ? [] : [core.findUsers({ email })]),
      ...(phoneNumber === undefined ? [] : [core.findUsers({ phoneNumber })]),
      ...(thirdPartyId === undefined || thirdPartyUserId === undefined
        ? []
        : [core.findByThirdParty({ thirdPartyId, thirdPartyUserId })]),
      // No user of this core has one.
      ...(rest.webauthnCredentialId === undefined ? [] : [[]]),
    ]);
    if (found.length === 0) throw refusal("give one of email and phoneNumber, or both");
    const users = rest.doUnionOfAccountInfo === true ? inAny(found) : inAll(found);
    return { status: "OK", users: users.map(userJson) };
  }),
  route(ENDPOINTS.findMapping, async (core, { userId, userIdType = "ANY" }) => {
    const mapping = await core.findMapping(userId);
    const ids = {
      SUPERTOKENS: [mapping?.userId],
      EXTERNAL: [mapping?.externalUserId],
      ANY: [mapping?.userId, mapping?.externalUserId],
    }[userIdType];
    if (mapping === null || !ids.includes(userId)) return { status: "UNKNOWN_MAPPING_ERROR" };
    const { userId: superTokensUserId, externalUserId } = mapping;
    return { status: "OK", superTokensUserId, externalUserId };
  }),
  route(ENDPOINTS.mapUserId, async (core, { superTokensUserId: userId, ...asked }) => {
    const { externalUserId, force = false } = asked;
    const outcome = await core.mapUserId({ userId, externalUserId, force });
    switch (outcome.status) {
      case "UNKNOWN_USER_ID_ERROR":
        return { status: "UNKNOWN_SUPERTOKENS_USER_ID_ERROR" };
      case "USER_ID_MAPPING_ALREADY_EXISTS_ERROR": {
        const { status, doesUserIdExist, doesExternalUserIdExist } = outcome;
        return { status, doesSuperTokensUserIdExist: doesUserIdExist, doesExternalUserIdExist };
      }
      default:
        return outcome;
    }
  }),
];

function inAll([first = [], ...others]: readonly (readonly CoreUser[])[]): readonly CoreUser[] {
  return first.filter(({ userId }) =>
    others.every((users) => users.some((user) => user.userId === userId)),
  );
}

/** Oldest first, as each of the lists is. */
function inAny(lists: readonly (readonly CoreUser[])[]): readonly CoreUser[] {
  const byId = new Map(lists.flat().map((user) => [user.userId, user]));
  return [...byId.values()].sort((a, b) => (a.timeJoined ?? 0) - (b.timeJoined ?? 0));
}
