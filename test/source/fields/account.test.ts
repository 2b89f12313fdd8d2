import { describe, expect, test } from "vitest";
import type { AccountParts } from "../../../src/account/account-parts.js";
import { type Planted, readPlanted, VENDORS } from "./planted-users.js";

const NOW = Date.UTC(2026, 0, 1);
const JOINED = Date.UTC(2023, 8, 1, 10);
const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const USUAL = { secret: SECRET, period: 30, digits: 6, algorithm: "SHA1" };
const NOTHING: AccountParts = {
  joined: null,
  metadata: {},
  roles: [],
  social: [],
  totp: [],
  losesFactor: false,
  unreadable: [],
  stays: [],
};

function vendorNamed(name: string): Planted {
  const found = VENDORS.find((vendor) => vendor.name === name);
  if (found === undefined) throw new Error(`no vendor ${name}`);
  return found;
}

/** The parts of one user's account. */
async function partsOf(name: string, fields: Readonly<Record<string, unknown>>) {
  const vendor = vendorNamed(name);
  const options = { now: NOW, keepsAccount: true };
  const { users } = await readPlanted(vendor, [vendor.userWith(fields)], options);
  const [user] = users;
  if (typeof user !== "object" || user.account === undefined) throw new Error(`no parts: ${user}`);
  return user.account();
}

const ANN = { given_name: "Ann", first_name: "Ann", family_name: "Blum", last_name: "Blum" };
const GOOGLE = { provider: "google", id: "1077", email: "ann@example.org" };

const FILLED: readonly (readonly [
  string,
  Readonly<Record<string, unknown>>,
  Partial<AccountParts>,
])[] = [
  [
    "firebase",
    {
      createdAt: "1693562400000",
      displayName: "Ann Blum",
      photoUrl: "https://example.com/ann.png",
      customAttributes: '{"plan":"gold"}',
      providerUserInfo: [
        { providerId: "password", rawId: "ann@example.com" },
        { providerId: "google.com", rawId: "1077", email: "ann@example.org" },
        { providerId: "saml.acme", rawId: "a-1" },
      ],
    },
    {
      joined: JOINED,
      metadata: {
        name: "Ann Blum",
        picture: "https://example.com/ann.png",
        custom_claims: { plan: "gold" },
      },
      social: [
        { ...GOOGLE, vendorProvider: "google.com", verified: null },
        { provider: null, vendorProvider: "saml.acme", id: "a-1", email: "", verified: null },
      ],
    },
  ],
  [
    "auth0",
    {
      created_at: "2023-09-01T10:00:00.000Z",
      email_verified: true,
      given_name: "Ann",
      family_name: "Blum",
      user_metadata: { color: "green" },
      app_metadata: { plan: "gold" },
      identities: [
        { provider: "google-oauth2", user_id: 1077, isSocial: true, access_token: "t0k3n" },
        {
          provider: "auth0",
          user_id: "u1",
          connection: "db",
          isSocial: false,
        },
        {
          provider: "facebook",
          user_id: "88",
          isSocial: true,
          profileData: { email: "ann@example.net", email_verified: false },
        },
      ],
      mfa_factors: [{ totp: { secret: SECRET } }],
      multifactor: ["google-authenticator"],
    },
    {
      joined: JOINED,
      metadata: { ...ANN, user_metadata: { color: "green" }, app_metadata: { plan: "gold" } },
      social: [
        { ...GOOGLE, vendorProvider: "google-oauth2", email: "ann@example.com", verified: true },
        {
          provider: "facebook",
          vendorProvider: "facebook",
          id: "88",
          email: "ann@example.net",
          verified: false,
        },
      ],
      totp: [{ ...USUAL, algorithm: "SHA1" }],
    },
  ],
  [
    "supabase",
    {
      created_at: "2023-09-01 10:00:00.123456+00",
      user_metadata: { full_name: "Ann Blum", team: "red", sub: "x", email_verified: true },
      app_metadata: { provider: "google", providers: ["google"], plan: "gold" },
      identities: [
        {
          id: "1077",
          provider: "google",
          identity_data: { sub: "1077", email: "ann@example.org", email_verified: true },
        },
        { id: "u1", provider: "email", identity_data: { sub: "u1" } },
      ],
      confirmation_token: "t0k3n",
      recovery_token: "t0k3n",
    },
    {
      joined: JOINED + 123,
      metadata: {
        user_metadata: { full_name: "Ann Blum", team: "red" },
        name: "Ann Blum",
        app_metadata: { plan: "gold" },
      },
      social: [{ ...GOOGLE, vendorProvider: "google", verified: true }],
      stays: ["roles_not_migrated"],
    },
  ],
  [
    "clerk",
    {
      created_at: 1693562400000,
      first_name: "Ann",
      last_name: "Blum",
      public_metadata: { plan: "gold" },
      unsafe_metadata: {},
      external_id: "42",
      external_accounts: [
        { provider: "oauth_google", provider_user_id: "1077", email_address: "ann@example.org" },
      ],
      totp_secret: SECRET,
      totp_enabled: true,
      two_factor_enabled: true,
    },
    {
      joined: JOINED,
      metadata: { ...ANN, public_metadata: { plan: "gold" }, external_id: "42" },
      social: [{ ...GOOGLE, vendorProvider: "oauth_google", verified: null }],
      totp: [{ ...USUAL, algorithm: "SHA1" }],
    },
  ],
  [
    "cognito",
    {
      UserCreateDate: 1693562400.5,
      given_name: "Ann",
      family_name: "Blum",
      locale: "de",
      "custom:plan": "gold",
      identities: [{ userId: "1077", providerName: "Google", providerType: "Google" }],
    },
    {
      joined: JOINED + 500,
      metadata: { ...ANN, locale: "de", username: "u1", "custom:plan": "gold" },
      social: [{ ...GOOGLE, vendorProvider: "Google", email: "", verified: null }],
    },
  ],
  [
    "keycloak",
    {
      createdTimestamp: 1693562400000,
      firstName: "Ann",
      lastName: "Blum",
      attributes: { locale: ["de"], badge: ["7"], street: ["Main St 1"] },
      realmRoles: ["default-roles-acme", "offline_access", "uma_authorization", "editor"],
      federatedIdentities: [{ identityProvider: "google", userId: "1077", userName: "ann" }],
      totp: true,
      credentials: [
        {
          type: "otp",
          secretData: '{"value":"12345678901234567890"}',
          credentialData: '{"subType":"totp","digits":8,"period":60,"algorithm":"HmacSHA256"}',
        },
      ],
    },
    {
      joined: JOINED,
      metadata: {
        ...ANN,
        preferred_username: "ann@example.com",
        attributes: { badge: ["7"], locale: ["de"], street: ["Main St 1"] },
        locale: "de",
        address: { street_address: "Main St 1" },
      },
      roles: ["editor"],
      social: [{ ...GOOGLE, vendorProvider: "google", email: "", verified: null }],
      totp: [
        {
          // RFC 6238, appendix B has this key as text.
          secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
          period: 60,
          digits: 8,
          algorithm: "SHA256",
        },
      ],
    },
  ],
  [
    "okta",
    {
      created: "2023-09-01T10:00:00.000Z",
      "profile.firstName": "Ann",
      "profile.lastName": "Blum",
      "profile.badge": "green",
    },
    {
      joined: JOINED,
      metadata: {
        ...ANN,
        preferred_username: "ann@example.com",
        okta_profile: {
          login: "ann@example.com",
          firstName: "Ann",
          lastName: "Blum",
          badge: "green",
        },
      },
    },
  ],
  [
    "django",
    {
      date_joined: "2023-09-01T10:00:00Z",
      first_name: "Ann",
      last_name: "Blum",
      groups: [["editors"], 3],
      session_token: "t0k3n",
    },
    {
      joined: JOINED,
      metadata: ANN,
      roles: ["editors"],
      unreadable: ["roles"],
      stays: ["metadata_not_migrated"],
    },
  ],
];

