import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { refusingCore } from "./support/refusing-core.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { ANN, DORA, HASH, killing, MAP } from "./support/accounts.js";
import { allUsers, type Migration, newMigration, outcomes, singly, told } from "./support/run.js";

/** How many exports are multiplied; each has data files of its own. */
const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 6, full: 60 });
const newPath = temporaryPaths();

interface Person extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly rights?: readonly string[];
  readonly github?: string | undefined;
  readonly google?: string | undefined;
}

const map = new Map([...MAP, ["social.github", "github"]]);
const policy = { roles: "create" } as const;

async function filesOf(migration: Migration, files: readonly (readonly object[])[], name: string) {
  const paths = files.map((rows, at) =>
    migration.write(`${name}-${at}.json`, JSON.stringify(rows)),
  );
  return openInputs(paths, { map });
}

/** All that a core has of everybody, but ids of its own. */
async function everybody(core: Core): Promise<unknown[]> {
  const users = await allUsers(core);
  const all = users.map(async ({ userId, recipeUserId: _own, ...user }) => {
    const { metadata } = await core.part("getMetadata", { userId });
    const { roles } = await core.part("rolesOfUser", { userId });
    const { devices } = await core.part("listTotpDevices", { userId });
    return JSON.stringify([
      { ...user, timeJoined: 0 },
      metadata,
      [...roles].sort(),
      devices.length,
    ]);
  });
  return (await Promise.all(all)).sort();
}

const given = <T>(...values: readonly T[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined });

