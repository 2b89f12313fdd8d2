/** The endpoints for lookups and external ids. They go beyond interface.md and have SuperTokens' shapes. */

import type { IncomingMessage } from "node:http";
import type { Core } from "../core.js";
import type { CoreUser, ListedRecipe } from "../user.js";
import { refusal } from "../core-failure.js";
import { BODIES, bodyOf, listsBesideRecipes, QUERIES, queryOf } from "./request.js";

/** Answers with the JSON body of a 200. */
export type Answer = (core: Core, request: IncomingMessage) => Promise<Record<string, unknown>>;

/** By the core's own names for them. */
export const USER_ANSWERS = {
  async getUser(core, request) {
    const user = await core.getUser(queryOf(request, QUERIES.getUser).userId);
    return user === null
      ? { status: "UNKNOWN_USER_ID_ERROR" }
      : { status: "OK", user: userJson(user) };
  },
  async removeUser(core, request) {
    await core.removeUser((await bodyOf(request, BODIES.removeUser)).userId);
    return { status: "OK" };
  },
  async listUsers(core, request) {
    const query = queryOf(request, QUERIES.listUsers);
    const { limit, paginationToken, timeJoinedOrder: order, includeRecipeIds: recipes } = query;
    if (isNobody(recipes)) return { status: "OK", users: [] };
    const page = await core.listUsers({
      ...(limit === undefined ? {} : { limit }),
      ...(paginationToken === undefined ? {} : { paginationToken }),
      ...(order === undefined ? {} : { order }),
      ...(recipes === undefined ? {} : { recipes }),
    });
    // As versions before 4.0 of SuperTokens' interface list a user.
    const toJson = listsBesideRecipes(request)
      ? (user: CoreUser) => ({ recipeId: recipeIdOf(user), user: userJson(user) })
      : userJson;
    return { status: "OK", ...page, users: page.users.map(toJson) };
  },
  /** There is one tenant, so all of them are the same as one. */
  async countUsers(core, request) {
    const { includeRecipeIds: recipes } = queryOf(request, QUERIES.countUsers);
    if (isNobody(recipes)) return { status: "OK", count: 0 };
    return { status: "OK", count: await core.countUsers(recipes === undefined ? {} : { recipes }) };
  },
  /** By one or several of a user's contacts and foreign identities: any of them, or all at once. */
  async findUsers(core, request) {
    const query = queryOf(request, QUERIES.findUsers);
    const { email, phoneNumber, thirdPartyId, thirdPartyUserId, webauthnCredentialId } = query;
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
      ...(webauthnCredentialId === undefined ? [] : [[]]),
    ]);
    if (found.length === 0) throw refusal("give one of email and phoneNumber, or both");
    const users = query.doUnionOfAccountInfo === true ? inAny(found) : inAll(found);
    return { status: "OK", users: users.map(userJson) };
  },
  async mapUserId(core, request) {
    const { superTokensUserId: userId, ...rest } = await bodyOf(request, BODIES.mapUserId);
    const { externalUserId, force = false } = rest;
    const outcome = await core.mapUserId({ userId, externalUserId, force });
    switch (outcome.status) {
      case "UNKNOWN_USER_ID_ERROR":
        return { status: "UNKNOWN_SUPERTOKENS_USER_ID_ERROR" };
      case "USER_ID_MAPPING_ALREADY_EXISTS_ERROR": {
        const { status, doesUserIdExist, doesExternalUserIdExist } = outcome;
        return { status, doesSuperTokensUserIdExist: doesUserIdExist, doesExternalUserIdExist };
      }
      default:
        return { ...outcome };
    }
  },
  async findMapping(core, request) {
    const { userId, userIdType = "ANY" } = queryOf(request, QUERIES.findMapping);
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
} satisfies Record<string, Answer>;

/** The request names only recipes that no user of this core has. */
function isNobody(recipes: readonly ListedRecipe[] | undefined): boolean {
  return recipes !== undefined && recipes.length === 0;
}

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

function recipeIdOf({ recipe, thirdParty }: CoreUser): string | null {
  return thirdParty === undefined ? recipe : "thirdparty";
}

const TENANT_IDS = ["public"] as const;

/** The JSON form of a user. As at SuperTokens, `verified` is about the email where there is one: a phone number got in by a code. */
export function userJson(user: CoreUser): Record<string, unknown> {
  const { userId, email, phoneNumber, thirdParty, timeJoined, hasSignedIn } = user;
  return {
    userId,
    id: userId,
    email,
    phoneNumber,
    timeJoined,
    hasSignedIn,
    isPrimaryUser: false,
    tenantIds: TENANT_IDS,
    emails: email === undefined ? [] : [email],
    phoneNumbers: phoneNumber === undefined ? [] : [phoneNumber],
    thirdParty: thirdParty === undefined ? [] : [thirdParty],
    webauthn: { credentialIds: [] },
    loginMethods: [
      {
        recipeUserId: userId,
        recipeId: recipeIdOf(user),
        tenantIds: TENANT_IDS,
        verified: email === undefined || user.isEmailVerified === true,
        timeJoined,
        email,
        phoneNumber,
        thirdParty,
      },
    ],
  };
}
