import { describe, expect, test } from "vitest";
import { genericCsv } from "../../../src/source/mapping/generic-files.js";
import type { ReadOptions, SourceItem } from "../../../src/source/source.js";
import { collect, PLAIN, pieces } from "../support.js";

const BCRYPT = "$2a$10$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";

function read(text: string, options: Partial<ReadOptions> = {}): Promise<SourceItem[]> {
  const bytes = pieces(Buffer.from(text), 50);
  return collect(genericCsv.read("users.csv", bytes, { ...PLAIN, ...options }));
}

/** The one row's record, or its reject's code. */
async function readOne(text: string, options: Partial<ReadOptions> = {}) {
  const [item] = await read(text, options);
  return item?.kind === "record" ? item.record : item?.kind === "reject" ? item.code : item?.kind;
}

describe("a generic CSV row", () => {
  test.each([
    ["id", "email", "phone", "password_hash"],
    ["User ID", "E-Mail", "Phone Number", "Password Hash"],
    ["user_id", "email_address", "mobile", "encrypted_password"],
    ["UID", "Primary-Email", "phoneNumber", "passwordDigest"],
    ["sub", "mail", "telephone", "passwd"],
    ["uuid", "EMAIL", "PHONE", "password"],
    ["_id", "emailAddress", "phone_number", "hashed_password"],
    ["userId", "user_email", "phoneNo", "user_pass"],
  ])("is read under the names %s, %s, %s, %s", async (...names) => {
    const row = `7,ann@example.com,+15550100001,${BCRYPT}`;
    expect(await readOne(`${names.join(",")}\n${row}\n`)).toEqual({
      sourceId: "7",
      email: { value: "ann@example.com", verified: null },
      phone: { value: "+15550100001", verified: null },
      hash: { kind: "text", text: BCRYPT },
      exclusions: [],
      notices: [],
    });
  });

  test("takes a password column for the hash only where no clearer one is there", async () => {
    const text = `email,password,password_hash\nann@example.com,x,${BCRYPT}\n`;
    expect(await readOne(text)).toMatchObject({ hash: { text: BCRYPT } });
  });

  describe("of a table that has phones, and emails in a column of an unknown name", () => {
    const text = (name: string, one = "ann@example.com", other = "ben@example.com") =>
      `id,phone,${name}\n1,+15550100001,${one}\n2,+15550100002,${other}\n`;

    test.each(["contact_x", "login", "qqmaildrop"])("stops the run: %s", async (name) => {
      await expect(read(text(name))).rejects.toMatchObject({
        code: "column_unclear",
        hint: `Say --map email=${name} where they are the users' own, or --map ignore=${name}.`,
      });
    });

    test("is read as --map says", async () => {
      const said = (field: string) => ({ map: new Map([[field, ["contact_x"]]]) });
      expect(await readOne(text("contact_x"), said("email"))).toMatchObject({
        email: { value: "ann@example.com" },
      });
      expect(await readOne(text("contact_x"), said("ignore"))).toMatchObject({ email: null });
    });

    test.each([
      ["no emails", text("contact_x", "ann", "ben@example.com")],
      ["others' as well", text("contact_x", "boss@example.com", "boss@example.com")],
      ["none but the users' own", text("contact_x,email", "ann@example.com,a@example.com")],
      ["nothing", text("contact_x", "", "")],
    ])("is read as before where it holds %s", async (_what, table) => {
      expect(await readOne(table)).toMatchObject({ sourceId: "1" });
    });
  });

  test("has no value where the database wrote NULL", async () => {
    expect(await readOne("id,email,phone,hash\nNULL,ann@example.com,\\N,NULL\n")).toMatchObject({
      sourceId: null,
      phone: null,
      hash: null,
    });
  });

  test.each([
    ["email_verified", "true", true],
    ["email_verified", "0", false],
    ["email_verified", "", null],
    ["email_verified", "2024-01-02T03:04:05Z", true],
    ["email_verified", "unclear", false],
    ["email_confirmed_at", "2024-01-02 03:04:05", true],
    ["email_confirmed_at", "", false],
    ["email_verified_at", "0000-00-00 00:00:00", false],
    ["email_verified_at", "NULL", false],
    ["verified", "f", false],
  ])("under %s with %j has an email that is verified: %s", async (column, value, verified) => {
    expect(await readOne(`email,${column}\nann@example.com,${value}\n`)).toMatchObject({
      email: { verified },
    });
  });

  test("has an unverified email where a column of that name holds a date, and others have none", async () => {
    const text = "email,email_unverified\nann@example.com,2024-01-02\nbob@example.com,\n";
    expect(await read(text)).toMatchObject([
      { record: { email: { verified: false } } },
      { record: { email: { verified: null } } },
    ]);
  });

  test("hears MySQL's bits, and tells them as digits", async () => {
    expect(await readOne("email,is_banned\nann@example.com,\u0001\n")).toMatchObject({
      exclusions: ["disabled"],
      because: { disabled: 'The column "is_banned" says 1.' },
    });
  });

  test("is one of WordPress, whose user_status of 0 says nothing", async () => {
    const header = "ID,user_login,user_pass,user_nicename,user_email,user_status,display_name";
    expect(await readOne(`${header}\n7,ann,${BCRYPT},ann,ann@example.com,0,Ann\n`)).toMatchObject({
      sourceId: "7",
      hash: { text: BCRYPT },
      exclusions: [],
      notices: ["profile_not_migrated", "username_not_migrated"],
    });
    expect(await readOne(`${header}\n7,ann,${BCRYPT},ann,ann@example.com,1,Ann\n`)).toMatchObject({
      exclusions: ["disabled"],
    });
    expect(await readOne("email,user_status\nann@example.com,0\n")).toBe("flag_invalid");
  });

  test.each([
    ["0,0", []],
    ["0,1", []],
    ["1,0", ["disabled"]],
    ["0,3", ["disabled"]],
    ["0,2", ["sso_only"]],
  ])("is one of Zabbix, whose status and access of %s say %j", async (cells, exclusions) => {
    const text = `userid,email,passwd,users_status,gui_access\n7,ann@example.com,${BCRYPT},${cells}\n`;
    expect(await readOne(text)).toMatchObject({ exclusions });
  });

  test("is one of Devise, with its locks and its waiting addresses", async () => {
    const header = "id,email,encrypted_password,confirmed_at,unconfirmed_email,locked_at";
    const row = `7,ann@example.com,${BCRYPT},2024-01-02 03:04:05`;
    expect(await readOne(`${header}\n${row},new@example.com,\n`)).toMatchObject({
      email: { verified: true },
      exclusions: [],
      notices: ["other_contacts_not_migrated"],
    });
    expect(await readOne(`${header}\n${row},,2024-01-02 03:04:05\n`)).toMatchObject({
      exclusions: ["disabled"],
    });
  });

  test.each([
    ["username", "ann", ["username_not_migrated"]],
    ["username", "ANN@example.com", []],
    ["is_admin", "true", ["roles_not_migrated"]],
    ["is_admin", "f", []],
    ["metadata", '"{""plan"":""gold""}"', ["metadata_not_migrated"]],
    ["metadata", "{}", []],
    ["two_factor_enabled", "0", []],
    ["google_id", "1001", ["social_identity_dropped"]],
    ["must_change_password", "1", ["password_reset_required"]],
    ["recovery_email", "a@example.org", ["other_contacts_not_migrated"]],
    ["work_phone", "+15550100009", ["other_contacts_not_migrated"]],
  ])("with %s %s has the notices %j", async (column, value, notices) => {
    expect(await readOne(`email,${column}\nann@example.com,${value}\n`)).toMatchObject({ notices });
  });

  test("tells of roles that --map names by a column of any name", async () => {
    const map = new Map([["roles", "nickname"]]);
    const text = "email,nickname\nann@example.com,chef\n";
    expect(await readOne(text, { map })).toMatchObject({ notices: ["roles_not_migrated"] });
  });

  test("hands a hash on with the algorithm that a column names", async () => {
    const text = `email,password_digest,hash_algorithm\nann@example.com,${BCRYPT},`;
    expect(await readOne(`${text}peppered_bcrypt\n`)).toMatchObject({
      hash: {
        kind: "credential",
        credential: { password_hash: BCRYPT, algorithm: "peppered_bcrypt" },
      },
    });
    expect(await readOne(`${text}\n`)).toMatchObject({ hash: { kind: "text", text: BCRYPT } });
  });

  test("hands FusionAuth's fields on under their own names", async () => {
    const header = "id,email,password,encryption_scheme,factor,salt";
    expect(await readOne(`${header}\n7,ann@example.com,abc,bcrypt,10,def\n`)).toMatchObject({
      hash: {
        kind: "credential",
        credential: { password: "abc", encryptionScheme: "bcrypt", factor: "10", salt: "def" },
      },
    });
  });

  test("hands a hash beside a filled salt on with it, whatever the two are", async () => {
    const bare = "email,hash,salt\nann@example.com,aGFzaA==,c2FsdA==\n";
    expect(await readOne(bare)).toMatchObject({
      hash: { kind: "salted", hash: "aGFzaA==", salt: "c2FsdA==" },
    });
    const complete = `email,hash,salt\nann@example.com,${BCRYPT},c2FsdA==\n`;
    expect(await readOne(complete)).toMatchObject({ hash: { kind: "salted", hash: BCRYPT } });
    expect(await readOne(complete.replace("c2FsdA==", " "))).toMatchObject({
      hash: { kind: "text", text: BCRYPT },
    });
    expect(await readOne("email,hash,salt\nann@example.com,,c2FsdA==\n")).toMatchObject({
      hash: null,
    });
  });

  test("hands a JSON object in the hash column on as text", async () => {
    const object = '{"algorithm":"BCRYPT","workFactor":10}';
    const text = `email,hash\nann@example.com,"${object.replaceAll('"', '""')}"\n`;
    expect(await readOne(text)).toMatchObject({ hash: { kind: "text", text: object } });
  });

  test("has one notice for any number of filled columns without a place", async () => {
    const header = "email,first_name,last_name,nickname,totp_secret";
    expect(await readOne(`${header}\nann@example.com,Ann,Lee,Annie,\n`)).toMatchObject({
      notices: ["profile_not_migrated"],
    });
    expect(await readOne(`${header}\nann@example.com,,,,JBSWY3DP\n`)).toMatchObject({
      notices: ["mfa_not_migrated"],
    });
    expect(await readOne(`${header}\nann@example.com,,,,\n`)).toMatchObject({ notices: [] });
  });
});

