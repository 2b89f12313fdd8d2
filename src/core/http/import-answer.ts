/** Reads the answer to an import (interface.md 4.4). One comes for every user, and the schema takes as long as half a request, so the usual answer is read by hand. */

import type { ImportOutcome } from "../core.js";
import type { CoreUser } from "../user.js";
import { expectOk, importAnswer, userOf } from "./answers.js";
import type { JsonAnswer } from "./transport.js";

/** The way in of every imported user. */
const RECIPE = "emailpassword";

/**
 * What came of an import.
 *
 * @throws CoreFailure `refused` where the status is another one than `OK`, `incompatible` where
 *   there is none or no user
 */
export function importOutcome(answer: JsonAnswer): ImportOutcome {
  return usualOutcome(answer.body) ?? outcomeBySchema(answer);
}

/** The outcome in any answer, by its schema. */
export function outcomeBySchema(answer: JsonAnswer): ImportOutcome {
  const { user, didUserAlreadyExist } = expectOk(answer, importAnswer);
  return { status: "OK", user: userOf(user, RECIPE), didUserAlreadyExist };
}

/** Null where the answer needs the schema. */
function usualOutcome(body: unknown): ImportOutcome | null {
  if (!hasFields(body) || body.status !== "OK" || typeof body.didUserAlreadyExist !== "boolean") {
    return null;
  }
  const user = usualUser(body.user);
  if (user === null) return null;
  return { status: "OK", user, didUserAlreadyExist: body.didUserAlreadyExist };
}

function usualUser(user: unknown): CoreUser | null {
  if (!hasFields(user)) return null;
  const { userId, id, email, emails, phoneNumber, phoneNumbers, timeJoined, loginMethods } = user;
  if (typeof userId !== "string" || userId === "" || typeof email !== "string") return null;
  if (id !== undefined && typeof id !== "string") return null;
  if (phoneNumber !== undefined || !isNothing(phoneNumbers)) return null;
  // With linked accounts, only the schema tells whose contacts are whose.
  if (!isNone(emails, (one) => one !== email)) return null;
  if (!isNone(loginMethods, (method) => isOfOther(method, userId, email))) return null;
  if (timeJoined === undefined) return { userId, email, recipe: RECIPE };
  // JSON has numbers that are none here, such as 1e999.
  if (typeof timeJoined !== "number" || !Number.isFinite(timeJoined)) return null;
  return { userId, email, timeJoined, recipe: RECIPE };
}

function isNothing(contacts: unknown): boolean {
  return contacts === undefined || (Array.isArray(contacts) && contacts.length === 0);
}

/** Whether there are no values but at most one that isn't another's. */
function isNone(values: unknown, isOther: (value: unknown) => boolean): boolean {
  if (values === undefined) return true;
  return Array.isArray(values) && values.length < 2 && !values.some(isOther);
}

function isOfOther(method: unknown, userId: string, ownEmail: string): boolean {
  if (!hasFields(method)) return true;
  const { recipeUserId, email, phoneNumber, verified } = method;
  const isOwn = recipeUserId === undefined || recipeUserId === userId;
  // Few imported users were there before and are verified.
  if (verified === true) return true;
  return !isOwn || (email !== undefined && email !== ownEmail) || phoneNumber !== undefined;
}

function hasFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
