import { describe, expect, test } from "vitest";
import type { AccountParts, SocialAccount } from "../../src/account/account-parts.js";
import { planAccount } from "../../src/plan/account-plan.js";
import { type Carried, NOTHING_CARRIED } from "../../src/plan/carried.js";
import { email, record } from "../run/support/records.js";
import { NOTHING as NO_ACCOUNT } from "../source/fields/filled-users.js";

const ADA = "ada@example.com";
const ALL: Carried = {
  verified: true,
  joined: true,
  metadata: true,
  social: true,
  totp: true,
  roles: { map: new Map(), others: true, known: [] },
  providers: new Map(),
  linking: false,
  whole: false,
};
const NOTHING = {
  verified: null,
  joined: null,
  metadata: null,
  roles: [],
  totp: [],
};
const DEVICE = { secret: "JBSWY3DPEHPK3PXP", period: 30, digits: 6, algorithm: "SHA1" } as const;

function googleOf(changes: Partial<SocialAccount> = {}): SocialAccount {
  const google = { provider: "google", vendorProvider: "google.com", id: "1077" };
  return { ...google, email: "ada@example.org", verified: null, ...changes };
}

interface User {
  readonly parts?: Partial<AccountParts>;
  readonly notices?: readonly string[];
  readonly verified?: boolean | null;
}

function planned(user: User, carried: Partial<Carried> = {}) {
  const { parts = {}, notices = [], verified = null } = user;
  const account = (): AccountParts => ({ ...NO_ACCOUNT, ...parts });
  const whole = record({ email: email(ADA, verified), notices, account });
  return planAccount(whole, { ...ALL, ...carried });
}

describe("the email of a user", () => {
  test.each([
    [true, true],
    [false, false],
    [null, false],
  ])("of which the vendor says %s is to read as verified: %s", (said, verified) => {
    expect(planned({ verified: said }).account).toEqual({ ...NOTHING, verified });
    expect(planned({ verified: said }, { verified: false }).account).toBeNull();
  });

  test("is verified by the vendor's word also where no other part is read", () => {
    const plain = record({ email: email(ADA, true), notices: ["roles_not_migrated"] });
    const account = { ...NOTHING, verified: true };
    const notices = ["roles_not_migrated"];
    expect(planAccount(plain, ALL)).toEqual({ account, social: [], notices, losesFactor: false });
  });
});

describe("the parts of an account", () => {
  test("are planned and no longer told where they are carried", () => {
    const parts = {
      joined: 1_693_562_400_000,
      metadata: { name: "Ada", custom_claims: { plan: "gold" } },
      roles: ["editor", "author"],
      social: [googleOf()],
      totp: [DEVICE],
    };
    const notices = [
      "joined_not_migrated",
      "metadata_not_migrated",
      "mfa_not_migrated",
      "profile_not_migrated",
      "roles_not_migrated",
      "social_identity_dropped",
      "contact_mended",
    ];
    const google = { thirdPartyId: "google", thirdPartyUserId: "1077" };
    expect(planned({ parts, notices, verified: true })).toEqual({
      account: {
        verified: true,
        joined: parts.joined,
        metadata: parts.metadata,
        roles: ["author", "editor"],
        totp: [DEVICE],
      },
      social: [{ ...google, email: "ada@example.org", isEmailVerified: false }],
      notices: ["contact_mended"],
      losesFactor: false,
    });
    const untouched = { account: null, social: [], notices, losesFactor: true };
    expect(planned({ parts, notices, verified: true }, NOTHING_CARRIED)).toEqual(untouched);
  });

  test.each([
    ["joined", "joined_not_migrated"],
    ["metadata", "metadata_not_migrated"],
    ["metadata", "profile_not_migrated"],
    ["roles", "roles_not_migrated"],
    ["social", "social_identity_dropped"],
  ] as const)("are told where %s isn't carried, by %s", (part, code) => {
    const parts = {
      joined: 1,
      metadata: { name: "Ada" },
      roles: ["editor"],
      social: [googleOf()],
    };
    const without = { [part]: part === "roles" ? null : false };
    expect(planned({ parts, notices: [code] }).notices).toEqual([]);
    expect(planned({ parts, notices: [code] }, without).notices).toEqual([code]);
  });

  test.each([
    ["joined", "joined_not_migrated"],
    ["metadata", "metadata_not_migrated"],
    ["roles", "roles_not_migrated"],
    ["social", "social_identity_dropped"],
  ] as const)("say so where %s can't be read", (part, code) => {
    const parts = {
      joined: 1,
      metadata: { name: "Ada" },
      roles: ["editor"],
      social: [googleOf()],
      unreadable: [part],
    };
    // The core has a place for metadata, so that nothing else is to be said of it.
    const notices = part === "metadata" ? ["part_unreadable"] : [code, "part_unreadable"];
    expect(planned({ parts, notices: [code] }).notices).toEqual(notices);
    const without = { [part]: part === "roles" ? null : false };
    expect(planned({ parts, notices: [code] }, without).notices).toEqual([code]);
  });

  test("leave fields behind that nothing takes along, and a name that opens nothing", () => {
    const stays = ["metadata_not_migrated", "profile_not_migrated"];
    const parts = { metadata: { preferred_username: "ada" }, stays };
    const notices = [...stays, "username_not_migrated"];
    const left = ["fields_not_migrated", "username_not_migrated"];
    expect(planned({ parts, notices }).notices).toEqual(left);
    expect(planned({ parts, notices }, { metadata: false }).notices).toEqual(notices);
    // A source that makes no parts has none to take along.
    const plain = record({ email: email(ADA, true), notices });
    expect(planAccount(plain, ALL).notices).toEqual(left);
    expect(planAccount(plain, NOTHING_CARRIED).notices).toEqual(notices);
  });
});