describe("--map", () => {
  const text = "Nr;Kontakt;Kennwort;ok;weg\n7;ann@example.com;x;0;1\n";

  test("names the columns that no common name gives", async () => {
    const map = new Map([
      ["id", "Nr"],
      ["email", "kontakt"],
      ["hash", "Kennwort"],
      ["email_verified", "ok"],
      ["disabled", "weg"],
    ]);
    expect(await readOne(text, { map })).toEqual({
      sourceId: "7",
      email: { value: "ann@example.com", verified: false },
      phone: null,
      hash: { kind: "text", text: "x" },
      exclusions: ["disabled"],
      because: { disabled: 'The column "weg" says 1.' },
      notices: [],
    });
  });

  test("wins over a common name, and settles which of two is meant", async () => {
    const two = "email,primary_email\nold@example.com,ann@example.com\n";
    await expect(read(two)).rejects.toMatchObject({
      code: "column_unclear",
      hint: expect.stringContaining("--map email=COLUMN"),
    });
    expect(await readOne(two, { map: new Map([["email", "primary_email"]]) })).toMatchObject({
      email: { value: "ann@example.com" },
    });
  });

  test("says what 1 means with active", async () => {
    const row = "mail,status\nann@example.com,1\nbob@example.com,0\n";
    expect(await read(row)).toMatchObject([{ code: "flag_invalid" }, { code: "flag_invalid" }]);
    expect(await read(row, { map: new Map([["active", "status"]]) })).toMatchObject([
      { record: { exclusions: [] } },
      { record: { exclusions: ["disabled"] } },
    ]);
  });

  test("is shown with its value as what decided, unless that can be no word", async () => {
    const rows = "mail,zustand\nann@example.com,ruhend\nbob@example.com,#9\n";
    const named = new Map([["disabled", ["zustand=ruhend", "zustand=#9"]]]);
    const [ann, bob] = await read(rows, { map: named });
    const says = 'The column "zustand" says';
    expect(ann).toMatchObject({ record: { because: { disabled: `${says} ruhend.` } } });
    expect(bob).toMatchObject({
      record: { because: { disabled: `${says} what is taken for disabled.` } },
    });
  });

  test("of a JSON document's array is refused for a table", async () => {
    await expect(read(text, { map: new Map([["users", "Nr"]]) })).rejects.toMatchObject({
      code: "input_unrecognized",
    });
  });

  test("says what 1 means with disabled, whatever the column is called", async () => {
    for (const name of ["status", "state", "is_active", "verified"]) {
      const rows = `mail,${name}\nann@example.com,1\nbob@example.com,0\n`;
      expect(await read(rows, { map: new Map([["disabled", name]]) })).toMatchObject([
        { record: { exclusions: ["disabled"] } },
        { record: { exclusions: [] } },
      ]);
    }
  });

  test("refuses a column that isn't there, naming those that are", async () => {
    await expect(read(text, { map: new Map([["email", "Mail"]]) })).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining('"Mail"'),
      hint: expect.stringContaining('"Nr", "Kontakt", "Kennwort"'),
    });
  });

  test("refuses a field that isn't there, naming those that are", async () => {
    await expect(read(text, { map: new Map([["mail", "Kontakt"]]) })).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringContaining("email_verified"),
    });
  });
});

