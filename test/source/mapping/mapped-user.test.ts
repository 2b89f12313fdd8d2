import { describe, expect, test } from "vitest";
import { mappedSource } from "../../../src/source/mapping/mapped-source.js";
import { parseMapping } from "../../../src/source/mapping/read-mapping.js";
import { headOf, readOnly, readUsers } from "../read-users.js";
import { collect, PLAIN, pieces } from "../support.js";

const MAPPING = `name: acme
title: Acme
pages: [https://acme.example.com/export]
users: "orgs[].members"
recognize: [[acmeId, mail]]
json: [accounts]
id: acmeId
email: mail
email_verified: { from: confirmedAt, is: time }
phone: phone
phone_verified: { from: phoneVerified, is: mark }
username: login
hash: { value: password, algorithm: scheme, salt: salt, pepper: spice, plain: temp_password, whole: [bcrypt], masked: "***" }
has_password: hasPassword
flags:
  status: { values: { active: in, new: [disabled, unverified], gone: deleted, "": in } }
  banned: { is: "yes", until: banEnds }
joined: createdAt
metadata: { name: fullName }
roles: groups
roles_apart: ",;"
heard: [site, user_role]
social: [{ list: "accounts[]", provider: via, id: id, own: local }]
`;
const ACME = mappedSource(parseMapping("acme.yaml", MAPPING));
const ANN = { acmeId: "1", mail: "ann@example.com" };
const HASH = "$2b$04$mOGvN0d17mmgBnVHRryuHedcAtIVzlVCdw3cqHmscwijpV.HrtImO";
const NOW = Date.UTC(2026, 0, 1);

async function read(users: readonly object[], map: Readonly<Record<string, string>> = {}) {
  const text = JSON.stringify({ orgs: [{ id: 7, members: users }, { members: [] }] });
  const options = { ...PLAIN, now: NOW, map: new Map(Object.entries(map)) };
  return collect(ACME.read("acme.json", pieces(Buffer.from(text), 7), options));
}

async function readOne(fields: object, map: Readonly<Record<string, string>> = {}) {
  const [item] = await read([{ ...ANN, ...fields }], map);
  return item?.kind === "record" ? item.record : item;
}

/** Ann as a line, by a mapping of a test's own. */
async function readLine(mapping: string, fields: object) {
  const source = mappedSource(parseMapping("acme.yaml", mapping));
  const line = Buffer.from(JSON.stringify({ ...ANN, ...fields }));
  return (await collect(source.read("acme.json", pieces(line, 9), { ...PLAIN, now: NOW })))[0];
}

