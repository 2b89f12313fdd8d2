import { describe, expect, test } from "vitest";
import type { UserRecord } from "../../src/record/user-record.js";
import { firebase } from "../../src/source/firebase.js";
import { collect, PLAIN, pieces } from "./support.js";

async function readOne(user: object): Promise<UserRecord | string> {
  const bytes = Buffer.from(JSON.stringify({ users: [user] }));
  const [item] = await collect(firebase.read("users.json", pieces(bytes, 99), PLAIN));
  return item?.kind === "record" ? item.record : `${item?.kind} ${item?.hint}`;
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

  test("without an emailVerified is unverified, as the vendor's own tool has it", async () => {
    expect(await readOne({ localId: "a1", email: "ann@example.com" })).toMatchObject({
      email: { value: "ann@example.com", verified: false },
    });
  });

  test("has a verified phone, because the vendor stores no other", async () => {
    expect(await readOne({ localId: "a1", phoneNumber: "+15550100001" })).toMatchObject({
      phone: { value: "+15550100001", verified: true },
      exclusion: null,
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
    [null, { ...ann, providerUserInfo: [{ providerId: "password" }, { providerId: "phone" }] }],
  ])("is kept out as %s (%#)", async (exclusion, user) => {
    expect(await readOne(user)).toMatchObject({ exclusion });
  });

  test("has notices for what the core has no place for, each once", async () => {
    const user = {
      ...ann,
      displayName: "Ann",
      photoUrl: "https://photos.example.com/ann.png",
      customAttributes: '{"admin":true}',
      providerUserInfo: [{ providerId: "google.com" }, { providerId: "github.com" }],
      mfaInfo: [{ mfaEnrollmentId: "m1" }],
    };
    expect(await readOne(user)).toMatchObject({
      notices: [
        "social_identity_dropped",
        "profile_not_migrated",
        "metadata_not_migrated",
        "mfa_not_migrated",
      ],
    });
    expect(
      await readOne({ ...ann, customAttributes: "{}", mfaInfo: [], displayName: "" }),
    ).toMatchObject({
      notices: [],
    });
  });

  test("with a field of another type is rejected by the field's name, without its value", async () => {
    expect(await readOne({ localId: "a1", email: ["ann@example.com"] })).toMatch(
      /^reject The user's "email" is not what Firebase exports/,
    );
    expect(await readOne({ email: "ann@example.com" })).toMatch(/"localId"/);
  });
});

test("a Firebase JSON document of another shape is refused", async () => {
  const bytes = Buffer.from('{"accounts":[]}');
  const read = collect(firebase.read("users.json", pieces(bytes, 99), PLAIN));
  await expect(read).rejects.toMatchObject({ code: "input_unrecognized" });
});