describe("a role", () => {
  const notices = ["roles_not_migrated"];

  test("has the core's name where one is given, once", () => {
    const map = new Map([
      ["Editors", "editor"],
      ["Writers", "editor"],
    ]);
    const user = { parts: { roles: ["Writers", "Editors"] }, notices };
    const { account, ...told } = planned(user, { roles: { map, others: false, known: [] } });
    expect(account?.roles).toEqual(["editor"]);
    expect(told.notices).toEqual([]);
  });

  test.each(["guest", "r".repeat(256)])(
    "that has no name at the core stays behind and is told (%#)",
    (role) => {
      const map = new Map([["Editors", "editor"]]);
      const roles = { map, others: role !== "guest", known: [] };
      const { account, ...told } = planned(
        { parts: { roles: ["Editors", role] }, notices },
        { roles },
      );
      expect(account?.roles).toEqual(["editor"]);
      expect(told.notices).toEqual(notices);
    },
  );
});

describe("a social account", () => {
  const notices = ["social_identity_dropped"];

  test.each([
    ["another email, verified by its provider", "ada@example.org", true, null, true],
    ["another email of which nothing is said", "ada@example.org", null, true, false],
    ["an email in capitals that provider and vendor verified", "Ada@Example.com", true, true, true],
    ["the user's email, which the vendor never verified", ADA, true, false, false],
    ["the user's email, of which the vendor says nothing", ADA, true, null, false],
    ["no email, where the vendor verified the user's", "", null, true, true],
    [
      "an email that is none, where the vendor says nothing of the user's",
      "ada",
      true,
      null,
      false,
    ],
    ["the user's email, which the vendor verified", ADA, false, true, true],
  ] as const)("with %s vouches accordingly", (_what, given, verified, ofUser, isEmailVerified) => {
    const social = [googleOf({ email: given, verified })];
    const email = given === "ada@example.org" ? given : ADA;
    expect(planned({ parts: { social }, verified: ofUser }).social).toMatchObject([
      { email, isEmailVerified },
    ]);
  });

  test("verifies nothing where verification isn't carried", () => {
    const social = [googleOf({ verified: true })];
    expect(planned({ parts: { social } }, { verified: false }).social).toMatchObject([
      { isEmailVerified: false },
    ]);
  });

  test("of a provider that isn't known is kept where the operator names it, else told", () => {
    const parts = { social: [googleOf({ provider: null, vendorProvider: "saml.acme" })] };
    const known = planned({ parts, notices }, { providers: new Map([["saml.acme", "acme"]]) });
    expect(known.social).toMatchObject([{ thirdPartyId: "acme" }]);
    expect(known.notices).toEqual([]);
    expect(planned({ parts, notices })).toMatchObject({
      social: [],
      notices,
    });
    expect(planned({ parts, notices }, { social: false }).notices).toEqual(notices);
  });

  test("has the operator's name before the usual one, and is there once", () => {
    const providers = new Map([["google.com", "google-workspaces"]]);
    const social = [googleOf(), googleOf()];
    expect(planned({ parts: { social } }, { providers }).social).toMatchObject([
      { thirdPartyId: "google-workspaces" },
    ]);
  });

  test.each([
    ["an id that no core keeps", { id: "1".repeat(257) }],
    ["a provider's name that no core keeps", { provider: "p".repeat(29) }],
  ])("with %s is told", (_what, changes) => {
    const told = planned({ parts: { social: [googleOf(), googleOf(changes)] }, notices });
    expect(told.social).toHaveLength(1);
    expect(told.notices).toEqual(["social_identity_dropped", "part_unreadable"]);
  });

  test("without any email isn't kept", () => {
    const account = (): AccountParts => ({ ...NO_ACCOUNT, social: [googleOf({ email: "" })] });
    const told = planAccount(record({ notices, account }), ALL);
    expect(told.notices).toEqual(["social_identity_dropped", "part_unreadable"]);
  });

  test("that the export only names stays told", () => {
    expect(planned({ notices }).notices).toEqual(notices);
  });
});

describe("a second factor", () => {
  const notices = ["mfa_not_migrated"];

  test.each([
    ["another digest", { ...DEVICE, algorithm: "SHA256" }],
    ["eight digits", { ...DEVICE, digits: 8 }],
    ["no whole period", { ...DEVICE, period: 0.5 }],
    ["a period of more than a day", { ...DEVICE, period: 86_401 }],
  ] as const)("with %s is lost, also beside one that isn't", (_what, device) => {
    expect(planned({ parts: { totp: [DEVICE, device] }, notices })).toMatchObject({
      account: { totp: [DEVICE] },
      notices,
      losesFactor: true,
    });
    expect(planned({ parts: { totp: [device] }, notices })).toMatchObject({ losesFactor: true });
  });

  test.each(["mfa_not_migrated", "passkey_not_migrated"])(
    "that is no device, told by %s, is lost",
    (code) => {
      const user = { parts: { totp: [DEVICE], losesFactor: true }, notices: [code] };
      expect(planned(user)).toMatchObject({ notices: [code], losesFactor: true });
      expect(planned({ notices: [code] })).toMatchObject({ notices: [code], losesFactor: true });
    },
  );

  test("is lost where factors aren't carried", () => {
    const user = { parts: { totp: [DEVICE] }, notices };
    expect(planned(user)).toMatchObject({ notices: [], losesFactor: false });
    expect(planned(user, { totp: false })).toMatchObject({ notices, losesFactor: true });
  });
});