describe("a user by a mapping", () => {
  test.each([
    [{ mail: "", tel: "+15550100101" }, { phone: { verified: false } }],
    [{ tel: "+15550100101" }, { phone: { verified: null }, email: { verified: false } }],
    [{ all: ["zoe@example.com", "+15550100102"] }, { phone: { value: "+15550100102" } }],
  ])(
    "has what is said of the only contact, and of contacts of both kinds: %#",
    async (fields, known) => {
      const mapping = `${MAPPING.replace(/^(?:email|phone).*\n/gm, "")}
email: mail
email_verified: known
phone: tel
phone_verified: { from: known, alone: true }
emails: [{ from: all, mixed: true }]
phones: [{ from: all, mixed: true }]
`;
      const item = await readLine(mapping, { known: false, ...fields });
      expect(item).toMatchObject({ record: known });
    },
  );

  test.each([
    [{ status: "NEW" }, { exclusions: ["disabled"], email: { verified: false } }],
    [{ status: "gone" }, { exclusions: ["deleted"] }],
    [{ status: "active" }, { exclusions: [] }],
    [{}, { exclusions: [] }],
    [
      { status: "strange" },
      {
        code: "flag_invalid",
        hint: expect.stringContaining("--map active=status=VALUE"),
      },
    ],
    [{ banned: true }, { exclusions: ["disabled"] }],
    [{ banned: true, banEnds: "2999-01-01" }, { exclusions: ["disabled"] }],
    [{ banned: true, banEnds: "2020-01-01" }, { exclusions: [] }],
    [{ banned: "perhaps" }, { code: "flag_invalid" }],
    [{ banned: { by: "eve" } }, { code: "flag_invalid" }],
    [{ banned: [{ by: "eve" }] }, { code: "flag_invalid" }],
    [{ banned: {} }, { exclusions: [] }],
    [{ status: { name: "gone" } }, { code: "flag_invalid" }],
  ])("with %j is kept out where a flag says so", async (fields, expected) => {
    expect(await readOne(fields)).toMatchObject(expected);
  });

  test("with a number for an id that JSON can't keep is rejected", async () => {
    const users = `{"orgs":[{"members":[
      {"acmeId":12345678901234567890,"mail":"ann@example.com"},
      {"acmeId":12345678901234567891,"mail":"bob@example.com"},
      {"acmeId":9007199254740991,"mail":"eve@example.com"}]}]}`;
    const reading = ACME.read("acme.json", pieces(Buffer.from(users), 7), { ...PLAIN, now: NOW });
    expect(await collect(reading)).toMatchObject([
      { kind: "reject", code: "id_imprecise" },
      { kind: "reject", code: "id_imprecise" },
      { kind: "record", record: { sourceId: "9007199254740991" } },
    ]);
  });

  test.each([
    [{ groups: ["staff", "banned"] }, ["disabled"]],
    [{ groups: "staff; bbp_blocked" }, ["disabled"]],
    [{ groups: "staff,ban" }, []],
  ])("in a role of users who are kept out is kept out: %j", async (fields, exclusions) => {
    expect(await readOne(fields)).toMatchObject({ exclusions });
  });

  test.each([
    ["state: { is: word }", { state: "Suspended" }, { exclusions: ["disabled"] }],
    ["state: { is: word }", { state: "active" }, { exclusions: [] }],
    ["uac: { is: bits }", { uac: 514 }, { exclusions: ["disabled"] }],
    ["state: { is: word }", { state: ["active", "banned"] }, { exclusions: ["disabled"] }],
    ["state: { is: word }", { state: ["active", "", null] }, { exclusions: [] }],
    ["state: { is: word }", { state: ["active", { banned: true }] }, { kind: "reject" }],
    ['guest: { is: "yes", as: anonymous }', { guest: 1 }, { exclusions: ["anonymous"] }],
    [
      'open: { values: { "true": in, "false": disabled } }',
      { open: "FALSCH" },
      { exclusions: ["disabled"] },
    ],
    ['open: { values: { "true": in, "false": disabled } }', { open: "\u0001" }, { exclusions: [] }],
    ['open: { values: { "true": in, "false": disabled } }', { open: "2" }, { kind: "reject" }],
    ["kind: { is: word, values: { g: disabled } }", { kind: "G" }, { exclusions: ["disabled"] }],
    ["kind: { is: word, values: { g: disabled } }", { kind: "live" }, { exclusions: [] }],
    ["kind: { is: word, values: { g: disabled } }", { kind: "gone" }, { kind: "reject" }],
    ["kind: { values: { g: disabled, else: asked } }", { kind: "gold" }, { exclusions: [] }],
    ["kind: { values: { g: disabled, else: asked } }", { kind: "banned" }, { kind: "reject" }],
    ["kind: { values: { g: disabled, else: in } }", { kind: "nologin" }, { kind: "reject" }],
  ])("by the flag %s and %j", async (flag, fields, expected) => {
    const mapping = MAPPING.replace("flags:\n", `flags:\n  ${flag}\n`);
    const item = await readLine(mapping, fields);
    expect(item).toMatchObject("kind" in expected ? expected : { record: expected });
  });

  test.each([
    ["Confirmed", true],
    ["open", false],
    ["", false],
  ])(
    "whose mail is %j is verified by the one value that says so: %j",
    async (mailState, verified) => {
      const rule = "email_verified: { from: mailState, only: [confirmed] }";
      const mapping = MAPPING.replace(/^email_verified: .*/m, rule);
      const expected = { record: { email: { verified } } };
      expect(await readLine(mapping, { mailState })).toMatchObject(expected);
    },
  );

  test.each([
    [{ confirmedAt: "2024-01-02" }, true],
    [{ confirmedAt: null }, false],
    [{}, null],
  ])("with %j has an email that is verified: %j", async (fields, verified) => {
    expect(await readOne(fields)).toMatchObject({ email: { verified } });
  });

  test("has a phone that is unverified unless it says otherwise", async () => {
    const phone = "+4930901820";
    expect(await readOne({ phone })).toMatchObject({ phone: { verified: false } });
    expect(await readOne({ phone, phoneVerified: true })).toMatchObject({
      phone: { verified: true },
    });
  });

  test("whose name is an address has it as an unverified email", async () => {
    expect(
      await readOne({ mail: "", login: "ann@example.org", confirmedAt: "2024-01-02" }),
    ).toMatchObject({ email: { value: "ann@example.org", verified: false } });
  });

  test.each([
    [{ password: HASH }, { kind: "text", text: HASH }],
    [
      { password: HASH, scheme: "bcrypt", salt: "x" },
      { kind: "text", text: HASH },
    ],
    [
      { password: HASH, salt: "x" },
      { kind: "salted", hash: HASH, salt: "x" },
    ],
    [
      { password: HASH, scheme: "argon2id", salt: "pepper" },
      {
        kind: "credential",
        credential: { password_hash: HASH, algorithm: "argon2id", salt: "pepper" },
      },
    ],
    [
      { password: HASH, spice: "p" },
      { kind: "credential", credential: { password_hash: HASH, pepper: "p" } },
    ],
    [
      { password: { iterations: 5 }, salt: "x" },
      { kind: "credential", credential: { password: { iterations: 5 }, salt: "x" } },
    ],
    [{ temp_password: "garnet" }, { kind: "credential", credential: { plain_text: "garnet" } }],
    [{ password: "" }, null],
    [{ password: {} }, null],
  ])("with %j has this hash", async (fields, hash) => {
    expect(await readOne(fields)).toMatchObject({ hash });
  });

  test.each([{ password: "***" }, { hasPassword: true }])(
    "with %j has a password that isn't exported",
    async (fields) => {
      expect(await readOne(fields)).toMatchObject({
        hash: null,
        notices: expect.arrayContaining(["password_not_exported"]),
      });
    },
  );

  test.each([
    [[{ via: "saml-acme", id: "1" }], {}, ["sso_only"]],
    [[{ via: "saml-acme", id: "1" }], { password: HASH }, []],
    [[{ via: "saml-acme", id: "1" }], { password: "!" }, ["sso_only"]],
    [
      [
        { via: "saml-acme", id: "1" },
        { via: "local", id: "2" },
      ],
      {},
      [],
    ],
    [[{ via: "google", id: "1" }], {}, []],
  ])("of the accounts %j and %j is kept out: %j", async (accounts, fields, exclusions) => {
    expect(await readOne({ accounts, ...fields })).toMatchObject({ exclusions });
  });

  test("of a table is the same, with a list in a column", async () => {
    const table = `acmeId,mail,confirmedAt,accounts,status\n1,ann@example.com,,"[{""via"":""saml-acme""}]",NULL\n`;
    const [item] = await collect(
      ACME.read("acme.csv", pieces(Buffer.from(table), 5), { ...PLAIN, now: NOW }),
    );
    expect(item).toMatchObject({
      record: { email: { verified: false }, exclusions: ["sso_only"], hash: null },
    });
  });
});

