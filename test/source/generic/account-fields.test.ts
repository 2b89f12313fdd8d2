import { describe, expect, test } from "vitest";
import type { AccountParts } from "../../../src/account/account-parts.js";
import { genericCsv, genericJson } from "../../../src/source/mapping/generic-files.js";
import type { ColumnsRead, Source } from "../../../src/source/source.js";
import { collect, pieces } from "../support.js";

const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const JOINED = Date.UTC(2023, 8, 1, 10);

async function partsOf(
  source: Source,
  text: string,
  map: Readonly<Record<string, string>> = {},
): Promise<AccountParts> {
  const options = { map: new Map(Object.entries(map)), now: Date.UTC(2026, 0, 1) };
  const read = source.read("users", pieces(Buffer.from(text), 997), {
    ...options,
    keepsAccount: "all",
  });
  const [item] = await collect(read);
  if (item?.kind !== "record" || item.record.account === undefined) throw new Error("no parts");
  return item.record.account();
}

const MAP = {
  joined: "since",
  "metadata.plan": "plan",
  roles: "rights",
  "social.google": "g",
  "social.acme": "acme",
  totp: "otp",
};
const BY_MAP: AccountParts = {
  joined: JOINED,
  metadata: { plan: "gold" },
  roles: ["admin", "editor"],
  social: [
    { provider: "google", vendorProvider: "google", id: "1077", email: "", verified: null },
    { provider: "acme", vendorProvider: "acme", id: "a-1", email: "", verified: null },
  ],
  totp: [{ secret: SECRET, period: 30, digits: 6, algorithm: "SHA1" }],
  losesFactor: false,
  unreadable: [],
  // Of the token, which no part has.
  stays: ["profile_not_migrated"],
};

