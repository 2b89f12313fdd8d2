import { describe, expect, test } from "vitest";
import { detectSource } from "../../../src/source/detect.js";
import { findSource } from "../../../src/source/registry.js";
import { headOf, readOnly, readUsers } from "../read-users.js";
import { PLAIN } from "../support.js";

const supabase = findSource("supabase")!;

const PAST = "2023-09-01 10:00:00+00";
const LATER = "2024-01-01 00:00:00+00";
const LAST = "2024-06-29 20:25:06+00";
const NOW = Date.UTC(2024, 6, 1);

const ann = {
  id: "0f5b2c1e-1111-4a2b-8c3d-000000000001",
  email: "ann@example.com",
  encrypted_password: "",
  email_confirmed_at: PAST,
  raw_app_meta_data: { provider: "email", providers: ["email"] },
  raw_user_meta_data: {},
  banned_until: null,
};

function readText(text: string) {
  return readUsers(supabase, text, { ...PLAIN, now: NOW });
}

function readOne(user: object) {
  return readOnly(supabase, JSON.stringify([user]), { ...PLAIN, now: NOW });
}

function withProviders(...providers: string[]): object {
  return { ...ann, raw_app_meta_data: { provider: providers[0], providers } };
}

describe("a Supabase phone", () => {
  test.each([
    ["15550100001", "+15550100001"],
    ["+15550100001", "+15550100001"],
    ["447700900104", "+447700900104"],
  ])("%s is stored as %s, whatever the default country", async (phone, value) => {
    const user = { ...ann, phone, phone_confirmed_at: PAST };
    expect(await readOne(user)).toMatchObject({ phone: { value, verified: true } });
    expect(await readOne({ ...user, phone_confirmed_at: null })).toMatchObject({
      phone: { value, verified: false },
    });
  });
});

describe("a Supabase email", () => {
  test.each([
    [true, { email_confirmed_at: PAST }],
    [false, { email_confirmed_at: null }],
    [false, { email_confirmed_at: "" }],
    [true, { email_confirmed_at: "29/06/2024 20:25" }],
    [false, { email_confirmed_at: "29/06/24 20:25" }],
    [false, { email_confirmed_at: null, confirmed_at: PAST, phone: "15550100001" }],
  ])("is verified: %s (%#)", async (verified, more) => {
    expect(await readOne({ ...ann, ...more })).toMatchObject({ email: { verified } });
  });

  test.each([
    ["id,email,encrypted_password,aud,banned_until\nu1,ann@example.com,,authenticated,\n", null],
    [
      `id,email,encrypted_password,aud,banned_until,confirmed_at\nu1,ann@example.com,,,,${PAST}\n`,
      true,
    ],
    ["id,email,encrypted_password,aud,banned_until,confirmed_at\nu1,ann@example.com,,,,\n", false],
    [
      `id,email,phone,encrypted_password,aud,banned_until,confirmed_at\nu1,ann@example.com,15550100001,,,,${PAST}\n`,
      false,
    ],
  ])("is judged by what columns a table has (%#)", async (text, verified) => {
    expect(await readText(text)).toMatchObject([{ email: { verified } }]);
  });
});

describe("a Supabase user is kept out", () => {
  test.each([
    [null, { banned_until: null }],
    [null, { banned_until: LATER }],
    [null, { banned_until: LATER, last_sign_in_at: PAST, updated_at: PAST }],
    [null, { banned_until: "2024-07-01 00:00:00+00" }],
    [null, { banned_until: "-infinity" }],
    ["disabled", { banned_until: "2024-07-01 00:00:01+00" }],
    ["disabled", { banned_until: "infinity" }],
    ["disabled", { banned_until: "12024-01-01 00:00:00+00" }],
    ["deleted", { deleted_at: LAST, banned_until: LATER }],
    ["deleted disabled", { deleted_at: LAST, banned_until: "infinity" }],
    ["anonymous", { is_anonymous: true, email: "" }],
    ["anonymous", { is_anonymous: "t" }],
    ["sso_only", { is_sso_user: true }],
    ["sso_only", { is_sso_user: "true", encrypted_password: "x" }],
  ])("as %s (%#)", async (exclusion, more) => {
    expect(await readOne({ ...ann, ...more })).toMatchObject({
      exclusions: exclusion?.split(" ") ?? [],
    });
  });

  test("by a ban alone: a table that says nothing of bans is refused, as CSV and as JSON", async () => {
    const { banned_until: _, ...user } = ann;
    for (const text of [
      "id,email,encrypted_password,aud\nu1,ann@example.com,,authenticated\n",
      JSON.stringify([user]),
    ]) {
      await expect(readText(text)).rejects.toMatchObject({
        code: "input_unrecognized",
        hint: expect.stringContaining('with "banned_until"'),
      });
    }
    const { encrypted_password: _hash, ...answer } = user;
    expect(await readOne(answer)).toMatchObject({ exclusions: [] });
  });

  test("by a ban that the skip's hint names, in a table as well", async () => {
    const because = { disabled: expect.stringMatching(/^banned_until /) };
    expect(await readOne({ ...ann, banned_until: "infinity" })).toMatchObject({ because });
    const text = `id,email,encrypted_password,aud,banned_until\nu1,ann@example.com,,,${LATER}\nu2,ben@example.com,,,infinity\n`;
    expect(await readText(text)).toMatchObject([
      { exclusions: [] },
      { exclusions: ["disabled"], because },
    ]);
  });

  test.each([
    [null, ["email"]],
    [null, ["google"]],
    [null, ["email", "sso:21648a9d-8d5a-4555-a9d1-d6375dc14e92"]],
    [null, []],
    ["sso_only", ["sso:21648a9d-8d5a-4555-a9d1-d6375dc14e92"]],
    ["sso_only", ["keycloak"]],
    ["sso_only", ["custom:acme"]],
  ])("as %s for signing in with %j alone", async (exclusion, providers) => {
    expect(await readOne(withProviders(...providers))).toMatchObject({
      exclusions: exclusion?.split(" ") ?? [],
    });
  });

  test("or let in where a password is beside an identity provider", async () => {
    const user = { ...withProviders("keycloak"), encrypted_password: "$2a$10$x" };
    expect(await readOne(user)).toMatchObject({ exclusions: [] });
  });

  test.each([
    ["banned_until", "soon"],
    ["is_anonymous", "perhaps"],
    ["is_sso_user", "2"],
  ])("or rejected where %s can't be read", async (column, text) => {
    expect(await readOne({ ...ann, [column]: text })).toContain(
      `flag_invalid: The user's "${column}"`,
    );
  });

  test("or rejected where nobody can read how the user signs in", async () => {
    const user = { ...ann, raw_app_meta_data: '{\\"provider\\":\\"email\\"}' };
    expect(await readOne(user)).toMatch(/^row_malformed: .*raw_app_meta_data/);
  });
});