describe("a field that the mapping doesn't name", () => {
  test.each([
    [{ isSuspended: true }, { exclusions: ["disabled"] }],
    [{ deleted_at: "2024-01-02" }, { exclusions: ["deleted"] }],
    [{ email_verified: false, confirmedAt: "2024-01-02" }, { email: { verified: false } }],
    [{ isSuspended: "perhaps" }, { code: "flag_invalid" }],
    [{ role: "banned" }, { exclusions: ["disabled"] }],
    [{ mfaEnabled: true }, { notices: expect.arrayContaining(["mfa_not_migrated"]) }],
  ])("is heard by its name: %j", async (fields, expected) => {
    expect(await readOne(fields)).toMatchObject(expected);
  });

  test.each([
    [{ site: "https://example.com" }, { exclusions: [] }],
    [{ user_role: "Banned users" }, { exclusions: ["disabled"] }],
  ])("or leaves to be heard says what its name says: %j", async (fields, expected) => {
    expect(await readOne(fields)).toMatchObject(expected);
    await expect(readOne({ site: HASH })).rejects.toMatchObject({ code: "hash_column_unread" });
  });

  test("and holds hashes, or may be a flag, stops the run, unless --map says what it is", async () => {
    await expect(readOne({ old_pw: HASH })).rejects.toMatchObject({
      code: "hash_column_unread",
      // What the mapping says is the hash no --map changes.
      hint: expect.stringMatching(/, --from json --map hash=old_pw, or by a mapping/),
    });
    const fields = { app_metadata: { banned: true } };
    const path = "app_metadata.banned";
    await expect(readOne(fields)).rejects.toMatchObject({ code: "column_unclear" });
    expect(await readOne(fields, { ignore: path })).toMatchObject({ exclusions: [] });
    expect(await readOne(fields, { disabled: path })).toMatchObject({ exclusions: ["disabled"] });
  });

  test.each(["hash", "email", "id"])(
    "is looked into where it is called %s, as what another field of the user is",
    async (name) => {
      await expect(readOne({ [name]: HASH })).rejects.toMatchObject({ code: "hash_column_unread" });
    },
  );

  test("is what --map has to name: no field of the mapping's, and none that isn't there", async () => {
    for (const name of ["pIan", "mail"]) {
      await expect(readOne({ plan: "x" }, { disabled: name })).rejects.toMatchObject({
        code: "input_unrecognized",
        hint: expect.stringContaining('"plan"'),
      });
    }
    const late = { disabled: "isSuspended", ignore: "notes" };
    expect(await readOne({}, late)).toMatchObject({ exclusions: [] });
  });

  test("is a flag or nothing, so that --map with another field is refused", async () => {
    await expect(readOne({ plan: "x" }, { email: "plan" })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("--map email="),
      hint: expect.stringMatching(/disabled.*--from csv/),
    });
  });

  test("is never the user's email or phone, and no part of the account", async () => {
    const fields = { contact_email: "eve@example.com", tel: "+4930901821", nick: "t0k3n" };
    const record = await readOne(fields);
    expect(record).toMatchObject({
      email: { value: "ann@example.com" },
      phone: null,
      notices: expect.arrayContaining(["metadata_not_migrated"]),
    });
    expect(JSON.stringify(record)).not.toMatch(/eve@|901821|t0k3n/);
  });
});

