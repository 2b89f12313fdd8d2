import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { builtInMappings } from "../../src/source/built-in-mappings.js";
import { detectSource } from "../../src/source/detect.js";
import { fieldsOf } from "../../src/source/fields/field-table.js";
import { parseMapping } from "../../src/source/mapping/read-mapping.js";
import { collect, PLAIN, pieces } from "./support.js";

const FOLDER = new URL("../../mappings/", import.meta.url).pathname;
const MAPPINGS = readdirSync(FOLDER).map((file) => {
  return [file, readFileSync(join(FOLDER, file), "utf8")] as const;
});

describe("the mapping", () => {
  test.each(MAPPINGS)("%s has the name of its file, and no field twice", (file, text) => {
    const { name } = parseMapping(file, text);
    expect(file).toBe(`${name}.yaml`);
    const source = builtInMappings().find((one) => one.name === name);
    expect(source?.fields.flatMap(({ places }) => places.nodes).length).toBeGreaterThan(5);
    for (const { table } of source?.fields ?? []) {
      const paths = fieldsOf(table).map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
    }
  });

  test.each(MAPPINGS)(
    "%s lists what it recognizes a line each, nothing between, to be found quickly",
    (file, text) => {
      const { recognize, table } = parseMapping(file, text);
      const lists = text.match(/^( *)recognize:\n(?:\1 {2}- \[.*\]\n)+/gm) ?? [];
      const lines = lists.join("").match(/^ *- /gm) ?? [];
      expect(lines).toHaveLength([recognize, table?.recognize ?? []].flat().length);
    },
  );
});

/** Of one user alone, as the mapping of that name reads them. */
async function readBy(name: string, user: object) {
  const source = builtInMappings().find((one) => one.name === name)!;
  const bytes = Buffer.from(`${JSON.stringify(user)}\n`);
  const [item] = await collect(source.read("users.ndjson", pieces(bytes, 999), PLAIN));
  return item?.kind === "record" ? item.record : item;
}

test("a mapping's view holds for the rows of a table, too", async () => {
  const source = builtInMappings().find((one) => one.name === "mattermost")!;
  const header = "id,email,authservice,authdata,emailverified,deleteat,mfaactive,mfasecret";
  const secret = "KRUGS4ZANFZSAYJAONSWG4TFOQ";
  const factorsOf = async (active: string) => {
    const table = `${header}\na,ann@example.com,,,t,0,${active},${secret}\n`;
    const options = { ...PLAIN, keepsAccount: "all" } as const;
    const [item] = await collect(
      source.read("users.csv", pieces(Buffer.from(table), 999), options),
    );
    const account = item?.kind === "record" ? item.record.account?.() : undefined;
    return [account?.totp.length, account?.losesFactor];
  };
  // PostgreSQL and MySQL write the flag so.
  for (const active of ["t", "1", "true"]) expect(await factorsOf(active)).toEqual([1, false]);
  for (const active of ["f", "0", ""]) expect(await factorsOf(active)).toEqual([0, false]);
});

test("a user of Entra's directory of deleted ones is kept out, whatever their flag", async () => {
  const user = { id: "a", userPrincipalName: "ann", accountEnabled: true, mail: "ann@example.com" };
  const identities = [{ signInType: "emailAddress", issuerAssignedId: "ann@example.com" }];
  const at = async (deletedDateTime: string | null) =>
    readBy("entra", { ...user, identities, deletedDateTime });
  expect(await at(null)).toMatchObject({ exclusions: [] });
  expect(await at("2025-01-02T08:30:00Z")).toMatchObject({ exclusions: ["deleted"] });
});

test("a guest of Entra is kept out until the invitation is accepted", async () => {
  const user = { id: "a", userPrincipalName: "ann", accountEnabled: true, mail: "ann@example.com" };
  const at = async (externalUserState: string | null) =>
    readBy("entra", { ...user, identities: [], externalUserState });
  expect(await at(null)).toMatchObject({ exclusions: [] });
  expect(await at("Accepted")).toMatchObject({ exclusions: [] });
  expect(await at("PendingAcceptance")).toMatchObject({ exclusions: ["disabled"] });
});

test("Logto's table as JSON says of users who are let in that they are not suspended", async () => {
  const user = { id: "a", primary_email: "ann@example.com", password_encrypted: null };
  const at = async (is_suspended: boolean) => readBy("logto", { ...user, is_suspended });
  expect(await at(false)).toMatchObject({ exclusions: [] });
  expect(await at(true)).toMatchObject({ exclusions: ["disabled"] });
});