describe("a header", () => {
  test("without an email or a phone is refused, naming the columns", async () => {
    await expect(read("name,colour\nAnn,red\n")).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringMatching(/"name", "colour".*--map/),
    });
  });

  test("with a name twice is refused, whatever its case", async () => {
    await expect(read("id,Email,e-mail\n1,a,b\n")).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining('"e-mail" twice'),
    });
  });

  test("with a name twice is read where neither would be, and refused where --map names it", async () => {
    const text = "id,email,Company Name,Company name\n7,ann@example.com,a,b\n";
    expect(await readOne(text)).toMatchObject({ sourceId: "7" });
    const map = new Map([["metadata.company", "Company Name"]]);
    await expect(read(text, { map })).rejects.toThrow(/"Company name" twice/);
  });

  test("that is really a user's data is not shown", async () => {
    const rejection = read(`7,ann@example.com,${BCRYPT},+15550100001\n`).catch(String);
    expect(String(await rejection)).not.toMatch(/ann|\$2a|5550100001/);
  });

  test("that isn't there is said to be missing", async () => {
    await expect(read(`7,ann@example.com,${BCRYPT}\n`)).rejects.toMatchObject({
      message: "users.csv has no header row",
      hint: expect.stringMatching(/a user's data.*id,email/),
    });
  });

  test("may have blanks, quotation marks, TABs and names of spaces", async () => {
    const text = '\tID,"E-Mail Address", ,  Password Hash ,\n7,ann@example.com,,x,\n';
    expect(await readOne(text)).toMatchObject({
      sourceId: "7",
      email: { value: "ann@example.com" },
      hash: { text: "x" },
    });
  });

  test("alone is an export without users", async () => {
    expect(await read("id,email\n")).toEqual([]);
  });
});