const TABLE = "table: { recognize: [[acmeId, mail]], id: acmeId, email: mail, others: told }";

test.each([
  ["whole mapping", "others: told\n", JSON.stringify([ANN])],
  ["table", `${TABLE}\n`, "acmeId,mail,left\n1,ann@example.com,1\n"],
])("a %s whose other fields are told alone refuses any --map", async (_what, others, text) => {
  const told = mappedSource(parseMapping("acme.yaml", `${MAPPING}${others}`));
  const options = { ...PLAIN, map: new Map([["disabled", "left"]]) };
  const reading = told.read("acme.json", pieces(Buffer.from(text), 7), options);
  await expect(collect(reading)).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("--map disabled="),
  });
});

test("a table that counts in any case hears --map with a name in capitals", async () => {
  const any = mappedSource(parseMapping("acme.yaml", `${MAPPING.toLowerCase()}any_case: true\n`));
  const bytes = pieces(Buffer.from("ACMEID,MAIL,PLAN\n1,ann@example.com,Trial\n"), 7);
  const options = { ...PLAIN, map: new Map([["disabled", ["PLAN=Trial"]]]) };
  expect(await collect(any.read("acme.csv", bytes, options))).toMatchObject([
    { record: { exclusions: ["disabled"] } },
  ]);
});

