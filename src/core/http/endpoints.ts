/** The endpoints of interface.md and of lookups, one row each, for the client and the server alike; those on an account's parts have a table of their own. All but the first four have SuperTokens' names and shapes. */

import { z } from "zod";
import { type Endpoint, failed, row, TEXT } from "../account-parts.js";
import { listedUser, shownUser } from "./answers.js";
import { FILLED, oneOf, WHOLE_NUMBER } from "./request.js";

const text = z.string();
const number = z.number();
const flag = oneOf(["true", "false"]).transform((value) => value === "true");
/** The ways to sign in that SuperTokens knows; this core has no user of the last one. */
const recipes = FILLED.transform((names) => names.split(","))
  .pipe(z.array(oneOf(["emailpassword", "passwordless", "thirdparty", "webauthn"])))
  .transform((names) => names.filter((name) => name !== "webauthn"));
/** Leaving out a filter in silence would be a wrong answer. */
const notOffered = z.never({ error: "this filter is not offered" }).optional();
const page = { limit: WHOLE_NUMBER.optional(), paginationToken: FILLED.optional() };
const nextPaginationToken = text.optional();
const users = z.array(listedUser);

const device = { preAuthSessionId: text, failedCodeInputAttemptCount: number };
const attempts = { failedCodeInputAttemptCount: number, maximumCodeInputAttempts: number };

/** Contacts are shown by some cores. */
const shown = text.nullish().catch(undefined);

