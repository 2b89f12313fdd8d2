import { describe, expect, test } from "vitest";
import { detectSource, namedSource } from "../../../../src/source/detect.js";
import { auth0 } from "../../../../src/source/vendors/auth0/auth0.js";
import { headOf, readOnly } from "../../read-users.js";

function readOne(user: object) {
  return readOnly(auth0, `${JSON.stringify(user)}\n`);
}

function recognize(text: string): string | null {
  return auth0.recognize(headOf(text));
}

const database = { provider: "auth0", user_id: "a1", connection: "main", isSocial: false };
const google = { provider: "google-oauth2", user_id: "g1", connection: "google-oauth2" };
const ann = { user_id: "auth0|a1", email: "ann@example.com", email_verified: true };
const bea = { email: "bea@example.org", email_verified: true };

describe("an Auth0 file is recognized", () => {
  test.each([
    ["a line", `${JSON.stringify(ann)}\n`],
    ["a page of the Management API", JSON.stringify({ start: 0, users: [ann] })],
    ["a bulk import", '[{"email":"ann@example.com","custom_password_hash":{}}]'],
    ["a table of the job", `"user_id","email"\n"'auth0|a1","'ann@example.com"\n`],
    ["a table of the extension", "Id\tEmail\nsms|65ff\t\n"],
  ])("as %s", (_title, text) => {
    expect(recognize(text)).not.toBeNull();
  });

  test.each([
    ["an application's own ids", '{"user_id":"4711","email":"ann@example.com"}\n'],
    ["a provider that Auth0 doesn't have", '{"user_id":"acme|4711"}\n'],
    ["an application's own table", "user_id,email\n4711,ann@example.com\n"],
    ["a table in which only a name looks like an id", "user_id,name\n4711,the auth0|a1 case\n"],
    ["an application's own documents", '{"_id":{"$oid":"a1"},"passwordHash":"$2b$10$"}\n'],
    ["nothing", ""],
  ])("by nothing in %s", (_title, text) => {
    expect(recognize(text)).toBeNull();
  });
});

describe("Auth0's password export as a users' file", () => {
  const line = {
    _id: { $oid: "64f0c1d2e3a4b5c6d7e8f901" },
    email_verified: true,
    email: "ann@example.com",
    passwordHash: "$2b$04$mOGvN0d17mmgBnVHRryuHedcAtIVzlVCdw3cqHmscwijpV.HrtImO",
    password_set_date: { $date: "2023-09-01T10:00:00.000Z" },
    tenant: "acme",
    connection: "Username-Password-Authentication",
  };
  const { _id, ...rest } = line;

  test.each([
    ["a line a user", `${JSON.stringify(line)}\n`],
    ["an array", JSON.stringify([line])],
    ["the support's older _ID", `${JSON.stringify({ _ID: _id, ...rest })}\n`],
  ])("is refused with the command that it belongs to, as %s", (_title, text) => {
    const head = { path: "passwords.ndjson", text, complete: true };
    const refusal = expect.objectContaining({
      code: "input_unrecognized",
      message: "passwords.ndjson is Auth0's password export, which has no users",
      hint: expect.stringContaining("--password-export passwords.ndjson"),
    });
    expect(() => detectSource(head)).toThrow(refusal);
    expect(() => namedSource(head, auth0)).toThrow(refusal);
  });

  test("is no users' export that brings its hashes along", () => {
    expect(recognize(`${JSON.stringify({ ...line, user_id: "auth0|a1" })}\n`)).not.toBeNull();
  });
});

describe("an Auth0 user's identities", () => {
  test.each([
    [null, [database]],
    [null, [{ ...google, isSocial: true }]],
    [null, [google]],
    [null, [{ provider: "oauth2", connection: "discord", isSocial: true }]],
    ["sso_only", [{ provider: "oauth2", connection: "discord" }]],
    ["sso_only", [{ provider: "unheard-of", connection: "acme" }]],
    ["sso_only", [{ provider: "samlp", connection: "acme", isSocial: false }]],
    // Okta is an organization's provider here, whatever it is elsewhere.
    ["sso_only", [{ provider: "okta", connection: "acme" }]],
    ["sso_only", [{ provider: "waad", connection: "acme", isSocial: true }]],
    ["sso_only", [{ ...google, isSocial: false }]],
    ["sso_only", [{ provider: "samlp" }, { ...google, isSocial: true }]],
    [null, [{ provider: "samlp" }, { ...google, isSocial: true, profileData: bea }]],
  ])("keep them out as %s (%#)", async (exclusion, identities) => {
    expect(await readOne({ ...ann, identities })).toMatchObject({
      exclusions: exclusion?.split(" ") ?? [],
    });
  });

  test("are those of the user_id where there is no list of them", async () => {
    expect(await readOne(ann)).toMatchObject({
      exclusions: [],
      passwordKeys: ["id a1", 'login "" ann@example.com'],
    });
    expect(await readOne({ ...ann, user_id: "adfs|a1" })).toMatchObject({
      exclusions: ["sso_only"],
    });
    expect(await readOne({ ...ann, identities: [], user_id: "sms|a1" })).not.toHaveProperty(
      "passwordKeys",
    );
  });

  test("that nobody names reject the user", async () => {
    expect(await readOne({ email: "ann@example.com" })).toMatch(
      /^row_malformed: .*neither a user_id nor/,
    );
  });

  test("give the email that the password belongs to", async () => {
    const linked = { ...database, profileData: bea };
    const user = { ...ann, user_id: "google-oauth2|g1", identities: [google, linked] };
    expect(await readOne(user)).toMatchObject({
      email: { value: "bea@example.org", verified: true },
      notices: expect.arrayContaining(["other_contacts_not_migrated"]),
      passwordKeys: ["id a1", 'login "main" bea@example.org'],
    });
  });

  test("of an organization give no email beside another", async () => {
    const user = { ...ann, identities: [{ provider: "samlp" }, { ...database, profileData: bea }] };
    expect(await readOne(user)).toMatchObject({
      email: { value: "bea@example.org" },
      exclusions: [],
    });
  });

  test("give keys of one database alone: another one's password goes with another email", async () => {
    const other = { ...database, user_id: "b2", profileData: bea };
    expect(await readOne({ ...ann, identities: [database, other] })).toMatchObject({
      email: { value: "ann@example.com" },
      passwordKeys: ["id a1", 'login "main" ann@example.com'],
    });
  });
});

