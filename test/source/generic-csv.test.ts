import { describe, expect, test } from "vitest";
import { genericCsv } from "../../src/source/generic-csv.js";
import type { ReadOptions, SourceItem } from "../../src/source/source.js";
import { collect, PLAIN, pieces } from "./support.js";

const BCRYPT = "$2a$10$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";

function read(text: string, options: Partial<ReadOptions> = {}): Promise<SourceItem[]> {
  const bytes = pieces(Buffer.from(text), 50);
  return collect(genericCsv.read("users.csv", bytes, { ...PLAIN, ...options }));
}

/** The one row's record, or its reject's code. */
async function readOne(text: string, options: Partial<ReadOptions> = {}) {
  const [item] = await read(text, options);
  return item?.kind === "record" ? item.record : item?.kind === "reject" ? item.code : item?.kind;
}

describe("a generic CSV row", () => {
  test.each([
    ["id", "email", "phone", "password_hash"],
    ["User ID", "E-Mail", "Phone Number", "Password Hash"],
    ["user_id", "email_address", "mobile", "encrypted_password"],
    ["UID", "Primary-Email", "phoneNumber", "passwordDigest"],
    ["sub", "mail", "telephone", "passwd"],
    ["uuid", "EMAIL", "PHONE", "password"],
  ])("is read under the names %s, %s, %s, %s", async (...names) => {
    const row = `7,ann@example.com,+15550100001,${BCRYPT}`;
    expect(await readOne(`${names.join(",")}\n${row}\n`)).toEqual({
      sourceId: "7",
      email: { value: "ann@example.com", verified: null },
      phone: { value: "+15550100001", verified: null },
      hash: { kind: "text", text: BCRYPT },
      exclusion: null,
      notices: [],
    });
  });

  test("takes a password column for the hash only where no clearer one is there", async () => {
    const text = `email,password,password_hash\nann@example.com,x,${BCRYPT}\n`;
    expect(await readOne(text)).toMatchObject({ hash: { text: BCRYPT } });
  });

  test("has no value where the database wrote NULL", async () => {
    expect(await readOne("id,email,phone,hash\nNULL,ann@example.com,\\N,NULL\n")).toMatchObject({
      sourceId: null,
      phone: null,
      hash: null,
    });
  });

  test.each([
    ["email_verified", "true", true],
    ["email_verified", "0", false],
    ["email_verified", "", null],
    ["email_verified", "2024-01-02T03:04:05Z", true],
    ["email_verified", "unclear", false],
    ["email_confirmed_at", "2024-01-02 03:04:05", true],
    ["email_confirmed_at", "", false],
    ["email_verified_at", "0000-00-00 00:00:00", false],
    ["email_verified_at", "NULL", false],
    ["verified", "f", false],
  ])("under %s with %j has an email that is verified: %s", async (column, value, verified) => {
    expect(await readOne(`email,${column}\nann@example.com,${value}\n`)).toMatchObject({
      email: { verified },
    });
  });

  test("has an unverified email where one of several columns says so", async () => {
    const text = "email,email_verified,email_confirmed_at\nann@example.com,true,\n";
    expect(await readOne(text)).toMatchObject({ email: { verified: false } });
  });

  test.each([
    ["disabled", "true", "disabled"],
    ["disabled", "", null],
    ["blocked", "1", "disabled"],
    ["banned", "no", null],
    ["is_active", "false", "disabled"],
    ["is_active", "1", null],
    ["enabled", "t", null],
    ["status", "Disabled", "disabled"],
    ["status", "active", null],
    ["status", "deleted", "deleted"],
    ["deleted_at", "2024-01-02 03:04:05", "deleted"],
    ["deleted_at", "0000-00-00", null],
    ["is_anonymous", "true", "anonymous"],
  ])("under %s with %j is kept out as %s", async (column, value, exclusion) => {
    expect(await readOne(`email,${column}\nann@example.com,${value}\n`)).toMatchObject({
      exclusion,
    });
  });

  test.each([
    ["is_active", ""],
    ["is_active", "perhaps"],
    ["disabled", "perhaps"],
    ["status", "gold"],
  ])("is rejected where %s doesn't say clearly who is let in (%#)", async (column, value) => {
    expect(await readOne(`email,${column}\nann@example.com,${value}\n`)).toBe("flag_invalid");
  });

  test("hands a hash beside a filled salt on with it, whatever the two are", async () => {
    const bare = "email,hash,salt\nann@example.com,aGFzaA==,c2FsdA==\n";
    expect(await readOne(bare)).toMatchObject({
      hash: { kind: "salted", hash: "aGFzaA==", salt: "c2FsdA==" },
    });
    const complete = `email,hash,salt\nann@example.com,${BCRYPT},c2FsdA==\n`;
    expect(await readOne(complete)).toMatchObject({ hash: { kind: "salted", hash: BCRYPT } });
    expect(await readOne(complete.replace("c2FsdA==", " "))).toMatchObject({
      hash: { kind: "text", text: BCRYPT },
    });
    expect(await readOne("email,hash,salt\nann@example.com,,c2FsdA==\n")).toMatchObject({
      hash: null,
    });
  });

  test("that is disabled is kept out, whatever its hash and salt", async () => {
    const text = `email,hash,salt,disabled\nann@example.com,${BCRYPT},c2FsdA==,true\n`;
    expect(await readOne(text)).toMatchObject({ exclusion: "disabled", hash: { kind: "salted" } });
  });

  test("hands a JSON object in the hash column on as text", async () => {
    const object = '{"algorithm":"BCRYPT","workFactor":10}';
    const text = `email,hash\nann@example.com,"${object.replaceAll('"', '""')}"\n`;
    expect(await readOne(text)).toMatchObject({ hash: { kind: "text", text: object } });
  });

  test("has one notice for any number of filled columns without a place", async () => {
    const header = "email,first_name,last_name,created,totp_secret";
    expect(await readOne(`${header}\nann@example.com,Ann,Lee,2024,\n`)).toMatchObject({
      notices: ["profile_not_migrated"],
    });
    expect(await readOne(`${header}\nann@example.com,,,,JBSWY3DP\n`)).toMatchObject({
      notices: ["mfa_not_migrated"],
    });
    expect(await readOne(`${header}\nann@example.com,,,,\n`)).toMatchObject({ notices: [] });
  });
});

