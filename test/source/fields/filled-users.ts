/** A user of each vendor with everything filled that its exports have of an account, and the parts that are read of it. */

import type { AccountParts } from "../../../src/account/account-parts.js";
import { type Planted, VENDORS } from "./planted-users.js";

export const NOW = Date.UTC(2026, 0, 1);
export const JOINED = Date.UTC(2023, 8, 1, 10);
export const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
export const USUAL = { secret: SECRET, period: 30, digits: 6, algorithm: "SHA1" };
export const NOTHING: AccountParts = {
  joined: null,
  metadata: {},
  roles: [],
  social: [],
  totp: [],
  losesFactor: false,
  unreadable: [],
  stays: [],
};

export function vendorNamed(name: string): Planted {
  const found = VENDORS.find((vendor) => vendor.name === name);
  if (found === undefined) throw new Error(`no vendor ${name}`);
  return found;
}

export const ANN = { given_name: "Ann", first_name: "Ann", family_name: "Blum", last_name: "Blum" };
const GOOGLE = { provider: "google", id: "1077", email: "ann@example.org" };

export const FILLED: readonly (readonly [
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