const people: fc.Arbitrary<readonly Person[]> = fc
  .array(
    fc.record({
      email: fc.option(fc.nat(9), { nil: undefined, freq: 4 }),
      phone: fc.option(fc.nat(9), { nil: undefined, freq: 1 }),
      email_verified: given(true, false),
      password_hash: given(HASH, "$2a$10$broken"),
      github: fc.option(fc.nat(9).map(String), { nil: undefined, freq: 2 }),
      google: fc.option(fc.nat(9).map(String), { nil: undefined, freq: 2 }),
      rights: fc.subarray(["admin", "editor", "guest"]),
      plan: given("gold", "free"),
      disabled: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((all) =>
    all.map(({ email, phone, ...said }, at) => ({
      id: `u-${at}`,
      email: email === undefined ? "" : `reader.${email}@example.com`,
      ...(phone !== undefined && { phone: `+1555010${1000 + phone}` }),
      ...said,
    })),
  );

/** The rows that joins with roles and with social accounts make of a person. */
function multiplied(person: Person, by: "roles" | "social" | "both"): Person[] {
  const { rights = [], github, google, ...rest } = person;
  const roles = by === "social" || rights.length === 0 ? [rights] : rights.map((one) => [one]);
  const accounts = [
    ...(github === undefined ? [] : [{ github }]),
    ...(google === undefined ? [] : [{ google }]),
  ];
  const all = by === "roles" || accounts.length === 0 ? [Object.assign({}, ...accounts)] : accounts;
  return roles.flatMap((some) => all.map((one) => ({ ...rest, ...one, rights: some })));
}

const drawn = fc.record({
  users: people,
  by: fc.constantFrom("roles" as const, "social" as const, "both" as const),
  /** Where a row comes, and in which file. */
  places: fc.array(fc.record({ at: fc.nat(1e6), file: fc.nat(2) }), { minLength: 7, maxLength: 7 }),
  isWhole: fc.boolean(),
  killedAt: fc.option(fc.integer({ min: 1, max: 40 })),
});

/** The first rows of users keep their order: of two with one contact the first one gets it. */
function laidOut(
  rows: readonly Person[],
  places: readonly { readonly at: number; readonly file: number }[],
): Person[][] {
  const firsts = rows.filter((row, at) => rows.findIndex(({ id }) => id === row.id) === at);
  const files: Person[][] = [[...firsts], [], []];
  for (const [index, row] of rows.entries()) {
    if (firsts.includes(row)) continue;
    const { at, file } = places[index % places.length] ?? { at: 0, file: 0 };
    const others = files[file] ?? [];
    const own = others.findIndex(({ id }) => id === row.id);
    others.splice(own + 1 + (at % (others.length - own)), 0, row);
  }
  return files.filter((file) => file.length > 0);
}

describe("rows that a join has multiplied", () => {
  it("bring the accounts that the users alone do, in any order and over several files", async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async ({ users, by, places, isWhole, killedAt }) => {
        const as = isWhole ? undefined : singly;
        const plain = newMigration(newPath, as);
        const alone = await plain.run([], {
          inputs: await filesOf(plain, [users], "alone"),
          policy,
        });
        const rows = users.flatMap((person) => multiplied(person, by));
        const joined = newMigration(newPath, as);
        const files = laidOut(rows, places);
        if (killedAt !== null) {
          const { core } = killing(joined.core, killedAt, killedAt % 2 === 0 ? "before" : "after");
          const inputs = await filesOf(joined, files, "joined");
          await joined.run([], { inputs, policy, core, concurrency: 1 }).catch(() => {});
        }
        const { summary } = await joined.run([], {
          inputs: await filesOf(joined, files, "joined"),
          policy,
        });
        expect(await everybody(joined.core)).toEqual(await everybody(plain.core));
        const { skips, rejected } = summary;
        expect({ ...skips, same_user: 0 }).toEqual({ ...alone.summary.skips, same_user: 0 });
        // A second row of who is rejected is mended beside the first.
        expect(rejected + (skips.same_user ?? 0)).toBe(
          alone.summary.rejected + rows.length - users.length,
        );
        const dry = await validateUsers({
          inputs: await filesOf(joined, files, "joined"),
          policy,
        });
        if (killedAt === null) {
          expect([dry.skips, dry.rejects]).toEqual([summary.skips, summary.rejects]);
          const { imported, created } = summary;
          const { ready } = dry;
          expect(ready.import + ready.passwordless + ready.thirdparty).toBe(imported + created);
        }
        // The same export once more, its rows the other way round.
        const back = files.map((file) => file.toReversed()).toReversed();
        const again = await joined.run([], {
          inputs: await filesOf(joined, back, "again"),
          policy,
        });
        expect(await everybody(joined.core)).toEqual(await everybody(plain.core));
        const { imported, created } = again.summary;
        if (alone.summary.rejected === 0) expect([imported, created]).toEqual([0, 0]);
        await Promise.all([plain.close(), joined.close()]);
      }),
      { numRuns: RUNS },
    );
  });

  it("are told, and counted as no reject and no user", async () => {
    const migration = newMigration(newPath);
    const rows = ["admin", "editor"].map((role) => ({ ...ANN, rights: [role] }));
    const inputs = await filesOf(migration, [rows], "ann");
    const { summary, events } = await migration.run([], { inputs, policy });
    expect(outcomes(summary)).toEqual({ imported: 1, skipped: 1 });
    expect(events.map(told)).toEqual(["2 skip same_user"]);
    const newer = await filesOf(migration, [rows.toReversed()], "newer");
    const next = await migration.run([], { inputs: newer, policy });
    expect(outcomes(next.summary)).toEqual({ unchanged: 1, skipped: 1 });
    expect(Object.values(next.summary.calls)).toEqual(Array(7).fill(0));
  });

  it.each([
    ["another email", { email: "other@example.com" }],
    ["another hash", { password_hash: HASH.replace(/.$/, (last) => (last === "." ? "O" : ".")) }],
    ["no hash", { password_hash: undefined }],
    ["another date", { created_at: "2020-01-01T00:00:00Z" }],
    ["another name", { name: "Ann Bloom" }],
    ["another second factor", { otp: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" }],
    ["a ban", { disabled: true }],
  ])("stay two where one says %s", async (_what, said) => {
    const migration = newMigration(newPath);
    const rows = [ANN, { ...ANN, ...said }];
    const { summary } = await migration.run([], {
      inputs: await filesOf(migration, [rows], "ann"),
      policy,
    });
    expect(outcomes(summary)).toEqual({ imported: 1, rejected: 1 });
    const inputs = await filesOf(migration, [rows], "ann");
    expect((await validateUsers({ inputs, policy })).rejects).toEqual({ duplicate: 1 });
  });

  it("are written out together where their user is rejected, and come back whole", async () => {
    const migration = newMigration(newPath);
    const rows = ["admin", "editor"].map((role) => ({ ...ANN, rights: [role] }));
    const inputs = await filesOf(migration, [rows], "ann");
    const refusing = refusingCore(migration.core, { refused: [ANN.email ?? ""], failing: [] });
    const rejectsOut = migration.write("rejects.json", "").replace(".json", "-out.json");
    const first = await migration.run([], { inputs, policy, core: refusing, rejectsOut });
    expect(outcomes(first.summary)).toEqual({ rejected: 1, skipped: 1 });
    const mended = await openInputs([rejectsOut], { map });
    const { summary } = await migration.run([], { inputs: mended, policy });
    expect(outcomes(summary)).toEqual({ imported: 1, skipped: 1 });
    const [user] = await allUsers(migration.core);
    const { roles } = await migration.core.part("rolesOfUser", { userId: user?.userId ?? "" });
    expect([...roles].sort()).toEqual(["admin", "editor"]);
  });

  it("bring by a social account who has one in any row", async () => {
    const migration = newMigration(newPath);
    const { google, ...bare } = DORA;
    const rows = [bare, { ...bare, google }, { ...bare, github: "5" }];
    const inputs = await filesOf(migration, [rows], "dora");
    const { summary } = await migration.run([], { inputs, policy });
    expect(outcomes(summary)).toEqual({ created: 1, skipped: 2 });
    expect(summary.notices).toMatchObject({ social_identity_dropped: 1 });
    const [user] = await allUsers(migration.core);
    expect(user?.thirdParty).toEqual({ id: "github", userId: "5" });
  });
});
