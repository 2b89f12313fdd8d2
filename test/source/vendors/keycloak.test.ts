import { describe, expect, test } from "vitest";
import { findSource } from "../../../src/source/registry.js";
import { headOf, readOnly, readUsers } from "../read-users.js";

const keycloak = findSource("keycloak")!;

const PASSWORD = {
  type: "password",
  secretData: '{"value":"dmFsdWU=","salt":"c2FsdA=="}',
  credentialData: '{"hashIterations":27500,"algorithm":"pbkdf2-sha256"}',
};

function user(fields: object): object {
  return {
    id: "u1",
    username: "ann@example.com",
    email: "ann@example.com",
    emailVerified: true,
    enabled: true,
    createdTimestamp: 1693562400000,
    credentials: [],
    ...fields,
  };
}

function realm(...users: readonly object[]): string {
  return JSON.stringify({ id: "1", realm: "acme", notBefore: 0, users });
}

function read(fields: object) {
  return readOnly(keycloak, realm(user(fields)));
}

function linked(...aliases: readonly string[]): object {
  return {
    federatedIdentities: aliases.map((identityProvider) => ({ identityProvider, userId: "1" })),
  };
}

describe("a Keycloak user", () => {
  test.each([
    [{}, true],
    [{ emailVerified: false }, false],
    [{ emailVerified: null }, false],
    [{ emailVerified: undefined }, false],
    [{ requiredActions: ["VERIFY_EMAIL"] }, false],
    [{ requiredActions: ["CONFIGURE_TOTP"] }, true],
    [{ email: "" }, false],
    [{ email: undefined }, false],
  ])(
    "is verified only where the mark is of the email and nothing is asked (%#)",
    async (fields, verified) => {
      expect(await read(fields)).toMatchObject({ email: { value: "ann@example.com", verified } });
    },
  );

  test.each([
    [{ enabled: false }, "disabled"],
    [{ serviceAccountClientId: "billing" }, "service_account"],
    [{ serviceAccountClientId: "billing", enabled: false }, "service_account disabled"],
    [{ federationLink: "ldap-1" }, "sso_only"],
    [{ federationLink: "ldap-1", ...linked("google") }, "sso_only"],
    [{ federationLink: " " }, "sso_only"],
    [{ federationLink: "ldap-1", credentials: [PASSWORD] }, null],
    [{ federationLink: "ldap-1", enabled: false }, "disabled sso_only"],
    [linked("acme-saml"), "sso_only"],
    [linked("oidc", "keycloak-oidc"), "sso_only"],
    [linked("azure"), "sso_only"],
    [linked("openshift-v4"), "sso_only"],
    [linked("google"), null],
    [linked("acme-saml", "linkedin-openid-connect"), null],
    [{ ...linked("acme-saml"), credentials: [PASSWORD] }, null],
    [{ ...linked("acme-saml"), credentials: [{ type: "webauthn-passwordless" }] }, null],
    [{ ...linked("acme-saml"), credentials: [{ type: "otp" }] }, "sso_only"],
    [{}, null],
  ])("is left out by what lets them in (%#)", async (fields, exclusion) => {
    expect(await read(fields)).toMatchObject({ exclusions: exclusion?.split(" ") ?? [] });
  });

  test.each([[undefined], [null]])("whose enabled is %j is rejected", async (enabled) => {
    expect(await read({ enabled })).toMatch(/^flag_invalid/);
  });

  test.each([
    [{ phoneNumber: ["+447700900101"], phoneNumberVerified: ["true"] }, true],
    [{ phone_number: "+447700900101", phone_number_verified: "true" }, true],
    [{ phoneNumber: ["+447700900101"], phoneNumberVerified: ["true", "false"] }, false],
    [{ phoneNumber: ["+447700900101"], phoneNumberVerified: ["soon"] }, false, "part_unreadable"],
    [{ Mobile: ["+447700900101"], phoneVerified: ["true"] }, false],
    [{ phone: ["+447700900101"] }, false],
  ])(
    "has a verified phone only where an attribute says so (%#)",
    async (attributes, verified, ...told) => {
      expect(await read({ attributes })).toMatchObject({
        phone: { value: "+447700900101", verified },
        notices: ["joined_not_migrated", ...told],
      });
    },
  );

  test("has notices for what the core has no place for, each once", async () => {
    const fields = {
      username: "ann",
      firstName: "Ann",
      attributes: {
        locale: ["en"],
        badge: ["7"],
        none: [],
        phone: ["+447700900101", "+447700900102"],
      },
      credentials: [PASSWORD, { type: "webauthn" }, { type: "webauthn-passwordless" }],
      requiredActions: ["UPDATE_PASSWORD"],
      groups: ["/staff"],
      ...linked("google"),
    };
    expect(await read(fields)).toMatchObject({
      notices: [
        "joined_not_migrated",
        "metadata_not_migrated",
        "mfa_not_migrated",
        "other_contacts_not_migrated",
        "passkey_not_migrated",
        "password_reset_required",
        "profile_not_migrated",
        "roles_not_migrated",
        "social_identity_dropped",
        "username_not_migrated",
      ],
    });
    for (const roles of [{ realmRoles: ["user"] }, { clientRoles: { shop: ["buyer"] } }]) {
      expect(await read(roles)).toMatchObject({
        notices: ["joined_not_migrated", "roles_not_migrated"],
      });
    }
  });

  test.each([
    [[], { totp: false, createdTimestamp: null }],
    [["mfa_not_migrated"], { totp: true, createdTimestamp: undefined }],
    [
      ["mfa_not_migrated"],
      { credentials: [{ type: "recovery-authn-codes" }], createdTimestamp: null },
    ],
  ])(
    "has the notices %j by what the fields say, not by their being there",
    async (notices, fields) => {
      expect(await read(fields)).toMatchObject({ notices });
    },
  );

  test("has the same notices where an attribute of phones says yes", async () => {
    const fields = { totp: true, credentials: undefined, attributes: { mobile: ["yes"] } };
    expect(await read(fields)).toMatchObject({
      notices: [
        "identities_not_exported",
        "joined_not_migrated",
        "mfa_not_migrated",
        "password_not_exported",
        "contact_unusable",
      ],
    });
  });

  test("of the admin API says that nobody knows of passwords and identities", async () => {
    const { credentials: _none, ...listed } = user({}) as Record<string, unknown>;
    expect(await readOnly(keycloak, JSON.stringify([listed]))).toMatchObject({
      hash: null,
      notices: ["identities_not_exported", "joined_not_migrated", "password_not_exported"],
    });
  });

  test("is read behind a first line with a list whose name is damaged", async () => {
    const lines = ['{"username":"ben","required\\Actions":[]}', JSON.stringify(user({})), ""];
    const [first, second] = await readUsers(keycloak, lines.join("\n"));
    expect(first).toMatch(/^row_malformed/);
    expect(second).toMatchObject({ sourceId: "u1" });
  });

  test("of another shape is rejected by the field's name, without its value", async () => {
    const hint = await read({ email: ["ann@example.com"] });
    expect(hint).toMatch(/^row_malformed: The user's "email" is not what Keycloak exports/);
    expect(hint).not.toContain("ann@");
  });
});

describe("a realm", () => {
  const roles = Array.from({ length: 900 }, (_, n) => ({
    name: `role-${n}`,
    description: 'Not "users": [',
    attributes: { users: [{ username: "nobody" }] },
  }));
  const late = JSON.stringify({
    id: "1",
    realm: "acme",
    sslRequired: "external",
    roles: { realm: roles },
    users: [user({ id: "u1" }), user({ id: "u2" })],
    clients: [{ users: ["x"] }],
  });

  test("whose users come late is recognized and read, other arrays are passed over", async () => {
    expect(late.indexOf('"u1"')).toBeGreaterThan(64 * 1024);
    expect(keycloak.recognize(headOf(late.slice(0, 64 * 1024), false))).not.toBeNull();
    const users = await readUsers(keycloak, late);
    expect(users.map((one) => (typeof one === "string" ? one : one.sourceId))).toEqual([
      "u1",
      "u2",
    ]);
  });

  test("without its users holds nobody, and the hint says where they are", async () => {
    const settings = '{"id":"1","realm":"acme","notBefore":0,"roles":{}}';
    const late = '{"realm":"acme","enabled":true,"roles":{"realm":[]},"sslRequired":"none"}';
    for (const realm of [settings, late, '{"realm":"acme","users":[]}']) {
      expect(keycloak.recognize(headOf(realm))).not.toBeNull();
      expect(await readUsers(keycloak, realm)).toEqual([]);
    }
    expect(keycloak.noUsersHint).toContain("users-0.json");
  });

  test("beside others in one file is refused: their administrators are nobody's users", async () => {
    const all = `[ ${realm(user({}))}, ${realm(user({}))} ]`;
    expect(keycloak.recognize(headOf(all))).not.toBeNull();
    await expect(readUsers(keycloak, all)).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringContaining("--realm"),
    });
  });

  test("of nobody's is not Keycloak's", () => {
    for (const text of [
      '{"realm":"acme","users":[{"localId":"1"}]}',
      '{"realm":"acme","accounts":[]}',
      '[{"realm":"acme"}]',
      '[{"username":"ann","emailVerified":true}]',
      '{"users":[{"username":"ann"}]}',
      "",
    ]) {
      expect(keycloak.recognize(headOf(text))).toBeNull();
    }
  });
});

