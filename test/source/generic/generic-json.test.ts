import { describe, expect, test } from "vitest";
import { genericJson } from "../../../src/source/mapping/generic-files.js";
import type { ReadOptions, SourceItem } from "../../../src/source/source.js";
import { collect, PLAIN, pieces } from "../support.js";

const BCRYPT = "$2a$10$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";

function mapOf(fields: Record<string, string>): Partial<ReadOptions> {
  return { map: new Map(Object.entries(fields)) };
}

function recognize(text: string): string | null {
  return genericJson.recognize({ path: "users.json", text, complete: true });
}

function read(text: string, options: Partial<ReadOptions> = {}): Promise<SourceItem[]> {
  const bytes = pieces(Buffer.from(text), 50);
  return collect(genericJson.read("users.json", bytes, { ...PLAIN, ...options }));
}

/** The records, rejects' codes and other kinds of some users. */
async function readAll(users: readonly unknown[], options: Partial<ReadOptions> = {}) {
  const items = await read(JSON.stringify(users), options);
  return items.map((item) => {
    if (item.kind === "record") return item.record;
    return item.kind === "reject" ? item.code : item.kind;
  });
}

async function readOne(user: object, options: Partial<ReadOptions> = {}) {
  return (await readAll([user], options))[0];
}

describe("a file of JSON users", () => {
  const ann = { id: "7", email: "ann@example.com" };

  test.each([
    ["a top-level array", JSON.stringify([ann]), "a JSON array"],
    ["an array under a name of its own", JSON.stringify({ total: 1, rows: [ann] }), '"rows"'],
    [
      "SCIM's Resources",
      JSON.stringify({ schemas: ["x"], Resources: [ann] }, null, 2),
      "Resources",
    ],
    ["an object a line", `${JSON.stringify(ann)}\n`, "a JSON object a line"],
    ["an object a line, with a blank one first", `\n${JSON.stringify(ann)}\n`, "a line"],
    ["an array of broken lines", `[\n${JSON.stringify(ann)},\n{"id":"8"}\n]`, "a JSON array"],
  ])("is found in %s", async (_where, text, reason) => {
    expect(recognize(text)).toContain(reason);
    const [first] = await read(text);
    expect(first).toMatchObject({ number: 1, record: { sourceId: "7" } });
  });

  test("is found beside arrays that hold no users", async () => {
    const text = JSON.stringify({ plans: [{ name: "gold" }], members: [ann], tags: ["a"] });
    expect(recognize(text)).toContain('"members"');
    expect(await read(text)).toHaveLength(1);
  });

  test("asks which of two arrays holds the users", async () => {
    const text = JSON.stringify({ users: [ann], invitations: [{ email: "bob@example.com" }] });
    expect(recognize(text)).not.toBeNull();
    await expect(read(text)).rejects.toMatchObject({
      code: "column_unclear",
      message: expect.stringMatching(/"users".*"invitations"/),
      hint: expect.stringContaining("--map users="),
    });
    expect(await read(text, mapOf({ users: "invitations" }))).toMatchObject([
      { record: { email: { value: "bob@example.com" } } },
    ]);
  });

  test.each(["[]", '{"users":[]}', '{"start":0,"length":0,"users":[ ],"next":null}'])(
    "may be an empty list, which has no row (%#)",
    async (text) => {
      expect(recognize(text)).toBe("a JSON list without users");
      expect(await read(text)).toEqual([]);
    },
  );

  test.each([
    '{"users":[{"id":"7","name":"Ann"}]}',
    '["ann@example.com"]',
    '{"email":"ann@example.com"',
    '{\n  "users": [\n    {"id":"7"}\n  ]\n}',
    "email\nann@example.com\n",
  ])("is not what has nobody with an email or a phone (%#)", (text) => {
    expect(recognize(text)).toBeNull();
  });

  test("is refused with the names of its properties where no contact is among them", async () => {
    await expect(read('[{"id":1,"kontakt":{"mail_adr":"a@example.com"}}]')).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringMatching(/"id", "kontakt.mail_adr".*--map/),
    });
  });

  test("is refused with the way out where its users lie too deep", async () => {
    await expect(read(JSON.stringify({ data: { users: [ann] } }))).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringContaining(
        "auth-migrate validate users.json --from json --map users=data.users",
      ),
    });
  });

  test("is not said to lie too deep where it is only a list within a list", async () => {
    const text = JSON.stringify({ teams: [{ id: 1, people: [{ name: "Ann" }] }] });
    await expect(read(text)).rejects.toMatchObject({
      hint: expect.stringContaining("--map users=NAME"),
    });
  });

  test("keeps the numbers of its rows where one is no user", async () => {
    const text = `{"email":"a@example.com"}\n{"email":\n{"email":"c@example.com"}\n{"email":"d@exa`;
    const items = await read(text);
    expect(items.map(({ kind, number }) => [kind, number])).toEqual([
      ["record", 1],
      ["reject", 2],
      ["record", 3],
      ["truncated", 4],
    ]);
  });
});

