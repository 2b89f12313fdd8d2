import { describe, expect, test } from "vitest";
import { genericCsv, genericJson } from "../../../src/source/mapping/generic-files.js";
import { roleOfColumn } from "../../../src/source/generic/column-watch.js";
import { meaningOf } from "../../../src/source/generic/field-names.js";
import type { Source } from "../../../src/source/source.js";
import { readOnly } from "../read-users.js";
import { collect, PLAIN, pieces } from "../support.js";

const FACTOR = "mfa_not_migrated";
const PASSKEY = "passkey_not_migrated";
const SOCIAL = "social_identity_dropped";
const JOINED = "joined_not_migrated";

function readCell(column: string, value: string) {
  return readOnly(
    genericCsv,
    `email,${column}\nann@example.com,"${value.replaceAll('"', '""')}"\n`,
  );
}

function read(fields: object) {
  return readOnly(genericJson, JSON.stringify([{ email: "ann@example.com", ...fields }]));
}

async function noticesOfCell(column: string, value: string): Promise<readonly string[]> {
  const user = await readCell(column, value);
  return typeof user === "string" ? [user] : user.notices;
}

async function noticesOf(fields: object): Promise<readonly string[]> {
  const user = await read(fields);
  return typeof user === "string" ? [user] : user.notices;
}

/** Why the user is kept out. */
async function whyOfCell(column: string, value: string): Promise<readonly string[]> {
  const user = await readCell(column, value);
  return typeof user === "string" ? [user] : user.exclusions;
}

async function whyOf(fields: object): Promise<readonly string[]> {
  const user = await read(fields);
  return typeof user === "string" ? [user] : user.exclusions;
}

describe("a second factor in a table", () => {
  test.each([
    ["two_factor_enabled", "true"],
    ["twoFactorEnabled", "1"],
    ["TwoFactorEnabled", "True"],
    ["is_2fa_enabled", "t"],
    ["mfa_active", "yes"],
    ["use2fa", "1"],
    ["tfa_secret", "JBSWY3DP"],
    ["google2fa_secret", "JBSWY3DP"],
    ["two_factor_secret", "eyJpdiI6Ik1"],
    ["two_factor_recovery_codes", "eyJpdiI6Ik1"],
    ["two_factor_confirmed_at", "2024-02-01 10:00:00"],
    ["otp_secret", "JBSWY3DP"],
    ["otp_required_for_login", "t"],
    ["encrypted_otp_secret", "a1b2=="],
    ["otpKey", "joomla:secret"],
    ["mfa_method", "sms"],
    ["preferredMfaType", "app"],
    ["available_aal", "aal2"],
    ["mfa_verifications", '[{"type":"Totp","key":"JBSWY3DP"}]'],
  ])("is there where %s says %s", async (column, value) => {
    expect(await noticesOfCell(column, value)).toEqual([FACTOR]);
  });

  test.each([
    ["two_factor_enabled", "false"],
    ["TwoFactorEnabled", "0"],
    ["otp_required_for_login", "f"],
    ["mfa_method", "none"],
    ["mfa_status", "DISABLED"],
    ["two_factor_secret", "NULL"],
    ["available_aal", "aal1"],
    ["mfa_verifications", "[]"],
    ["totp", '{"enabled":false,"secret":null}'],
  ])("is none where %s says %s", async (column, value) => {
    expect(await noticesOfCell(column, value)).toEqual([]);
  });

  test.each(["two_factor_code", "mfa_required", "mfa_last_prompted_at", "otp", "otp_sent_at"])(
    "isn't in the column %s, which is of what somebody asks for",
    async (column) => {
      expect(await noticesOfCell(column, "123456")).not.toContain(FACTOR);
    },
  );

  test("may be a passkey", async () => {
    expect(await noticesOfCell("webauthn_credentials", '[{"id":"k1"}]')).toEqual([PASSKEY]);
    expect(await noticesOfCell("webauthn_credentials", "[]")).toEqual([]);
  });
});

describe("the column that says so", () => {
  test.each([
    ["TwoFactorEnabled", "True"],
    ["passkeys", '["ann"]'],
  ])("is named in the reject and among the columns read: %s", async (column, value) => {
    const why = `${`"${column}"`} says that there is a second factor or a passkey.`;
    expect(await readCell(column, value)).toMatchObject({
      because: { factor: `The column ${why}` },
    });
    expect(await read({ [column]: value })).toMatchObject({ because: { factor: why } });
    expect(roleOfColumn(meaningOf(column))).toBe("factor");
  });

  test("is named where it is an object", async () => {
    const why = '"credentials" says that there is a second factor or a passkey.';
    const credentials = { totp: { config: { totp_url: "otpauth://x" } } };
    expect(await read({ credentials })).toMatchObject({ because: { factor: why } });
  });
});

