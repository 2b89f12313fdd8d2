/** The table of the server's endpoints: a new one is a row, here or in a table that this one takes in. */

import type { IncomingMessage } from "node:http";
import { type Endpoint, PART_ENDPOINTS, type PartName } from "../account-parts.js";
import { exactlyOneContact } from "../contact-choice.js";
import { CoreFailure, refusal } from "../core-failure.js";
import { DIALECTS } from "../dialect.js";
import type { CoreUser } from "../user.js";
import { announcedAlgorithm } from "./announced-algorithm.js";
import { ENDPOINTS } from "./endpoints.js";
import { QUEUE_ROUTES } from "./queue-routes.js";
import { INTERFACE_VERSIONS } from "./request.js";
import { type Route, route } from "./route.js";
import { userJson } from "./user-json.js";
import { USER_ROUTES } from "./user-routes.js";

/** The calls of interface.md section 4, and the sign-ins. */
const RECIPE_ROUTES = [
  route(ENDPOINTS.createCode, async (core, { userInputCode, ...contacts }) => {
    const contact = exactlyOneContact(contacts);
    const code = await core.createCode(
      userInputCode === undefined ? contact : { ...contact, userInputCode },
    );
    return { status: "OK", ...code };
  }),
  route(ENDPOINTS.consumeCode, async (core, asked) => {
    const { preAuthSessionId, linkCode, deviceId, userInputCode } = asked;
    const byDigits = deviceId !== undefined && userInputCode !== undefined;
    const digitsTouched = deviceId !== undefined || userInputCode !== undefined;
    if ((linkCode === undefined && !byDigits) || (linkCode !== undefined && digitsTouched)) {
      throw refusal("give either linkCode, or deviceId and userInputCode");
    }
    const outcome = await core.consumeCode(
      linkCode === undefined
        ? { preAuthSessionId, deviceId: deviceId ?? "", userInputCode: userInputCode ?? "" }
        : { preAuthSessionId, linkCode },
    );
    return outcome.status === "OK" ? withUser(outcome) : outcome;
  }),
  route(
    ENDPOINTS.updateUser,
    (core, { userId, recipeUserId, ...contacts }) =>
      core.updateUser({ userId: theUserId(userId, recipeUserId), ...contacts }),
    { check: requirePasswordless },
  ),
  route(ENDPOINTS.importUser, async (core, { hashingAlgorithm, ...user }) => {
    const name = hashingAlgorithm?.trim().toLowerCase();
    const announced = announcedAlgorithm(name, user.passwordHash.trim());
    try {
      const outcome = await core.importUser(
        announced === "vendor_scrypt" ? { ...user, hashingAlgorithm: announced } : user,
      );
      return { ...outcome, user: userJson(outcome.user) };
    } catch (error) {
      throw inWordsOf(name, error);
    }
  }),
  route(
    ENDPOINTS.signInUp,
    async (core, { email: { id: email, isVerified: isEmailVerified }, ...identity }) =>
      withUser(await core.signInUp({ ...identity, email, isEmailVerified })),
  ),
  route(ENDPOINTS.signIn, async (core, credentials) => {
    const outcome = await core.signIn(credentials);
    return outcome.status === "OK" ? withUser(outcome) : outcome;
  }),
  route(ENDPOINTS.versions, async () => ({
    versions: INTERFACE_VERSIONS,
    dialects: Object.keys(DIALECTS),
  })),
];

/** The calls on an account's parts: each request goes to the core as it came, and its outcome back. */
const PART_ROUTES = Object.entries(PART_ENDPOINTS).map(([name, endpoint]) =>
  route<Endpoint>(endpoint, (core, asked) => core.part(name as PartName, asked as never)),
);

/** HEAD is answered where GET is. */
export const ROUTES: readonly Route[] = [
  ...PART_ROUTES,
  ...RECIPE_ROUTES,
  ...USER_ROUTES,
  ...QUEUE_ROUTES,
];

function withUser({ user, ...outcome }: { readonly user: CoreUser }): object {
  return { ...outcome, user: userJson(user), recipeUserId: user.userId };
}

/** SuperTokens takes a request without it for an email-password user's. */
function requirePasswordless({ headers }: IncomingMessage): void {
  if (headers.rid === "passwordless") return;
  throw refusal("rid: this endpoint takes the header rid: passwordless only");
}

/** interface.md calls it `userId`, SuperTokens `recipeUserId`; callers of either kind may send both. */
function theUserId(userId: string | undefined, recipeUserId: string | undefined): string {
  const id = userId ?? recipeUserId;
  if (id === undefined) throw refusal("userId: expected a string");
  if (recipeUserId !== undefined && recipeUserId !== id) {
    throw refusal("userId and recipeUserId: name one user, not two");
  }
  return id;
}

/** A caller that speaks SuperTokens' dialect looks for SuperTokens' name of the field. */
function inWordsOf(name: string | undefined, error: unknown): unknown {
  const { vendorScrypt, signerKeyField } = DIALECTS.supertokens;
  const isMissing = error instanceof CoreFailure && error.kind === "signer_key_missing";
  if (!isMissing || name !== vendorScrypt) return error;
  const message = `${error.message}, which may also be called ${signerKeyField}`;
  return new CoreFailure("signer_key_missing", message, { reached: "yes", cause: error });
}
