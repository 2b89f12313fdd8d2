/** Every endpoint with its methods, and what those of interface.md section 4 and the sign-in read of a request and say about the core's answer. */

import type { PartName } from "../account-parts.js";
import { exactlyOneContact } from "../contact-choice.js";
import { CoreFailure, refusal } from "../core-failure.js";
import { DIALECTS } from "../dialect.js";
import { announcedAlgorithm } from "./announced-algorithm.js";
import { PART_ENDPOINTS, type PartEndpoint } from "./part-endpoints.js";
import { PATHS } from "./paths.js";
import { QUEUE_ANSWERS } from "./queue-routes.js";
import { BODIES, bodyOf, INTERFACE_VERSIONS, queryOf } from "./request.js";
import { type Answer, USER_ANSWERS, userJson } from "./user-routes.js";

const ANSWERS = {
  /** SuperTokens' clients look for their version, ours for the dialects. */
  async apiVersion() {
    return { versions: INTERFACE_VERSIONS, dialects: Object.keys(DIALECTS) };
  },
  async createCode(core, request) {
    const { userInputCode, ...contacts } = await bodyOf(request, BODIES.createCode);
    const contact = exactlyOneContact(contacts);
    const code = await core.createCode(
      userInputCode === undefined ? contact : { ...contact, userInputCode },
    );
    return { status: "OK", ...code };
  },
  async consumeCode(core, request) {
    const body = await bodyOf(request, BODIES.consumeCode);
    const { preAuthSessionId, linkCode, deviceId, userInputCode } = body;
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
    if (outcome.status !== "OK") return { ...outcome };
    const { user, ...rest } = outcome;
    return { ...rest, user: userJson(user), recipeUserId: user.userId };
  },
  async updateUser(core, request) {
    // SuperTokens takes a request without it for an email-password user's.
    if (request.headers.rid !== "passwordless") {
      throw refusal("rid: this endpoint takes the header rid: passwordless only");
    }
    const body = await bodyOf(request, BODIES.updateUser);
    const { email, phoneNumber } = body;
    const outcome = await core.updateUser({
      userId: theUserId(body),
      ...(email === undefined ? {} : { email }),
      ...(phoneNumber === undefined ? {} : { phoneNumber }),
    });
    return { ...outcome };
  },
  async importUser(core, request) {
    const { email, passwordHash, hashingAlgorithm } = await bodyOf(request, BODIES.importUser);
    const name = hashingAlgorithm?.trim().toLowerCase();
    const announced = announcedAlgorithm(name, passwordHash.trim());
    const user = { email, passwordHash };
    try {
      const outcome = await core.importUser(
        announced === "vendor_scrypt" ? { ...user, hashingAlgorithm: announced } : user,
      );
      return { ...outcome, user: userJson(outcome.user) };
    } catch (error) {
      throw inWordsOf(name, error);
    }
  },
  async signInUp(core, request) {
    const { email, ...identity } = await bodyOf(request, BODIES.signInUp);
    const { user, ...outcome } = await core.signInUp({
      ...identity,
      email: email.id,
      isEmailVerified: email.isVerified,
    });
    return { ...outcome, user: userJson(user), recipeUserId: user.userId };
  },
  async signIn(core, request) {
    const outcome = await core.signIn(await bodyOf(request, BODIES.signIn));
    if (outcome.status !== "OK") return { ...outcome };
    return { status: "OK", user: userJson(outcome.user), recipeUserId: outcome.user.userId };
  },
  ...USER_ANSWERS,
  ...QUEUE_ANSWERS,
} satisfies Record<string, Answer>;

/** By their paths, and by the methods that each takes. HEAD is answered where GET is. */
export const ROUTES: ReadonlyMap<string, ReadonlyMap<string, Answer>> = new Map([
  ...partRoutes(),
  [PATHS.createCode, methods({ POST: ANSWERS.createCode })],
  [PATHS.consumeCode, methods({ POST: ANSWERS.consumeCode })],
  [PATHS.updateUser, methods({ PUT: ANSWERS.updateUser })],
  [PATHS.importUser, methods({ POST: ANSWERS.importUser })],
  [PATHS.signInUp, methods({ POST: ANSWERS.signInUp })],
  [PATHS.signIn, methods({ POST: ANSWERS.signIn })],
  [PATHS.userIdMapping, methods({ GET: ANSWERS.findMapping, POST: ANSWERS.mapUserId })],
  [PATHS.queue, methods({ GET: ANSWERS.listQueued, POST: ANSWERS.queueAccounts })],
  [PATHS.importAccount, methods({ POST: ANSWERS.importAccount })],
  [PATHS.getUser, methods({ GET: ANSWERS.getUser })],
  [PATHS.removeUser, methods({ POST: ANSWERS.removeUser })],
  [PATHS.listUsers, methods({ GET: ANSWERS.listUsers })],
  [PATHS.countUsers, methods({ GET: ANSWERS.countUsers })],
  [PATHS.findUsers, methods({ GET: ANSWERS.findUsers })],
  [PATHS.apiVersion, methods({ GET: ANSWERS.apiVersion })],
]);

/** The calls on an account's parts: each request goes to the core as it came, and its outcome back. */
function partRoutes(): Map<string, Map<string, Answer>> {
  const routes = new Map<string, Map<string, Answer>>();
  for (const name of Object.keys(PART_ENDPOINTS) as PartName[]) {
    const { path, method } = PART_ENDPOINTS[name];
    const methods = routes.get(path) ?? new Map<string, Answer>();
    routes.set(path, methods.set(method, answerOf(name)));
  }
  return routes;
}

function answerOf<Name extends PartName>(name: Name): Answer {
  const endpoint: PartEndpoint = PART_ENDPOINTS[name];
  const { method, request: schema } = endpoint;
  return async (core, incoming) => {
    const request = method === "GET" ? queryOf(incoming, schema) : await bodyOf(incoming, schema);
    return Object.fromEntries(Object.entries(await core.part(name, request as never)));
  };
}

function methods(
  answers: Partial<Record<"GET" | "POST" | "PUT", Answer>>,
): ReadonlyMap<string, Answer> {
  return new Map(Object.entries(answers));
}

/** interface.md calls it `userId`, SuperTokens `recipeUserId`; callers of either kind may send both. */
function theUserId({
  userId,
  recipeUserId,
}: {
  readonly userId?: string | undefined;
  readonly recipeUserId?: string | undefined;
}): string {
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
