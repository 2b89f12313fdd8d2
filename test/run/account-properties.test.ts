import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import type { CarriedPart } from "../../src/plan/policy.js";
import { recordCutover } from "../../src/run/cutover.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { type Account, accountAt, HASH, importAccounts, killing } from "./support/accounts.js";
import { type Migration, newMigration, singly } from "./support/run.js";

/** How many histories are played; each has data files of its own. */
const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 6, full: 100 });
const newPath = temporaryPaths();

const SECRETS = ["JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"];
const PEOPLE = ["ann", "ben", "cleo"] as const;
const emailOf = (name: string): string => `${name}@example.com`;

/** What an export says of one user; null where it leaves them out. */
type Said = fc.Arbitrary<Omit<Account, "id" | "email"> & { readonly isDamaged: boolean }>;

const given = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: null });
const said: Said = fc
  .record({
    email_verified: given(true, false),
    name: given("Ann Blum", "Ann B. Blum"),
    plan: given("gold", "free"),
    rights: given(["admin"], ["editor"], ["admin", "editor"]),
    otp: given(...SECRETS),
    isDamaged: fc.nat(11).map((number) => number === 0),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)))
  .map((some) => ({ isDamaged: false, ...some }));

const exported = fc.tuple(...PEOPLE.map(() => fc.option(said, { freq: 8 })));
type Exported = readonly (Omit<Account, "id" | "email"> & { readonly isDamaged: boolean })[];

const PARTS: readonly CarriedPart[] = ["verified", "joined", "metadata", "totp"];
const when = fc.constantFrom("before" as const, "after" as const);
const killed = fc.record({ call: fc.integer({ min: 1, max: 9 }), when });

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("import" as const),
      users: exported,
      carry: fc.option(fc.subarray([...PARTS]), { freq: 2 }),
      roles: fc.boolean(),
      isWhole: fc.boolean(),
      killed: fc.option(killed, { freq: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("gives" as const),
      who: fc.constantFrom(...PEOPLE),
      what: fc.constantFrom("field", "role", "device"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("cuts over" as const) }) },
);

const history = fc.record({
  keepIds: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  last: fc.tuple(...PEOPLE.map(() => said)).map((users) => [...users]),
});

/** Has every part in each export: what nobody has there isn't shown by it, and stays as it was. */
const WHOLE: Account = {
  ...{ id: "u-dora", email: emailOf("dora"), password_hash: HASH, email_verified: true },
  ...{ name: "Dora Ehlers", plan: "gold", rights: ["editor"], otp: SECRETS[0] ?? "" },
};

function rowsOf(users: readonly (Exported[number] | null)[]): Account[] {
  const rows = users.flatMap((user, at) => {
    const name = PEOPLE[at] ?? "";
    if (user === null) return [];
    const { isDamaged, ...parts } = user;
    // Two have a password; the third one comes by a code, where the core takes no whole account.
    const hash = at < 2 ? { password_hash: HASH } : {};
    return [{ id: `u-${name}`, email: isDamaged ? "ann@@" : emailOf(name), ...hash, ...parts }];
  });
  return [...rows, WHOLE];
}

/** What the application has given to users of its own accord. */
type Given = ReadonlyMap<string, ReadonlySet<string>>;

async function give(
  core: EmbeddedCore,
  { who, what }: { readonly who: string; readonly what: string },
  keepIds: boolean,
): Promise<boolean> {
  const [{ userId } = { userId: null }] = await core.findUsers({ email: emailOf(who) });
  if (userId === null) return false;
  // Where it knows users by the vendor's ids, it gives nothing under another one: then a core keeps that.
  if (keepIds && !userId.startsWith("u-")) return false;
  if (what === "field") {
    await core.part("updateMetadata", { userId, metadataUpdate: { theme: "dark" } });
  } else if (what === "role") {
    await core.part("putRole", { role: "own", permissions: [] });
    await core.part("addUserRole", { userId, role: "own" });
  } else {
    const [secretKey = ""] = SECRETS;
    const device = { deviceName: "phone", secretKey, period: 30, skew: 1 };
    await core.part("importTotpDevice", { userId, ...device });
  }
  return true;
}