const FORMS = mappedSource(
  parseMapping(
    "forms.yaml",
    `name: forms
title: Forms
recognize: [[formId, state]]
refuses: { answers: [answerId, mail] }
is_user: "!draft"
shape: { formId: text, mail!: text, marks: [{ kind!: text }], on: flag, off: [flag, text], links: [any], size: value }
id: formId
email: mail
hash: secret.hash
flags:
  state: { or: "secret.hash && 'open'", values: { open: in, pages: social } }
differs: { username_not_migrated: { login: formId } }
read: { hash: [secret] }
others: told
view: "merge(answers, @)"
json: [more]
social: [{ list: "linked[]", provider: by, id: id, kind: type }]
table:
  recognize: [[Form Id, State]]
  needs: [State, Checked By]
  bans: [Locked, Locked Until]
  json: [Marks]
  shape: { Marks: {} }
  id: Form Id
  email: Mail
  username: Login
  username_counts: as_email
  flags: { State: { values: { open: in } }, Checked By: { values: { us: in } } }
`,
  ),
);
const BO = { formId: "1", mail: "bo@example.com", state: "open" };

describe("a list in a table's column", () => {
  const table = (list: string): string => `acmeId;mail;accounts\n1;ann@example.com;${list}\n`;
  const listed = mappedSource(
    parseMapping("acme.yaml", MAPPING.replace("[acmeId, mail]", '[acmeId, "accounts[].via"]')),
  );

  test.each([
    '[{"via":"a","id":"7"}]',
    // As `mysql --batch` writes it.
    '[{"via":"a","id":"\\\\"7\\\\""}]',
  ])("that is %s is read, and tells whose table it is", async (list) => {
    const text = table(list);
    expect(listed.recognize(headOf(text))).toContain("accounts[].via");
    expect(await readOnly(listed, text)).toMatchObject({ notices: ["social_identity_dropped"] });
  });

  test("that was cut off is damage, for what it lost may be a second factor", async () => {
    const text = table('[{"via":"a","id":"7"},{"via');
    expect(await readOnly(listed, text)).toMatch(/^row_malformed: A list/);
  });
});