describe("the account in a file of anybody's making", () => {
  test("is what --map names of a table", async () => {
    const text = `email,since,plan,rights,g,acme,otp,session_token\nann@example.com,2023-09-01 10:00:00+00,gold,"admin, editor",1077,a-1,${SECRET},t0k3n\n`;
    expect(await partsOf(genericCsv, text, MAP)).toEqual(BY_MAP);
  });

  test("is what --map names of an object, by paths as well", async () => {
    const user = {
      email: "ann@example.com",
      meta: { since: "2023-09-01T10:00:00Z", plan: "gold" },
      rights: ["admin", "editor"],
      g: 1077,
      acme: "a-1",
      otp: SECRET,
      reset_code: "t0k3n",
    };
    const map = { ...MAP, joined: "meta.since", "metadata.plan": "meta.plan" };
    expect(await partsOf(genericJson, JSON.stringify([user]), map)).toEqual(BY_MAP);
  });

  test.each([
    ["as mongoexport writes it", { $date: "2023-09-01T10:00:00Z" }, { $oid: "64f0c1d2e3a4b5c6" }],
    ["in its canonical form", { $date: { $numberLong: String(JOINED) } }, { $numberInt: "3" }],
  ])("is read out of MongoDB's own types, %s", async (_what, createdAt, plan) => {
    const user = { email: "ann@example.com", createdAt, plan, g: { $numberLong: "1077" } };
    const map = { "metadata.plan": "plan", "social.google": "g" };
    expect(await partsOf(genericJson, JSON.stringify([user]), map)).toMatchObject({
      joined: JOINED,
      metadata: { plan: Object.values(plan)[0] },
      social: [{ provider: "google", id: "1077" }],
      unreadable: [],
    });
  });

  test("keeps no number of metadata that lost digits in JSON, and the rest of it", async () => {
    const app = '{"discord":123456789012345678,"guilds":[123456789012345678],"wei":3e18,"level":7}';
    const text = `[{"email":"ann@example.com","app":${app}}]`;
    expect(await partsOf(genericJson, text, { "metadata.app": "app" })).toMatchObject({
      metadata: { app: { wei: 3e18, level: 7 } },
      unreadable: ["metadata"],
    });
    const whole = '[{"email":"ann@example.com","app":{"level":7,"list":[1,2.5,{"a":null}]}}]';
    expect(await partsOf(genericJson, whole, { "metadata.app": "app" })).toMatchObject({
      metadata: { app: { level: 7, list: [1, 2.5, { a: null }] } },
      unreadable: [],
    });
  });

  test.each([
    ["a spreadsheet", genericCsv, "email,g\nann@example.com,1.05463E+20\n"],
    ["JSON", genericJson, '[{"email":"ann@example.com","g":105463123451234512345}]'],
  ] as const)(
    "has no social account by an id that lost digits in %s",
    async (_in, source, text) => {
      expect(await partsOf(source, text, { "social.google": "g" })).toMatchObject({
        social: [],
        unreadable: ["social"],
      });
    },
  );

  test("has a day of joining and claims of a person by common names, and no more", async () => {
    const text = `email,firstName,Created At,role,recovery_codes,session_token\nann@example.com,Ann,1693562400,admin,t0k3n,t0k3n\n`;
    expect(await partsOf(genericCsv, text)).toMatchObject({
      joined: JOINED,
      metadata: { given_name: "Ann", first_name: "Ann" },
      roles: [],
      social: [],
      losesFactor: true,
    });
    expect(JSON.stringify(await partsOf(genericCsv, text))).not.toContain("t0k3n");
  });

  test.each([
    ["signs between them", "admin; editor|back office"],
    ["a list of JSON", '["admin", "editor", "back office"]'],
    ["PostgreSQL's array", '{admin,editor,"back office"}'],
  ])("has roles from %s", async (_what, text) => {
    const table = `email\trights\nann@example.com\t"${text.replaceAll('"', '""')}"\n`;
    expect(await partsOf(genericCsv, table, { roles: "rights" })).toMatchObject({
      roles: ["admin", "editor", "back office"],
      unreadable: [],
    });
  });

  test.each([
    'a:1:{i:0;s:5:"admin";}',
    '["admin"',
    "{admin",
    "['admin', 'editor']",
    '{"admin":true}',
  ])("makes no role of what is no list of them: %s", async (text) => {
    const table = `email\trights\nann@example.com\t"${text.replaceAll('"', '""')}"\n`;
    expect(await partsOf(genericCsv, table, { roles: "rights" })).toMatchObject({
      roles: [],
      unreadable: ["roles"],
    });
  });

  test("names no column that isn't there", async () => {
    const text = "email\nann@example.com\n";
    await expect(partsOf(genericCsv, text, { "metadata.plan": "paln" })).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining('has no column "paln"'),
    });
    await expect(partsOf(genericCsv, text, { "social.": "email" })).rejects.toMatchObject({
      hint: expect.stringContaining("metadata.NAME and social.PROVIDER"),
    });
  });

  test.each([
    ["a table", genericCsv, "email,name,created_at,shoe\nann@example.com,Ann,2023-09-01,41\n"],
    [
      "an object",
      genericJson,
      '[{"email":"ann@example.com","name":"Ann","created_at":"2023-09-01","shoe":41}]',
    ],
  ] as const)("is said to be read of %s, and other columns aren't", async (_what, source, text) => {
    const told: ColumnsRead[] = [];
    const options = { map: new Map(), now: Date.UTC(2026, 0, 1), keepsAccount: "all" } as const;
    const onColumns = (columns: ColumnsRead): void => void told.push(columns);
    await collect(source.read("users", pieces(Buffer.from(text), 997), { ...options, onColumns }));
    expect(told[0]?.read.map(({ name, as }) => `${name} as ${as}`)).toEqual([
      "email as email",
      "name as metadata",
      "created_at as joined",
    ]);
    expect(told[0]?.unread.map(({ name }) => name)).toEqual(["shoe"]);
  });

  test("is said to begin with the day where a date becomes a point in time, and not as metadata", async () => {
    const told: ColumnsRead[] = [];
    const map = new Map(Object.entries({ "metadata.seen": "gesehen", joined: "seit" }));
    const options = { map, now: Date.UTC(2026, 0, 1), keepsAccount: "all" } as const;
    const onColumns = (columns: ColumnsRead): void => void told.push(columns);
    const text = Buffer.from("email,gesehen,seit\nann@example.com,13.01.2024,14.02.2020\n");
    await collect(genericCsv.read("users", pieces(text, 997), { ...options, onColumns }));
    expect(told[0]?.read.slice(1)).toEqual([
      { name: "gesehen", as: "metadata", filled: 1 },
      { name: "seit", as: "joined", filled: 1, dates: ["day"] },
    ]);
  });
});
