import { describe, expect, test } from "vitest";
import { firebase } from "../../../../src/source/vendors/firebase/firebase.js";
import { headOf, readOnly, readUsers } from "../../read-users.js";

function recognize(text: string): string | null {
  return firebase.recognize(headOf(text));
}

function readOne(user: object) {
  return readOnly(firebase, JSON.stringify({ users: [user] }));
}

const ann = { localId: "a1", email: "ann@example.com", emailVerified: true };

describe("a Firebase user", () => {
  test("with hash and salt has a vendor scrypt hash", async () => {
    expect(await readOne({ ...ann, passwordHash: "aGFzaA==", salt: "c2FsdA==" })).toMatchObject({
      hash: { kind: "vendor_scrypt", hash: "aGFzaA==", salt: "c2FsdA==" },
    });
  });

  test("with a hash but no salt has just that text; with neither, no hash", async () => {
    expect(await readOne({ ...ann, passwordHash: "aGFzaA==" })).toMatchObject({
      hash: { kind: "text", text: "aGFzaA==" },
    });
    expect(await readOne({ ...ann, passwordHash: "", salt: "c2FsdA==" })).toMatchObject({
      hash: null,
    });
  });

  test.each([[1], ["1"]])(
    "whose hash is of version %j has one of another algorithm, which the vendor's own tool leaves out",
    async (version) => {
      const user = { ...ann, passwordHash: "aGFzaA==", salt: "c2FsdA==" };
      expect(await readOne({ ...user, version })).toMatchObject({
        hash: null,
        notices: ["password_not_exported"],
      });
      expect(await readOne({ ...user, version: 0 })).toEqual(await readOne(user));
    },
  );

  test("without an emailVerified is unverified, as the vendor's own tool has it", async () => {
    expect(await readOne({ localId: "a1", email: "ann@example.com" })).toMatchObject({
      email: { value: "ann@example.com", verified: false },
    });
  });

  test("has a verified phone, because the vendor stores no other", async () => {
    expect(await readOne({ localId: "a1", phoneNumber: "+15550100001" })).toMatchObject({
      phone: { value: "+15550100001", verified: true },
      exclusions: [],
    });
  });

  test.each([
    ["disabled", { ...ann, disabled: true }],
    ["disabled", { localId: "a1", disabled: true, email: "not an address" }],
    ["anonymous", { localId: "a1" }],
    ["anonymous", { localId: "a1", email: null, providerUserInfo: [] }],
    ["sso_only", { ...ann, providerUserInfo: [{ providerId: "saml.acme" }] }],
    [null, { ...ann, passwordHash: "aGFzaA==", providerUserInfo: [{ providerId: "oidc.acme" }] }],
    [null, { localId: "a1", providerUserInfo: [{ providerId: "google.com" }] }],
    [null, { ...ann, providerUserInfo: [{ providerId: "google.com" }, { providerId: "saml.a" }] }],
    [null, { ...ann, providerUserInfo: [{ providerId: "password" }, { providerId: "phone" }] }],
  ])("is kept out as %s (%#)", async (exclusion, user) => {
    expect(await readOne(user)).toMatchObject({
      exclusions: exclusion?.split(" ") ?? [],
    });
  });

  test("has notices for what the core has no place for, each once", async () => {
    const user = {
      ...ann,
      displayName: "Ann",
      photoUrl: "https://photos.example.com/ann.png",
      customAttributes: '{"admin":true}',
      providerUserInfo: [{ providerId: "google.com" }, { providerId: "github.com" }],
      mfaInfo: [{ mfaEnrollmentId: "m1" }],
      createdAt: "1693562400000",
    };
    expect(await readOne(user)).toMatchObject({
      notices: [
        "joined_not_migrated",
        "metadata_not_migrated",
        "mfa_not_migrated",
        "profile_not_migrated",
        "social_identity_dropped",
      ],
    });
    expect(
      await readOne({
        ...ann,
        customAttributes: "{}",
        mfaInfo: [],
        displayName: "",
        createdAt: "",
      }),
    ).toMatchObject({
      notices: [],
    });
  });

  test("with a field of another type is rejected by the field's name, without its value", async () => {
    expect(await readOne({ localId: "a1", email: ["ann@example.com"] })).toMatch(
      /^row_malformed: The user's "email" is not what Firebase exports/,
    );
    expect(await readOne({ email: "ann@example.com" })).toMatch(/"localId"/);
  });
});