describe("a JSON user", () => {
  test("may have other names than the one before", async () => {
    const users = [{ email: "ann@example.com" }, { mail: "bob@example.com", password: BCRYPT }];
    expect(await readAll(users)).toMatchObject([
      { email: { value: "ann@example.com" } },
      { email: { value: "bob@example.com" }, hash: { text: BCRYPT } },
    ]);
  });

  test("is rejected where two properties differ on one field, naming both and no value", async () => {
    const [item] = await read('[{"email":"ann@example.com","mail":"old@example.com"}]');
    expect(item).toMatchObject({ kind: "reject", code: "field_ambiguous" });
    expect(item).toMatchObject({ hint: expect.stringMatching(/"email" and "mail".*--map email=/) });
    expect(JSON.stringify(item)).not.toContain("example.com");
  });

  test("may say one thing twice", async () => {
    expect(await readOne({ email: "Ann@example.com", mail: "ann@example.com " })).toMatchObject({
      email: { value: "ann@example.com" },
    });
    expect(await readOne({ email: "ann@example.com", mail: "" })).toMatchObject({ notices: [] });
  });

  test("has the surest of several ids, in whatever order", async () => {
    const both = { email: "a@example.com", uid: "u", id: "7" };
    expect(await readOne(both)).toMatchObject({ sourceId: "7" });
    const other = { email: "a@example.com", id: "7", uid: "u" };
    expect(await readOne(other)).toMatchObject({ sourceId: "7" });
  });

  test("has an id that is a number, unless it lost digits", async () => {
    expect(await readOne({ id: 42, email: "a@example.com" })).toMatchObject({ sourceId: "42" });
    const text = '[{"id":12345678901234567890,"email":"a@example.com"}]';
    expect(await read(text)).toMatchObject([{ kind: "reject", code: "id_imprecise" }]);
  });

  test("has ids and dates as MongoDB's tools write them", async () => {
    const user = {
      _id: { $oid: "64f0c1d2e3a4b5c6d7e8f901" },
      email: "a@example.com",
      emailVerifiedAt: { $date: { $numberLong: "1693562400000" } },
      deletedAt: { $date: "2024-01-02T03:04:05Z" },
    };
    expect(await readOne(user)).toMatchObject({
      sourceId: "64f0c1d2e3a4b5c6d7e8f901",
      email: { verified: true },
      exclusions: ["deleted"],
    });
  });

  test("takes a password for the hash only where no clearer name has one", async () => {
    const user = { email: "a@example.com", password: "x", passwordHash: BCRYPT };
    expect(await readOne(user)).toMatchObject({ hash: { kind: "text", text: BCRYPT } });
    const other = { email: "a@example.com", passwordHash: BCRYPT, password: "x" };
    expect(await readOne(other)).toMatchObject({ hash: { kind: "text", text: BCRYPT } });
  });

  test.each([
    [{ emailVerified: true }, true],
    [{ emailVerified: false }, false],
    [{ email_verified: 1 }, true],
    [{ email_verified: "0" }, false],
    [{ emailVerified: null }, null],
    [{ emailVerifiedAt: null }, false],
    [{ confirmed_at: "2024-01-02T03:04:05Z" }, true],
    [{ emailVerified: true, confirmedAt: null }, false],
    [{ confirmedAt: null, emailVerified: true }, false],
    [{ emailVerified: { at: "x" } }, false],
  ])("with %j has an email that is verified: (%#)", async (flags, verified) => {
    expect(await readOne({ email: "a@example.com", ...flags })).toMatchObject({
      email: { verified },
    });
  });

  test("has an unverified email where others have a date and this one has none", async () => {
    const users = [
      { email: "a@example.com", emailVerified: "2024-01-02T03:04:05.000Z" },
      { email: "b@example.com", emailVerified: null },
      { email: "c@example.com" },
    ];
    const verified = { email: { verified: true } };
    const unverified = { email: { verified: false } };
    expect(await readAll(users)).toMatchObject([verified, unverified, unverified]);
  });

  test.each([
    [{ disabled: true }, "disabled"],
    [{ disabled: false, banned: null }, null],
    [{ active: false }, "disabled"],
    [{ active: 1 }, null],
    [{ status: "suspended" }, "disabled"],
    [{ status: "ACTIVE" }, null],
    [{ state: "inactive" }, "disabled"],
    [{ state: "CA", city: "Fresno" }, null],
    [{ state: "USER_STATE_LOCKED" }, "disabled"],
    [{ state: "USER_STATE_ACTIVE" }, null],
    [{ deletedAt: "2024-01-02" }, "deleted"],
    [{ lockedAt: 1704164645000 }, "disabled"],
    [{ isAnonymous: true }, "anonymous"],
    [{ blocked: [] }, null],
  ])("with %j is kept out: (%#)", async (flags, exclusion) => {
    expect(await readOne({ email: "a@example.com", ...flags })).toMatchObject({
      exclusions: exclusion?.split(" ") ?? [],
    });
  });

  test.each([
    { status: "gold" },
    { status: { code: "ACTIVE" } },
    { active: null },
    { blocked: ["u1"] },
    { disabled: "perhaps" },
  ])("is rejected where %j doesn't say clearly who is let in", async (flags) => {
    expect(await readOne({ email: "a@example.com", ...flags })).toBe("flag_invalid");
  });

  test("is rejected without the flag that says of others who is let in", async () => {
    const users = [{ email: "a@example.com", active: true }, { email: "b@example.com" }];
    expect(await readAll(users)).toMatchObject([{ exclusions: [] }, "flag_invalid"]);
  });

  test("has a contact under a name with dots in it, wherever it stands", async () => {
    const user = { "https://acme.example/email": "a@example.com" };
    const inner = { id: "7", profile: user };
    const email = { value: "a@example.com" };
    expect(await readAll([{ id: "6", ...user }, inner])).toMatchObject([{ email }, { email }]);
  });

  test("has contacts of nested objects where they are surely the user's own", async () => {
    expect(
      await readOne({
        profile: { email: "ann@example.com", id: "nested", first_name: "Ann" },
        phone: { number: "+15550100001", verified: true },
        manager: { email: "boss@example.com", phone: "+15550100009" },
      }),
    ).toMatchObject({
      sourceId: null,
      email: { value: "ann@example.com" },
      phone: { value: "+15550100001", verified: true },
      notices: ["profile_not_migrated"],
    });
  });

  test("has the primary one of several contacts, else a verified one", async () => {
    expect(
      await readOne({
        emails: [
          { value: "old@example.com", type: "home" },
          { value: "ann@example.com", type: "work", primary: true, verified: true },
        ],
        phoneNumbers: ["+15550100001"],
      }),
    ).toMatchObject({
      email: { value: "ann@example.com", verified: true },
      phone: { value: "+15550100001", verified: null },
      notices: ["other_contacts_not_migrated"],
    });
    expect(
      await readOne({
        emails: [
          { address: "a@example.com", verified: false },
          { address: "b@example.com", verified: true },
        ],
      }),
    ).toMatchObject({ email: { value: "b@example.com", verified: true } });
  });

  test("has the primary one even where another is verified", async () => {
    const emails = [
      { value: "a@example.com", verified: true },
      { value: "b@example.com", primary: true },
    ];
    expect(await readOne({ emails })).toMatchObject({ email: { value: "b@example.com" } });
  });

  test("has the email that stands for itself, with what the list knows of it", async () => {
    const emails = [
      { email: "b@example.com", verified: true },
      { email: "a@example.com", verified: true },
    ];
    expect(await readOne({ email: "a@example.com", emails })).toMatchObject({
      email: { value: "a@example.com", verified: true },
      notices: ["other_contacts_not_migrated"],
    });
  });

  test("hands a hash on with the salt and algorithm beside it", async () => {
    const salted = { email: "a@example.com", hash: "aGFzaA==", salt: "c2FsdA==" };
    expect(await readOne(salted)).toMatchObject({
      hash: { kind: "salted", hash: "aGFzaA==", salt: "c2FsdA==" },
    });
    const named = { email: "a@example.com", password: BCRYPT, hash_algorithm: "bcrypt_sha256" };
    expect(await readOne(named)).toMatchObject({
      hash: {
        kind: "credential",
        credential: { password_hash: BCRYPT, algorithm: "bcrypt_sha256" },
      },
    });
  });

  test("keeps both of two algorithms that contradict each other, so that neither is trusted", async () => {
    const named = { hash_algorithm: "bcrypt", password_algorithm: "sha256" };
    expect(await readOne({ email: "a@example.com", hash: BCRYPT, ...named })).toMatchObject({
      hash: { credential: { algorithm: "bcrypt sha256" } },
    });
  });

  test.each([
    [{ password: { hash: BCRYPT } }, { hash: BCRYPT }],
    [{ credentials: { password: { hash: BCRYPT } } }, { password: { hash: BCRYPT } }],
    [{ credentials: [{ type: "password", value: "x" }] }, [{ type: "password", value: "x" }]],
    [{ services: { password: { bcrypt: BCRYPT } } }, { password: { bcrypt: BCRYPT } }],
  ])("hands the object %j on as a credential (%#)", async (property, credential) => {
    expect(await readOne({ email: "a@example.com", ...property })).toMatchObject({
      hash: { kind: "credential", credential },
    });
  });

  test.each([
    { credentials: [{ type: "webauthn", id: "x" }] },
    { services: { google: { id: "1" } } },
    { password: {} },
    { password: null },
  ])("has no password in %j", async (property) => {
    expect(await readOne({ email: "a@example.com", ...property })).toMatchObject({ hash: null });
  });

  test("is rejected with a hash in two places", async () => {
    const user = { email: "a@example.com", hash: BCRYPT, credentials: { password: BCRYPT } };
    expect(await readOne(user)).toBe("field_ambiguous");
  });

  test("names by notices what has no place in the core", async () => {
    expect(
      await readOne({
        email: "a@example.com",
        name: "Ann",
        username: "ann",
        roles: ["admin"],
        user_metadata: { plan: "gold", email: "other@example.com" },
        totp_secret: "JBSWY3DP",
        mfa_enabled: true,
        passkeys: [{ id: "k" }],
        google_id: "1",
      }),
    ).toMatchObject({
      email: { value: "a@example.com" },
      notices: [
        "metadata_not_migrated",
        "mfa_not_migrated",
        "passkey_not_migrated",
        "profile_not_migrated",
        "roles_not_migrated",
        "social_identity_dropped",
        "username_not_migrated",
      ],
    });
    expect(
      await readOne({
        email: "a@example.com",
        username: "A@example.com",
        name: "",
        roles: [],
        user_metadata: {},
        mfa_enabled: false,
        is_admin: false,
      }),
    ).toMatchObject({ notices: [] });
  });

  test("takes no harm from names that objects have by themselves", async () => {
    const text =
      '[{"__proto__":{"email":"x@example.com"},"constructor":1,"email":"a@example.com"}]';
    expect(await read(text)).toMatchObject([{ record: { email: { value: "a@example.com" } } }]);
  });
});