describe("a second factor in JSON", () => {
  test.each([
    ["a list of FusionAuth's", { twoFactor: { methods: [{ method: "authenticator" }] } }],
    ["a factor that is verified", { factors: [], mfa_factors: [{ status: "verified" }] }],
    ["a device", { totps: [{ totp_id: "t1", verified: true }] }],
    ["a setting beside others", { security: { mfaEnabled: true, score: 3 } }],
    [
      "what Kratos answers without its secrets",
      { credentials: { totp: { type: "totp", identifiers: ["5a3"], version: 0 } } },
    ],
    ["Kratos' secret", { credentials: { totp: { config: { totp_url: "otpauth://totp/a" } } } }],
    [
      "Kratos' codes",
      { credentials: { lookup_secret: { config: { recovery_codes: [{ code: "a" }] } } } },
    ],
  ])("is there as %s", async (_what, fields) => {
    expect(await noticesOf(fields)).toContain(FACTOR);
  });

  test.each([
    ["an empty list", { twoFactor: { methods: [] } }],
    ["a switch that is off", { mfa: { enabled: false, secret: "JBSWY3DP" } }],
    ["a factor that nobody has verified", { mfa_factors: [{ status: "unverified" }] }],
    [
      "what Kratos makes of its schema",
      { credentials: { totp: { identifiers: ["ann"], config: {} } } },
    ],
    [
      "Kratos' handle without a key",
      {
        credentials: {
          webauthn: { identifiers: [], config: { credentials: [], user_handle: "h" } },
        },
      },
    ],
  ])("is none as %s", async (_what, fields) => {
    expect(await noticesOf(fields)).not.toContain(FACTOR);
  });
});

describe("a social account in a table", () => {
  test.each([
    ["google_id", "108400000000000000001"],
    ["provider", "google_oauth2"],
    ["providerId", "github"],
    ["providers", "credential,google"],
    ["providers", "{email,apple}"],
    ["auth_provider", "FACEBOOK"],
    ["identities", '[{"provider":"email"},{"provider":"google"}]'],
    ["authData", '{"facebook":{"id":"1"}}'],
  ])("is there where %s says %s", async (column, value) => {
    expect(await noticesOfCell(column, value)).toEqual([SOCIAL]);
  });

  test.each([
    ["provider", ""],
    ["provider", "NULL"],
    ["provider", "local"],
    ["providerId", "credential"],
    ["providers", "credential, email"],
    ["providers", "{email,phone}"],
    ["identities", '[{"provider":"email","id":"7"}]'],
    ["identities", "{}"],
  ])("is none where %s says %s", async (column, value) => {
    expect(await noticesOfCell(column, value)).toEqual([]);
  });
});

describe("a social account in JSON", () => {
  test.each([
    ["Logto's identities", { identities: { google: { userId: "1", details: {} } } }],
    ["Kratos' oidc", { credentials: { oidc: { identifiers: ["google:1"] } } }],
    [
      "Kratos' oidc beside a password",
      {
        credentials: {
          password: { config: { hashed_password: "x" } },
          oidc: { identifiers: ["a:1"] },
        },
      },
    ],
    ["Meteor's services", { services: { google: { id: "1" } } }],
    ["passport's object", { google: { id: "1084", token: "t" } }],
    ["a list of accounts", { socialAccounts: [{ provider: "apple", uid: "1" }] }],
    ["a list of names", { providers: ["password", "google.com"] }],
  ])("is there as %s", async (_what, fields) => {
    expect(await noticesOf(fields)).toContain(SOCIAL);
  });

  test.each([
    ["no identity", { identities: {} }],
    ["the application's own", { providers: ["password"], provider: "local" }],
    [
      "a password's service alone",
      { services: { password: { bcrypt: "" }, resume: { loginTokens: [] } } },
    ],
  ])("is none as %s", async (_what, fields) => {
    expect(await noticesOf(fields)).not.toContain(SOCIAL);
  });
});