test("a column of texts that begin as a hash does and are none is read to its end", async () => {
  const name = `md5${"$".repeat(1900)} and more`;
  const rows = Array.from({ length: 100 }, (_, row) => `u${row},u${row}@example.com,${name}`);
  const items = await read(`id,email,name\n${rows.join("\n")}\n`);
  expect(items.map(({ kind }) => kind)).toEqual(rows.map(() => "record"));
});

describe("numbers and words of known systems", () => {
  const out = async (header: string, row: string) => {
    const found = await readOne(`${header}\n${row}\n`);
    return typeof found === "object" ? found.exclusions : found;
  };
  test.each([
    ["0", []],
    ["3", []],
    ["1", ["disabled"]],
    ["2", ["service_account"]],
    ["9", "flag_invalid"],
  ])("say of phpBB's sorts of users who is kept out: %s", async (type, exclusions) => {
    const header = "user_id,user_type,username_clean,user_email,user_password";
    expect(await out(header, `7,${type},ann,ann@example.com,${BCRYPT}`)).toEqual(exclusions);
  });

  test.each([
    ["2", []],
    ["12", []],
    ["5", ["disabled"]],
    ["7", ["disabled"]],
  ])("say of MyBB's groups who is kept out: %s", async (group, exclusions) => {
    const header = "uid,email,password,loginkey,usergroup";
    expect(await out(header, `7,ann@example.com,${BCRYPT},k,${group}`)).toEqual(exclusions);
  });

  test("say nothing in a table of another system", async () => {
    const header = "id,email,password,user_type,usergroup";
    expect(await out(header, `7,ann@example.com,${BCRYPT},2,7`)).toEqual([]);
  });

  test("stop the run where phpBB's stand with nothing else of phpBB's", async () => {
    const header = "user_id,user_type,name,user_email,user_password";
    const reading = out(header, `7,2,ann,ann@example.com,${BCRYPT}`);
    await expect(reading).rejects.toMatchObject({
      code: "column_unclear",
      hint: expect.stringContaining("--map disabled=user_type=VALUE"),
    });
  });

  test("stay as they are beside one that --map names", async () => {
    const map = new Map([["active", ["user_type=9"]]]);
    const rows = ["9", "2"].map((type) => `7${type},${type},a,ann${type}@example.com,${BCRYPT}`);
    const text = `user_id,user_type,username_clean,user_email,user_password\n${rows.join("\n")}\n`;
    expect(await read(text, { map })).toMatchObject([
      { record: { exclusions: [] } },
      { record: { exclusions: ["service_account"] } },
    ]);
  });

  test.each(["email_confirm", "email_confirm_edit", "moderated", "pending_email_verification"])(
    "keep out who isn't confirmed yet: %s",
    async (state) => {
      expect(await out("id,email,user_state", `7,ann@example.com,${state}`)).toEqual(["disabled"]);
    },
  );
});

