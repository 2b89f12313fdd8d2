/** Sends a remote core accounts for its bulk import, and reads its queue. */

import { z } from "zod";
import type { AccountRequest } from "../account-import.js";
import type { QueuedAccount, QueuedIds } from "../account-queue.js";
import type { Core } from "../core.js";
import { CoreFailure } from "../core-failure.js";
import type { Dialect } from "../dialect.js";
import { accountJson, accountOf, jsonOf } from "./account-json.js";
import { signerKeyMissing } from "./answer-failure.js";
import { ask, outcomeOf } from "./answers.js";
import { withoutPersonal } from "./core-message.js";
import { ENDPOINTS } from "./endpoints.js";
import type { KnownDialect } from "./recognize-dialect.js";
import type { Transport } from "./transport.js";

const text = z.string();

const invalidAnswer = z.object({
  users: z.array(z.object({ index: z.int().min(0), errors: z.array(text) })).min(1),
});
/** The core's own id, which only the queue has. */
const ownId = z.object({ loginMethods: z.array(z.object({ superTokensUserId: text })) });

/** Errors are a line; SuperTokens' database says whole statements. */
const MOST_ERROR = 300;

export function queueRequests(call: Transport["call"], dialect: KnownDialect, tenant: string) {
  return {
    async queueAccounts(accounts) {
      const names = await dialect.get();
      const { method, path, outcome } = ENDPOINTS.queueAccounts;
      const answer = await call({
        method,
        path,
        dialect: names,
        alsoAnswers: 400,
        body: { users: accounts.map((account) => jsonOf(account, names, tenant)) },
      });
      if (answer.status === 400) return refusedAccounts(answer.body, names);
      const users = outcomeOf(answer, outcome).users.map(
        ({ userId, loginMethods: [method] = [] }): QueuedIds => {
          if (method === undefined) return { userId };
          const { userId: recipeUserId, email, phoneNumber } = method;
          return {
            userId,
            recipeUserId,
            ...(email == null ? {} : { email }),
            ...(phoneNumber == null ? {} : { phoneNumber }),
          };
        },
      );
      return { status: "OK", users };
    },
    async listQueued(page) {
      const query = { ...page, limit: page.limit?.toString() };
      const { users, nextPaginationToken } = await ask(call, ENDPOINTS.listQueued, query);
      return {
        users: users.map((user): QueuedAccount => {
          const { id, status: stands, errorMessage, createdAt, updatedAt } = user;
          const userId = ownId.safeParse(user).data?.loginMethods[0]?.superTokensUserId;
          return {
            id,
            createdAt,
            updatedAt,
            status: stands,
            account: ownAccountIn(user, tenant),
            errorMessage: errorMessage == null ? null : shownError(errorMessage),
            ...(userId === undefined ? {} : { userId }),
          };
        }),
        ...(nextPaginationToken === undefined ? {} : { nextPaginationToken }),
      };
    },
  } satisfies Partial<Core>;
}

/**
 * @throws CoreFailure `refused` where the core names no accounts, or for a signer key that it lacks
 */
function refusedAccounts(body: unknown, dialect: Dialect) {
  const refused = invalidAnswer.safeParse(body);
  if (!refused.success) {
    const what = "the core refuses the accounts as a whole (HTTP 400)";
    throw new CoreFailure("refused", what, { reached: "yes", status: 400 });
  }
  const users = refused.data.users.map(({ index, errors }) => ({
    index,
    errors: errors.map(shownError),
  }));
  // No row is at fault for that. A contact in an error isn't the core's word.
  const words = users.flatMap(({ errors }) => errors).join("\n");
  const lacking = signerKeyMissing(words, { status: 400, dialect });
  if (lacking !== null) throw lacking;
  return { status: "INVALID_USERS_ERROR" as const, users };
}

function ownAccountIn(user: object, tenant: string): AccountRequest | null {
  const parsed = accountJson.safeParse(user);
  try {
    return parsed.success ? accountOf(parsed.data, tenant) : null;
  } catch {
    return null;
  }
}

/** Without contacts and hashes, which SuperTokens' errors repeat. */
function shownError(error: string): string {
  return withoutPersonal(error).slice(0, MOST_ERROR);
}