describe("by a mapping with forms", () => {
  test.each([
    [{ mail: 7 }, /^row_malformed: The user's "mail" is not what Forms exports/],
    [{ mail: undefined }, /^row_malformed: .*"mail"/],
    [{ marks: [{ kind: "a" }, {}] }, /^row_malformed: .*"marks.1.kind"/],
    [{ on: "yes" }, /^row_malformed: .*"on"/],
    [{ size: [7] }, /^row_malformed: .*"size"/],
    [{ off: 7 }, /^row_malformed: .*"off"/],
    [{ links: "a" }, /^row_malformed: .*"links"/],
    [{ state: "" }, /^flag_invalid: .*"state"/],
  ])("a user with %j is rejected by the name of the field", async (fields, hint) => {
    expect(await readOnly(FORMS, JSON.stringify([{ ...BO, ...fields }]))).toMatch(hint);
  });

  test.each([
    [{ marks: null, on: null }, []],
    [{ size: 7 }, []],
    [{ size: "seven" }, []],
    [{ login: "BO@example.com" }, []],
    [{ login: "bo" }, ["username_not_migrated"]],
    [{ state: "pages" }, ["social_identity_dropped"]],
    // It would be heard as a flag.
    [{ banned: "perhaps" }, ["metadata_not_migrated"]],
  ])("a user with %j is let in with %j", async (fields, notices) => {
    const read = await readOnly(FORMS, JSON.stringify([{ ...BO, ...fields }]));
    expect(read).toMatchObject({ exclusions: [], notices: expect.arrayContaining(notices) });
  });

  test("a user is read as the view has them, with its text of JSON as what it holds", async () => {
    const answers = { login: "bo", more: '["a"]' };
    expect(await readOnly(FORMS, JSON.stringify([{ ...BO, answers }]))).toMatchObject({
      notices: expect.arrayContaining(["username_not_migrated"]),
    });
  });

  test.each([
    ["google", []],
    ["saml", ["sso_only"]],
  ])("a user of a linked account of the type %s is kept out as %j", async (type, exclusions) => {
    const linked = [{ by: "google", id: "7", type }];
    expect(await readOnly(FORMS, JSON.stringify([{ ...BO, linked, answers: {} }]))).toMatchObject({
      exclusions,
      notices: expect.arrayContaining(["social_identity_dropped"]),
    });
  });

  test("a user without a flag is let in for what counts in its place", async () => {
    const user = { ...BO, state: "", secret: { hash: HASH } };
    expect(await readOnly(FORMS, JSON.stringify([user]))).toMatchObject({ exclusions: [] });
  });

  test("a table is read by its own columns, and refused without those that it needs", async () => {
    const table = "Form Id,State,Mail,Checked By\n1,open,bo@example.com,us\n";
    expect(FORMS.recognize(headOf(table))).toBe("users with Form Id, State");
    expect(await readOnly(FORMS, table)).toMatchObject({ sourceId: "1", exclusions: [] });
    await expect(readOnly(FORMS, table.replace("Checked By", "Other"))).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringContaining("Checked By"),
    });
  });

  test("a table that says in no column who is kept out is told to say it of nobody", async () => {
    const table = "Form Id,State,Mail,Checked By\n1,open,bo@example.com,us\n";
    const notices = expect.arrayContaining(["bans_not_exported"]);
    expect(await readOnly(FORMS, table)).toMatchObject({ notices });
    const said = "Form Id,State,Mail,Checked By,Locked Until\n1,open,bo@example.com,us,\n";
    expect(await readOnly(FORMS, said)).not.toMatchObject({ notices });
  });

  test.each([
    ['{"kind":"a"}', /^1$/],
    ["", /^1$/],
    ['["a"]', /^row_malformed: .*"Marks"/],
    ["{\\kind", /^row_malformed: .*"Marks"/],
  ])(
    "a column of JSON has the shape that is asked for, or rejects its row: %j",
    async (marks, is) => {
      const cell = `"${marks.replaceAll('"', '""')}"`;
      const table = `Form Id,State,Mail,Checked By,Marks\n1,open,bo@example.com,us,${cell}\n`;
      const read = await readOnly(FORMS, table);
      expect(typeof read === "string" ? read : read.sourceId).toMatch(is);
    },
  );

  test("a name that is an address is as verified as an email, where the mapping says so", async () => {
    const table = "Form Id,State,Mail,Login,Checked By\n1,open,,bo@example.com,us\n";
    expect(await readOnly(FORMS, table)).toMatchObject({
      email: { value: "bo@example.com", verified: null },
    });
  });

  test("an object that is no user is skipped, and not rejected", async () => {
    const drafts = [BO, { ...BO, draft: true }];
    expect(await readUsers(FORMS, JSON.stringify(drafts))).toMatchObject([
      { sourceId: "1" },
      expect.stringMatching(/^other_model/),
    ]);
  });

  test("the system's other table is refused, since nobody in it is a user", async () => {
    const answers = JSON.stringify([{ ...BO, answerId: "7" }]);
    await expect(readOnly(FORMS, answers)).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining("answers"),
    });
  });
});

const CLUB = mappedSource(
  parseMapping(
    "club.yaml",
    `name: club
title: Club
recognize: [[mail], [theMail], [mails]]
id: id
names: { without: mail, are: { theMail: mail, allMails: mails, theAddress: address } }
emails:
  - { from: mail, primary: true }
  - { from: proven, verified: true, apart: ",|" }
  - { from: "mails[].{ value: address, verified: isProven, primary: isMain }" }
  - { from: mails, verified: false }
phones:
  - { from: phone, apart: ";" }
email_verified: { from: provenAt, is: time }
hash: password
metadata: { notes: "notes{}" }
`,
  ),
);

