import { describe, expect, test } from "vitest";
import { genericCsv, genericJson } from "../../../src/source/mapping/generic-files.js";
import type { ReadOptions, SourceItem } from "../../../src/source/source.js";
import { collect, PLAIN, pieces } from "../support.js";

const BCRYPT = "$2a$10$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";
const NOW = Date.parse("2026-11-22");

type Table = readonly (readonly string[])[];

function readCsv(rows: Table, map: object = {}): Promise<SourceItem[]> {
  const text = rows.map((row) => row.map((cell) => `"${cell}"`).join(",")).join("\n");
  return read(genericCsv, text, map);
}

function readJson(users: readonly object[], map: object = {}): Promise<SourceItem[]> {
  return read(genericJson, JSON.stringify(users), map);
}

function read(source: typeof genericCsv, text: string, map: object): Promise<SourceItem[]> {
  const options: ReadOptions = { ...PLAIN, now: NOW, map: new Map(Object.entries(map)) };
  return collect(source.read("users", pieces(Buffer.from(text), 4096), options));
}

const ANN = "ann@example.com";

/** `{ a: { b: value } }` for the path `a.b`. */
function within(path: string, value: unknown): object {
  const [name = "", ...deeper] = path.split(".");
  return { [name]: deeper.length === 0 ? value : within(deeper.join("."), value) };
}

