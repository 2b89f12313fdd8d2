/** The queue's calls: accounts are checked before they are queued, all or none, and listed and removed until they are written. */

import type { AccountRequest } from "../../account-import.js";
import type { PartHandlers, QueuedStatus } from "../../account-parts.js";
import { MOST_QUEUED, type QueuedAccount, type QueueOutcome } from "../../account-queue.js";
import type { Core } from "../../core.js";
import { CoreFailure, refusal } from "../../core-failure.js";
import { checkedAccount } from "../account-calls.js";
import { boundedNumber } from "../bounds.js";
import type { Making } from "../new-user.js";
import { holdRole } from "../parts/roles.js";
import { ask, askEach, type Script } from "../script.js";
import type { NewAccount, Store } from "../store.js";

const STATUSES = ["NEW", "PROCESSING", "FAILED"] as const satisfies readonly QueuedStatus[];
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
const MAX_REMOVED = 500;

export function queueCalls({ read, change }: Store, settings: Making) {
  return {
    async queueAccounts(requests) {
      if (requests.length > MOST_QUEUED) {
        throw refusal(`users: at most ${MOST_QUEUED} can be queued at a time`);
      }
      const { accounts, flaws } = checkedAll(requests, settings);
      return change(() => add(accounts, flaws));
    },
    async listQueued({ status, limit = DEFAULT_LIMIT, paginationToken: after = "" }) {
      boundedNumber("limit", limit, 1, MAX_LIMIT);
      const sql = `SELECT id, account, status, error, created_at, updated_at FROM auth_core.queued_accounts
         ${where(status)} AND id > $1 ORDER BY id LIMIT $2`;
      const rows = await read(() => ask<Row>(sql, after, limit + 1));
      const users = rows.slice(0, limit).map(asQueued);
      const last = rows.length > limit ? users.at(-1)?.id : undefined;
      return last === undefined ? { users } : { users, nextPaginationToken: last };
    },
    async countQueued({ status }) {
      const [row] = await read(() =>
        ask<[number]>(
          `SELECT CAST(count(*) AS double precision) FROM auth_core.queued_accounts ${where(status)}`,
        ),
      );
      return { status: "OK", count: row?.[0] ?? 0 };
    },
    async removeQueued({ ids }) {
      if (ids.length > MAX_REMOVED) throw refusal(`ids: at most ${MAX_REMOVED} at a time`);
      const rows = await change(() =>
        askEach<[string]>(
          "DELETE FROM auth_core.queued_accounts WHERE id IN (VALUES ($1)) RETURNING id",
          ids.map((id) => [id]),
        ),
      );
      const deleted = new Set(rows.map(([id]) => id));
      return { deletedIds: [...deleted], invalidIds: ids.filter((id) => !deleted.has(id)) };
    },
  } satisfies Partial<Core & PartHandlers>;
}

/** What an account's place in the queue is kept as. */
export const QUEUED = { NEW: 0, PROCESSING: 1, FAILED: 2 } as const;

/** A condition of a constant: only a status of ours gets into it. */
function where(status: QueuedStatus | undefined): string {
  return status === undefined ? "WHERE true" : `WHERE status = ${QUEUED[status]}`;
}

type Row = readonly [string, string, number, string | null, number, number];

type Flaws = Map<number, string>;

/** The accounts as they will be written, or what is wrong with those that can't. */
function checkedAll(requests: readonly AccountRequest[], settings: Making) {
  const accounts: NewAccount[] = [];
  const flaws: Flaws = new Map();
  const ids = new Set<string>();
  for (const [index, request] of requests.entries()) {
    try {
      const account = checkedAccount(request, settings);
      const { externalUserId } = account;
      if (externalUserId !== null && ids.has(externalUserId)) {
        throw refusal("externalUserId: another user of this request has it");
      }
      if (externalUserId !== null) ids.add(externalUserId);
      accounts.push(account);
    } catch (error) {
      if (!(error instanceof CoreFailure)) throw error;
      flaws.set(index, error.message);
    }
  }
  return { accounts, flaws };
}

function* add(accounts: readonly NewAccount[], given: Flaws): Script<QueueOutcome> {
  const flaws = new Map(given);
  if (flaws.size === 0) {
    for (const role of new Set(accounts.flatMap(({ roles }) => roles))) {
      if (yield* holdRole(role)) continue;
      for (const [index, { roles }] of accounts.entries()) {
        if (roles.includes(role)) flaws.set(index, `Role ${role} does not exist.`);
      }
    }
  }
  if (flaws.size > 0) {
    const users = [...flaws].map(([index, error]) => ({ index, errors: [error] }));
    return { status: "INVALID_USERS_ERROR", users: users.sort((a, b) => a.index - b.index) };
  }
  yield* askEach(
    `INSERT INTO auth_core.queued_accounts (id, account, status, created_at, updated_at)
     VALUES ($1, $2, 0, $3::float8, $4::float8)`,
    accounts.map((account) => [
      account.userId,
      JSON.stringify(account),
      account.nowMs,
      account.nowMs,
    ]),
  );
  return {
    status: "OK",
    users: accounts.map(({ userId: recipeUserId, externalUserId }) => ({
      userId: externalUserId ?? recipeUserId,
      recipeUserId,
    })),
  };
}

/** As it was asked for, in the forms that are stored. */
function asQueued([id, text, status, errorMessage, createdAt, updatedAt]: Row): QueuedAccount {
  const kept = JSON.parse(text) as NewAccount;
  const { externalUserId, timeJoined, isEmailVerified, metadata, roles, totpDevices } = kept;
  return {
    id,
    userId: kept.userId,
    createdAt,
    updatedAt,
    errorMessage,
    status: STATUSES[status] ?? "FAILED",
    account: {
      wayIn: wayInOf(kept),
      timeJoined,
      isEmailVerified,
      ...(externalUserId === null ? {} : { externalUserId }),
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
      ...(roles.length > 0 ? { roles } : {}),
      ...(totpDevices.length > 0 ? { totpDevices } : {}),
    },
  };
}

function wayInOf(kept: NewAccount): AccountRequest["wayIn"] {
  const { email, phone, passwordHash, thirdParty } = kept;
  const [thirdPartyId, thirdPartyUserId] = thirdParty;
  const address = email ?? "";
  if (passwordHash !== null) return { recipe: "emailpassword", email: address, passwordHash };
  if (thirdPartyId !== null) {
    return { recipe: "thirdparty", email: address, thirdPartyId, thirdPartyUserId };
  }
  return {
    recipe: "passwordless",
    ...(email === null ? {} : { email }),
    ...(phone === null ? {} : { phoneNumber: phone }),
  };
}