describe("a user without a password who signs in through an organization alone", () => {
  test.each([
    ["provider", "saml"],
    ["provider", "samlp|acme|ann"],
    ["provider", "SAML2"],
    ["identity_provider", "waad"],
    ["auth_provider", "adfs"],
    ["loginProvider", "azure-ad"],
    ["idp", "okta"],
    ["providerId", "saml.acme-corp"],
    ["provider", "sso:acme"],
    ["auth_type", "ldap"],
    ["sso_provider", "saml"],
    ["external_idp", "okta"],
    ["providers", "{pingfederate}"],
    ["ldap_dn", "uid=ann,ou=staff,dc=example,dc=com"],
    ["samlNameId", "ann@example.com"],
    ["identities", '[{"provider":"auth0-adldap","user_id":"7"}]'],
  ])("is kept out where %s says %s", async (column, value) => {
    expect(await whyOfCell(column, value)).toEqual(["sso_only"]);
  });

  test.each([
    ["provider", "google"],
    ["provider", "google_sso"],
    ["provider", "oidc"],
    ["provider", "acme"],
    ["providers", "saml,google"],
    ["providers", "local,ldap"],
    ["provider", "credentials"],
    ["provider_id", "ann@saml.example.com"],
    ["google_id", "saml"],
    ["ldap_dn", "NULL"],
  ])("isn't where %s says %s", async (column, value) => {
    expect(await whyOfCell(column, value)).toEqual([]);
  });

  test("isn't one who has a password, another account or a passkey", async () => {
    const saml = { provider: "saml" };
    expect(await whyOf(saml)).toEqual(["sso_only"]);
    expect(await whyOf({ ...saml, password_hash: "$2b$04$0" })).toEqual([]);
    expect(await whyOf({ ...saml, google_id: "1084" })).toEqual([]);
    expect(await whyOf({ ...saml, passkey_enabled: true })).toEqual([]);
  });

  test.each([
    ["a list of identities", { identities: [{ provider: "waad", isSocial: false }] }],
    ["Logto's", { identities: {}, ssoIdentities: [{ issuer: "https://idp.example.com" }] }],
    ["Meteor's services", { services: { saml: { id: "1" }, resume: { loginTokens: [] } } }],
    ["Kratos' credentials", { credentials: { saml: { identifiers: ["acme:1"] } } }],
    ["two that agree", { provider: "saml", identities: [{ provider: "samlp" }] }],
  ])("is kept out as %s", async (_what, fields) => {
    expect(await whyOf(fields)).toEqual(["sso_only"]);
  });

  test.each([
    [["sso_only"], [SOCIAL], [{ id: "7", providerId: "saml-acme", accountId: "ann" }]],
    [["sso_only"], [SOCIAL], [{ providerId: "okta" }]],
    [["sso_only"], [SOCIAL], [{ provider_id: "okta" }]],
    [[], [SOCIAL], [{ providerId: "google" }]],
    [[], [SOCIAL], [{ provider: "google", type: "oauth", providerAccountId: "1084" }]],
    [[], [SOCIAL], [{ providerId: "credential" }, { providerId: "saml-acme" }]],
    [[], [], [{ providerId: "credential" }]],
    [[], ["profile_not_migrated"], [{ name: "saml", type: "savings" }]],
  ])("is kept out as %j, with %j, of the accounts %j", async (why, notices, accounts) => {
    const user = await read({ accounts });
    expect(user).toMatchObject({ exclusions: why, notices });
  });

  test("isn't one whom Kratos also sends codes", async () => {
    const credentials = { saml: { identifiers: ["1"] }, code: { identifiers: ["ann"] } };
    expect(await whyOf({ credentials })).toEqual([]);
  });

  test("is told by the column that says so", async () => {
    expect(await readCell("provider", "saml")).toMatchObject({
      because: { sso_only: `The column "provider" names an organization's sign-in.` },
    });
  });
});

describe("the day of the sign-up", () => {
  test.each([
    ["created_at", "2024-06-29T20:25:06Z"],
    ["createdAt", "1693562400000"],
    ["date_joined", "2024-06-29"],
    ["user_registered", "2009-01-31 12:00:00"],
    ["registerDate", "2020-01-01 00:00:00"],
    ["timecreated", "1693562400"],
    ["insertInstant", "1693562400000"],
    ["$createdAt", "2024-06-29T20:25:06Z"],
  ])("is told where %s is filled", async (column, value) => {
    expect(await noticesOfCell(column, value)).toEqual([JOINED]);
  });

  test.each(["", "NULL", "0000-00-00 00:00:00", "0"])("isn't there as %j", async (value) => {
    expect(await noticesOfCell("created_at", value)).toEqual([]);
  });

  test("is told of MongoDB's dates, too", async () => {
    expect(await noticesOf({ createdAt: { $date: "2024-06-29T20:25:06Z" } })).toEqual([JOINED]);
  });
});

describe("a second factor whose flag says that it isn't in use", () => {
  const SECRET = "JBSWY3DPEHPK3PXP";
  const read = async (source: Source, user: object) => {
    const isTable = source.name === "csv";
    const text = isTable
      ? `${Object.keys(user).join(",")}\n${Object.values(user).join(",")}\n`
      : JSON.stringify([user]);
    const options = { ...PLAIN, keepsAccount: "all" } as const;
    const [item] = await collect(source.read("users", pieces(Buffer.from(text), 50), options));
    if (item?.kind !== "record") throw new Error("no record");
    const { exclusions, notices, account } = item.record;
    return { exclusions, notices, totp: account?.().totp.length };
  };
  const ANN = { id: "7", email: "ann@example.com", password: "x", totp_secret: SECRET };
  describe.each([["csv", genericCsv] as const, ["json", genericJson] as const])(
    "%s",
    (_n, source) => {
      test.each([{ mfa_enabled: "false" }, { active_mfa_type: "" }, { is_otp_active: "0" }])(
        "is none, and its secret isn't carried: %j",
        async (flag) => {
          const read_ = await read(source, { ...ANN, ...flag });
          expect(read_).toEqual({ exclusions: [], notices: [], totp: 0 });
        },
      );

      test.each([
        { mfa_enabled: "true" },
        { active_mfa_type: "totp" },
        { sms_mfa_enabled: "false" },
        { mfa_enabled: "" },
        { mfa_enabled: "false", otp_active: "true" },
      ])("is one where another says so, or none does: %j", async (flag) => {
        expect(await read(source, { ...ANN, ...flag })).toMatchObject({
          notices: ["mfa_not_migrated"],
          totp: 1,
        });
      });
    },
  );
});
