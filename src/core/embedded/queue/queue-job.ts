/** What writes the accounts of the queue, round by round, as SuperTokens' job does: a chunk is one transaction, and one account that can't be written holds its chunk up to the next round. */

import { accountError } from "../../account-error.js";
import { CoreFailure } from "../../core-failure.js";
import { importAccounts } from "../parts/account.js";
import { ask, askEach, type Script } from "../script.js";
import type { NewAccount, Store } from "../store.js";
import { QUEUED } from "./queue-calls.js";

/** Accounts that are looked for at a time; at SuperTokens a round's most. */
const BATCH = 8000;
/** Accounts of a transaction: on SQLite nothing else is answered meanwhile. */
const CHUNK = 500;

/** An account that can't be written, and why, begun by SuperTokens' code for it. */
type Bad = readonly [id: string, error: string];

/** Rolls the chunk back that they are in. */
class BadAccounts extends CoreFailure {
  readonly accounts: readonly Bad[];

  constructor(accounts: readonly Bad[]) {
    super("refused", "some accounts can't be written", { reached: "yes" });
    this.accounts = accounts;
  }
}

/**
 * One round: everything that is in the queue when it begins and hasn't failed is written, or
 * stays for the next round.
 *
 * @throws CoreFailure as the store; what wasn't written yet stays
 */
export async function importQueued(
  { change }: Store,
  now: () => number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let after = "";
  for (;;) {
    const ids = await change(() => claim(after, now()));
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
    for (let start = 0; start < ids.length; start += CHUNK) {
      if (signal?.aborted === true) return;
      const chunk = ids.slice(start, start + CHUNK);
      try {
        await change(() => write(chunk));
      } catch (error) {
        if (!(error instanceof BadAccounts)) throw error;
        await change(() => fail(error.accounts, now()));
      }
    }
    if (ids.length < BATCH) return;
  }
}

function* claim(after: string, nowMs: number): Script<string[]> {
  const rows = yield* ask<[string]>(
    `UPDATE auth_core.queued_accounts SET status = ${QUEUED.PROCESSING}, updated_at = $1
     WHERE id IN (SELECT id FROM auth_core.queued_accounts
       WHERE status < ${QUEUED.FAILED} AND id > $2 ORDER BY id LIMIT ${BATCH})
     RETURNING id`,
    nowMs,
    after,
  );
  return rows.map(([id]) => id).sort();
}

/** Taken off first: another process that is at the same ones waits, and finds them gone. */
function* write(ids: readonly string[]): Script<void> {
  const rows = yield* askEach<readonly [string, string]>(
    `DELETE FROM auth_core.queued_accounts WHERE id IN (VALUES ($1)) RETURNING id, account`,
    ids.map((id) => [id]),
  );
  const sorted = rows.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const accounts = sorted.map(([, text]) => JSON.parse(text) as NewAccount);
  const outcomes = yield* importAccounts(accounts);
  const bad = outcomes.flatMap((outcome, index): Bad[] => {
    const error = accountError(outcome);
    return error === null ? [] : [[sorted[index]?.[0] ?? "", error]];
  });
  if (bad.length > 0) throw new BadAccounts(bad);
}

function* fail(accounts: readonly Bad[], nowMs: number): Script<void> {
  for (const [id, error] of accounts) {
    yield* ask(
      `UPDATE auth_core.queued_accounts SET status = ${QUEUED.FAILED}, error = $1, updated_at = $2
       WHERE id = $3`,
      error,
      nowMs,
      id,
    );
  }
}
