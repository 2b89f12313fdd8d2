import { expect, it } from "vitest";
import type { Core, CoreTarget } from "../../src/core/core.js";
import type { Finding } from "../../src/events/events.js";
import { activeUsers } from "../../src/run/active-users.js";
import type { BulkMode } from "../../src/run/bulk/mode.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { type Random, randomFrom } from "../support/random.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { queuedCore } from "./bulk/queued-core.js";
import { HASH, MAP } from "./support/accounts.js";
import { BEHIND_URL, newMigration } from "./support/run.js";

const newPath = temporaryPaths();

const SUPERTOKENS = { ...BEHIND_URL, dialect: "supertokens" } as const;

it("names active users from a thousand on, at a core of the dialect that counts them", () => {
  const told = (core: CoreTarget, users: number) => activeUsers(core, { users, passQueue: false });
  expect(told(SUPERTOKENS, 1000)).toMatchObject([{ code: "active_users", count: 1000 }]);
  expect(told(SUPERTOKENS, 999)).toEqual([]);
  expect(told({ ...BEHIND_URL, dialect: "interface" }, 5000)).toEqual([]);
  expect(told({ kind: "embedded", file: "core.db" }, 5000)).toEqual([]);
});

/** The core as one that counts who signs in while a migration goes on. */
function countingCore() {
  const migration = newMigration(newPath);
  const { core, options, batches } = queuedCore(migration);
  const signedIn = new Set<string>();
  const counted: Core = {
    ...core,
    target: SUPERTOKENS,
    async consumeCode(request) {
      const answer = await core.consumeCode(request);
      if (answer.status === "OK") signedIn.add(answer.user.userId);
      return answer;
    },
    async signInUp(request) {
      const answer = await core.signInUp(request);
      signedIn.add(answer.user.userId);
      return answer;
    },
  };
  const file = (rows: readonly object[]) => migration.write("gym.json", JSON.stringify(rows));
  /** What a run foretells, what it tells, and what is so. */
  const counts = async (
    rows: readonly object[],
    { limit, bulk }: { readonly limit: number | undefined; readonly bulk: BulkMode },
  ) => {
    const inputs = await openInputs([file(rows)], { map: MAP });
    const foretold: Finding[] = [];
    await validateUsers({
      ...{ inputs, limit },
      onEvent: (event) => void (event.type === "finding" && foretold.push(event)),
      asks: {
        ...{ core: counted, binding: BEHIND_URL, bulk, checkpoint: migration.checkpoint },
        ...{ concurrency: 8, targetMoved: false, checkExisting: 10_000 },
      },
    });
    signedIn.clear();
    const before = batches.length;
    const { findings } = await migration.run([], {
      ...options,
      inputs,
      limit,
      bulk,
      core: counted,
    });
    const told = { foretold: activeOf(foretold), told: activeOf(findings) };
    return { ...told, counted: signedIn.size, batches: batches.length - before };
  };
  return { migration, core: counted, counts };
}

function activeOf(findings: readonly Finding[]): number {
  return findings.find(({ code }) => code === "active_users")?.count ?? 0;
}

/** Members of a gym, by every way in; some of them twice, and some kept out. */
function members(random: Random): object[] {
  const rows: object[] = [];
  for (let n = 0; n < 4 + random.below(20); n += 1) {
    const [id, email] = [`gym-${n}`, `member.${n}@example.org`];
    const way = random.pick([
      { email, password_hash: HASH },
      { email },
      { phone: `+1555012${1000 + n}` },
      { email, phone: `+1555012${1000 + n}` },
      { email, google: `g-${n}` },
      { email, plan: { tier: null } },
      { email, password_hash: HASH, plan: { tier: null } },
      { email, password_hash: HASH.slice(0, -3) },
    ]);
    rows.push({ id, ...way });
    if (random.chance(1, 8)) rows.push({ id, ...way, name: "Moved" });
  }
  return rows;
}

const EXPORTS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 4, full: 100 });

it(`tells as many active users in a dry run, after an import and at the core: ${EXPORTS} random exports`, async () => {
  let most = 0;
  for (let seed = 1; seed <= EXPORTS; seed += 1) {
    const random = randomFrom(seed);
    const rows = members(random);
    const { migration, core, counts } = countingCore();
    const bulk = "always";
    if (random.chance(1, 4)) {
      await core.signInUp({
        ...{ thirdPartyId: "google", thirdPartyUserId: "g-1" },
        ...{ email: "member.1@example.org", isEmailVerified: true },
      });
    }
    const earlier = random.below(rows.length);
    if (random.chance(1, 2)) await counts(rows.slice(0, earlier + 1), { limit: undefined, bulk });
    const limit = random.chance(1, 2) ? 1 + random.below(rows.length) : undefined;
    for (const run of ["first", "second"]) {
      const { counted, batches, ...told } = await counts(rows, { limit, bulk });
      // So few are told only beside others who go by the queue.
      const count = batches === 0 ? 0 : counted;
      expect({ seed, run, ...told }).toEqual({ seed, run, foretold: count, told: count });
      most = Math.max(most, count);
    }
    await migration.close();
  }
  expect(most).toBeGreaterThan(0);
});

it("counts no user twice, nor one who was brought before, where each goes alone", async () => {
  const { counts } = countingCore();
  const rows = Array.from({ length: 1010 }, (_, n) => ({
    id: `gym-${n % 1005}`,
    email: `member.${n % 1005}@example.org`,
    ...(n < 5 ? { google: `g-${n}` } : {}),
  }));
  const bulk = "never";
  const pilot = await counts(rows, { limit: 5, bulk });
  expect(pilot).toEqual({ foretold: 0, told: 0, counted: 5, batches: 0 });
  const rest = await counts(rows, { limit: undefined, bulk });
  expect(rest).toEqual({ foretold: 1000, told: 1000, counted: 1000, batches: 0 });
});