test("an email that Strapi doesn't call confirmed isn't verified", async () => {
  const user = { id: 1, email: "ann@example.com", provider: "google", blocked: false };
  const codes = { reset_password_token: null, confirmation_token: null };
  const at = async (confirmed: boolean | null) =>
    readBy("strapi", { ...user, ...codes, confirmed });
  expect(await at(true)).toMatchObject({ email: { verified: true } });
  expect(await at(null)).toMatchObject({ email: { verified: false } });
});

test("what --map says of a value of a system's own flag counts, and what it can't change is refused", async () => {
  const strapi = builtInMappings().find((one) => one.name === "strapi")!;
  const user = { id: 1, email: "ann@example.com", provider: "local", confirmed: true };
  const codes = { reset_password_token: null, confirmation_token: null };
  const readWith = async (map: Readonly<Record<string, string | readonly string[]>>) => {
    const bytes = Buffer.from(`${JSON.stringify({ ...user, ...codes, blocked: "On hold" })}\n`);
    const options = { ...PLAIN, map: new Map(Object.entries(map)) };
    const [item] = await collect(strapi.read("users.ndjson", pieces(bytes, 999), options));
    return item?.kind === "record" ? item.record.exclusions : item;
  };
  expect(await readWith({})).toMatchObject({
    code: "flag_invalid",
    hint: expect.stringContaining("--map active=blocked=VALUE"),
  });
  expect(await readWith({ active: "blocked=on hold" })).toEqual([]);
  expect(await readWith({ disabled: "blocked=on hold" })).toEqual(["disabled"]);
  const both = { active: "blocked=on hold", disabled: ["blocked=on hold"] };
  expect(await readWith(both)).toEqual(["disabled"]);
  await expect(readWith({ disabled: "blocked" })).rejects.toMatchObject({
    code: "input_unrecognized",
  });
  await expect(readWith({ email_verified: "confirmed=yes" })).rejects.toMatchObject({
    code: "input_unrecognized",
  });
});

test("columns of JSON are read as what they hold: Kratos' and Akamai's, as a database copies them", async () => {
  const hash = "$2b$04$mOGvN0d17mmgBnVHRryuHedcAtIVzlVCdw3cqHmscwijpV.HrtImO";
  const readTable = async (name: string, user: Readonly<Record<string, unknown>>) => {
    const cells = Object.values(user).map((value) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return `"${text.replaceAll('"', '""')}"`;
    });
    const table = `${Object.keys(user).join(",")}\n${cells.join(",")}\n`;
    const source = builtInMappings().find((one) => one.name === name)!;
    const [item] = await collect(source.read("users.csv", pieces(Buffer.from(table), 999), PLAIN));
    return item?.kind === "record" ? item.record : item;
  };
  const value = "ann@example.com";
  const password = { identifiers: [value], config: { hashed_password: hash } };
  const identity = { id: "a", schema_id: "default", state: "active", traits: { email: value } };
  const verifiable_addresses = [{ via: "email", value, verified: false }];
  expect(
    await readTable("kratos", { ...identity, verifiable_addresses, credentials: { password } }),
  ).toMatchObject({ email: { value, verified: false }, hash: { text: hash } });
  const record = { uuid: "a", email: value, emailVerified: "2024-01-02", deactivateAccount: "" };
  expect(
    await readTable("akamai", { ...record, password: { type: "password-bcrypt", value: hash } }),
  ).toMatchObject({ hash: { kind: "credential", credential: { type: "password-bcrypt" } } });
});

test("users of Entra and Zitadel without the field that says who is let in are told what to ask for", async () => {
  const mail = "ann@example.com";
  const graph = {
    id: "a",
    userPrincipalName: mail,
    mail,
    businessPhones: [],
    officeLocation: null,
  };
  const email = { email: mail, isVerified: true };
  const zitadel = { userId: "a", human: { profile: { givenName: "Ann" }, email } };
  for (const [name, user, field] of [
    ["entra", graph, "accountEnabled"],
    ["zitadel", zitadel, "state"],
  ] as const) {
    const text = `${JSON.stringify(user)}\n`;
    expect(detectSource({ path: "users.ndjson", text, complete: true }).source.name).toBe(name);
    expect(await readBy(name, user)).toMatchObject({
      code: "flag_invalid",
      hint: expect.stringMatching(new RegExp(`${field}.*the guide does`)),
    });
  }
});