describe("--map", () => {
  const text = "Nr;Kontakt;Kennwort;ok;weg\n7;ann@example.com;x;0;1\n";

  test("names the columns that no common name gives", async () => {
    const map = new Map([
      ["id", "Nr"],
      ["email", "kontakt"],
      ["hash", "Kennwort"],
      ["email_verified", "ok"],
      ["disabled", "weg"],
    ]);
    expect(await readOne(text, { map })).toEqual({
      sourceId: "7",
      email: { value: "ann@example.com", verified: false },
      phone: null,
      hash: { kind: "text", text: "x" },
      exclusion: "disabled",
      notices: [],
    });
  });

  test("wins over a common name, and settles which of two is meant", async () => {
    const two = "email,primary_email\nold@example.com,ann@example.com\n";
    await expect(read(two)).rejects.toMatchObject({
      code: "input_ambiguous",
      hint: expect.stringContaining("--map email=COLUMN"),
    });
    expect(await readOne(two, { map: new Map([["email", "primary_email"]]) })).toMatchObject({
      email: { value: "ann@example.com" },
    });
  });

  test("keeps the meaning of a known column that is inverted", async () => {
    const map = new Map([["disabled", "is_active"]]);
    expect(await readOne("email,is_active\nann@example.com,true\n", { map })).toMatchObject({
      exclusion: null,
    });
  });

  test("refuses a column that isn't there, naming those that are", async () => {
    await expect(read(text, { map: new Map([["email", "Mail"]]) })).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining('"Mail"'),
      hint: expect.stringContaining('"Nr", "Kontakt", "Kennwort"'),
    });
  });

  test("refuses a field that isn't there, naming those that are", async () => {
    await expect(read(text, { map: new Map([["mail", "Kontakt"]]) })).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringContaining("email_verified"),
    });
  });
});

describe("a header", () => {
  test("without an email or a phone is refused, naming the columns", async () => {
    await expect(read("name,colour\nAnn,red\n")).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringMatching(/"name", "colour".*--map/),
    });
  });

  test("with a name twice is refused, whatever its case", async () => {
    await expect(read("id,Email,e-mail\n1,a,b\n")).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining('"e-mail" twice'),
    });
  });

  test("that is really somebody's data is not shown", async () => {
    const rejection = read(`7,ann@example.com,${BCRYPT},+15550100001\n`).catch(String);
    expect(String(await rejection)).not.toMatch(/ann|\$2a|5550100001/);
  });

  test("alone is an export without users", async () => {
    expect(await read("id,email\n")).toEqual([]);
  });
});