describe("Keycloak's tables", () => {
  const HEADER = "ID,USERNAME,EMAIL,EMAIL_VERIFIED,ENABLED,PASSWORD,SALT,HASHITERATIONS,ALGORITHM";

  test.each([
    ["\u0000", false],
    ["\u0001", true],
    ["t", true],
    ["0", false],
    ["?", false],
    ["", false],
  ])("with %j for EMAIL_VERIFIED", async (mark, verified) => {
    const row = `u1,ann,ann@example.com,${mark},1,,,,`;
    expect(await readOnly(keycloak, `${HEADER}\n${row}\n`)).toMatchObject({
      email: { verified },
      exclusions: [],
    });
  });

  test.each([
    ["\u0000", "disabled"],
    ["f", "disabled"],
  ])("with %j for ENABLED keep the user out", async (mark, exclusion) => {
    const row = `u1,ann,ann@example.com,1,${mark},,,,`;
    expect(await readOnly(keycloak, `${HEADER}\n${row}\n`)).toMatchObject({
      exclusions: exclusion?.split(" ") ?? [],
    });
  });

  test.each([[""], ["NULL"], ["maybe"]])("with %j for ENABLED are unclear", async (mark) => {
    const row = `u1,ann,ann@example.com,1,${mark},,,,`;
    expect(await readOnly(keycloak, `${HEADER}\n${row}\n`)).toMatch(/^flag_invalid/);
  });

  test("without ENABLED are refused, since disabled users may be among theirs", async () => {
    const header = HEADER.replace("ENABLED,", "");
    const reading = readOnly(keycloak, `${header}\nu1,ann,ann@example.com,1,,,,\n`);
    await expect(reading).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringContaining('with "enabled"'),
    });
  });

  test("give the hash as the credential that a realm export has", async () => {
    const row = "u1,ann,ann@example.com,1,1,dmFsdWU=,c2FsdA==,27500,pbkdf2-sha256";
    expect(await readOnly(keycloak, `${HEADER}\n${row}\n`)).toMatchObject({
      hash: {
        kind: "credential",
        credential: {
          secretData: { value: "dmFsdWU=", salt: "c2FsdA==" },
          credentialData: { hashIterations: "27500", algorithm: "pbkdf2-sha256" },
        },
      },
    });
  });

  test("are recognized by columns of either time, in any case", () => {
    for (const header of [
      HEADER,
      HEADER.toLowerCase(),
      "id,email,email_verified,secret_data,credential_data",
    ]) {
      expect(keycloak.recognize(headOf(`${header}\n`))).not.toBeNull();
    }
    expect(keycloak.recognize(headOf("id,email,email_verified,password,salt\n"))).toBeNull();
  });

  test("are known without the marks of the email, and unverified then", async () => {
    const table = "id,email,enabled,secret_data,credential_data\nu1,ann@example.com,t,{},{}\n";
    expect(keycloak.recognize(headOf(table))).not.toBeNull();
    expect(await readOnly(keycloak, table)).toMatchObject({ email: { verified: false } });
  });

  test("of the users alone say who is a directory's or a client's, and that passwords are missing", async () => {
    const header =
      "id,email,email_constraint,email_verified,enabled,federation_link,username,service_account_client_link";
    const rows = [
      "u1,ann@example.com,x,t,t,,ann,",
      "u2,bob@example.com,x,t,t,ldap,bob,",
      "u3,,x,f,t,,app,c1",
    ];
    const table = `${header}\n${rows.join("\n")}\n`;
    expect(keycloak.recognize(headOf(table))).not.toBeNull();
    expect(await readUsers(keycloak, table)).toMatchObject([
      { exclusions: [], notices: expect.arrayContaining(["password_not_exported"]) },
      { exclusions: ["sso_only"] },
      { exclusions: ["service_account"] },
    ]);
  });

  test("as JSON are refused, with the way to write them as CSV", async () => {
    const rows = JSON.stringify([
      { id: "u1", email: "ann@example.com", secret_data: "{}", credential_data: "{}" },
    ]);
    expect(keycloak.recognize(headOf(rows))).not.toBeNull();
    await expect(readOnly(keycloak, rows)).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringContaining("csv header"),
    });
  });
});
