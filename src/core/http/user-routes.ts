/** The rows of lookups, removals and external ids. They go beyond interface.md and have SuperTokens' shapes. */

import { z } from "zod";
import { TEXT } from "../account-parts.js";
import { refusal } from "../core-failure.js";
import type { CoreUser } from "../user.js";
import { FILLED, listsBesideRecipes, oneOf, WHOLE_NUMBER } from "./request.js";
import { type Route, route } from "./route.js";
import { recipeIdOf, userJson } from "./user-json.js";

const flag = oneOf(["true", "false"]).transform((value) => value === "true");
/** The ways to sign in that SuperTokens knows; this core has no user of the last one. */
const recipes = FILLED.transform((names) => names.split(","))
  .pipe(z.array(oneOf(["emailpassword", "passwordless", "thirdparty", "webauthn"])))
  .transform((names) => names.filter((name) => name !== "webauthn"));
/** Leaving out a filter in silence would be a wrong answer. */
const notOffered = z.never({ error: "this filter is not offered" }).optional();

export const USER_ROUTES: readonly Route[] = [
  route("GET", "/user/id", z.object({ userId: FILLED }), async (core, { userId }) => {
    const user = await core.getUser(userId);
    return user === null
      ? { status: "UNKNOWN_USER_ID_ERROR" }
      : { status: "OK", user: userJson(user) };
  }),
  route(
    "POST",
    "/user/remove",
    // This core links no accounts, so both values of the second one mean the same.
    z.object({ userId: TEXT, removeAllLinkedAccounts: z.boolean().optional() }),
    async (core, { userId }) => {
      await core.removeUser(userId);
      return { status: "OK" };
    },
  ),
  route(
    "GET",
    "/users",
    z.object({
      limit: WHOLE_NUMBER.optional(),
      paginationToken: FILLED.optional(),
      timeJoinedOrder: oneOf(["ASC", "DESC"]).optional(),
      includeRecipeIds: recipes.optional(),
      email: notOffered,
      phone: notOffered,
      provider: notOffered,
    }),
    async (core, { limit, paginationToken, timeJoinedOrder, includeRecipeIds }, incoming) => {
      if (includeRecipeIds?.length === 0) return { status: "OK", users: [] };
      const order = timeJoinedOrder;
      const filter = { recipes: includeRecipeIds };
      const page = await core.listUsers({ limit, paginationToken, order, ...filter });
      // As versions before 4.0 of SuperTokens' interface list a user.
      const toJson = listsBesideRecipes(incoming)
        ? (user: CoreUser) => ({ recipeId: recipeIdOf(user), user: userJson(user) })
        : userJson;
      return { status: "OK", ...page, users: page.users.map(toJson) };
    },
  ),
  route(
    "GET",
    "/users/count",
    // There is one tenant, so all of them are the same as one.
    z.object({ includeRecipeIds: recipes.optional(), includeAllTenants: flag.optional() }),
    async (core, { includeRecipeIds }) => {
      const isNobody = includeRecipeIds?.length === 0;
      const count = isNobody ? 0 : await core.countUsers({ recipes: includeRecipeIds });
      return { status: "OK", count };
    },
  ),
  route(
    "GET",
    "/users/by-accountinfo",
    z.object({
      email: FILLED.optional(),
      phoneNumber: FILLED.optional(),
      thirdPartyId: FILLED.optional(),
      thirdPartyUserId: FILLED.optional(),
      webauthnCredentialId: FILLED.optional(),
      doUnionOfAccountInfo: flag.optional(),
    }),
    async (core, { email, phoneNumber, thirdPartyId, thirdPartyUserId, ...rest }) => {
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
    },
  ),
  route(
    "GET",
    "/recipe/userid/map",
    z.object({ userId: FILLED, userIdType: oneOf(["SUPERTOKENS", "EXTERNAL", "ANY"]).optional() }),
    async (core, { userId, userIdType = "ANY" }) => {
      const mapping = await core.findMapping(userId);
      const ids = {
        SUPERTOKENS: [mapping?.userId],
        EXTERNAL: [mapping?.externalUserId],
        ANY: [mapping?.userId, mapping?.externalUserId],
      }[userIdType];
      if (mapping === null || !ids.includes(userId)) return { status: "UNKNOWN_MAPPING_ERROR" };
      const { userId: superTokensUserId, externalUserId } = mapping;
      return { status: "OK", superTokensUserId, externalUserId };
    },
  ),
  route(
    "POST",
    "/recipe/userid/map",
    z.object({ superTokensUserId: TEXT, externalUserId: TEXT, force: z.boolean().optional() }),
    async (core, { superTokensUserId: userId, externalUserId, force = false }) => {
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
    },
  ),
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