describe("a user of an Admin SDK dump", () => {
  const dumped = { uid: "a1", email: "ann@example.com", emailVerified: true, providerData: [] };

  test("has the same record as in an export", async () => {
    const user = { ...dumped, passwordHash: "a-_h", passwordSalt: "c2FsdA==" };
    expect(await readOne(user)).toEqual(
      await readOne({ ...ann, passwordHash: "a-_h", salt: "c2FsdA==" }),
    );
  });

  test("has notices of claims, second factors, a tenant and other contacts", async () => {
    const user = {
      ...dumped,
      phoneNumber: "+15550100001",
      customClaims: { admin: true },
      multiFactor: { enrolledFactors: [{ factorId: "totp" }] },
      metadata: { creationTime: "Fri, 01 Sep 2023 10:00:00 GMT" },
      tenantId: "acme-x1y2z",
      providerData: [
        { providerId: "google.com", email: "ann@home.example.org" },
        { providerId: "phone", phoneNumber: "+15550100002" },
      ],
    };
    expect(await readOne(user)).toMatchObject({
      notices: [
        "joined_not_migrated",
        "metadata_not_migrated",
        "mfa_not_migrated",
        "other_contacts_not_migrated",
        "roles_not_migrated",
        "social_identity_dropped",
      ],
    });
  });

  test("who has a password that isn't in the dump has a notice", async () => {
    const providerData = [{ providerId: "password", email: "Ann@Example.com" }];
    const notices = ["password_not_exported"];
    expect(await readOne({ ...dumped, providerData })).toMatchObject({ notices });
    expect(await readOne({ ...dumped, passwordHash: "", providerData })).toMatchObject({ notices });
    expect(await readOne({ ...dumped, passwordHash: "aGFzaA==", providerData })).toMatchObject({
      notices: [],
    });
  });
});

test.each([
  ["playgames.google.com", null],
  ["gc.apple.com", null],
  ["yahoo.com", null],
  ["oidc.acme", "sso_only"],
  ["saml.acme", "sso_only"],
  ["some-new.example", "sso_only"],
])("a user of %s alone is kept out as %s", async (providerId, exclusion) => {
  expect(await readOne({ ...ann, providerUserInfo: [{ providerId }] })).toMatchObject({
    exclusions: exclusion?.split(" ") ?? [],
  });
});

describe("a Firebase file is recognized", () => {
  test.each([
    ["users of an export", '{"users":[{"localId":"a1"}]}'],
    ["an answer of the API", '{"kind":"identitytoolkit#DownloadAccountResponse","users":[]}'],
    ["an export without users", '{"users": [\n]}'],
    ["an Admin SDK dump", '[{"uid":"a1","providerData":[]}]'],
    ["pages of an Admin SDK dump", '{"users":[{"uid":"a1","tokensValidAfterTime":"x"}]}'],
    ["lines of a dump", '{"uid":"a1","providerData":[]}\n{"uid":"a2","providerData":[]}\n'],
  ])("by %s", (_what, text) => {
    expect(recognize(text)).not.toBeNull();
  });

  test.each([
    '{"users":[]}',
    '{"users":[{"uid":"a1"}]}',
    '{"kind":"list","users":[]}',
    "a1,ann@example.com,true\n",
    `a1,ann@example.com,verified,,,,${",".repeat(16)},1,2,,false,,\n`,
  ])("not by what others write, too (%#)", (text) => {
    expect(recognize(text)).toBeNull();
  });

  test("and one without users gives none", async () => {
    expect(await readUsers(firebase, '{"users": [\n]}')).toEqual([]);
  });
});

test("a Firebase JSON document of another shape is refused", async () => {
  await expect(readUsers(firebase, '{"accounts":[]}')).rejects.toMatchObject({
    code: "input_unrecognized",
  });
});