describe("an Auth0 contact is verified", () => {
  test.each([
    [true, { email_verified: true }],
    [true, { email_verified: "true" }],
    [false, { email_verified: false }],
    [false, { email_verified: null }],
    [false, { email_verified: "soon" }],
    [false, {}],
  ])("%s (%#)", async (verified, flag) => {
    const { email_verified: _flag, ...plain } = ann;
    expect(await readOne({ ...plain, ...flag })).toMatchObject({ email: { verified } });
  });

  test("where a code was sent to it, unless Auth0 says otherwise", async () => {
    const sms = { user_id: "sms|a1", phone_number: "+15550100001" };
    expect(await readOne(sms)).toMatchObject({ phone: { verified: true } });
    expect(await readOne({ ...sms, phone_verified: false })).toMatchObject({
      phone: { verified: false },
    });
    expect(await readOne({ ...sms, user_id: "auth0|a1" })).toMatchObject({
      phone: { verified: false },
    });
  });
});

describe("an Auth0 account is blocked", () => {
  test.each([
    ["disabled", true],
    ["disabled", "true"],
    [null, false],
    [null, null],
  ])("%s (%#)", async (exclusion, blocked) => {
    expect(await readOne({ ...ann, blocked })).toMatchObject({
      exclusions: exclusion?.split(" ") ?? [],
    });
  });

  test("or not: what says neither clearly rejects the user, and isn't repeated", async () => {
    expect(await readOne({ ...ann, blocked: "since May" })).toMatch(
      /^flag_invalid: "blocked" doesn't say/,
    );
    const table = "user_id,email,blocked\nauth0|a1,ann@example.com,since May\n";
    expect(await readOnly(auth0, table)).toMatch(/^flag_invalid: "blocked" doesn't say/);
  });
});

describe("a table of the export job", () => {
  const row = (line: string) => readOnly(auth0, `user_id,email,email_verified,name\n${line}\n`);

  test("loses the ' before its texts, and no other", async () => {
    expect(await row(`"'auth0|a1","'o'hara@example.com",true,"'"`)).toMatchObject({
      sourceId: "auth0|a1",
      email: { value: "o'hara@example.com" },
      notices: ["bans_not_exported", "identities_not_exported", "password_not_exported"],
    });
  });

  test("says that nothing tells who is blocked, unless it has the column", async () => {
    const notices = expect.arrayContaining(["bans_not_exported"]);
    expect(await row("auth0|a1,ann@example.com,true,Ann")).toMatchObject({ notices });
    const table = "user_id,email,blocked\nauth0|a1,ann@example.com,\n";
    expect(await readOnly(auth0, table)).not.toMatchObject({ notices });
  });

  test("loses one ' alone: without the second it would be another address", async () => {
    expect(await row(`"'auth0|a1","''ann@example.com",true,""`)).toMatch(/^email_escaped: /);
  });

  test("keeps what begins with ' where nothing has one put before it", async () => {
    expect(await row("auth0|a1,'ann@example.com,true,")).toMatch(/^email_escaped: /);
  });

  test("has linked identities in columns", async () => {
    const header =
      "user_id,email,email_verified,identities[0].provider,identities[1].provider,identities[1].isSocial";
    const row = "samlp|a1,ann@example.com,true,samlp,oauth2,true";
    expect(await readOnly(auth0, `${header}\n${row}\n`)).toMatchObject({
      exclusions: ["sso_only"],
    });
  });
});

describe("a hash of a bulk import file", () => {
  const bcrypt = `$2b$10$${"a".repeat(53)}`;
  const custom = (fields: object, beside: object = {}) =>
    readOne({ ...ann, custom_password_hash: { algorithm: "bcrypt", hash: fields, ...beside } });

  test("is the text alone where nothing else takes part in it", async () => {
    for (const user of [
      await custom({ value: bcrypt }),
      await custom({ value: bcrypt, encoding: "utf8" }),
      await readOne({ ...ann, password_hash: bcrypt }),
      await readOne({ ...ann, passwordHash: bcrypt, password_hash: "" }),
    ]) {
      expect(user).toMatchObject({ hash: { kind: "text", text: bcrypt }, notices: [] });
    }
  });

  test.each([
    ["a salt", { value: bcrypt, salt: { value: "x" } }, {}],
    ["a salt around it", { value: bcrypt }, { salt: { value: "x" } }],
    ["another encoding", { value: bcrypt, encoding: "hex" }, {}],
    ["a password of another encoding", { value: bcrypt }, { password: { encoding: "utf16le" } }],
    ["another algorithm", { value: bcrypt }, { algorithm: "argon2" }],
    ["a key", { value: bcrypt, key: { value: "x" } }, {}],
  ])("is handed on whole beside %s", async (_title, hash, beside) => {
    expect(await custom(hash, beside)).toMatchObject({ hash: { kind: "credential" } });
  });

  test("is refused beside another", async () => {
    expect(
      await readOne({ ...ann, password_hash: bcrypt, custom_password_hash: { algorithm: "md5" } }),
    ).toMatch(/^row_malformed: .*more than one password hash/);
  });
});
