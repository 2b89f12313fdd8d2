import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findSource } from "../../../src/source/registry.js";
import { headOf, readOnly, readUsers } from "../read-users.js";
import { runs } from "../../support/repeated.js";

const cognito = findSource("cognito")!;

const SUB = "3f0c8a52-7d1e-4b1e-9a43-0f8c5a0e0001";

function user(attributes: Record<string, string | null>, fields: object = {}): object {
  return {
    Username: SUB,
    Attributes: Object.entries({ sub: SUB, ...attributes }).map(([Name, Value]) => ({
      Name,
      Value,
    })),
    Enabled: true,
    UserStatus: "CONFIRMED",
    ...fields,
  };
}

function read(attributes: Record<string, string | null>, fields: object = {}) {
  return readOnly(cognito, JSON.stringify({ Users: [user(attributes, fields)] }));
}

const ANN = { email: "ann@example.com", email_verified: "true" };

function identities(...types: readonly string[]): string {
  return JSON.stringify(types.map((providerType) => ({ userId: "1", providerType })));
}

describe("a Cognito user", () => {
  test("has the id that tokens name, else the username", async () => {
    expect(await read(ANN, { Username: "ann" })).toMatchObject({ sourceId: SUB });
    const noSub = { Username: "ann", Attributes: [], Enabled: true, UserStatus: "CONFIRMED" };
    const text = JSON.stringify({ Users: [noSub] });
    expect(await readOnly(cognito, text)).toMatchObject({ sourceId: "ann" });
  });

  test.each([
    ["true", true],
    ["True", true],
    ["false", false],
    ["", false],
    [null, false],
    ["perhaps", false],
  ])("whose email_verified is %j is verified: %j", async (email_verified, verified) => {
    expect(await read({ email: "ann@example.com", email_verified })).toMatchObject({
      email: { value: "ann@example.com", verified },
    });
  });

  test.each([
    ["UNCONFIRMED", true, null],
    ["UNCONFIRMED", false, "disabled"],
    ["UNKNOWN", false, "disabled"],
  ])(
    "who is %s, enabled %j, has no verified contact, whatever the flags say",
    async (UserStatus, Enabled, exclusion) => {
      const phone = { phone_number: "+447700900101", phone_number_verified: "true" };
      expect(await read({ ...ANN, ...phone }, { UserStatus, Enabled })).toMatchObject({
        email: { verified: false },
        phone: { value: "+447700900101", verified: false },
        exclusions: exclusion?.split(" ") ?? [],
      });
    },
  );

  test.each([
    ["CONFIRMED", true, null, ["password_not_exported"]],
    ["CONFIRMED", false, "disabled", ["password_not_exported"]],
    ["ARCHIVED", true, "disabled", ["password_not_exported"]],
    ["COMPROMISED", true, "disabled", ["password_not_exported"]],
    ["RESET_REQUIRED", true, null, ["password_not_exported", "password_reset_required"]],
    ["FORCE_CHANGE_PASSWORD", true, null, ["password_not_exported", "password_reset_required"]],
    ["UNKNOWN", false, "disabled", ["password_not_exported"]],
    ["EXTERNAL_PROVIDER", false, "disabled sso_only", ["social_identity_dropped"]],
  ])("%s and enabled %j is left out as %j", async (UserStatus, Enabled, exclusion, notices) => {
    expect(await read(ANN, { UserStatus, Enabled })).toMatchObject({
      exclusions: exclusion?.split(" ") ?? [],
      notices,
    });
  });

  test.each([
    [{ UserStatus: "UNKNOWN" }],
    [{ UserStatus: "WHATEVER_COMES" }],
    [{ UserStatus: null }],
    [{ UserStatus: undefined }],
    [{ Enabled: undefined }],
    [{ Enabled: null }],
  ])("who nobody can say is let in is rejected (%#)", async (fields) => {
    expect(await read(ANN, fields)).toMatch(/^flag_invalid: .*list-users/);
  });

  test.each([
    [identities("Google"), null],
    [identities("Facebook", "LoginWithAmazon", "SignInWithApple"), null],
    [identities("SAML", "Google"), null],
    [identities("SAML"), "sso_only"],
    [identities("OIDC", "SAML"), "sso_only"],
    [identities("SomethingNew"), "sso_only"],
    ["[]", "sso_only"],
    ["", "sso_only"],
    ["[{broken", "sso_only"],
    ['{"providerType":"Google"}', "sso_only"],
    ['[{"providerName":"Google"}]', "sso_only"],
  ])("from outside with the identities %s is left out as %j", async (text, exclusion) => {
    const external = { UserStatus: "EXTERNAL_PROVIDER", Username: "Google_1" };
    expect(await read({ ...ANN, identities: text }, external)).toMatchObject({
      exclusions: exclusion?.split(" ") ?? [],
      notices: ["social_identity_dropped"],
    });
  });

  test("with a password is let in beside an employer's identity", async () => {
    expect(await read({ ...ANN, identities: identities("SAML") })).toMatchObject({
      exclusions: [],
      notices: ["password_not_exported", "social_identity_dropped"],
    });
  });

  test("has a notice for a name that is no contact, not for one that is", async () => {
    const notice = expect.arrayContaining(["username_not_migrated"]);
    expect(await read(ANN, { Username: "ann" })).toMatchObject({ notices: notice });
    expect(await read({ ...ANN, preferred_username: "ann" })).toMatchObject({ notices: notice });
    for (const Username of [SUB, "ANN@example.com"]) {
      expect(await read(ANN, { Username })).not.toMatchObject({ notices: notice });
    }
  });

  test.each([
    ["mfa_not_migrated", { MFAOptions: ["SMS_MFA"] }],
    ["mfa_not_migrated", { UserMFASettingList: ["SOFTWARE_TOKEN_MFA"], MFAOptions: [] }],
    ["mfa_not_migrated", { PreferredMfaSetting: "EMAIL_OTP" }],
    ["joined_not_migrated", { UserCreateDate: "2023-09-01T10:00:00+00:00" }],
    ["joined_not_migrated", { UserCreateDate: 1693562400.5 }],
  ])("has the notice %s (%#)", async (notice, fields) => {
    expect(await read(ANN, fields)).toMatchObject({ notices: [notice, "password_not_exported"] });
  });

  test("has no notice for a factor that Cognito says there isn't", async () => {
    const fields = { MFAOptions: [], UserMFASettingList: null, PreferredMfaSetting: "" };
    expect(await read(ANN, fields)).toMatchObject({ notices: ["password_not_exported"] });
  });

  test("of another shape is rejected by the field's name, without its value", async () => {
    const hint = await read(ANN, { Enabled: "ann@example.com" });
    expect(hint).toMatch(/^row_malformed: The user's "Enabled" is not what Cognito exports/);
    expect(hint).not.toContain("ann@");
  });

  test("is read from any list of attributes without a throw", async () => {
    const pair = fc.record({ Name: fc.string(), Value: fc.option(fc.string()) });
    const one = fc.record({
      Username: fc.string(),
      Attributes: fc.array(pair),
      Enabled: fc.boolean(),
      UserStatus: fc.constantFrom("CONFIRMED", "EXTERNAL_PROVIDER", "UNKNOWN", "x"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 4 }), async (users) => {
        expect(await readUsers(cognito, JSON.stringify(users))).toHaveLength(users.length);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("Cognito's exports", () => {
  test("are recognized as pages, lists, lines and tables, not by a name alone", () => {
    const page = JSON.stringify({ PaginationToken: "x", Users: [user(ANN)] });
    const line = JSON.stringify({ Username: "a", UserAttributes: [] });
    for (const text of [page, JSON.stringify([user(ANN)]), line, "email,cognito:username\n"]) {
      expect(cognito.recognize(headOf(text))).not.toBeNull();
    }
    for (const text of ['{"Users":[{"Username":"a"}]}', "email,username\n", '{"users":[]}', ""]) {
      expect(cognito.recognize(headOf(text))).toBeNull();
    }
  });

  test("as tables keep a hash for its reader, and say nothing of a status", async () => {
    const text =
      "cognito:username,email,email_verified,password_hash\nann,ann@example.com,TRUE,x\n";
    expect(await readOnly(cognito, text)).toMatchObject({
      sourceId: "ann",
      hash: { kind: "text", text: "x" },
      exclusions: [],
      notices: ["username_not_migrated"],
    });
  });
});
