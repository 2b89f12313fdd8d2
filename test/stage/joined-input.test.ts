import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validateUsers } from "../../src/run/validate-users.js";
import { splitUsers } from "../../src/shards/split-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { accountAt, killing } from "../run/support/accounts.js";
import { newMigration } from "../run/support/run.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { runs, tried } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const NONE = "!Vd4Yw8Zk1Qm5Rt9Xb2Nc6Lf3Hs7Jp0Ga4Tv8Wy1E";
const HASH = `bcrypt$${KNOWN_HASHES.bcrypt.passwordHash.replace("$2a$", "$2b$")}`;

interface DumpedUser {
  readonly pk: number;
  readonly name: string;
  readonly groups?: readonly unknown[];
  readonly hash?: string;
}

const user = ({ pk, name, groups = [], hash = HASH }: DumpedUser) => ({
  model: "auth.user",
  pk,
  fields: {
    ...{ password: hash, last_login: null, username: name, email: `${name}@example.com` },
    ...{ is_active: true, is_staff: false, is_superuser: false, groups, user_permissions: [] },
  },
});

const of = (model: string, whose: unknown, fields: object) => ({
  model,
  pk: 1,
  fields: { user: whose, ...fields },
});
const address = (whose: unknown, email: string, verified: boolean) =>
  of("account.emailaddress", whose, { email, verified, primary: true });
const device = (whose: unknown, more: object = {}) =>
  of("otp_totp.totpdevice", whose, {
    ...{ name: "default", confirmed: true, key: "3132333435363738393031323334353637383930" },
    ...{ step: 30, t0: 0, digits: 6, ...more },
  });
const account = (whose: unknown, provider: string, uid: string) =>
  of("socialaccount.socialaccount", whose, { provider, uid, extra_data: {} });
const group = (pk: number, name: string) => ({ model: "auth.group", pk, fields: { name } });

/** What a dry run makes of each user, by the name in their address; and of the file. */
async function validated(objects: readonly object[], way: "file" | "pipe" = "file") {
  const text = JSON.stringify(objects);
  const path = newPath("dump.json");
  writeFileSync(path, text);
  const stdin = Readable.from([Buffer.from(text)]);
  const inputs = await openInputs([way === "pipe" ? "-" : path], { from: "django", stdin });
  const findings: string[] = [];
  const summary = await validateUsers({
    inputs,
    onEvent: (event) => {
      if (event.type === "finding") findings.push(event.code);
    },
  });
  return { summary, findings };
}

describe("what other objects of a dump say of a user", () => {
  test.each([
    [
      "an address that was verified",
      [address(1, "ann@example.com", true)],
      { carried: { verified: 1 } },
    ],
    ["the same, by the user's natural key", [address(["ann"], "ann@example.com", true)], {}],
    [
      "an address that never was",
      [address("1", "Ann@example.com", false)],
      { notices: { unverified_email_with_password: 1 } },
    ],
    [
      "another address",
      [address(1, "a@example.com", true)],
      { notices: { other_contacts_not_migrated: 1 } },
    ],
    ["a second factor by time", [device(1)], { carriedUsers: { totp: 1 }, rejects: {} }],
    [
      "one of allauth's",
      [of("mfa.authenticator", 1, { type: "totp", data: { secret: "JBSWY3DPEHPK3PXP" } })],
      { carriedUsers: { totp: 1 } },
    ],
    ["one that counts no time from 1970", [device(1, { t0: 5 })], { rejects: { factor_lost: 1 } }],
    [
      "a factor of another sort",
      [of("otp_email.emaildevice", 1, { confirmed: true })],
      { rejects: { factor_lost: 1 } },
    ],
    [
      "a passkey",
      [of("mfa.authenticator", 1, { type: "webauthn", data: {} })],
      { rejects: { factor_lost: 1 } },
    ],
    [
      "codes for the loss of one, alone",
      [of("otp_static.staticdevice", 1, { confirmed: true })],
      { rejects: { factor_lost: 1 } },
    ],
    [
      "such codes beside one",
      [of("otp_static.staticdevice", 1, { confirmed: true }), device(1)],
      { carriedUsers: { totp: 1 }, rejects: {} },
    ],
    ["a factor that isn't in use", [device(1, { confirmed: false })], { rejects: {} }],
    ["nothing", [of("admin.logentry", 1, { action_flag: 1 })], { rejects: {} }],
  ])("counts as if the user's own row said it: %s", async (_what, objects, expected) => {
    for (const all of [
      [user({ pk: 1, name: "ann" }), ...objects],
      [...objects, user({ pk: 1, name: "ann" })],
    ]) {
      const { summary } = await validated(all);
      expect(summary.skips).toEqual({ other_model: objects.length });
      const { rejects, notices, carriedUsers } = summary;
      const { carried: _own, ...rest } = { carried: {}, ...expected };
      expect({ rejects, notices, carriedUsers }).toMatchObject(rest);
    }
  });
});

