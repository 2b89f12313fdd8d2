/** The endpoints of interface.md section 4, and those beyond it that a migration needs: what each reads of a request and says of the core's answer. */

import type { Core } from "../core.js";
import { exactlyOneContact } from "../contact-choice.js";
import { refusal } from "../core-failure.js";
import { PATHS } from "./paths.js";
import { BODIES, bodyOf, type Call, integerQueryOf } from "./request.js";
import { userJson } from "./user-json.js";

export interface Route {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  /** Answers with the JSON body of a 200. */
  readonly answer: (core: Core, call: Call) => Promise<Record<string, unknown>>;
}

/** The public counterpart's interface version whose shapes these are; its clients ask for it. */
const API_VERSIONS = ["5.4"] as const;

export const ROUTES: readonly Route[] = [
  { method: "POST", path: PATHS.createCode, answer: createCode },
  { method: "POST", path: PATHS.consumeCode, answer: consumeCode },
  { method: "PUT", path: PATHS.updateUser, answer: updateUser },
  { method: "POST", path: PATHS.importUser, answer: importUser },
  { method: "POST", path: PATHS.signIn, answer: signIn },
  { method: "GET", path: PATHS.apiVersion, answer: async () => ({ versions: API_VERSIONS }) },
  { method: "GET", path: PATHS.getUser, answer: getUser },
  { method: "GET", path: PATHS.listUsers, answer: listUsers },
  { method: "GET", path: PATHS.countUsers, answer: countUsers },
  { method: "GET", path: PATHS.findUsers, answer: findUsers },
];

async function createCode(core: Core, call: Call): Promise<Record<string, unknown>> {
  const request = exactlyOneContact(await bodyOf(call, BODIES.createCode));
  return { status: "OK", ...(await core.createCode(request)) };
}

async function consumeCode(core: Core, call: Call): Promise<Record<string, unknown>> {
  const body = await bodyOf(call, BODIES.consumeCode);
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
  const { createdNewUser, user } = outcome;
  return { status: "OK", createdNewUser, user: userJson(user), recipeUserId: user.userId };
}

async function updateUser(core: Core, call: Call): Promise<Record<string, unknown>> {
  if (call.req.header("rid") !== "passwordless") {
    throw refusal("rid: this endpoint takes the header rid: passwordless only");
  }
  const {
    recipeUserId,
    userId = recipeUserId,
    ...contacts
  } = await bodyOf(call, BODIES.updateUser);
  if (userId === undefined) throw refusal("userId: expected a string");
  const { email, phoneNumber } = contacts;
  return {
    ...(await core.updateUser({
      userId,
      ...(email === undefined ? {} : { email }),
      ...(phoneNumber === undefined ? {} : { phoneNumber }),
    })),
  };
}

async function importUser(core: Core, call: Call): Promise<Record<string, unknown>> {
  const { email, passwordHash, hashingAlgorithm } = await bodyOf(call, BODIES.importUser);
  const outcome = await core.importUser({
    email,
    passwordHash,
    ...(hashingAlgorithm === undefined ? {} : { hashingAlgorithm }),
  });
  return { ...outcome, user: userJson(outcome.user) };
}

async function signIn(core: Core, call: Call): Promise<Record<string, unknown>> {
  const outcome = await core.signIn(await bodyOf(call, BODIES.signIn));
  if (outcome.status !== "OK") return { ...outcome };
  return { status: "OK", user: userJson(outcome.user), recipeUserId: outcome.user.userId };
}

async function getUser(core: Core, call: Call): Promise<Record<string, unknown>> {
  const userId = call.req.query("userId");
  if (userId === undefined) throw refusal("userId is missing in the query");
  const user = await core.getUser(userId);
  return user === null
    ? { status: "UNKNOWN_USER_ID_ERROR" }
    : { status: "OK", user: userJson(user) };
}

async function listUsers(core: Core, call: Call): Promise<Record<string, unknown>> {
  refuseFilters(call);
  if ((call.req.query("timeJoinedOrder") ?? "ASC") !== "ASC") {
    throw refusal("timeJoinedOrder: only ASC is offered");
  }
  const limit = integerQueryOf(call, "limit");
  const paginationToken = call.req.query("paginationToken");
  const page = await core.listUsers({
    ...(limit === undefined ? {} : { limit }),
    ...(paginationToken === undefined ? {} : { paginationToken }),
  });
  return { status: "OK", ...page, users: page.users.map(userJson) };
}

async function countUsers(core: Core, call: Call): Promise<Record<string, unknown>> {
  refuseFilters(call);
  return { status: "OK", count: await core.countUsers() };
}

async function findUsers(core: Core, call: Call): Promise<Record<string, unknown>> {
  const contact = exactlyOneContact({
    email: call.req.query("email"),
    phoneNumber: call.req.query("phoneNumber"),
  });
  const users = await core.findUsers(contact);
  return { status: "OK", users: users.map(userJson) };
}

/** Leaving out a filter in silence would be a wrong answer. */
function refuseFilters(call: Call): void {
  const names = ["includeRecipeIds", "email", "phone", "provider"];
  const filter = names.find((name) => call.req.query(name) !== undefined);
  if (filter !== undefined) throw refusal(`${filter}: this filter is not offered`);
}
