/** Sends a remote core the calls of interface.md section 4, and the sign-ins of imported users. */

import { z } from "zod";
import type { ConsumeOutcome, Core, UpdateOutcome } from "../core.js";
import { CoreFailure } from "../core-failure.js";
import {
  expectAnswer,
  expectOk,
  passwordlessIdOf,
  shownUser,
  statusOf,
  text,
  unknownStatus,
  userAnswer,
  userOf,
  usersOf,
} from "./answers.js";
import type { KnownDialect } from "./recognize-dialect.js";
import type { JsonAnswer, Transport } from "./transport.js";

/**
 * A remote core's answers to an update (interface.md 4.3 leaves them open). SuperTokens
 * doesn't allow a change that would bring two linked accounts to one contact. Such a contact counts
 * as another user's.
 */
const UPDATE_STATUSES: ReadonlyMap<string, UpdateOutcome["status"]> = new Map([
  ["OK", "OK"],
  ["UNKNOWN_USER_ID_ERROR", "UNKNOWN_USER_ID_ERROR"],
  ["EMAIL_ALREADY_EXISTS_ERROR", "EMAIL_ALREADY_EXISTS_ERROR"],
  ["EMAIL_CHANGE_NOT_ALLOWED_ERROR", "EMAIL_ALREADY_EXISTS_ERROR"],
  ["PHONE_NUMBER_ALREADY_EXISTS_ERROR", "PHONE_NUMBER_ALREADY_EXISTS_ERROR"],
  ["PHONE_NUMBER_CHANGE_NOT_ALLOWED_ERROR", "PHONE_NUMBER_ALREADY_EXISTS_ERROR"],
]);

const codeAnswer = z.object({
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
const consumeAnswer = z.object({
  user: shownUser,
  createdNewUser: z.boolean().default(true),
  consumedDevice: z
    .union([z.object({ ...device, email: text }), z.object({ ...device, phoneNumber: text })])
    .optional()
    .catch(undefined),
});

const wrongCodeAnswer = z.object({
  failedCodeInputAttemptCount: z.number(),
  maximumCodeInputAttempts: z.number(),
});

/** As `consumeAnswer`: what isn't said isn't taken for an overwritten user. */
const importAnswer = z.object({
  user: shownUser,
  didUserAlreadyExist: z.boolean().default(false),
});

const signInUpAnswer = z.object({ status: text, user: shownUser, createdNewUser: z.boolean() });

export function codeRequests(call: Transport["call"], dialect: KnownDialect) {
  async function update(
    userId: string,
    contacts: Readonly<Record<string, string | null | undefined>>,
  ): Promise<UpdateOutcome> {
    const { userIdFields } = await dialect.get();
    const ids = Object.fromEntries(userIdFields.map((field) => [field, userId]));
    const answer = await call({
      method: "PUT",
      path: "/recipe/user",
      body: { ...ids, ...contacts },
      rid: "passwordless",
    });
    const answered = statusOf(answer);
    const status = UPDATE_STATUSES.get(answered);
    if (status === undefined) throw unknownStatus(answered);
    return { status };
  }

  /** Linked accounts share an id, but an update needs the passwordless account's own id. */
  async function linkedIdOf(userId: string): Promise<string | undefined> {
    if ((await dialect.get()).name !== "supertokens") return undefined;
    const answer = await call({ method: "GET", path: "/user/id", query: { userId } });
    return statusOf(answer) === "OK"
      ? passwordlessIdOf(expectAnswer(answer, userAnswer).user)
      : undefined;
  }

  return {
    async createCode({ email, phoneNumber, userInputCode }) {
      const body = { email, phoneNumber, userInputCode };
      const answer = await call({ method: "POST", path: "/recipe/signinup/code", body });
      return expectOk(answer, codeAnswer);
    },
    async consumeCode({ timeJoined, ...body }) {
      requireNow(timeJoined);
      return consumeOutcome(
        await call({ method: "POST", path: "/recipe/signinup/code/consume", body }),
      );
    },
    async updateUser({ userId, ...contacts }) {
      const outcome = await update(userId, contacts);
      if (outcome.status !== "UNKNOWN_USER_ID_ERROR") return outcome;
      const linkedId = await linkedIdOf(userId);
      return linkedId === undefined || linkedId === userId ? outcome : update(linkedId, contacts);
    },
  } satisfies Partial<Core>;
}

/** No call over the wire takes it, and leaving it out would lose it without a word. */
function requireNow(timeJoined: number | undefined): void {
  if (timeJoined === undefined) return;
  throw new CoreFailure("not_offered", "the core takes no time of joining", { reached: "no" });
}

function consumeOutcome(answer: JsonAnswer): ConsumeOutcome {
  const status = statusOf(answer);
  switch (status) {
    case "OK": {
      const { createdNewUser, user, consumedDevice } = expectAnswer(answer, consumeAnswer);
      return {
        status,
        createdNewUser,
        user: userOf(user, "passwordless"),
        ...(consumedDevice === undefined ? {} : { consumedDevice }),
      };
    }
    case "RESTART_FLOW_ERROR":
      return { status };
    case "INCORRECT_USER_INPUT_CODE_ERROR":
    case "EXPIRED_USER_INPUT_CODE_ERROR":
      return { status, ...expectAnswer(answer, wrongCodeAnswer) };
    default:
      throw unknownStatus(status);
  }
}

export function passwordRequests(call: Transport["call"], knownDialect: KnownDialect) {
  return {
    async importUser({ email, passwordHash, hashingAlgorithm, timeJoined }) {
      requireNow(timeJoined);
      // Only a vendor scrypt import is named differently; the others need no dialect.
      const dialect = hashingAlgorithm === undefined ? undefined : await knownDialect.get();
      const body = { email, passwordHash, hashingAlgorithm: dialect?.vendorScrypt };
      const path = "/recipe/user/passwordhash/import";
      const answer = await call({ method: "POST", path, body, ...(dialect && { dialect }) });
      const { user, didUserAlreadyExist } = expectOk(answer, importAnswer);
      return { status: "OK", user: userOf(user, "emailpassword"), didUserAlreadyExist };
    },
    async signInUp({ thirdPartyId, thirdPartyUserId, email, isEmailVerified, timeJoined }) {
      requireNow(timeJoined);
      const body = {
        thirdPartyId,
        thirdPartyUserId,
        email: { id: email, isVerified: isEmailVerified },
      };
      const answer = await call({ method: "POST", path: "/recipe/signinup", body });
      const { createdNewUser, user } = expectOk(answer, signInUpAnswer);
      const own = usersOf(user).find(
        ({ thirdParty }) =>
          thirdParty?.id === thirdPartyId && thirdParty.userId === thirdPartyUserId,
      );
      return { status: "OK", createdNewUser, user: own ?? userOf(user, "other") };
    },
    async signIn({ email, password }) {
      const body = { email, password };
      const answer = await call({ method: "POST", path: "/recipe/signin", body });
      if (statusOf(answer) === "WRONG_CREDENTIALS_ERROR") {
        return { status: "WRONG_CREDENTIALS_ERROR" };
      }
      const { user } = expectOk(answer, userAnswer);
      return { status: "OK", user: userOf(user, "emailpassword") };
    },
  } satisfies Partial<Core>;
}
