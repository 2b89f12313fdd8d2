/** Asks a remote core, and reads the users in its answers, of which interface.md leaves most open. */

import { z } from "zod";
import type { ThirdPartyIdentity } from "../account-import.js";
import type { Endpoint } from "../account-parts.js";
import { CoreFailure } from "../core-failure.js";
import type { CoreUser } from "../user.js";
import { incompatible } from "./answer-failure.js";
import type { JsonAnswer, Outgoing, Transport } from "./transport.js";

const text = z.string();
const time = z.number().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const optionalText = z.string().optional().catch(undefined);
const contacts = z.array(z.string()).optional().catch(undefined);

/** A user as every call shows one. */
export const shownUser = z
  .object({
    userId: text.optional(),
    id: text.optional(),
    email: optionalText,
    phoneNumber: optionalText,
    emails: contacts,
    phoneNumbers: contacts,
    timeJoined: time,
    // Our own server's addition.
    hasSignedIn: flag,
    isPrimaryUser: flag,
    loginMethods: z
      .array(
        z.object({
          recipeId: text,
          recipeUserId: optionalText,
          email: optionalText,
          phoneNumber: optionalText,
          timeJoined: time,
          verified: flag,
          thirdParty: z.object({ id: text, userId: text }).optional().catch(undefined),
        }),
      )
      .optional()
      .catch(undefined),
  })
  .refine((value) => (value.userId ?? value.id) !== undefined);

type UserAnswer = z.infer<typeof shownUser>;

/** What every answer but that of versions has. */
const statusAnswer = z.object({ status: text });

/** Before its interface version 4.0 SuperTokens lists each user beside its recipe. */
export const listedUser = z.union([
  shownUser,
  z
    .object({ recipeId: text, user: shownUser })
    .transform(({ recipeId, user: { email, ...rest } }) => {
      const { phoneNumber, timeJoined } = rest;
      return { ...rest, email, loginMethods: [{ recipeId, email, phoneNumber, timeJoined }] };
    }),
]);

/** The user of a call that itself says the recipe. */
export function userOf(answer: UserAnswer, recipe: CoreUser["recipe"]): CoreUser {
  const { timeJoined, emails = [], phoneNumbers = [], loginMethods = [] } = answer;
  const email = answer.email ?? emails[0];
  const phoneNumber = answer.phoneNumber ?? phoneNumbers[0];
  const own = loginMethods.filter(({ recipeId }) => recipeId === recipe);
  const linked = loginMethods.flatMap((one) => [one.email, one.phoneNumber]);
  const shown = new Set([...emails, ...phoneNumbers, ...linked]);
  const others = [...shown].filter(
    (one) => one !== undefined && one !== email && one !== phoneNumber,
  );
  return {
    ...coreUser(answer, { email, phoneNumber, timeJoined, verified: own[0]?.verified }, recipe),
    // Where a user has several ways in of one kind, the call's own one can't be told.
    ...(own.length === 1 ? recipeIdOf(answer, own[0]?.recipeUserId) : {}),
    ...(others.length === 0 ? {} : { otherContacts: others as readonly string[] }),
  };
}

/**
 * The users in a lookup's answer: one for each way to sign in, so that each linked account
 * counts.
 */
export function usersOf(answer: UserAnswer): CoreUser[] {
  const { loginMethods = [] } = answer;
  if (loginMethods.length === 0) return [userOf(answer, null)];
  return loginMethods.map((method) => ({
    ...coreUser(answer, method, RECIPES.find((one) => one === method.recipeId) ?? "other"),
    ...recipeIdOf(answer, method.recipeUserId),
  }));
}

/** The account as one user: of several ways in the first that a migration brings people to. */
export function accountOf(answer: UserAnswer): CoreUser {
  const users = usersOf(answer);
  const user = users.find(({ recipe }) => recipe !== "other") ?? users[0] ?? userOf(answer, null);
  return users.length > 1 || answer.isPrimaryUser === true ? { ...user, isLinked: true } : user;
}

/** Whether the user signs in by a social account. */
export function isBy({ thirdParty }: CoreUser, by: ThirdPartyIdentity): boolean {
  return thirdParty?.id === by.thirdPartyId && thirdParty.userId === by.thirdPartyUserId;
}

/** The id of the account's passwordless sign-in, which is another one where accounts are linked. */
export function passwordlessIdOf({ loginMethods = [] }: UserAnswer): string | undefined {
  return loginMethods.find(({ recipeId }) => recipeId === "passwordless")?.recipeUserId;
}

const RECIPES = ["emailpassword", "passwordless"] as const;

function idOf({ userId = "", id = "" }: UserAnswer): string {
  return userId || id;
}

function recipeIdOf(
  answer: UserAnswer,
  recipeUserId: string | undefined,
): Pick<CoreUser, "recipeUserId"> {
  return recipeUserId === undefined || recipeUserId === idOf(answer) ? {} : { recipeUserId };
}

function coreUser(
  answer: UserAnswer,
  {
    email,
    phoneNumber,
    timeJoined,
    verified,
    thirdParty,
  }: Omit<NonNullable<UserAnswer["loginMethods"]>[number], "recipeId" | "recipeUserId">,
  recipe: CoreUser["recipe"],
): CoreUser {
  const { hasSignedIn } = answer;
  return {
    userId: idOf(answer),
    ...(email === undefined ? {} : { email }),
    ...(phoneNumber === undefined ? {} : { phoneNumber }),
    ...(timeJoined === undefined ? {} : { timeJoined }),
    ...(hasSignedIn === undefined ? {} : { hasSignedIn }),
    ...(email !== undefined && verified === true ? { isEmailVerified: true } : {}),
    ...(thirdParty === undefined ? {} : { thirdParty }),
    recipe,
  };
}

/** As SuperTokens writes them; anything else may hold what was sent. */
const STATUS = /^(?=.{1,64}$)[A-Z]+(?:_[A-Z]+)*_ERROR$/;

/**
 * Makes an endpoint's call.
 *
 * @param more how else it goes out
 * @returns its answer as the endpoint's row has it
 * @throws CoreFailure as `call`; `refused` for a status that the row doesn't have, `incompatible`
 */
export async function ask<E extends Endpoint>(
  call: Transport["call"],
  { method, path, outcome }: E,
  asked: z.input<E["request"]>,
  more?: Omit<Outgoing, "method" | "path" | "query" | "body">,
): Promise<z.infer<E["outcome"]>> {
  const fields = asked as Readonly<Record<string, string>>;
  const sent = method === "GET" ? { query: fields } : { body: fields };
  const answer = await call({ method, path, ...sent, ...more });
  return outcomeOf(answer, outcome) as z.infer<E["outcome"]>;
}

/** @throws CoreFailure as {@link ask} */
export function outcomeOf<T>({ status, body }: JsonAnswer, outcome: z.ZodType<T>): T {
  const parsed = outcome.safeParse(body);
  if (parsed.success) return parsed.data;
  const { data: said } = statusAnswer.safeParse(body);
  if (said === undefined || said.status === "OK") {
    throw incompatible(`JSON without what a core says here (HTTP ${status})`, status, "unknown");
  }
  // A status that this client has no use for; the core did answer.
  const shown = STATUS.test(said.status) ? said.status : "a status of its own";
  throw new CoreFailure("refused", `the core answers ${shown}`, { reached: "yes", status: 200 });
}