describe("by a mapping with places of contacts", () => {
  const MAIN = "cy@example.com";
  const OTHER = "cy@home.example.org";
  const others = "other_contacts_not_migrated";
  const asMain = { address: OTHER, isProven: true, isMain: true };
  test.each([
    ["the primary one", { mail: MAIN, mails: [OTHER] }, MAIN, null, [others]],
    ["the one that says it is", { mails: [MAIN, asMain] }, OTHER, true, [others]],
    [
      "else a verified one",
      { mails: [MAIN], proven: `${OTHER}, x@example.com` },
      OTHER,
      true,
      [others],
    ],
    ["else the first", { mails: [MAIN, OTHER] }, MAIN, false, [others]],
    ["one that two places have", { mail: MAIN, proven: ` ${MAIN}` }, MAIN, true, []],
    ["one that is denied somewhere", { mail: MAIN, proven: MAIN, mails: [MAIN] }, MAIN, false, []],
    [
      "one that one of its marks denies",
      { mails: [{ address: MAIN, isProven: ["yes", "no"] }], provenAt: "2020-01-01" },
      MAIN,
      false,
      [],
    ],
    ["one that the flag says unproven", { mail: MAIN, provenAt: "" }, MAIN, false, []],
    [
      "one with a sign in it",
      { mail: "c|y@example.com", proven: "c|y@example.com" },
      "c|y@example.com",
      true,
      [],
    ],
    [
      "one by another name",
      { theMail: MAIN, allMails: [{ theAddress: OTHER }] },
      MAIN,
      null,
      [others],
    ],
    [
      "none by another name beside its own",
      { mail: MAIN, theMail: OTHER },
      MAIN,
      null,
      ["metadata_not_migrated"],
    ],
  ])("a user's email is %s", async (_which, fields, value, verified, notices) => {
    expect(await readOnly(CLUB, JSON.stringify([{ id: "1", ...fields }]))).toMatchObject({
      email: { value, verified },
      notices,
    });
  });

  test("a user's phone is the first of a text, and the others are told", async () => {
    const phone = "+15550100001; +15550100002";
    expect(await readOnly(CLUB, JSON.stringify([{ mail: MAIN, phone }]))).toMatchObject({
      phone: { value: "+15550100001", verified: null },
      notices: ["other_contacts_not_migrated"],
    });
  });

  test("a text of JSON is carried as what it holds", async () => {
    const text = JSON.stringify([{ mail: MAIN, notes: '{"plan":"pro"}' }]);
    const [item] = await collect(
      CLUB.read("club.json", pieces(Buffer.from(text), 99), { ...PLAIN, keepsAccount: "all" }),
    );
    expect(item?.kind === "record" && item.record.account?.()).toMatchObject({
      metadata: { notes: { plan: "pro" } },
    });
  });

  test("a cell's tab that guards against a spreadsheet is no part of the user", async () => {
    expect(await readOnly(CLUB, `mail,phone\n${MAIN},"\t+15550100001"\n`)).toMatchObject({
      phone: { value: "+15550100001" },
    });
  });
});

const CLUBS = mappedSource(
  parseMapping(
    "clubs.yaml",
    `name: clubs
title: Clubs
users: members
recognize: [["^club", "^season"], ["^[].club"]]
refuses:
  clubs: { fields: ["^[].club"], what: holds several clubs, hint: Export one club. }
shape: { own: { "*": [text, [[text, none]]] } }
id: id
email: mail
phones:
  - from: "own && by_letters(own).[{ value: phone[], verified: phoneproven[] }] || ''"
phone_verified: { from: "''", is: mark }
hash: "keys[?opens == 'door'] | [1] && @ || [0]"
roles: roles
usual_roles: ["member-*", guest]
others: told
table:
  any_case: true
  recognize: [[mail, joined on]]
  id: id
  email: mail
`,
  ),
);