test("a flag that lets in keeps nobody in beside the empty date of the same thing", async () => {
  const header = "id,email,password_hash,activated,activated_at";
  const found = await readOne(`${header}\n7,ann@example.com,${BCRYPT},1,\n`);
  expect(found).toMatchObject({ exclusions: ["disabled"] });
});

test("what is said of a salt is none", async () => {
  const header = "id,email,password_hash,salt,salt_position,salt_format,hash_salt_type";
  const found = await readOne(`${header}\n7,ann@example.com,${BCRYPT},,prefix,hex,string\n`);
  expect(found).toMatchObject({ hash: { kind: "text", text: BCRYPT } });
});

test("a hash in PHP's serialized text stops the run where no column is read as one", async () => {
  const data = `a:1:{s:4:"hash";s:60:"${BCRYPT}";}`;
  const text = `id,email,data\n7,ann@example.com,"${data.replaceAll('"', '""')}"\n`;
  await expect(read(text)).rejects.toMatchObject({ code: "hash_column_unread" });
});

test("a password in plain text counts only where no hash stands", async () => {
  const header = "id,email,password_hash,plain_password";
  const text = `${header}\n7,ann@example.com,${BCRYPT},Sommer2024!\n8,ben@example.com,,hunter2\n`;
  expect(await read(text)).toMatchObject([
    { record: { hash: { kind: "text", text: BCRYPT } } },
    { record: { hash: { kind: "credential", credential: { plain_text: "hunter2" } } } },
  ]);
});

test.each(["", "not cached", "!", "x"])(
  "a mark of no password beside an organization's sign-in keeps out, as none does: %j",
  async (mark) => {
    const text = `id,auth,email,password\n7,ldap,ann@example.com,${mark}\n`;
    expect(await readOne(text)).toMatchObject({ exclusions: ["sso_only"] });
  },
);
