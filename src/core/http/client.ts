/** A `Core` over the wire: interface.md's calls to a remote core. It keeps nothing and repeats nothing; whether to try again is the caller's decision. */

import type { ConsumeOutcome, Core, CoreUser, UpdateOutcome } from "../core.js";
import { CoreFailure } from "../core-failure.js";
import { incompatible } from "./answer-failure.js";
import {
  codeAnswer,
  consumeAnswer,
  countAnswer,
  importAnswer,
  statusAnswer,
  userAnswer,
  userOf,
  usersAnswer,
  usersOf,
  wrongCodeAnswer,
} from "./answers.js";
import { PATHS } from "./paths.js";
import {
  expectAnswer,
  type JsonAnswer,
  openTransport,
  type TransportOptions,
  unknownStatus,
} from "./transport.js";

/** A remote core's answers to an update (interface.md 4.3 leaves them open). */
const UPDATE_STATUSES: readonly UpdateOutcome["status"][] = [
  "OK",
  "UNKNOWN_USER_ID_ERROR",
  "EMAIL_ALREADY_EXISTS_ERROR",
  "PHONE_NUMBER_ALREADY_EXISTS_ERROR",
];

/**
 * A core behind a base URL. Connects only when it is called.
 *
 * @throws RunError `config_invalid`: a URL or key that can't be used, or `http:` to another machine
 *   without `allowInsecure`
 */
export function connectCore(options: TransportOptions): Core {
  const transport = openTransport(options);
  const { call, url } = transport;
  return {
    target: { kind: "remote", url },
    async createCode({ email, phoneNumber }) {
      const body = { email, phoneNumber };
      const answer = await call({ method: "POST", path: PATHS.createCode, body });
      requireOk(answer);
      const { status: _, ...code } = expectAnswer(answer, codeAnswer);
      return code;
    },
    async consumeCode(request) {
      const { preAuthSessionId } = request;
      const body =
        "linkCode" in request
          ? { preAuthSessionId, linkCode: request.linkCode }
          : {
              preAuthSessionId,
              deviceId: request.deviceId,
              userInputCode: request.userInputCode,
            };
      return consumeOutcome(await call({ method: "POST", path: PATHS.consumeCode, body }));
    },
    async updateUser({ userId, email, phoneNumber }) {
      const body = { userId, email, phoneNumber };
      const rid = "passwordless";
      const answer = await call({ method: "PUT", path: PATHS.updateUser, body, rid });
      const said = statusOf(answer);
      const status = UPDATE_STATUSES.find((known) => known === said);
      if (status === undefined) throw unknownStatus(said);
      return { status };
    },
    async importUser({ email, passwordHash, hashingAlgorithm }) {
      const body = { email, passwordHash, hashingAlgorithm };
      const answer = await call({ method: "POST", path: PATHS.importUser, body });
      requireOk(answer);
      const { user, didUserAlreadyExist } = expectAnswer(answer, importAnswer);
      return { status: "OK", user: userOf(user, "emailpassword"), didUserAlreadyExist };
    },
    async signIn({ email, password }) {
      const body = { email, password };
      const answer = await call({ method: "POST", path: PATHS.signIn, body });
      if (statusOf(answer) === "WRONG_CREDENTIALS_ERROR")
        return { status: "WRONG_CREDENTIALS_ERROR" };
      requireOk(answer);
      const { user } = expectAnswer(answer, userAnswer);
      return { status: "OK", user: userOf(user, "emailpassword") };
    },
    async getUser(userId) {
      const answer = await call({ method: "GET", path: PATHS.getUser, query: { userId } });
      if (statusOf(answer) === "UNKNOWN_USER_ID_ERROR") return null;
      requireOk(answer);
      const { user } = expectAnswer(answer, userAnswer);
      return usersOf(user)[0] ?? userOf(user, null);
    },
    async findUsers({ email, phoneNumber }) {
      const contact = email === undefined ? { phoneNumber } : { email };
      // The public counterpart insists on this parameter; for one contact it changes nothing.
      const query = { ...contact, doUnionOfAccountInfo: "false" };
      return usersIn(await call({ method: "GET", path: PATHS.findUsers, query })).users;
    },
    async listUsers({ limit, paginationToken }) {
      const query = {
        ...(limit === undefined ? {} : { limit: String(limit) }),
        ...(paginationToken === undefined ? {} : { paginationToken }),
      };
      return usersIn(await call({ method: "GET", path: PATHS.listUsers, query }));
    },
    async countUsers() {
      const answer = await call({ method: "GET", path: PATHS.countUsers });
      requireOk(answer);
      return expectAnswer(answer, countAnswer).count;
    },
    async probe() {
      // No contact at all: a core with a good key refuses it, and nothing was changed.
      const answer = await call({ method: "POST", path: PATHS.createCode, body: {} }).catch(
        expectedRefusal,
      );
      if (answer !== null) throw incompatible(`HTTP ${answer.status}`, answer.status, "yes");
    },
    close: () => transport.close(),
  };
}

function statusOf(answer: JsonAnswer): string {
  return expectAnswer(answer, statusAnswer).status;
}

function requireOk(answer: JsonAnswer): void {
  const status = statusOf(answer);
  if (status !== "OK") throw unknownStatus(status);
}

function consumeOutcome(answer: JsonAnswer): ConsumeOutcome {
  const status = statusOf(answer);
  switch (status) {
    case "OK": {
      const { createdNewUser, user } = expectAnswer(answer, consumeAnswer);
      return { status, createdNewUser, user: userOf(user, "passwordless") };
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

function usersIn(answer: JsonAnswer): { users: CoreUser[]; nextPaginationToken?: string } {
  requireOk(answer);
  const { users, nextPaginationToken } = expectAnswer(answer, usersAnswer);
  return {
    users: users.flatMap(usersOf),
    ...(nextPaginationToken === undefined ? {} : { nextPaginationToken }),
  };
}

/** A probe's 400 is the answer hoped for; another refusal says that this is no core. */
function expectedRefusal(error: unknown): null {
  if (!(error instanceof CoreFailure)) throw error;
  const { kind, status = 0, message } = error;
  if (kind === "refused" && status === 400) return null;
  if (kind === "refused" || kind === "not_offered") throw incompatible(message, status, "yes");
  throw error;
}
