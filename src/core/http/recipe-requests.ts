/** Sends a remote core the calls of interface.md section 4, and the sign-ins of imported users. */

import type { Core, UpdateOutcome } from "../core.js";
import { CoreFailure } from "../core-failure.js";
import { ask, isBy, passwordlessIdOf, userOf, usersOf } from "./answers.js";
import { ENDPOINTS } from "./endpoints.js";
import type { KnownDialect } from "./recognize-dialect.js";
import type { Transport } from "./transport.js";

export function codeRequests(call: Transport["call"], dialect: KnownDialect) {
  async function update(
    userId: string,
    contacts: Readonly<Record<string, string | null | undefined>>,
  ): Promise<UpdateOutcome> {
    const { userIdFields } = await dialect.get();
    const ids = Object.fromEntries(userIdFields.map((field) => [field, userId]));
    return ask(call, ENDPOINTS.updateUser, { ...ids, ...contacts }, { rid: "passwordless" });
  }

  /** Linked accounts share an id, but an update needs the passwordless account's own id. */
  async function linkedIdOf(userId: string): Promise<string | undefined> {
    if ((await dialect.get()).name !== "supertokens") return undefined;
    const found = await ask(call, ENDPOINTS.getUser, { userId });
    return found.status === "OK" ? passwordlessIdOf(found.user) : undefined;
  }

  return {
    async createCode({ email, phoneNumber, userInputCode }) {
      const asked = { email, phoneNumber, userInputCode };
      const { status: _, ...code } = await ask(call, ENDPOINTS.createCode, asked);
      return code;
    },
    async consumeCode({ timeJoined, ...asked }) {
      requireNow(timeJoined);
      const outcome = await ask(call, ENDPOINTS.consumeCode, asked);
      if (outcome.status !== "OK") return outcome;
      const { user, consumedDevice, ...rest } = outcome;
      return {
        ...rest,
        user: userOf(user, "passwordless"),
        ...(consumedDevice === undefined ? {} : { consumedDevice }),
      };
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

export function passwordRequests(call: Transport["call"], knownDialect: KnownDialect) {
  return {
    async importUser({ email, passwordHash, hashingAlgorithm, timeJoined }) {
      requireNow(timeJoined);
      // Only a vendor scrypt import is named differently; the others need no dialect.
      const dialect = hashingAlgorithm === undefined ? undefined : await knownDialect.get();
      const asked = { email, passwordHash, hashingAlgorithm: dialect?.vendorScrypt };
      const outcome = await ask(call, ENDPOINTS.importUser, asked, dialect && { dialect });
      return { ...outcome, user: userOf(outcome.user, "emailpassword") };
    },
    async signInUp({ email: id, isEmailVerified: isVerified, timeJoined, ...identity }) {
      requireNow(timeJoined);
      const asked = { ...identity, email: { id, isVerified } };
      const { user, ...outcome } = await ask(call, ENDPOINTS.signInUp, asked);
      const own = usersOf(user).find((one) => isBy(one, identity));
      return { ...outcome, user: own ?? userOf(user, "other") };
    },
    async signIn({ email, password }) {
      const outcome = await ask(call, ENDPOINTS.signIn, { email, password });
      if (outcome.status !== "OK") return outcome;
      return { status: "OK", user: userOf(outcome.user, "emailpassword") };
    },
  } satisfies Partial<Core>;
}