/** By the names of the core's own calls. */
export const ENDPOINTS = {
  createCode: row(
    "POST",
    "/recipe/signinup/code",
    {
      email: TEXT.optional(),
      phoneNumber: TEXT.optional(),
      userInputCode: TEXT.optional(),
      deviceId: z
        .undefined({ error: "sending a new code to a device is not offered; generate a new one" })
        .optional(),
    },
    {
      preAuthSessionId: text,
      codeId: text,
      deviceId: text,
      userInputCode: text,
      linkCode: text,
      timeCreated: number,
      codeLifetime: number,
    },
  ),
  /** A core that doesn't say `createdNewUser` doesn't say otherwise: interface.md 4.2, "Effect". */
  consumeCode: row(
    "POST",
    "/recipe/signinup/code/consume",
    {
      preAuthSessionId: TEXT,
      linkCode: TEXT.optional(),
      deviceId: TEXT.optional(),
      userInputCode: TEXT.optional(),
    },
    {
      user: shownUser,
      createdNewUser: z.boolean().default(true),
      consumedDevice: z
        .union([z.object({ ...device, email: text }), z.object({ ...device, phoneNumber: text })])
        .optional()
        .catch(undefined),
    },
    failed("RESTART_FLOW_ERROR"),
    failed("INCORRECT_USER_INPUT_CODE_ERROR").extend(attempts),
    failed("EXPIRED_USER_INPUT_CODE_ERROR").extend(attempts),
  ),
  /**
   * SuperTokens doesn't allow a change that would bring two linked accounts to one contact. Such a
   * contact counts as another user's.
   */
  updateUser: {
    method: "PUT",
    path: "/recipe/user",
    request: z.object({
      userId: TEXT.optional(),
      recipeUserId: TEXT.optional(),
      email: TEXT.nullish(),
      phoneNumber: TEXT.nullish(),
    }),
    outcome: z.object({
      status: text
        .transform((status) => status.replace("CHANGE_NOT_ALLOWED", "ALREADY_EXISTS"))
        .pipe(
          z.enum([
            "OK",
            "UNKNOWN_USER_ID_ERROR",
            "EMAIL_ALREADY_EXISTS_ERROR",
            "PHONE_NUMBER_ALREADY_EXISTS_ERROR",
          ]),
        ),
    }),
  },
  /** As of `consumeCode`: what isn't said isn't taken for an overwritten user. */
  importUser: row(
    "POST",
    "/recipe/user/passwordhash/import",
    { email: TEXT, passwordHash: TEXT, hashingAlgorithm: TEXT.optional() },
    { user: shownUser, didUserAlreadyExist: z.boolean().default(false) },
  ),
  signInUp: row(
    "POST",
    "/recipe/signinup",
    {
      thirdPartyId: TEXT,
      thirdPartyUserId: TEXT,
      email: z.object(
        // Versions before 4.0 of SuperTokens' interface have no second one.
        { id: TEXT, isVerified: z.boolean({ error: "expected true or false" }).default(false) },
        { error: "expected an object with id and isVerified" },
      ),
    },
    { user: shownUser, createdNewUser: z.boolean() },
  ),
  signIn: row(
    "POST",
    "/recipe/signin",
    { email: TEXT, password: TEXT },
    { user: shownUser },
    failed("WRONG_CREDENTIALS_ERROR"),
  ),
  /** SuperTokens' clients look for their version, ours for the dialects, which are our own server's addition. */
  versions: {
    method: "GET",
    path: "/apiversion",
    request: z.object({}),
    outcome: z.object({
      versions: z.array(z.unknown()),
      dialects: z.array(z.unknown()).optional().catch(undefined),
    }),
  },
  getUser: row(
    "GET",
    "/user/id",
    { userId: FILLED },
    { user: shownUser },
    failed("UNKNOWN_USER_ID_ERROR"),
  ),
  /** Our own core links no accounts, so both values of the second one mean the same there. */
  removeUser: row(
    "POST",
    "/user/remove",
    { userId: TEXT, removeAllLinkedAccounts: z.boolean().optional() },
    {},
  ),
  listUsers: row(
    "GET",
    "/users",
    {
      ...page,
      timeJoinedOrder: oneOf(["ASC", "DESC"]).optional(),
      includeRecipeIds: recipes.optional(),
      email: notOffered,
      phone: notOffered,
      provider: notOffered,
    },
    { users, nextPaginationToken },
  ),
  /** Our own core has one tenant, so all of them are the same as one. */
  countUsers: row(
    "GET",
    "/users/count",
    { includeRecipeIds: recipes.optional(), includeAllTenants: flag.optional() },
    { count: number },
  ),
  findUsers: row(
    "GET",
    "/users/by-accountinfo",
    {
      email: FILLED.optional(),
      phoneNumber: FILLED.optional(),
      thirdPartyId: FILLED.optional(),
      thirdPartyUserId: FILLED.optional(),
      webauthnCredentialId: FILLED.optional(),
      doUnionOfAccountInfo: flag.optional(),
    },
    { users },
  ),
  findMapping: row(
    "GET",
    "/recipe/userid/map",
    { userId: FILLED, userIdType: oneOf(["SUPERTOKENS", "EXTERNAL", "ANY"]).optional() },
    { superTokensUserId: text, externalUserId: text },
    failed("UNKNOWN_MAPPING_ERROR"),
  ),
  mapUserId: row(
    "POST",
    "/recipe/userid/map",
    { superTokensUserId: TEXT, externalUserId: TEXT, force: z.boolean().optional() },
    {},
    failed("UNKNOWN_SUPERTOKENS_USER_ID_ERROR"),
    failed("USER_ID_MAPPING_ALREADY_EXISTS_ERROR").extend({
      doesSuperTokensUserIdExist: z.boolean(),
      doesExternalUserIdExist: z.boolean(),
    }),
  ),
  /** What is wrong with accounts comes with a 400, which the client reads by itself. */
  queueAccounts: row(
    "POST",
    "/bulk-import/users",
    { users: z.array(z.unknown(), { error: "expected a list" }) },
    {
      users: z.array(
        z.object({
          userId: text,
          loginMethods: z
            .array(z.object({ userId: text, email: shown, phoneNumber: shown }))
            .optional()
            .catch(undefined),
        }),
      ),
    },
  ),
  listQueued: row(
    "GET",
    "/bulk-import/users",
    { ...page, status: oneOf(["NEW", "PROCESSING", "FAILED"]).optional() },
    {
      users: z.array(
        z.looseObject({
          id: text,
          status: z.enum(["NEW", "PROCESSING", "FAILED"]),
          errorMessage: text.nullish(),
          createdAt: number,
          updatedAt: number,
        }),
      ),
      nextPaginationToken,
    },
  ),
} as const satisfies Record<string, Endpoint>;