/** What is to be at the core of a user. */
function expected(who: string, account: Exported[number], given: Given) {
  const { name, plan, rights = [], otp, email_verified } = account;
  const own = given.get(who) ?? new Set();
  const isPassword = who !== PEOPLE[2];
  return {
    recipe: isPassword ? "emailpassword" : "passwordless",
    verified: email_verified === true,
    metadata: {
      ...(name !== undefined && { name }),
      ...(plan !== undefined && { plan }),
      ...(own.has("field") && { theme: "dark" }),
    },
    roles: [...rights, ...(own.has("role") ? ["own"] : [])].sort(),
    devices: (otp === undefined ? 0 : 1) + (own.has("device") ? 1 : 0),
  };
}

async function everybodyAt({ core }: Migration) {
  const all = await Promise.all(PEOPLE.map((name) => accountAt(core, emailOf(name))));
  return all.map((account) => account as ReturnType<typeof expected> | null);
}

const NO_CALLS = { code: 0, consume: 0, update: 0, import: 0, lookup: 0, map: 0, part: 0 };

type History = typeof history extends fc.Arbitrary<infer One> ? One : never;

async function play({ keepIds, steps, last }: History): Promise<void> {
  const migration = newMigration(newPath, (core) => core);
  const { core } = migration;
  const policy = { keepIds, include: ["unverified"], onLostFactor: "accept" } as const;
  const given = new Map<string, Set<string>>();
  let hasRun = false;
  let then: Awaited<ReturnType<typeof everybodyAt>> | null = null;
  for (const one of steps) {
    if (one.does === "import") {
      const { carry, roles, isWhole } = one;
      const rows = rowsOf(one.users);
      const { call = -1, when = "before" } = one.killed ?? {};
      const at = killing(isWhole ? core : singly(core), call, when).core;
      const sends = { ...policy, carry, roles: roles ? ("create" as const) : null };
      const options = { concurrency: 1, core: at, policy: sends };
      await importAccounts(migration, rows, options).catch((error: unknown) => {
        if (!String(error).includes("killed")) throw error;
      });
      hasRun = true;
    } else if (one.does === "gives") {
      const { who, what } = one;
      if (await give(core, one, keepIds)) given.set(who, (given.get(who) ?? new Set()).add(what));
    } else if (hasRun && then === null) {
      recordCutover(migration.checkpoint);
      then = await everybodyAt(migration);
    }
  }
  const options = { concurrency: 1, policy: { ...policy, roles: "create" as const } };
  const whole = last.map((user) => ({ ...user, isDamaged: false }));
  const before = await everybodyAt(migration);
  await importAccounts(migration, rowsOf(whole), options);
  const now = await everybodyAt(migration);
  expect(await core.countUsers()).toBe(PEOPLE.length + 1);
  for (const [at, who] of PEOPLE.entries()) {
    const account = whole[at];
    if (account === undefined) throw new Error("nobody is left out at last");
    const there = now[at];
    const wanted = expected(who, account, given);
    const isNew = before[at] === null;
    if (then === null || isNew) expect(there, who).toMatchObject(wanted);
    // Since people sign in, what they have stays as it is.
    for (const earlier of then === null ? [] : [then[at] ?? null, before[at] ?? null]) {
      if (earlier === null) continue;
      expect(there?.metadata).toMatchObject(earlier.metadata);
      expect(there?.roles).toEqual(expect.arrayContaining(earlier.roles));
      expect(there?.devices).toBeGreaterThanOrEqual(earlier.devices);
      if (earlier.verified) expect(there?.verified, who).toBe(true);
    }
    for (const what of given.get(who) ?? []) {
      if (what === "field") expect(there?.metadata).toMatchObject({ theme: "dark" });
      if (what === "role") expect(there?.roles).toContain("own");
      if (what === "device") expect(there?.devices).toBeGreaterThan(0);
    }
  }
  const again = await importAccounts(migration, rowsOf(whole), options);
  // An id may be owed to a user who was told as changed since the cut-over.
  expect({ ...again.summary.calls, map: 0 }).toEqual(NO_CALLS);
  const calm = await importAccounts(migration, rowsOf(whole), options);
  expect(calm.summary.calls).toEqual(NO_CALLS);
  expect(await everybodyAt(migration)).toEqual(now);
  await migration.close();
}

describe("the parts of accounts", () => {
  it("are each there once after any history of exports, and nothing of the application's is gone", async () => {
    await fc.assert(fc.asyncProperty(history, play), { numRuns: RUNS });
  }, 600_000);
});
