import { describe, expect, test } from "vitest";
import { detectSource } from "../../../src/source/detect.js";
import { findSource } from "../../../src/source/registry.js";
import { headOf, readOnly, readUsers } from "../read-users.js";

const clerk = findSource("clerk")!;

const COLUMNS =
  "id,primary_email_address,primary_phone_number,verified_email_addresses,unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,username,totp_secret,password_digest,password_hasher,banned";

/** @param cells by column; the rest is empty */
function readRow(cells: Record<string, string>) {
  const row = COLUMNS.split(",").map((name) => `"${cells[name] ?? ""}"`);
  return readOnly(clerk, `${COLUMNS}\n${row.join(",")}\n`);
}

function email(value: string, status: string | null = "verified"): object {
  return { id: `id-${value}`, email_address: value, verification: status && { status } };
}

const ann = {
  id: "user_2ann",
  primary_email_address_id: "id-ann@example.com",
  primary_phone_number_id: null,
  email_addresses: [email("ann@example.com")],
  phone_numbers: [],
  password_enabled: false,
};

function readOne(more: object) {
  return readOnly(clerk, JSON.stringify([{ ...ann, ...more }]));
}

describe("a row of Clerk's dashboard", () => {
  const row = { id: "user_2ann", primary_email_address: "ann@example.com" };

  test.each([
    [true, { verified_email_addresses: "ann@example.com" }],
    [true, { verified_email_addresses: "ANN@example.com,x@example.com" }],
    [true, { verified_email_addresses: "x@example.com|ann@example.com" }],
    [false, { unverified_email_addresses: "ann@example.com" }],
    [false, { verified_email_addresses: "x@example.com" }],
    [false, {}],
  ])("has its primary email verified: %s (%#)", async (verified, lists) => {
    expect(await readRow({ ...row, ...lists })).toMatchObject({
      email: { value: "ann@example.com", verified },
    });
  });

  test("keeps what stands behind the TAB that guards a cell, and every other TAB", async () => {
    const guarded = { id: "user_2ann", primary_email_address: "\t-ann@example.com" };
    expect(await readRow(guarded)).toMatchObject({ email: { value: "-ann@example.com" } });
    const digest = { password_digest: "\tx", password_hasher: "bcrypt" };
    expect(await readRow({ ...row, ...digest })).toMatchObject({
      hash: { credential: { password_digest: "\tx", password_hasher: "bcrypt" } },
    });
  });

  test("has a digest with the name of its hasher, or alone as text", async () => {
    const digest = { password_digest: "$2a$10$x" };
    expect(await readRow({ ...row, ...digest, password_hasher: "bcrypt" })).toMatchObject({
      hash: {
        kind: "credential",
        credential: { password_digest: "$2a$10$x", password_hasher: "bcrypt" },
      },
    });
    expect(await readRow({ ...row, ...digest })).toMatchObject({
      hash: { kind: "text", text: "$2a$10$x" },
    });
    expect(await readRow({ ...row, password_hasher: "bcrypt" })).toMatchObject({
      hash: { kind: "credential", credential: { password_digest: "", password_hasher: "bcrypt" } },
    });
  });

  test("with a column that says banned is kept out, and rejected where it says nothing", async () => {
    expect(await readRow({ ...row, banned: "true" })).toMatchObject({ exclusions: ["disabled"] });
    expect(await readRow({ ...row, banned: "false" })).toMatchObject({ exclusions: [] });
    expect(await readRow({ ...row, banned: "maybe" })).toMatch(/^flag_invalid: /);
  });

  test("has a notice where no column says who is banned, and none where it is empty", async () => {
    const digest = { password_digest: `$2a$10$${"a".repeat(53)}`, password_hasher: "bcrypt" };
    expect(await readRow({ ...row, ...digest, banned: "" })).toMatchObject({ notices: [] });
    const own = "id,primary_email_address,password_digest,password_hasher";
    const line = `user_2ann,ann@example.com,${digest.password_digest},bcrypt`;
    expect(await readOnly(clerk, `${own}\n${line}\n`)).toMatchObject({
      notices: ["bans_not_exported"],
    });
  });
});

