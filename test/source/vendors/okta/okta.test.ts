import { describe, expect, test } from "vitest";
import { findSource } from "../../../../src/source/registry.js";

const okta = findSource("okta")!;
import { headOf, readOnly } from "../../read-users.js";

const PROFILE = { login: "ann@example.com", email: "ann@example.com" };
const OWN = { password: {}, provider: { type: "OKTA", name: "OKTA" } };
const HASH = { algorithm: "BCRYPT", workFactor: 10, salt: "s".repeat(22), value: "v".repeat(31) };

function user(fields: object): object {
  return { id: "00u1", status: "ACTIVE", profile: PROFILE, credentials: OWN, ...fields };
}

function read(fields: object) {
  return readOnly(okta, JSON.stringify([user(fields)]));
}

describe("an Okta user", () => {
  test.each([
    ["ACTIVE", null, null, ["password_not_exported"]],
    ["PROVISIONED", null, false, ["password_not_exported"]],
    ["RECOVERY", null, null, ["password_not_exported", "password_reset_required"]],
    ["PASSWORD_EXPIRED", null, null, ["password_not_exported", "password_reset_required"]],
    ["STAGED", "disabled", false, ["password_not_exported"]],
    ["LOCKED_OUT", "disabled", null, ["password_not_exported"]],
    ["SUSPENDED", "disabled", null, ["password_not_exported"]],
    ["DEPROVISIONED", "disabled", null, ["password_not_exported"]],
  ])("who is %s is left out as %j", async (status, exclusion, verified, notices) => {
    expect(await read({ status })).toMatchObject({
      exclusions: exclusion?.split(" ") ?? [],
      email: { verified },
      notices,
    });
  });

  test.each([["PAUSED"], [""], [null], [undefined]])(
    "whose status is %j is rejected: nobody can say whether they are let in",
    async (status) => {
      expect(await read({ status })).toMatch(/^flag_invalid: .*"status"/);
    },
  );

  test.each([
    ["OKTA", null, ["password_not_exported"]],
    ["IMPORT", null, ["password_not_exported"]],
    ["SOCIAL", null, ["social_identity_dropped"]],
    ["FEDERATION", "sso_only", []],
    ["ACTIVE_DIRECTORY", "sso_only", []],
    ["LDAP", "sso_only", []],
    ["WHATEVER_COMES", "sso_only", []],
  ])("whose provider is %s is left out as %j", async (type, exclusion, notices) => {
    expect(await read({ credentials: { ...OWN, provider: { type } } })).toMatchObject({
      exclusions: exclusion?.split(" ") ?? [],
      notices,
    });
  });

  test("without a provider is left out, unless it is an object of an import with hashes", async () => {
    expect(await read({ credentials: {} })).toMatchObject({ exclusions: ["sso_only"] });
    const credentials = { password: { hash: HASH } };
    expect(await read({ status: undefined, credentials })).toMatchObject({
      exclusions: [],
      hash: { kind: "credential", credential: HASH },
      notices: [],
    });
    const federated = { ...credentials, provider: { type: "FEDERATION" } };
    expect(await read({ credentials: federated })).toMatchObject({ exclusions: ["sso_only"] });
    expect(await read({ status: "SUSPENDED", credentials })).toMatchObject({
      exclusions: ["disabled"],
    });
  });

  test.each([
    ["ACTIVE", "VERIFIED", true],
    ["ACTIVE", "UNVERIFIED", false],
    ["PROVISIONED", "VERIFIED", true],
  ])("%s with a primary email %s is verified: %j", async (status, word, verified) => {
    const emails = [
      { value: "old@example.com", status: "VERIFIED", type: "SECONDARY" },
      { value: "ann@example.com", status: word, type: "PRIMARY" },
    ];
    const fields = { status, credentials: { ...OWN, emails } };
    expect(await read(fields)).toMatchObject({ email: { verified } });
  });

  test("has no verified phone: the profile's is never proven, and nobody signs in with it", async () => {
    const profile = { ...PROFILE, mobilePhone: "+447700900101", primaryPhone: "+442079460101" };
    expect(await read({ profile })).toMatchObject({
      phone: { value: "+447700900101", verified: false },
      notices: ["other_contacts_not_migrated", "password_not_exported"],
    });
  });

  test("has notices for what the core has no place for, each once", async () => {
    const profile = {
      ...PROFILE,
      login: "ann",
      secondEmail: "ann.home@example.net",
      firstName: "Ann",
      department: "Sales",
      badge: ["green"],
      empty: [],
      off: false,
    };
    const credentials = { provider: OWN.provider, recovery_question: { question: "Street?" } };
    expect(await read({ profile, credentials })).toMatchObject({
      notices: [
        "metadata_not_migrated",
        "other_contacts_not_migrated",
        "profile_not_migrated",
        "recovery_question_not_migrated",
        "username_not_migrated",
      ],
    });
  });

  test("with a field of another type is rejected by its name, without its value", async () => {
    const hint = await read({ profile: { ...PROFILE, email: ["ann@example.com"] } });
    expect(hint).toMatch(/^row_malformed: The user's "profile.email" is not what Okta exports/);
    expect(hint).not.toContain("ann@");
  });
});

describe("Okta's exports", () => {
  const HEADER = "User Id,Status,Username,Primary email,Credential Provider Type\n";

  test("are recognized as arrays, lines and rockstar's tables", () => {
    const line = JSON.stringify(user({}));
    for (const text of [`[${line}]`, line, `${line}\n${line}\n`, HEADER]) {
      expect(okta.recognize(headOf(text))).not.toBeNull();
    }
    for (const text of [
      "User Id,Username,Primary email\n",
      '[{"profile":{"email":"a"},"credentials":{}}]',
      '[{"profile":null,"credentials":{}}]',
      '[{"profile":{"login":"a"}}]',
    ]) {
      expect(okta.recognize(headOf(text))).toBeNull();
    }
  });

  test("as tables without the columns that say who is let in are refused, naming them", async () => {
    const header = HEADER.replace(",Credential Provider Type", "");
    const reading = readOnly(okta, `${header}00u1,ACTIVE,ann,ann@example.com\n`);
    await expect(reading).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringContaining("Credential Provider Type"),
    });
  });
});