describe("a hash in a column that isn't read", () => {
  const rows = [
    ["id", "email", "bcryptPass"],
    ["1", ANN, BCRYPT],
  ];

  test("stops the run where it stands in JSON as a text, as databases write it", async () => {
    const accounts = JSON.stringify([{ providerId: "credential", password: BCRYPT }]);
    const stops = { code: "hash_column_unread", message: expect.stringContaining("accounts") };
    const table = `id,email,accounts\n1,${ANN},"${accounts.replaceAll('"', '""')}"\n`;
    await expect(read(genericCsv, table, {})).rejects.toMatchObject(stops);
    await expect(readJson([{ email: ANN, accounts }])).rejects.toMatchObject(stops);
    await expect(readJson([{ email: ANN, prices: '{"pro":"$10"}' }])).resolves.toHaveLength(1);
    const token = JSON.stringify({ reset_token: BCRYPT });
    await expect(readJson([{ email: ANN, hash: BCRYPT, token }])).resolves.toHaveLength(1);
  });

  test("stops the run, with the option that reads it", async () => {
    await expect(readCsv(rows)).rejects.toMatchObject({
      code: "hash_column_unread",
      message: expect.stringContaining('"bcryptPass"'),
      hint: expect.stringMatching(/--map hash=bcryptPass\b.*--map ignore=bcryptPass\b/),
    });
    await expect(readJson([{ email: ANN, bcryptPass: BCRYPT }])).rejects.toMatchObject({
      code: "hash_column_unread",
      hint: expect.stringContaining("--map hash=bcryptPass"),
    });
  });

  test("and is scrypt-kdf's in base64, as Medusa keeps it, stops it, too", async () => {
    const provider_metadata = { password: `c2NyeXB0AA8AAAAIAAAAA${"X".repeat(107)}` };
    await expect(readJson([{ email: ANN, provider_metadata }])).rejects.toMatchObject({
      code: "hash_column_unread",
      hint: expect.stringContaining("--map hash=provider_metadata.password"),
    });
  });

  test.each([
    ...["legacy_md5", "old_sha1", "passwordMd5", "prev_password_hash", "sha256Hash"],
    ...["passwort_md5", "contraseña_sha1", "hasło_hash"],
  ])("and doesn't name its algorithm stops it where the user has no other: %s", async (name) => {
    const digest = "5f4dcc3b5aa765d61d8327deb882cf99";
    const users = [
      { email: ANN, password_hash: BCRYPT, [name]: digest },
      { email: "bo@example.com", password_hash: "", [name]: digest },
    ];
    const rows = [Object.keys(users[0] ?? {}), ...users.map((user) => Object.values(user))];
    const failure = {
      code: "hash_column_unread",
      message: expect.stringContaining(`"${name}"`),
      hint: expect.stringContaining(`--map ignore=${name}.`),
    };
    await expect(readJson(users)).rejects.toMatchObject(failure);
    await expect(readCsv(rows)).rejects.toMatchObject(failure);
    expect(await readJson(users.slice(0, 1))).toHaveLength(1);
    expect(await readCsv(rows, { ignore: name })).toHaveLength(2);
  });

  test.each(["user_hash", "avatar_md5", "email_sha256", "api_key_hash", "remember_md5"])(
    "is none where %s holds a digest",
    async (name) => {
      const user = { email: ANN, [name]: "5f4dcc3b5aa765d61d8327deb882cf99" };
      expect(await readJson([user])).toMatchObject([{ record: { hash: null } }]);
      const rows = [Object.keys(user), Object.values(user)];
      expect(await readCsv(rows)).toMatchObject([{ record: { hash: null } }]);
    },
  );

  test("is told with all others and with the one that is read, in one command", async () => {
    const rows = [
      ["email", "password_hash", "legacy", "bcryptPass"],
      [ANN, BCRYPT, BCRYPT, BCRYPT],
    ];
    const hint = expect.stringMatching(
      /--map hash=legacy --map ignore=bcryptPass --map ignore=password_hash, .*--map ignore=legacy --map ignore=bcryptPass\.$/,
    );
    const user = { email: ANN, password_hash: BCRYPT, legacy: BCRYPT, bcryptPass: BCRYPT };
    await expect(readCsv(rows)).rejects.toMatchObject({ hint });
    await expect(readJson([user])).rejects.toMatchObject({ hint });
    const map = { hash: "legacy", ignore: ["bcryptPass", "password_hash"] };
    expect(await readCsv(rows, map)).toHaveLength(1);
    expect(await readJson([user], map)).toHaveLength(1);
  });

  test("inside a list is told with a way that works, since --map reaches into none", async () => {
    const accounts = [{ providerId: "credential", password: BCRYPT }];
    await expect(readJson([{ email: ANN, accounts }])).rejects.toMatchObject({
      code: "hash_column_unread",
      message: expect.stringContaining('"accounts[].password"'),
      hint: expect.stringMatching(/= \.accounts\[0\]\.password'.*--map ignore=accounts\./),
    });
    const user = { email: ANN, password_hash: BCRYPT, accounts };
    expect(await readJson([user], { ignore: "accounts" })).toHaveLength(1);
  });

  test("is read, or left, as the operator says", async () => {
    expect(await readCsv(rows, { hash: "bcryptPass" })).toMatchObject([
      { record: { hash: { text: BCRYPT } } },
    ]);
    expect(await readCsv(rows, { ignore: "bcryptPass" })).toMatchObject([
      { record: { hash: null } },
    ]);
  });

  test("stops it where the name says what a password was before, and is none where it answers a question", async () => {
    for (const name of ["temp_password", "passwordRaw", "initial password"]) {
      const header = ["email", name];
      const stop = { code: "hash_column_unread", message: expect.stringContaining(name) };
      await expect(readCsv([header, [ANN, BCRYPT]])).rejects.toMatchObject(stop);
      await expect(readJson([{ email: ANN, [name]: BCRYPT }])).rejects.toMatchObject(stop);
      const read = [{ record: { hash: { text: BCRYPT } } }];
      expect(await readCsv([header, [ANN, BCRYPT]], { hash: name })).toMatchObject(read);
      expect(await readCsv([header, [ANN, BCRYPT]], { ignore: name })).toHaveLength(1);
      expect(await readCsv([header, [ANN, "true"]])).toMatchObject([{ record: { hash: null } }]);
      expect(await readJson([{ email: ANN, [name]: false }])).toMatchObject([
        { record: { hash: null } },
      ]);
      const plain = [{ record: { hash: { credential: { plain_text: "hunter2!" } } } }];
      expect(await readCsv([header, [ANN, "hunter2!"]])).toMatchObject(plain);
      expect(await readJson([{ email: ANN, [name]: "hunter2!" }])).toMatchObject(plain);
    }
  });

  test("stops it also where another column holds the password's", async () => {
    const both = [
      ["email", "password_hash", "legacy"],
      [ANN, BCRYPT, BCRYPT],
    ];
    await expect(readCsv(both)).rejects.toMatchObject({ code: "hash_column_unread" });
    const unsure = { email: ANN, password_hash: BCRYPT, pass: BCRYPT.replace("851", "852") };
    await expect(readJson([unsure])).rejects.toMatchObject({ code: "hash_column_unread" });
  });

  test("is left where it is a token's and the password's is there", async () => {
    const token = { email: ANN, password_digest: BCRYPT, remember_digest: BCRYPT };
    expect(await readJson([token])).toMatchObject([{ kind: "record" }]);
    const rows = [Object.keys(token), Object.values(token)];
    expect(await readCsv(rows)).toMatchObject([{ kind: "record" }]);
    await expect(readCsv([...rows, [ANN, "", BCRYPT]])).rejects.toMatchObject({
      code: "hash_column_unread",
    });
  });

  test("is found as deep as it lies", async () => {
    const user = { email: ANN, security: { local: { value: BCRYPT } }, old: [{ hash: BCRYPT }] };
    await expect(readJson([user])).rejects.toMatchObject({
      message: expect.stringContaining('"security.local.value"'),
    });
    const map = { hash: "security.local.value", ignore: "old" };
    expect(await readJson([user], map)).toMatchObject([{ record: { hash: { text: BCRYPT } } }]);
  });

  test("is never shown, nor is what stands for a name", async () => {
    const failure = await readJson([{ email: ANN, [`${ANN} x`]: BCRYPT }]).catch(String);
    expect(String(failure)).not.toMatch(/ann@|\$2a/);
  });
});

describe("a column that may be a flag", () => {
  test("stops the run, with what may be said of it", async () => {
    await expect(
      readCsv([
        ["email", "sso banned"],
        [ANN, "1"],
      ]),
    ).rejects.toMatchObject({
      code: "column_unclear",
      message: expect.stringContaining('"sso banned"'),
      hint: expect.stringMatching(/'disabled=sso banned'.*'active=.*'ignore=/),
    });
    await expect(readJson([{ email: ANN, artist_verified: 0 }])).rejects.toMatchObject({
      code: "column_unclear",
      hint: expect.stringMatching(/email_verified=artist_verified.*ignore=artist_verified/),
    });
  });

  test("is told of with all others of its kind", async () => {
    const rows = [
      ["email", "ban_frobs", "lock_frobs"],
      [ANN, "3", ""],
      [ANN, "", "1"],
    ];
    await expect(readCsv(rows)).rejects.toMatchObject({
      message: expect.stringContaining('"ban_frobs"'),
    });
    await expect(readJson([{ email: ANN, ban_frobs: 1, zap_banned: 1 }])).rejects.toMatchObject({
      message: expect.stringContaining('the columns "ban_frobs", "zap_banned"'),
    });
  });

  test("stops nothing where no row fills it", async () => {
    expect(
      await readCsv([
        ["email", "ban_frobs"],
        [ANN, ""],
      ]),
    ).toMatchObject([{ kind: "record" }]);
    expect(await readJson([{ email: ANN, ban_frobs: null }])).toMatchObject([{ kind: "record" }]);
  });

  test("is what the operator says, several of them at once", async () => {
    const rows = [
      ["email", "ban_frobs", "zap_banned", "gold_active", "chat_muted_x"],
      ["ann@example.com", "0", "0", "1", "x"],
      ["bo@example.com", "0", "1", "1", ""],
      ["cy@example.com", "1", "0", "1", ""],
      ["di@example.com", "0", "0", "0", ""],
    ];
    const map = { disabled: ["ban_frobs", "zap_banned"], active: ["gold_active"], ignore: [] };
    const items = await readCsv(rows, map);
    expect(items.map((item) => item.kind === "record" && item.record.exclusions.length)).toEqual([
      0, 1, 1, 1,
    ]);
    const users = [{ email: ANN, ban_frobs: 0, zap_banned: true, gold_active: 1 }];
    expect(await readJson(users, map)).toMatchObject([
      {
        record: {
          exclusions: ["disabled"],
          because: { disabled: '"zap_banned" says true.' },
        },
      },
    ]);
  });

  test("isn't said to let in and to keep out by one yes, whatever its name's case", async () => {
    const rows = [
      ["email", "Zustand"],
      [ANN, "1"],
    ];
    const stops = { code: "usage", message: expect.stringContaining('"Zustand"') };
    const map = { disabled: ["zustand"], active: ["Zustand"] };
    await expect(readCsv(rows, map)).rejects.toMatchObject(stops);
    const users = [{ email: ANN, Zustand: 1 }];
    const both = { disabled: ["Zustand"], active: ["Zustand"] };
    await expect(readJson(users, both)).rejects.toMatchObject(stops);
    expect(await readJson(users, { disabled: ["Zustand=0"], active: ["Zustand"] })).toMatchObject([
      { record: { exclusions: [] } },
    ]);
  });

  test("is about one that is known where that is there", async () => {
    const rows = [
      ["email", "ban_reason"],
      [ANN, "spam"],
    ];
    await expect(readCsv(rows)).rejects.toMatchObject({ code: "column_unclear" });
    const known = rows.map((row, index) => [...row, ["banned", "0"][index] ?? ""]);
    expect(await readCsv(known)).toMatchObject([{ record: { exclusions: [] } }]);
    expect(await readJson([{ email: ANN, banReason: "spam", banned: false }])).toMatchObject([
      { record: { exclusions: [] } },
    ]);
  });

  test.each([
    ["app_metadata.banned", true],
    ["settings.account.locked", 1],
    ["customClaims.disabled", true],
    ["publicMetadata.suspended", "yes"],
    ["user_metadata.active", false],
    ["raw_app_meta_data.status", "Suspended"],
    ["metadata.flags.deleted_at", { $date: "2024-01-02T03:04:05Z" }],
    ["app_metadata.chat.banned", true],
  ])("is asked for inside an object: %s", async (path, value) => {
    const user = { email: ANN, ...within(path, value) };
    await expect(readJson([user])).rejects.toMatchObject({
      code: "column_unclear",
      message: expect.stringContaining(`"${path}"`),
      hint: expect.stringContaining(`--map disabled=${path}`),
    });
    const cell = typeof value === "object" ? value.$date : String(value);
    const rows = [
      ["email", path],
      [ANN, cell],
    ];
    await expect(readCsv(rows)).rejects.toMatchObject({ code: "column_unclear" });
    const field = value === false ? "active" : "disabled";
    for (const items of [readJson([user], { [field]: path }), readCsv(rows, { [field]: path })]) {
      expect(await items).toMatchObject([{ record: { exclusions: [expect.any(String)] } }]);
    }
    expect(await readJson([user], { ignore: path })).toMatchObject([
      { record: { exclusions: [] } },
    ]);
  });

  test.each([
    ["app_metadata.banned", false],
    ["app_metadata.active", true],
    ["user_metadata.status", "gold"],
    ["settings.notifications.disabled", true],
    ["metadata.subscription.status", "cancelled"],
    ["app_metadata.chat.banned", false],
    ["metadata.orders", [{ deleted: true }]],
  ])("inside an object stops nothing where %s is %j", async (path, value) => {
    expect(await readJson([{ email: ANN, ...within(path, value) }])).toMatchObject([
      { record: { exclusions: [] } },
    ]);
  });

  test("is taken as --map says also where the first users have none", async () => {
    const users = Array.from({ length: 300 }, (_, at) => ({ email: `u${at}@example.com` }));
    const late = [...users, { email: ANN, app_metadata: { banned: true }, legacy_flags: "x" }];
    const items = await readJson(late, { disabled: "app_metadata.banned", ignore: "legacy_flags" });
    expect(items.at(-1)).toMatchObject({ record: { exclusions: ["disabled"] } });
    await expect(readJson(late, { disabled: "app_metadata.baned" })).rejects.toMatchObject({
      code: "input_unrecognized",
    });
  });

  test("whose state isn't the account's stops only with a word that keeps out", async () => {
    for (const [word, code] of [
      ["gold", null],
      ["Banned", "column_unclear"],
    ] as const) {
      const failure = await readCsv([
        ["email", "customer_status"],
        [ANN, word],
      ]).catch((error: { code: string }) => error.code);
      if (code === null) expect(failure).toMatchObject([{ kind: "record" }]);
      else expect(failure).toBe(code);
    }
  });
});

describe("a verification that is a date of later users alone", () => {
  const users = Array.from({ length: 300 }, (_, index) => ({
    email: `user${index}@example.com`,
    emailVerified: index === 299 ? "2024-01-02T03:04:05Z" : null,
  }));

  test("stops the run, since an empty one of the users before isn't verified", async () => {
    await expect(readJson(users)).rejects.toMatchObject({
      code: "column_unclear",
      message: expect.stringContaining("emailVerified"),
      hint: expect.stringContaining("beginning of the file"),
    });
  });

  test("is heard once a user who has one stands first", async () => {
    const items = await readJson([...users].reverse());
    const verified = items.map((item) => item.kind === "record" && item.record.email?.verified);
    expect([...new Set(verified)]).toEqual([true, false]);
  });
});

describe("a flag whose values no word says", () => {
  const rows = [
    ["email", "Estado", "confirmado"],
    ["ann@example.com", "A", "V"],
    ["bo@example.com", "i", "v"],
    ["cy@example.com", "S", "-"],
    ["di@example.com", "", "X"],
  ];
  const users = rows.slice(1).map(([email, estado, confirmado]) => ({ email, estado, confirmado }));
  const standings = (items: readonly SourceItem[]) =>
    items.map((item) => (item.kind === "record" ? (item.record.exclusions[0] ?? "in") : item.kind));

  test("is rejected with a command that names the value", async () => {
    const items = await readCsv(rows);
    expect(standings(items)).toContain("reject");
    expect(items[0]).toMatchObject({
      code: "flag_invalid",
      hint: expect.stringMatching(/--map active=NAME=VALUE .*--map disabled=NAME=VALUE/),
    });
  });

  test("inside an object is rejected with a hint at the property, which then decides", async () => {
    const banned = [
      { email: "ann@example.com", ban: { active: true } },
      { email: "bo@example.com", ban: { active: false } },
    ];
    expect((await readJson(banned))[0]).toMatchObject({
      code: "flag_invalid",
      hint: expect.stringContaining("--map disabled=NAME.PROPERTY"),
    });
    const mapped = await readJson(banned, { disabled: "ban.active" });
    expect(standings(mapped)).toEqual(["disabled", "in"]);
  });

  test("is read by the value that lets in, or by those that keep out", async () => {
    const active = { active: "estado=A" };
    const disabled = { disabled: ["estado=I", "estado=S"] };
    for (const items of [readCsv(rows, active), readJson(users, active)]) {
      expect(standings(await items)).toEqual(["in", "reject", "reject", "in"]);
    }
    for (const items of [readCsv(rows, disabled), readJson(users, disabled)]) {
      expect(standings(await items)).toEqual(["reject", "disabled", "disabled", "in"]);
    }
  });

  const WORDS = ["active", "blocked", "banned", "A", "B", "C", "3", "4"];
  const KNOWN = {
    state: ["in", "disabled", "disabled", ...Array(5).fill("reject")],
    account_status: ["in", "disabled", "disabled", ...Array(5).fill("reject")],
    is_active: ["in", "disabled", "disabled", ...Array(5).fill("reject")],
    is_blocked: ["reject", "disabled", "disabled", ...Array(5).fill("reject")],
    role: ["in", "disabled", "disabled", ...Array(5).fill("in")],
    plan: Array(8).fill("in"),
    customer_status: ["in", "reject", "reject", ...Array(5).fill("in")],
  };
  const SAID: readonly Record<string, string>[] = [
    { disabled: "B" },
    { active: "A" },
    { email_verified: "C" },
    { active: "A", disabled: "B" },
    { disabled: "3" },
    { active: "3" },
    { active: "4", disabled: "3" },
    { email_verified: "C", disabled: "B" },
    { email_verified: "active", active: "A", disabled: "B" },
  ];
  const cases = Object.keys(KNOWN).flatMap((column) =>
    SAID.flatMap((said) =>
      [false, true].map((isReversed) => ({ column, said, isReversed, order: Object.keys(said) })),
    ),
  );

  test.each(cases)(
    "adds to what $column says by its other values, of $order, turned around: $isReversed",
    async ({ column, said, isReversed }) => {
      const isFlag = ["state", "account_status", "is_active", "is_blocked"].includes(column);
      const entries = Object.entries(said).map(([field, value]) => [field, `${column}=${value}`]);
      const map = Object.fromEntries(isReversed ? entries.reverse() : entries);
      const wanted = WORDS.map((word, at) => {
        if (said.disabled === word) return "disabled";
        if (said.active === word) return "in";
        if (!isFlag && said.active !== undefined) return "disabled";
        return KNOWN[column as keyof typeof KNOWN][at];
      });
      const people = WORDS.map((word, at) => ({ email: `user${at}@example.com`, [column]: word }));
      const table = [["email", column], ...people.map((one) => Object.values(one))];
      for (const items of [await readCsv(table, map), await readJson(people, map)]) {
        expect(standings(items)).toEqual(wanted);
        if (said.email_verified === undefined) continue;
        const verified = items.flatMap((item, index) =>
          item.kind === "record" && item.record.email?.verified === true ? [WORDS[index]] : [],
        );
        const isIn = wanted[WORDS.indexOf(said.email_verified)] !== "reject";
        expect(verified).toEqual(isIn ? [said.email_verified] : []);
      }
    },
  );

  test("leaves what other values say whatever the name, and when an account ends", async () => {
    const cases = [
      ["shell", "disabled=shell=/sbin/nologin", ["/bin/sh", "/sbin/nologin", "/bin/false"]],
      ["end_date", "active=end_date", ["", "2001-01-01", "2999-01-01"]],
    ] as const;
    const wanted = [
      ["in", "disabled", "reject"],
      ["in", "disabled", "in"],
    ];
    for (const [index, [column, said, values]] of cases.entries()) {
      const [field = "", ...rest] = said.split("=");
      const map = { [field]: rest.join("=") };
      const people = values.map((text, at) => ({ email: `ann${at}@example.com`, [column]: text }));
      const table = [["email", column], ...people.map((one) => Object.values(one))];
      for (const items of [await readCsv(table, map), await readJson(people, map)]) {
        expect(standings(items)).toEqual(wanted[index]);
      }
    }
  });

  test("may be a contact's verification", async () => {
    const map = { email_verified: "confirmado=V", ignore: "Estado" };
    const verified = (await readCsv(rows, map)).map(
      (item) => item.kind === "record" && item.record.email?.verified,
    );
    expect(verified).toEqual([true, true, false, false]);
    expect(await readJson(users.slice(0, 1), { ...map, ignore: "estado" })).toMatchObject([
      { record: { email: { verified: true } } },
    ]);
  });
});

describe("a lock that is over", () => {
  test("is none, whatever else is said of it", async () => {
    const past = { banned: true, banReason: "spam", banExpires: "2019-01-01T00:00:00.000Z" };
    const until = { banned: true, banReason: "spam", banExpires: "2099-01-01T00:00:00.000Z" };
    expect(await readJson([{ email: ANN, ...past }])).toMatchObject([
      { record: { exclusions: [] } },
    ]);
    expect(await readJson([{ email: ANN, ...until }])).toMatchObject([
      { record: { exclusions: ["disabled"], because: { disabled: '"banned" says true.' } } },
    ]);
    const rows = [
      ["email", "LockoutEnabled", "LockoutEnd"],
      [ANN, "1", "2019-01-01 00:00:00"],
    ];
    expect(await readCsv(rows)).toMatchObject([{ record: { exclusions: [] } }]);
  });

  test("ends no other", async () => {
    const rows = [
      ["email", "banned", "locked_until"],
      [ANN, "1", "2019-01-01"],
    ];
    expect(await readCsv(rows)).toMatchObject([{ record: { exclusions: ["disabled"] } }]);
  });
});

describe("a role of users who are kept out is heard", () => {
  test.each([
    ["a list", ["member", "banned"]],
    ["a list of objects", [{ id: 3, name: "Suspended users" }]],
    ["an object by name", { blocked: { since: 2024 } }],
    ["a list with others before it", ["member", "banned"]],
  ])("in %s", async (_what, roles) => {
    expect(await readJson([{ email: ANN, roles }])).toMatchObject([
      {
        record: {
          exclusions: ["disabled"],
          because: { disabled: '"roles" names a role of users who are kept out.' },
          notices: ["roles_not_migrated"],
        },
      },
    ]);
    expect(await readJson([{ email: ANN, roles }], { ignore: "roles" })).toMatchObject([
      { record: { exclusions: [] } },
    ]);
  });
});

describe("a shape of a known system is heard", () => {
  test("Kratos' addresses, wherever they are verified", async () => {
    const address = { value: ANN, verified: false, via: "email", status: "pending" };
    const user = { id: "1", state: "active", traits: { email: ANN } };
    expect(await readJson([{ ...user, verifiable_addresses: [address] }])).toMatchObject([
      { record: { email: { value: ANN, verified: false }, exclusions: [] } },
    ]);
    const verified = [{ ...address, verified: true, status: "completed" }];
    expect(await readJson([{ ...user, verifiable_addresses: verified }])).toMatchObject([
      { record: { email: { value: ANN, verified: true } } },
    ]);
    expect(await readJson([{ ...user, state: "inactive" }])).toMatchObject([
      { record: { exclusions: ["disabled"] } },
    ]);
  });

  test("Zitadel's users, with a flag beside each contact", async () => {
    const human = {
      email: { email: ANN, isEmailVerified: false },
      phone: { phone: "+15550100001", isVerified: true },
    };
    expect(await readJson([{ userId: "1", state: "USER_STATE_ACTIVE", human }])).toMatchObject([
      {
        record: {
          email: { value: ANN, verified: false },
          phone: { value: "+15550100001", verified: true },
        },
      },
    ]);
    expect(await readJson([{ userId: "1", state: "USER_STATE_LOCKED", human }])).toMatchObject([
      {
        record: {
          exclusions: ["disabled"],
          because: { disabled: '"state" says user_state_locked.' },
        },
      },
    ]);
  });

  test("a phone of a table that has no email is meant by verified", async () => {
    expect(
      await readCsv([
        ["phone", "verified"],
        ["+15550100001", "0"],
      ]),
    ).toMatchObject([{ record: { phone: { verified: false } } }]);
    expect(await readJson([{ phone: "+15550100001", verified: false }])).toMatchObject([
      { record: { phone: { verified: false } } },
    ]);
  });
});