describe("a user of Clerk's Backend API", () => {
  test("has no phone that only confirms sign-ins", async () => {
    const phone = { phone_number: "+15550100001", verification: { status: "verified" } };
    const phone_numbers = [{ ...phone, reserved_for_second_factor: true }];
    expect(await readOne({ phone_numbers })).toMatchObject({
      phone: null,
      notices: ["mfa_not_migrated"],
    });
    expect(await readOne({ phone_numbers: [phone] })).toMatchObject({
      phone: { value: "+15550100001", verified: true },
    });
  });

  const saml = { enterprise_accounts: [{ provider: "saml_okta" }] };
  const google = { external_accounts: [{ provider: "oauth_google" }] };
  test.each([
    ["disabled", { banned: true }],
    ["disabled", { locked: true, lockout_expires_in_seconds: 60 }],
    ["sso_only", saml],
    ["sso_only", { saml_accounts: [{ provider: "saml_okta" }] }],
    ["sso_only", { external_accounts: [{ provider: "oauth_custom_acme" }] }],
    [null, google],
    [null, { ...saml, ...google }],
    [null, { ...saml, password_enabled: true }],
    [null, { banned: false, locked: false }],
  ])("is kept out as %s (%#)", async (exclusion, more) => {
    expect(await readOne(more)).toMatchObject({
      exclusions: exclusion?.split(" ") ?? [],
    });
  });

  test.each([
    ["social_identity_dropped", google],
    ["social_identity_dropped", { web3_wallets: [{ web3_wallet: "0x1" }] }],
    ["profile_not_migrated", { first_name: "Ann" }],
    ["profile_not_migrated", { has_image: true }],
    ["metadata_not_migrated", { private_metadata: { plan: "pro" } }],
    ["mfa_not_migrated", { totp_enabled: true }],
    ["mfa_not_migrated", { backup_code_enabled: true }],
    ["passkey_not_migrated", { passkeys: [{}] }],
    ["joined_not_migrated", { created_at: 1693562400000 }],
    ["username_not_migrated", { username: "annie" }],
    ["roles_not_migrated", { organization_memberships: [{}] }],
    ["password_not_exported", { password_enabled: true }],
  ])("has the notice %s (%#)", async (notice, more) => {
    expect(await readOne(more)).toMatchObject({ notices: [notice] });
  });

  test("has no notice for a second factor that is off, and no passkey where the list is empty", async () => {
    const off = { totp_enabled: false, two_factor_enabled: false, backup_code_enabled: false };
    expect(await readOne({ ...off, passkeys: [], totp_secret: null })).toMatchObject({
      notices: [],
    });
  });

  test("of another shape is rejected by the field's name, without its value", async () => {
    expect(await readOne({ id: 7 })).toMatch(/^row_malformed: The user's "id" is not what Clerk/);
    expect(await readOne({ banned: 7 })).toMatch(/"banned"/);
  });
});

describe("a Clerk file", () => {
  test.each([
    `${COLUMNS}\n`,
    '[{"id":"user_2","primary_email_address_id":null,"email_addresses":[]}]',
    '{"data":[{"id":"user_2","primaryEmailAddressId":null,"emailAddresses":[]}]}',
    '[{"userId":"user_2","phone":"+15550100001"}]',
    '{"id":"user_2","email_addresses":"ann@example.com","password_hasher":null}\n',
  ])("is recognized by its shape (%#)", (text) => {
    expect(detectSource(headOf(text)).source).toBe(clerk);
  });

  test.each([
    "id,email,password_hasher\n",
    "id,primary_email_address\n",
    '[{"userId":"7","email":"ann@example.com"}]',
    '[{"id":"user_2","email_addresses":[]}]',
  ])("is not what others write, too (%#)", (text) => {
    expect(clerk.recognize(headOf(text))).toBeNull();
  });
});

describe("an application's own fields beside Clerk's", () => {
  test("keep users out, and say that an email isn't verified", async () => {
    const users = [{ disabled: true }, { is_banned: true }, { email_verified: false }, {}];
    const own = users.map((more, at) => ({
      userId: `user_${at}`,
      email: `u${at}@example.com`,
      ...more,
    }));
    expect(await readUsers(clerk, JSON.stringify(own))).toMatchObject([
      { exclusions: ["disabled"] },
      { exclusions: ["disabled"] },
      { exclusions: [], email: { verified: false } },
      { exclusions: [], email: { verified: true } },
    ]);
    expect(
      await readUsers(
        clerk,
        "id,primary_email_address,password_hasher,deleted_at\nu1,ann@example.com,,2024-01-02\n",
      ),
    ).toMatchObject([{ exclusions: ["deleted"] }]);
  });
});