describe("a user's account", () => {
  test.each(FILLED)(
    "with everything of %s's filled has these parts",
    async (name, fields, parts) => {
      const read = await partsOf(name, fields);
      expect(read).toEqual({ ...NOTHING, ...parts });
      expect(JSON.stringify(read)).not.toContain("t0k3n");
    },
  );

  test.each(VENDORS.map(({ name }) => [name] as const))(
    "of %s's has neither session tokens nor reset or recovery codes",
    async (name) => {
      const { tree } = vendorNamed(name);
      const means = /token|backup|recovery/i;
      const own = tree.nodes.flatMap(({ path, fate }) =>
        fate !== null && fate.kind !== "part" && means.test(path) ? [path] : [],
      );
      const planted = [...own, "session_token", "reset_code", "recovery_codes"];
      const isTable = vendorNamed(name).isTable === true;
      for (const path of planted) {
        if (isTable && path.includes("[]")) continue;
        const read = await partsOf(name, { [path]: "t0k3n" }).catch(() => NOTHING);
        expect(JSON.stringify(read), path).not.toContain("t0k3n");
      }
    },
  );

  test.each([
    ["a day to come", "2031-01-01T00:00:00Z"],
    ["no day at all", "yesterday"],
  ])("that joined on %s is told, and has no such day", async (_what, created_at) => {
    expect(await partsOf("auth0", { created_at })).toEqual({ ...NOTHING, unreadable: ["joined"] });
  });

  test("that marks a factor which isn't there, or is another one, loses it", async () => {
    const losesFactor = true;
    expect(await partsOf("clerk", { totp_enabled: true })).toMatchObject({ losesFactor });
    expect(await partsOf("clerk", { totp_secret: SECRET, backup_codes: ["one"] })).toMatchObject({
      losesFactor,
      totp: [USUAL],
    });
    expect(await partsOf("auth0", { multifactor: ["guardian"] })).toMatchObject({ losesFactor });
    expect(await partsOf("clerk", { totp_enabled: false })).toMatchObject({ losesFactor: false });
    expect(await partsOf("clerk", { totp_secret: "no base32!" })).toMatchObject({
      losesFactor,
      unreadable: ["totp"],
      totp: [],
    });
  });

  test("in a table has its objects and dates as texts", async () => {
    expect(
      await partsOf("okta's tables", {
        "Created Date": "2023-09-01T10:00:00.000Z",
        "First name": "Ann",
        "Last name": "Blum",
      }),
    ).toMatchObject({ joined: JOINED, metadata: ANN });
  });

  test("isn't there where the reading wasn't asked to keep it", async () => {
    const vendor = vendorNamed("auth0");
    const { users } = await readPlanted(vendor, [vendor.userWith({ name: "Ann" })]);
    expect(users).not.toMatchObject([{ account: expect.anything() }]);
  });
});
