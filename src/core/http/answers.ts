/** The answers of a remote core as far as they are used (interface.md leaves most of them open). Everything else in them is left out. */

import { z } from "zod";
import type { CoreUser } from "../core.js";

const text = z.string();
const time = z.number().optional().catch(undefined);
const optionalText = z.string().optional().catch(undefined);
const contacts = z.array(z.string()).optional().catch(undefined);

const user = z
  .object({
    userId: text.optional(),
    id: text.optional(),
    email: optionalText,
    phoneNumber: optionalText,
    emails: contacts,
    phoneNumbers: contacts,
    timeJoined: time,
    loginMethods: z
      .array(
        z.object({
          recipeId: text,
          recipeUserId: optionalText,
          email: optionalText,
          phoneNumber: optionalText,
          timeJoined: time,
        }),
      )
      .optional()
      .catch(undefined),
  })
  .refine((value) => (value.userId ?? value.id) !== undefined);

type UserAnswer = z.infer<typeof user>;

/** `GET /apiversion`; the dialects are our own server's addition. */
export const versionsAnswer = z.object({
  versions: z.array(z.unknown()),
  dialects: z.array(z.unknown()).optional().catch(undefined),
});

/** Only the status; which of them are known, the caller says. */
export const statusAnswer = z.object({ status: text });

export const codeAnswer = z.object({
  status: text,
  preAuthSessionId: text,
  codeId: text,
  deviceId: text,
  userInputCode: text,
  linkCode: text,
  timeCreated: z.number(),
  codeLifetime: z.number(),
});

const device = { preAuthSessionId: text, failedCodeInputAttemptCount: z.number() };

/** A core that doesn't say `createdNewUser` doesn't say otherwise: interface.md 4.2, "Effect". */
export const consumeAnswer = z.object({
  status: text,
  user,
  createdNewUser: z.boolean().default(true),
  consumedDevice: z
    .union([z.object({ ...device, email: text }), z.object({ ...device, phoneNumber: text })])
    .optional()
    .catch(undefined),
});

export const wrongCodeAnswer = z.object({
  failedCodeInputAttemptCount: z.number(),
  maximumCodeInputAttempts: z.number(),
});

/** As `consumeAnswer`: what isn't said isn't taken for an overwritten user. */
export const importAnswer = z.object({
  status: text,
  user,
  didUserAlreadyExist: z.boolean().default(false),
});

export const userAnswer = z.object({ status: text, user });

/** Before its interface version 4.0 the public counterpart lists each user beside its recipe. */
const listedUser = z.union([
  z.object({ recipeId: text, user }).transform(({ recipeId, user: { email, ...rest } }) => {
    const { phoneNumber, timeJoined } = rest;
    return { ...rest, email, loginMethods: [{ recipeId, email, phoneNumber, timeJoined }] };
  }),
  user,
]);

export const usersAnswer = z.object({
  status: text,
  users: z.array(listedUser),
  nextPaginationToken: text.optional(),
});

export const countAnswer = z.object({ status: text, count: z.number() });

export const mappingAnswer = z.object({ superTokensUserId: text, externalUserId: text });

export const alreadyMappedAnswer = z.object({
  doesSuperTokensUserIdExist: z.boolean(),
  doesExternalUserIdExist: z.boolean(),
});

/** The user of a call that itself says the recipe. */
export function userOf(answer: UserAnswer, recipe: CoreUser["recipe"]): CoreUser {
  const { userId = "", id = "", timeJoined } = answer;
  return coreUser(
    userId || id,
    answer.email ?? answer.emails?.[0],
    answer.phoneNumber ?? answer.phoneNumbers?.[0],
    timeJoined,
    recipe,
  );
}

/**
 * The users in an answer of a look-up: one for each way to sign in, so that linked accounts count
 * as what they are. Third-party sign-ins are none of ours.
 */
export function usersOf(answer: UserAnswer): CoreUser[] {
  if (answer.loginMethods === undefined || answer.loginMethods.length === 0) {
    return [userOf(answer, null)];
  }
  const { userId = "", id = "" } = answer;
  return answer.loginMethods.flatMap(({ recipeId, email, phoneNumber, timeJoined }) =>
    recipeId === "emailpassword" || recipeId === "passwordless"
      ? [coreUser(userId || id, email, phoneNumber, timeJoined, recipeId)]
      : [],
  );
}

/** The id of the account's passwordless sign-in, which is another one where accounts are linked. */
export function passwordlessIdOf({ loginMethods = [] }: UserAnswer): string | undefined {
  return loginMethods.find(({ recipeId }) => recipeId === "passwordless")?.recipeUserId;
}

function coreUser(
  userId: string,
  email: string | undefined,
  phoneNumber: string | undefined,
  timeJoined: number | undefined,
  recipe: CoreUser["recipe"],
): CoreUser {
  return {
    userId,
    ...(email === undefined ? {} : { email }),
    ...(phoneNumber === undefined ? {} : { phoneNumber }),
    ...(timeJoined === undefined ? {} : { timeJoined }),
    recipe,
  };
}