describe("--map", () => {
  test("finds properties as deep as they are", async () => {
    const user = {
      nr: 7,
      kontakt: { privat: { adresse: "ann@example.com" } },
      zugang: { kennwort: BCRYPT, gesperrt: 1 },
    };
    const options = mapOf({
      id: "nr",
      email: "kontakt.privat.adresse",
      hash: "zugang.kennwort",
      disabled: "zugang.gesperrt",
    });
    expect(await readOne(user, options)).toEqual({
      sourceId: "7",
      email: { value: "ann@example.com", verified: null },
      phone: null,
      hash: { kind: "text", text: BCRYPT },
      exclusions: ["disabled"],
      because: { disabled: '"zugang.gesperrt" says 1.' },
      notices: [],
    });
  });

  test("may name one property for two fields", async () => {
    const options = mapOf({ id: "login", email: "login" });
    expect(await readOne({ login: "ann@example.com" }, options)).toMatchObject({
      sourceId: "ann@example.com",
      email: { value: "ann@example.com" },
    });
  });

  test("refuses a property that no user has, naming those that are", async () => {
    const user = { nr: 7, email: "ann@example.com", profile: { name: "Ann" } };
    await expect(readOne(user, mapOf({ hash: "kennwort" }))).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining('"kennwort"'),
      hint: expect.stringContaining('"nr", "email", "profile.name"'),
    });
    await expect(readOne(user, mapOf({ mail: "email" }))).rejects.toMatchObject({
      hint: expect.stringContaining("users"),
    });
  });
});

