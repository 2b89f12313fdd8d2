/** The answers of a remote core as far as they are used (interface.md leaves most of them open). Everything else in them is left out. */

import { z } from "zod";
import type { CoreUser } from "../core.js";

const text = z.string();
const time = z.number().optional().catch(undefined);
const contact = z.string().optional().catch(undefined);
const contacts = z.array(z.string()).optional().catch(undefined);

const user = z
  .object({
    userId: text.optional(),
    id: text.optional(),
    email: contact,
    phoneNumber: contact,
    emails: contacts,
    phoneNumbers: contacts,
    timeJoined: time,
    loginMethods: z
      .array(z.object({ recipeId: text, email: contact, phoneNumber: contact, timeJoined: time }))
      .optional()
      .catch(undefined),
  })
  .refine((value) => (value.userId ?? value.id) !== undefined);

type UserAnswer = z.infer<typeof user>;

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

/** A core that doesn't say `createdNewUser` doesn't say otherwise: interface.md 4.2, "Effect". */
export const consumeAnswer = z.object({
  status: text,
  user,
  createdNewUser: z.boolean().default(true),
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

export const usersAnswer = z.object({
  status: text,
  users: z.array(user),
  nextPaginationToken: text.optional(),
});

export const countAnswer = z.object({ status: text, count: z.number() });

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
