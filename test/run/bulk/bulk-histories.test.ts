import { expect, it } from "vitest";
import type { Core } from "../../../src/core/core.js";
import { RunError } from "../../../src/errors/run-error.js";
import { reconcileUsers } from "../../../src/reconcile/reconcile-users.js";
import type { SuperTokensUser } from "../../support/supertokens-users.js";
import { type Random, randomFrom } from "../../support/random.js";
import { repeated } from "../../support/repeated.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { type Account, HASH } from "../support/accounts.js";
import { virtualTiming } from "../support/virtual-timing.js";
import { type SuperTokensMigration, superTokensMigration } from "./supertokens-migration.js";

const newPath = temporaryPaths();

const THEIRS = HASH.replace(/.{6}$/, "BBBBBB");
const emailOf = (n: number): string => `climber.${n}@example.net`;

/** Members of a climbing hall, each with a day of joining. */
function climbers(random: Random): Account[] {
  return Array.from({ length: 4 + random.below(16) }, (_, n) => ({
    ...{ id: `hall-${n}`, email: emailOf(n), plan: "day", created_at: "2021-03-04T05:06:07Z" },
    ...(random.chance(2, 3) ? { password_hash: HASH } : {}),
  }));
}

/** A core that crosses ids once, or repeats a token of its lists, or neither. */
function disturbed(core: Core, random: Random): { readonly core: Core; readonly code?: string } {
  if (random.chance(1, 4)) {
    const queueAccounts: Core["queueAccounts"] = async (accounts) => {
      const answer = await core.queueAccounts(accounts);
      return answer.status === "OK" ? { ...answer, users: answer.users.toReversed() } : answer;
    };
    return { core: { ...core, queueAccounts }, code: "answer_mismatch" };
  }
  if (random.chance(1, 4)) {
    const name = random.pick(["listQueued", "listUsers"] as const);
    const again = async (request: never): Promise<unknown> => ({
      ...(await core[name](request)),
      nextPaginationToken: "MTA=",
    });
    return { core: { ...core, [name]: again }, code: "core_incompatible" };
  }
  return { core };
}

/** A stranger signs up with a member's email and password of their own, unless somebody has it. */
async function signUp({ core, stub }: SuperTokensMigration, account: Account): Promise<boolean> {
  const { email = "", password_hash } = account;
  if (password_hash === undefined || stub.users.some((user) => user.email === email)) return false;
  await core.importUser({ email, passwordHash: THEIRS });
  return true;
}

async function history(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const chunks = 1 + random.below(3);
  const hall = await superTokensMigration(newPath, { blamesInnocents: true, chunks });
  const accounts = climbers(random);
  const policy = { keepIds: random.chance(1, 2) };
  const strangers = new Set<string>();
  if (policy.keepIds && random.chance(1, 3)) {
    const { user } = await hall.core.importUser({ email: "guide@example.net", passwordHash: HASH });
    const { id } = random.pick(accounts);
    await hall.core.mapUserId({ userId: user.userId, externalUserId: id });
  }
  const come = async (): Promise<void> => {
    const account = random.pick(accounts);
    if (random.chance(1, 2) && (await signUp(hall, account))) strangers.add(account.id);
  };
  const { core, code } = disturbed(hall.core, random);
  // Between two runs nobody tells a stranger from a user whose answer was lost.
  const comes = code === undefined ? come : async () => {};
  if (code !== undefined) await come();
  const stop = new AbortController();
  const stopAt = random.chance(1, 3) ? 1 + random.below(4) : null;
  const given = { policy, bulkBatch: 3 + random.below(12) };
  const first = await hall
    .run(accounts, { ...given, core, signal: stop.signal }, async (round) => {
      if (round < 4) await comes();
      if (round === stopAt) stop.abort();
    })
    .catch((error: unknown) => error);
  if (first instanceof RunError) expect(first.code).toBe(code);
  else if (first instanceof Error) throw first;
  const { summary, events } = await hall.run(accounts, given, async (round) => {
    if (round < 3) await comes();
  });
  expect(events).toEqual([]);
  expect(summary).toMatchObject({ rejected: 0, failed: 0, pending: 0, interrupted: false });
  await expectRight(hall, accounts, strangers);
  await hall.close();
}

/** Everybody once; strangers as they were; and the checkpoint's ids lead to whom they name. */
async function expectRight(
  { stub, core, binding, migration }: SuperTokensMigration,
  accounts: readonly Account[],
  strangers: ReadonlySet<string>,
): Promise<void> {
  for (const { id, email, password_hash } of accounts) {
    const there = stub.users.filter((user: SuperTokensUser) => user.email === email);
    expect({ id, users: there.length }).toEqual({ id, users: 1 });
    const isTheirs = strangers.has(id);
    expect({ id, hash: there[0]?.passwordHash }).toEqual({
      id,
      hash: isTheirs ? THEIRS : password_hash,
    });
    if (isTheirs) expect({ id, kept: there[0]?.externalId }).toEqual({ id });
  }
  expect((await core.part("countQueued", {})).count).toBe(0);
  const asked = { checkpoint: migration.checkpoint, binding, sample: "all" } as const;
  const result = await reconcileUsers({ core, ...asked, timing: virtualTiming() });
  expect(result).toMatchObject({ differing: 0, agrees: true, finished: accounts.length });
}

const HISTORIES = repeated({ variable: "AUTH_MIGRATE_QUEUE_HISTORIES", few: 4, full: 500 });

it(`leaves everybody once and right at a queue that misleads: ${HISTORIES} random histories`, async () => {
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    await history(seed).catch((error: unknown) => {
      throw new Error(`history ${seed}`, { cause: error });
    });
  }
});