describe("notices of a Supabase user", () => {
  test.each([
    [["social_identity_dropped"], withProviders("email", "google")],
    [["profile_not_migrated"], { ...ann, raw_user_meta_data: { full_name: "Ann" } }],
    [["metadata_not_migrated"], { ...ann, raw_user_meta_data: { plan: "pro", sub: "1" } }],
    [["metadata_not_migrated"], { ...ann, raw_app_meta_data: { provider: "email", org: 1 } }],
    [["joined_not_migrated"], { ...ann, created_at: "2024-06-29 20:25:06.126079+00" }],
    [["mfa_not_migrated"], { ...ann, factors: [{ status: "verified" }] }],
    [[], { ...ann, factors: [{ status: "unverified" }] }],
    [["roles_not_migrated"], { ...ann, role: "service_role" }],
    [["roles_not_migrated"], { ...ann, aud: "admins" }],
    [["roles_not_migrated"], { ...ann, is_super_admin: true }],
    [[], { ...ann, role: "authenticated", aud: "authenticated", is_super_admin: null }],
    [["other_contacts_not_migrated"], { ...ann, email_change: "new@example.com" }],
    [["other_contacts_not_migrated"], { ...ann, phone_change: "15550100002" }],
    [["identities_not_exported"], { ...ann, raw_app_meta_data: undefined, encrypted_password: "" }],
    [[], { ...withProviders("email"), encrypted_password: "" }],
    [["password_not_exported"], { ...withProviders("email"), encrypted_password: undefined }],
    [["social_identity_dropped"], { ...withProviders("google"), encrypted_password: undefined }],
  ])("are %j (%#)", async (notices, user) => {
    expect(await readOne(user)).toMatchObject({ notices });
  });
});

describe("a Supabase file", () => {
  test.each([
    "id,email,encrypted_password,instance_id\n",
    "raw_app_meta_data,id,phone\n",
    "encrypted_password,email,aud,id\n",
    '[{"id":"1","email":"","app_metadata":{},"aud":"authenticated"}]',
    '{"users":[{"id":"1","email":"","app_metadata":{},"aud":"authenticated"}]}',
    '{"id":"1","email":"","encrypted_password":"","raw_user_meta_data":{}}\n',
  ])("is recognized in any order and choice of columns (%#)", (text) => {
    expect(detectSource(headOf(text)).source.name).toBe("supabase");
  });

  test.each([
    "id,email,encrypted_password,confirmed_at\n",
    "id,email,aud\n",
    '[{"id":"1","email":"","app_metadata":{}}]',
  ])("is not what others write, too (%#)", (text) => {
    expect(supabase.recognize(headOf(text))).toBeNull();
  });

  test.each([
    [
      "identities",
      "provider_id,user_id,identity_data,provider,last_sign_in_at,created_at,updated_at,email,id\nx,u1,{},google,,,,ann@example.com,i1\n",
    ],
    [
      "mfa_factors",
      "id,user_id,friendly_name,factor_type,status,created_at,updated_at,secret,phone\nf1,u1,,phone,verified,,,,+15550100001\n",
    ],
    ["identities", '[{"id":"i1","user_id":"u1","identity_data":{},"email":"ann@example.com"}]'],
  ])("of %s is refused, because nobody in it is a user", async (name, text) => {
    expect(detectSource(headOf(text)).source.name).toBe("supabase");
    await expect(readText(text)).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining(name),
      hint: expect.stringContaining("users"),
    });
  });

  test.each(["NULL", "\\N", ""])("may write its NULL as %j", async (nothing) => {
    const columns = "id,email,phone,encrypted_password,raw_app_meta_data,banned_until,deleted_at";
    const row = `u1,ann@example.com,${Array.from({ length: 5 }, () => nothing).join(",")}`;
    expect(await readText(`${columns}\n${row}\n`)).toMatchObject([
      { phone: null, hash: null, exclusions: [], notices: [] },
    ]);
  });
});