test("Devise's open invitations keep out in a table of few columns, too", async () => {
  const user = { id: 1, email: "ann@example.com", encrypted_password: "x" };
  const text = "id,email,encrypted_password,invitation_token\n1,ann@example.com,x,abc\n";
  expect(detectSource({ path: "users.csv", text, complete: true }).source.name).toBe("devise");
  expect(await readBy("devise", { ...user, invitation_token: "abc" })).toMatchObject({
    exclusions: ["disabled"],
  });
});

test("Devise's table with its names in capitals is read as with small ones", async () => {
  const text = "ID,EMAIL,ENCRYPTED_PASSWORD,INVITATION_TOKEN\n1,ann@example.com,x,abc\n";
  const { source } = detectSource({ path: "users.csv", text, complete: true });
  expect(source.name).toBe("devise");
  const [item] = await collect(source.read("users.csv", pieces(Buffer.from(text), 999), PLAIN));
  expect(item).toMatchObject({ record: { sourceId: "1", exclusions: ["disabled"] } });
});

test("Casdoor's flags are read as PostgreSQL copies them", async () => {
  const user = { owner: "acme", id: "a", email: "ann@example.com", pre_hash: "" };
  const at = async (is_forbidden: string, is_deleted: string) =>
    readBy("casdoor", { ...user, is_forbidden, is_deleted });
  expect(await at("f", "f")).toMatchObject({ exclusions: [] });
  expect(await at("t", "f")).toMatchObject({ exclusions: ["disabled"] });
  expect(await at("f", "t")).toMatchObject({ exclusions: ["deleted"] });
});

test("Parse's accounts of other services are told from mongoexport's columns, too", async () => {
  const user = { _id: "a", username: "ann", email: "ann@example.com", _hashed_password: "" };
  const readWith = async (more: object) => readBy("parse", { ...user, ...more });
  expect(await readWith({ _auth_data_facebook: { id: "7" } })).toMatchObject({
    exclusions: [],
    notices: expect.arrayContaining(["social_identity_dropped"]),
  });
  expect(await readWith({ _auth_data_anonymous: { id: "7" } })).toMatchObject({
    exclusions: ["anonymous"],
  });
});

test("Discourse's table is known without the name in small letters, and with its names in capitals", async () => {
  const header = "id,username,email,active,trust_level,approved,must_approve_users,staged";
  const rows = ["1,ann,ann@example.com,t,1,f,f,f,", "2,bob,bob@example.com,t,1,f,t,f,"];
  for (const names of [header, header.toUpperCase()]) {
    const text = `${names},${names === header ? "suspended_till" : "SUSPENDED_TILL"}\n${rows.join("\n")}\n`;
    const { source } = detectSource({ path: "users.csv", text, complete: true });
    expect(source.name).toBe("discourse");
    const items = await collect(source.read("users.csv", pieces(Buffer.from(text), 999), PLAIN));
    expect(items).toMatchObject([
      { record: { sourceId: "1", exclusions: [] } },
      { record: { sourceId: "2", exclusions: ["disabled"] } },
    ]);
  }
});

test("users of SuperTokens over several lines are refused, and none of their ways in is taken for a user", async () => {
  const loginMethods = [
    { recipeId: "emailpassword", email: "ann@example.com", passwordHash: "x" },
    { recipeId: "passwordless", phoneNumber: "+15550100001" },
  ];
  const user = { externalUserId: "a", loginMethods, userRoles: [{ role: "admin" }] };
  for (const text of [
    `${JSON.stringify(user, null, 2)}\n`,
    `${JSON.stringify(user, null, 2)}\n`.repeat(2),
    `${JSON.stringify({ loginMethods }, null, 2)}\n`.repeat(2),
  ]) {
    const { source } = detectSource({ path: "users.json", text, complete: true });
    expect(source.name).toBe("supertokens");
    const reading = source.read("users.json", pieces(Buffer.from(text), 999), PLAIN);
    await expect(collect(reading)).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringMatching(/jq -c/),
    });
  }
  const lines = `${JSON.stringify(user)}\n`.repeat(2);
  const { source } = detectSource({ path: "users.json", text: lines, complete: true });
  const read = await collect(source.read("users.json", pieces(Buffer.from(lines), 999), PLAIN));
  expect(read).toMatchObject([{ record: { sourceId: "a" } }, { record: { sourceId: "a" } }]);
});