/** Users with what is said of them, of some of which nothing is. */
const DUMP = fc
  .array(
    fc.record({
      verified: fc.option(fc.boolean()),
      address: fc.option(fc.boolean()),
      devices: fc.constantFrom(0, 0, 1, 2),
      other: fc.constantFrom(false, false, false, true),
      accounts: fc.constantFrom([], ["google"], ["github", "google"]),
      groups: fc.constantFrom([], [1], [2, 1], [["Readers"]]),
      isNatural: fc.boolean(),
      hash: fc.constantFrom(HASH, HASH, NONE),
      isActive: fc.constantFrom(true, true, false, null),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((people) => [
    ...people.flatMap((one, at) => {
      const [pk, name] = [at + 1, `reader${at}`];
      const whose = one.isNatural ? [name] : pk;
      const own = user({ pk, name, groups: one.groups, hash: one.hash });
      Object.assign(own.fields, { is_active: one.isActive });
      return [
        own,
        ...(one.verified === null ? [] : [address(whose, `${name}@example.com`, one.verified)]),
        ...(one.address === null ? [] : [address(whose, `${name}@example.org`, one.address)]),
        ...Array.from({ length: one.devices }, (_, step) =>
          device(whose, { step: 30 * step + 30 }),
        ),
        ...(one.other
          ? [of("two_factor.phonedevice", whose, { number: "x", confirmed: true })]
          : []),
        ...one.accounts.map((provider) => account(whose, provider, `${pk}0`)),
      ];
    }),
    ...[group(1, "Writers"), group(2, "Readers"), of("admin.logentry", 1, { action_flag: 1 })],
  ]);

const NAMES = ["ann", "ben", "cleo", "dora"];
const GIVEN = { policy: { roles: "create" }, concurrency: 1 } as const;

/** What is at a core after an import that is killed at a call, if at all, and run again. */
async function imported(objects: readonly object[], killedAt = 0) {
  const migration = newMigration(newPath);
  const file = migration.write("dump.json", JSON.stringify(objects));
  const { core, calls } = killing(migration.core, killedAt, killedAt % 2 ? "before" : "after");
  await migration.run([file], { ...GIVEN, core }).catch(() => {});
  const { summary } = await migration.run([file], GIVEN);
  const email = (name: string): string => `${name}@example.com`;
  const users = await Promise.all(NAMES.map((name) => accountAt(migration.core, email(name))));
  await migration.close();
  return { summary, users, calls: calls() };
}

test("any order of a dump's objects gives the same users, in a dry run as in an import", async () => {
  const orders = DUMP.chain((objects) =>
    fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length })),
  );
  await fc.assert(
    fc.asyncProperty(orders, async ([objects, shuffled]) => {
      const [first, second] = [await validated(objects), await validated(shuffled, "pipe")];
      const numbers = ({ summary }: typeof first) => {
        const { ready, rejects, skips, notices, carriedUsers } = summary;
        return { ready, rejects, skips, notices, carriedUsers };
      };
      expect(numbers(second)).toEqual(numbers(first));
      expect([...second.findings].sort()).toEqual([...first.findings].sort());
    }),
    { numRuns: runs(60) },
  );
});