describe("an expression of --map", () => {
  const identities = [
    { signInType: "userName", issuerAssignedId: "ann" },
    { signInType: "emailAddress", issuerAssignedId: "ann@example.com", proven: false },
  ];
  const user = { identities, login: { keys: [{ kind: "bcrypt", hash: BCRYPT }] }, groups: ["on"] };
  const map = mapOf({
    email: "identities[?signInType==`emailAddress`]|[0].issuerAssignedId",
    email_verified: "identities[?signInType=='emailAddress']|[0].proven",
    hash: "login.keys[0].hash",
    disabled: "groups[0]=off",
  });

  test("reaches into lists", async () => {
    expect(await readOne(user, map)).toMatchObject({
      email: { value: "ann@example.com", verified: false },
      hash: { kind: "text", text: BCRYPT },
      exclusions: [],
    });
    expect(await readOne({ ...user, groups: ["off"] }, map)).toMatchObject({
      exclusions: ["disabled"],
    });
  });

  test("gives nothing where a user lacks what it names", async () => {
    const [, second] = await readAll([user, { identities: [], groups: [] }], map);
    expect(second).toMatchObject({ email: null, hash: null, exclusions: [] });
  });

  test("is none where a user has a property of that very name", async () => {
    const named = { "mail (home)": "ann@example.com" };
    expect(await readOne(named, mapOf({ email: "mail (home)" }))).toMatchObject({
      email: { value: "ann@example.com" },
    });
  });

  test("that can't be read, or that no user has, stops the run", async () => {
    await expect(readOne({ identities }, mapOf({ email: "identities[?" }))).rejects.toMatchObject({
      code: "mapping_invalid",
    });
    await expect(readOne({ identities }, mapOf({ email: "ids[0].mail" }))).rejects.toMatchObject({
      code: "input_unrecognized",
    });
  });

  test("finds users in lists of lists", async () => {
    const text = JSON.stringify({ data: { orgs: [{ members: [{ email: "ann@example.com" }] }] } });
    const items = await read(text, mapOf({ users: "data.orgs[].members" }));
    expect(items).toMatchObject([{ record: { email: { value: "ann@example.com" } } }]);
  });
});
