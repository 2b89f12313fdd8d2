import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { RunError } from "../../src/errors/run-error.js";
import { detectSource } from "../../src/source/detect.js";
import { genericJson } from "../../src/source/mapping/generic-files.js";
import { mappedSource } from "../../src/source/mapping/mapped-source.js";
import { parseMapping } from "../../src/source/mapping/read-mapping.js";
import type { ColumnsRead } from "../../src/source/source.js";
import { headOf, readUsers } from "./read-users.js";
import { pieces, PLAIN } from "./support.js";

const BCRYPT = "$2a$10$851F/nQcrhTCgKGqW3vAEuawD2EcdaDSUm.4kze9Gdvaylx8AdJUm";

const NOW = Date.parse("2026-11-22");

/** What a file comes to: its users, or the error that it stops with. */
async function read(text: string, map: Record<string, string> = {}) {
  const given = new Map(Object.entries(map));
  try {
    const { source } = detectSource(headOf(text), undefined, given);
    return await readUsers(source, text, { ...PLAIN, map: given, now: NOW });
  } catch (error) {
    if (error instanceof RunError) return error;
    throw error;
  }
}

function lines(objects: readonly object[]): string {
  return objects.map((one) => `${JSON.stringify(one)}\n`).join("");
}

/** What the first command of a hint makes of a file; null where the machine has no jq. */
function followed(hint: string, text: string): string | null {
  const [, flags = "-c", program = ""] = /jq ((?:-\w+ )?)'([^']+)'/.exec(hint) ?? [];
  try {
    return execFileSync("jq", [...flags.trim().split(" ").filter(Boolean), program], {
      input: text,
      encoding: "utf8",
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

const person = (id: number, name: string) => ({
  username: name,
  email: `${name}@example.com`,
  provider: "local",
  password: BCRYPT,
  resetPasswordToken: null,
  confirmationToken: null,
  confirmed: true,
  blocked: id === 2,
});

describe("objects of several kinds on lines", () => {
  const ENTITIES = lines([
    {
      type: "admin/user",
      id: 1,
      data: { firstname: "Root", email: "root@example.com", password: BCRYPT, isActive: true },
    },
    { type: "content/page", id: 1, data: { title: "Hello" } },
    { type: "members/user", id: 1, data: person(1, "ann") },
    { type: "members/user", id: 2, data: person(2, "ben") },
  ]);
  const BULK = lines([
    { type: "header", version: 1 },
    { type: "team", team: { name: "shop" } },
    {
      type: "user",
      user: { id: "u1", username: "ann", email: "ann@example.com", password: BCRYPT },
    },
  ]);
  const FLAT = lines([
    { kind: "user", id: 1, email: "ann@example.com", password: BCRYPT },
    { kind: "admin_user", id: 1, email: "root@example.com", password: BCRYPT },
  ]);
  const ANN = { kind: "", id: 7, email: "ann@example.com", password: BCRYPT };
  const TOKEN = { kind: "account", id: 1, provider: "google", owner: 7, token: "x" };
  test.each([
    ["in envelopes", ENTITIES, 2],
    ["each under its own name", BULK, 1],
    ["flat, with ids that repeat", FLAT, 1],
    ["behind others whose kind is named like users", lines([TOKEN, { ...ANN, kind: "user" }]), 1],
    ["under a name of their own", lines([{ ...ANN, kind: "contact" }, TOKEN]), 1],
  ])(
    "stop the run, and the command in the hint reads the users alone: %s",
    async (_what, text, users) => {
      const error = await read(text);
      expect(error).toMatchObject({
        code: "input_unrecognized",
        hint: expect.stringContaining("jq -c"),
      });
      const alone = followed(`${error instanceof RunError ? error.hint : ""}`, text);
      if (alone === null) return;
      const found = await read(alone);
      expect(found).toHaveLength(users);
      expect(found).toMatchObject([{ email: { value: "ann@example.com" } }, {}].slice(0, users));
    },
  );

  test("stop also where another kind comes late", async () => {
    const data = (at: number) => ({ email: `ann${at}@example.com`, town: "Bern" });
    const many = Array.from({ length: 1500 }, (_one, id) => ({ type: "user", id, data: data(id) }));
    const text = lines([...many, { type: "admin", id: 1, data: data(1) }]);
    expect(await read(text, { email: "data.email" })).toMatchObject({ code: "input_unrecognized" });
  });

  test("are none where a property says what users may do, or --map ignores it", async () => {
    const users = ["admin", "customer", "vendor"].map((type, id) => ({
      type,
      id,
      email: `ann${id}@example.com`,
      password: BCRYPT,
    }));
    expect(await read(lines(users))).toHaveLength(3);
    expect(await read(FLAT, { ignore: "kind" })).toHaveLength(2);
  });
});

describe("what a dump's other models say of users", () => {
  const user = (pk: number, name: string) => ({
    model: "auth.user",
    pk,
    fields: {
      password: `bcrypt$${BCRYPT}`,
      last_login: null,
      username: name,
      email: `${name}@example.com`,
      is_active: true,
    },
  });
  const users = [user(1, "ann"), user(2, "ben")];
  const of = (model: string, fields: object) => ({ model, pk: 1, fields: { user: 1, ...fields } });
  test.each([
    ["vault.totpdevice", { confirmed: true, key: "31" }, "second factors"],
    ["security.authenticator", { type: "totp", data: {} }, "second factors"],
    ["phones.twofactorphone", { number: "x" }, "second factors"],
    ["passkeys.userpasskey", { token: "x" }, "second factors"],
    ["accounts.profile", { two_factor_enabled: true }, "second factors"],
    ["moderation.userban", { reason: "spam" }, "bans"],
    ["axes_extra.suspension", { until: "2999-01-01" }, "bans"],
    ["accounts.profile", { is_banned: true }, "bans"],
    ["members.userstatus", { state: "suspended" }, "bans"],
    ["staff.employee", { terminated_at: "2024-01-01" }, "bans"],
    ["accounts.usersettings", { mfa_enabled: true }, "second factors"],
    ["contacts.emailaddress", { verified: false }, "contacts that were never verified"],
    ["profiles.profile", { email_confirmed: false }, "contacts that were never verified"],
    ["links.socialaccount", { provider: "google", uid: "7" }, "social accounts"],
    ["links.usersocialauth", { provider: "github", uid: "7" }, "social accounts"],
  ])("stops the run: %s %j are %s", async (model, fields, what) => {
    for (const objects of [
      [...users, of(model, fields)],
      [of(model, fields), ...users],
    ]) {
      const text = JSON.stringify(objects);
      const error = await read(text);
      expect(error).toMatchObject({
        code: "input_unrecognized",
        message: expect.stringContaining(what),
      });
      const made = followed(`${error instanceof RunError ? error.hint : ""}`, text);
      if (made === null) continue;
      expect(await read(made)).toMatchObject([{ sourceId: "1" }, { sourceId: "2" }]);
    }
  });

  test.each([
    ["accounts.profile", { state: "suspended" }],
    ["accounts.profile", { banned_until: "2999-01-01" }],
    ["mfa.user_keys", { user: undefined, username: "ann", key_type: "TOTP" }],
    ["accounts.blacklist", { user: undefined, email: "ann@example.com" }],
  ])("stops the run by a word, by a date, and by a user's name: %s %j", async (model, fields) => {
    const text = JSON.stringify([...users, of(model, fields)]);
    expect(await read(text)).toMatchObject({ code: "input_unrecognized" });
  });

  test("is read where a mapping says under related what it is, as the stop's hint has it", async () => {
    const text = JSON.stringify([...users, of("moderation.userban", { reason: "spam" })]);
    const error = await read(text);
    expect(error).toMatchObject({ hint: expect.stringContaining("under related in a mapping") });
    const source = mappedSource(
      parseMapping(
        "own.yaml",
        `name: own
title: Own
recognize: [[model, pk]]
is_user: "model == 'auth.user'"
view: "merge(fields, {pk: pk, model: model})"
id: pk
email: email
hash: password
related:
  - where: "model == 'moderation.userban'"
    view: fields
    user: fields.user
    flags: { reason: { values: { else: disabled } } }
`,
      ),
    );
    const found: unknown[] = [];
    for await (const items of source.read("f.json", pieces(Buffer.from(text), 7), PLAIN)) {
      found.push(...items);
    }
    const says = { record: { exclusions: ["disabled"] } };
    expect(found).toMatchObject([
      { kind: "record", seeks: ['["user","1"]'] },
      { kind: "record", seeks: ['["user","2"]'] },
      { kind: "skip", related: { keys: ['["user","1"]'], says } },
    ]);
  });

  test("an object that keeps a user out stops the run among ever so many kinds", async () => {
    const many = Array.from({ length: 205 }, (_, at) => of(`shop${at}.order`, { total: at }));
    const last = of("accounts.profile", { is_banned: true });
    const error = await read(JSON.stringify([...users, ...many, last]));
    expect(error).toMatchObject({ code: "input_unrecognized" });
  });

  test.each([
    ["otp_totp.totpdevice", { confirmed: false, key: "31" }],
    ["newsletter.subscriber", { email: "ann@example.com", confirmed: false }],
    ["accounts.usersettings", { theme: "dark", mfa_enabled: false }],
    ["account.emailaddress", { verified: true, email: "ann@example.com" }],
    ["socialaccount.socialtoken", { token: "x" }],
    ["sessions.session", { session_data: "x" }],
    ["admin.logentry", { action_flag: 1 }],
    ["shop.order", { is_active: false, total: 3 }],
    ["axes.accessattempt", { failures: 1 }],
    ["chat.bot", { display_name: "Metronome" }],
    ["moderation.userban", { until: "2001-01-01" }],
    ["moderation.userban", { is_active: false }],
    ["moderation.userban", { lifted_at: "x", unbanned_at: "2024-01-01" }],
    ["friends.userblock", { blocked_user: 2 }],
    ["accounts.profile", { is_active: true, banned_until: null }],
  ])("stops nothing where it decides nothing, and is counted: %s %j", async (model, fields) => {
    const found = await read(JSON.stringify([...users, of(model, fields)]));
    expect(found).toMatchObject([
      { sourceId: "1" },
      { sourceId: "2" },
      expect.stringMatching(/^other_model/),
    ]);
  });
});

describe("lists beside the users of a document", () => {
  const users = [1, 2].map((id) => ({ id, email: `ann${id}@example.com`, password: BCRYPT }));
  test.each([
    ["totpDevices", { userId: 1, secret: "x" }],
    ["webauthn_credentials", { user_id: 1, key: "x" }],
    ["emailVerifications", { userId: 1, verified: false }],
    ["socialAccounts", { userId: 1, provider: "google" }],
    ["bannedUsers", { userId: 1, reason: "spam" }],
    ["bans", { banned_user_id: 1, reason: "spam" }],
    ["memberStates", { userId: "1", state: "banned" }],
  ])("stop the run where they say what the users don't: %s", async (name, one) => {
    const text = JSON.stringify({ users, [name]: [one] });
    const error = await read(text, { users: "users" });
    expect(error).toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining(name),
    });
    const made = followed(`${error instanceof RunError ? error.hint : ""}`, text);
    if (made !== null) expect(await read(made, { users: "users" })).toHaveLength(2);
  });

  test("stop the run also behind more users than the start of the file holds, wherever the list of users lies", async () => {
    const many = Array.from({ length: 1500 }, (_, id) => ({
      id,
      email: `ann${id}@example.com`,
      password: BCRYPT,
    }));
    const lists = { logins: [{ user_id: 1, at: "x" }], mfa_devices: [{ user_id: 1, secret: "x" }] };
    const documents = [
      [{ users: many, total: 1500, ...lists }, "users"],
      [{ data: { users: many, next: null }, ...lists }, "data.users"],
      [{ data: { users: many, ...lists }, done: true }, "data.users"],
    ] as const;
    for (const [document, users] of documents) {
      const error = await read(JSON.stringify(document, null, 1), { users });
      expect(error).toMatchObject({
        code: "input_unrecognized",
        message: expect.stringContaining("mfa_devices"),
      });
    }
    const told = { users: many, orders: [{ userId: 1, total: 3 }] };
    expect(await read(JSON.stringify(told), { users: "users" })).toHaveLength(1500);
  });

  test("stop the run wherever they stand: before all users, deep in other objects, beside a list in each of several", async () => {
    const orders = Array.from({ length: 3000 }, (_, id) => ({ id, total: "3.00 EUR" }));
    const banned = [{ user_id: 1, reason: "spam" }];
    const documents = [
      [{ meta: { orders, user_bans: banned }, users }, "users", "meta.user_bans"],
      [{ users, extra: { more: { user_bans: banned } } }, "users", "extra.more.user_bans"],
      [{ orgs: [{ users, user_bans: banned }] }, "orgs[].users", "orgs[].user_bans"],
      [{ orgs: [{ users }, { user_bans: banned, users: [] }] }, "orgs[].users", "orgs[].user_bans"],
    ] as const;
    for (const [document, path, list] of documents) {
      const text = JSON.stringify(document);
      const error = await read(text, { users: path });
      const message = expect.stringContaining(`(${JSON.stringify(list)})`);
      expect(error).toMatchObject({ code: "input_unrecognized", message });
      const made = followed(`${error instanceof RunError ? error.hint : ""}`, text);
      if (made !== null) expect(await read(made, { users: path })).toHaveLength(2);
    }
  });

  test("are told once, by their paths, and none of their objects is a row", async () => {
    const orders = [{ id: 1 }, "none", { id: 2 }];
    const document = { meta: { orders }, users, tags: ["a", ["b"]], staff: [{}] };
    const unread: unknown[] = [];
    const rows: unknown[] = [];
    const text = JSON.stringify(document);
    const options = {
      ...PLAIN,
      map: new Map([["users", "users"]]),
      onColumns: (columns: ColumnsRead) => unread.push(...columns.unread),
    };
    for await (const items of genericJson.read("f.json", pieces(Buffer.from(text), 7), options))
      rows.push(...items.map(({ number }) => number));
    expect(rows).toEqual([1, 2]);
    expect(unread).toEqual([
      { name: "meta.orders[]", filled: 2 },
      { name: "staff[]", filled: 1 },
    ]);
  });

  test("stop nothing where they are of something else", async () => {
    const beside = { organizations: [{ owner: "shop" }], orders: [{ userId: 1, total: 3 }] };
    expect(await read(JSON.stringify({ users, ...beside }), { users: "users" })).toHaveLength(2);
  });
});