describe("an import of a dump", () => {
  const objects = [
    group(1, "Writers"),
    device(2),
    ...NAMES.map((name, at) => user({ pk: at + 1, name, groups: [1], hash: at < 3 ? HASH : NONE })),
    address(1, "ann@example.com", true),
    address(2, "ben@example.com", false),
    of("otp_email.emaildevice", 3, { confirmed: true }),
    group(2, "Readers"),
    account(4, "google", "1077"),
  ];

  test("brings what they say, and the same when it was killed at any call", async () => {
    const { users, summary, calls } = await imported(objects);
    expect(summary.rejects).toEqual({ factor_lost: 1 });
    expect(users).toMatchObject([
      { recipe: "emailpassword", verified: true, roles: ["Writers"], devices: 0 },
      { recipe: "emailpassword", verified: false, roles: ["Writers"], devices: 1 },
      null,
      { recipe: "google", roles: ["Writers"] },
    ]);
    const all = Array.from({ length: calls }, (_, at) => at + 1);
    for (const call of tried(all, 3)) expect((await imported(objects, call)).users).toEqual(users);
  });

  test("by its rejects is that of the whole, which isn't split", async () => {
    const whole = await validated(objects);
    const directory = newPath("parts");
    const dump = newPath("dump.json");
    writeFileSync(dump, JSON.stringify(objects));
    mkdirSync(directory);
    const splitting = splitUsers({ inputs: await openInputs([dump]), shards: 2, directory });
    await expect(splitting).rejects.toMatchObject({ code: "input_unrecognized" });
    expect(whole.summary).toMatchObject({ ready: { import: 2 }, rejects: { factor_lost: 1 } });
    const rejectsOut = newPath("rejects.json");
    await validateUsers({ inputs: await openInputs([dump]), rejectsOut });
    const again = await validateUsers({ inputs: await openInputs([rejectsOut]) });
    expect(again).toMatchObject({ rejected: 1, rejects: { factor_lost: 1 } });
    expect(readFileSync(rejectsOut, "utf8")).not.toContain("ann@");
  });
});

const ANN_BEN = [user({ pk: 1, name: "ann" }), user({ pk: 2, name: "ben" })];

test.each([
  ["a factor", device(9)],
  ["an unverified address", address(9, "nina@example.com", false)],
  ["what can't be read", of("otp_email.emaildevice", 9, { confirmed: true })],
])("an object of nobody's stops the run where it says of %s", async (_of, object) => {
  await expect(validated([...ANN_BEN, object])).rejects.toMatchObject({ code: "input_damaged" });
});

test("a key whose last digits are lost is nobody's", async () => {
  const path = newPath("dump.json");
  const text = JSON.stringify([...ANN_BEN, user({ pk: 3, name: "cara" }), device("KEY")]);
  const digits = text.replace('"pk":3', '"pk":"9007199254740992"');
  writeFileSync(path, digits.replace('"KEY"', "9007199254740993"));
  const inputs = await openInputs([path], { from: "django" });
  await expect(validateUsers({ inputs })).rejects.toMatchObject({ code: "input_damaged" });
});

test("a natural key is a username or an email, and stops the run where two users have it", async () => {
  const key = ["ann@example.com"];
  const { summary } = await validated([...ANN_BEN, address(key, "ann@example.com", true)]);
  expect(summary.carriedUsers.verified).toBe(1);
  const same = { ...ANN_BEN[0]?.fields, username: "ann@example.com" };
  const alike = [{ ...ANN_BEN[0], fields: same }, ANN_BEN[1] ?? {}];
  expect((await validated([...alike, device(key)])).summary.carriedUsers.totp).toBe(1);
  const other = { ...ANN_BEN[1]?.fields, username: "ann@example.com" };
  const two = [ANN_BEN[0] ?? {}, { ...ANN_BEN[1], fields: other }];
  await expect(validated([...two, device(key)])).rejects.toMatchObject({ code: "input_damaged" });
});

test("an object that decides nothing, and is nobody's, is told", async () => {
  const users = ANN_BEN;
  const lone = [account(9, "google", "107"), group(1, "Writers")];
  const { summary, findings } = await validated([...users, ...lone]);
  expect(summary.ready.import).toBe(2);
  expect(findings).toContain("input_doubtful");
  expect((await validated([...users, group(1, "Writers")])).findings).not.toContain(
    "input_doubtful",
  );
});

test("a dump that was cut off brings nobody: what is missing may keep them out", async () => {
  const path = newPath("dump.json");
  const text = JSON.stringify([user({ pk: 1, name: "ann" }), device(1)]);
  writeFileSync(path, text.slice(0, -60));
  const inputs = await openInputs([path], { from: "django" });
  await expect(validateUsers({ inputs })).rejects.toMatchObject({ code: "input_damaged" });
});
