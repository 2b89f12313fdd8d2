/** The rows of the bulk import: the queue, and one account at once. A refusal of accounts has SuperTokens' body. */

import { z } from "zod";
import { MOST_QUEUED, type QueuedAccount } from "../account-queue.js";
import { accountError } from "../account-error.js";
import type { AccountRequest, WayIn } from "../account-import.js";
import { CoreFailure } from "../core-failure.js";
import { DIALECTS, PUBLIC } from "../dialect.js";
import { accountJson, accountOf, jsonOf } from "./account-json.js";
import { ENDPOINTS } from "./endpoints.js";
import { RefusedWith, type Route, route } from "./route.js";
import { userJson } from "./user-json.js";

/** Ten thousand users with a kilobyte and a half each. */
const MOST_BYTES = 16 * 1024 * 1024;

export const QUEUE_ROUTES: readonly Route[] = [
  route(ENDPOINTS.listQueued, async (core, page) => {
    const { users, ...rest } = await core.listQueued(page);
    return { status: "OK", users: users.map(queuedJson), ...rest };
  }),
  route(
    ENDPOINTS.queueAccounts,
    async (core, { users: given }) => {
      if (given.length > MOST_QUEUED) {
        throw new RefusedWith({ error: `You can only add ${MOST_QUEUED} users at a time.` });
      }
      const read = given.map(flawOrAccount);
      const flawed = read.flatMap((one, index) =>
        "flaw" in one ? [{ index, errors: [one.flaw] }] : [],
      );
      if (flawed.length > 0) throw invalidUsers(flawed);
      const accounts = read.flatMap((one) => ("account" in one ? [one.account] : []));
      const outcome = await core.queueAccounts(accounts);
      if (outcome.status !== "OK") throw invalidUsers(outcome.users);
      const users = outcome.users.map(({ userId, recipeUserId = userId }, index) => ({
        userId,
        loginMethods: [{ userId: recipeUserId, ...shownWayIn(accounts[index]?.wayIn) }],
      }));
      return { status: "OK", users };
    },
    { most: MOST_BYTES },
  ),
  route(
    { method: "POST", path: "/bulk-import/import", request: z.unknown() },
    async (core, json) => {
      const one = flawOrAccount(json);
      if ("flaw" in one) throw new RefusedWith({ errors: [one.flaw] });
      const outcome = await core.importAccount(one.account).catch((error: unknown) => {
        throw new RefusedWith({ errors: [flawIn(error)] });
      });
      const error = accountError(outcome);
      if (error !== null) throw new RefusedWith({ errors: [error] });
      return outcome.status === "OK" ? { status: "OK", user: userJson(outcome.user) } : {};
    },
    { most: MOST_BYTES },
  ),
];

function flawOrAccount(json: unknown): { readonly flaw: string } | { account: AccountRequest } {
  const parsed = accountJson.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { flaw: `${issue?.path.join(".")}: ${issue?.message}` };
  }
  try {
    return { account: accountOf(parsed.data, PUBLIC) };
  } catch (error) {
    return { flaw: flawIn(error) };
  }
}

/** @throws what is no refusal of the account */
function flawIn(error: unknown): string {
  const isRefusal =
    error instanceof CoreFailure && ["refused", "signer_key_missing"].includes(error.kind);
  if (!isRefusal) throw error;
  return error.message;
}

function invalidUsers(users: readonly object[]): RefusedWith {
  const error =
    "Data has missing or invalid fields. Please check the users field for more details.";
  return new RefusedWith({ error, users });
}

function shownWayIn(wayIn: WayIn | undefined): Record<string, unknown> {
  if (wayIn === undefined) return {};
  const { recipe: recipeId, ...rest } = wayIn;
  const {
    passwordHash: _,
    hashingAlgorithm: __,
    ...contacts
  } = { passwordHash: 0, hashingAlgorithm: 0, ...rest };
  return { recipeId, tenants: [PUBLIC], ...contacts };
}

/** Hashes and secrets stand in it as well, as at SuperTokens: a caller with the key may import them. */
function queuedJson({ account, userId, ...place }: QueuedAccount): Record<string, unknown> {
  if (account === null) return place;
  const { loginMethods, ...json } = jsonOf(account, DIALECTS.supertokens, PUBLIC);
  const [method] = loginMethods;
  return { ...place, ...json, loginMethods: [{ ...method, superTokensUserId: userId }] };
}