describe("by a mapping of documents", () => {
  const DI = { id: "1", mail: "di@example.com" };
  const clubOf = (...members: readonly object[]): string =>
    JSON.stringify({ motto: 'All [in] "{one}"', club: "Acme", season: 7, members });
  const readDi = (fields: object) => readOnly(CLUBS, clubOf({ ...DI, ...fields }));

  test("a document is known by its own fields, though its users come late", async () => {
    const rooms = Array.from({ length: 9000 }, (_, room) => ({ room }));
    const late = JSON.stringify({ club: "Acme", goals: [{}], season: 7, rooms, members: [DI] });
    const start = late.slice(0, 64 * 1024);
    expect(CLUBS.recognize(headOf(start, false))).toBe("users with club, season");
    expect(await readUsers(CLUBS, late)).toMatchObject([{ sourceId: "1" }]);
    expect(CLUBS.recognize(headOf(clubOf()))).not.toBeNull();
  });

  test("fields further down are no document's own", () => {
    const fields = { club: "Acme", season: 7 };
    for (const text of [{ members: [fields] }, { more: fields }, { more: '{"club": "season": ' }])
      expect(CLUBS.recognize(headOf(JSON.stringify(text)))).toBeNull();
  });

  test("a document without users holds none", async () => {
    expect(await readUsers(CLUBS, '{"club":"Acme","season":7}')).toEqual([]);
  });

  test("several documents in a list are refused with what to do", async () => {
    const all = `[${clubOf(DI)}]`;
    expect(CLUBS.recognize(headOf(all))).not.toBeNull();
    await expect(readUsers(CLUBS, all)).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining("holds several clubs"),
      hint: "Export one club.",
    });
  });

  test.each([
    [{ Phone: "+15550100001", "phone-proven": "yes" }, true],
    [{ phone_1: ["+15550100001", null], PhoneProven: ["yes", "", "true"] }, true],
    [{ phone: ["+15550100001"], phoneProven: ["yes", "no"] }, false],
    [{ phone: ["+15550100001"], phoneProven: ["soon"] }, false],
    [{ phone: ["+15550100001"], constructor: ["yes"] }, false],
  ])("a phone is found by the letters of its name, as all marks say: %j", async (own, verified) => {
    const phone = { value: "+15550100001", verified };
    expect(await readDi({ own })).toMatchObject({ phone });
  });

  test("of names by their letters each value is one of several", async () => {
    const own = { phone: ["+15550100001", "+15550100002"], Phone: "+15550100003" };
    expect(await readDi({ own })).toMatchObject({
      phone: { value: "+15550100001" },
      notices: expect.arrayContaining(["other_contacts_not_migrated"]),
    });
  });

  test("all names of an object may have one type", async () => {
    expect(await readDi({ own: { size: [7] } })).toMatch(/^row_malformed: .*"own.size/);
  });

  test("of several credentials none is chosen", async () => {
    const key = { opens: "door", teeth: "x" };
    expect(await readDi({ keys: [{ opens: "gate" }, key] })).toMatchObject({
      hash: { kind: "credential", credential: key },
    });
    expect(await readDi({ keys: [key, key] })).toMatchObject({
      hash: { kind: "credential", credential: [key, key] },
    });
  });

  test("roles that every user has are none", async () => {
    const text = clubOf({ ...DI, roles: ["member-acme", "guest", "guests", "coach"] });
    const [item] = await collect(
      CLUBS.read("clubs.json", pieces(Buffer.from(text), 99), { ...PLAIN, keepsAccount: "all" }),
    );
    expect(item?.kind === "record" && item.record.account?.()).toMatchObject({
      roles: ["guests", "coach"],
    });
  });

  test("a table's columns count in whatever case they are", async () => {
    const table = "ID,Mail,JOINED ON\n1,di@example.com,2020\n";
    expect(CLUBS.recognize(headOf(table))).not.toBeNull();
    expect(await readOnly(CLUBS, table)).toMatchObject({
      sourceId: "1",
      email: { value: "di@example.com" },
    });
  });
});

test("what other objects among the users hold is no field of the users", async () => {
  const source = mappedSource(
    parseMapping(
      "lines.yaml",
      `name: lines
title: Lines
recognize: [[sort, body]]
view: "merge(body, { sort: sort, id: id })"
is_user: "sort == 'person'"
id: id
email: mail
hash: code
meaningless: { what an object is: [sort] }
`,
    ),
  );
  const lines = [
    { sort: "worker", id: 1, body: { title: "Root", isActive: true } },
    { sort: "page", id: 1, body: { headline: "Tides" } },
    { sort: "person", id: 1, body: { mail: "ann@example.com", code: HASH } },
    { sort: "person", id: 2, body: { mail: "ben@example.com", code: HASH, banned: true } },
  ];
  const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const unknown: string[] = [];
  const items = await collect(
    source.read("lines.ndjson", pieces(text, 999), {
      ...PLAIN,
      onFields: (fields) => unknown.push(...fields.unknown.map(({ path }) => path)),
    }),
  );
  expect(items).toMatchObject([
    { kind: "skip", code: "other_model" },
    { kind: "skip", code: "other_model" },
    { record: { sourceId: "1", exclusions: [] } },
    { record: { sourceId: "2", exclusions: ["disabled"] } },
  ]);
  expect(unknown).toEqual(["banned"]);
});
