/** Systems' own databases, on real servers: each user comes whole, without an option. */

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { DatabaseInput } from "../../../src/source/database/database.js";
import { queryIn } from "../../../src/source/database/open-database.js";
import { SOURCES } from "../../../src/source/registry.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { mariadbServer, PASSWORD } from "../support/mariadb.js";
import { postgresServer } from "../support/postgres.js";
import { sqlFor } from "./dialects.js";
import { SCHEMAS, type Schema } from "./schemas.js";
import { toldOf, usersIn } from "./users-in.js";

const newPath = temporaryPaths();
const postgres = postgresServer();
const mariadb = mariadbServer();

async function made(schema: Schema, kind: DatabaseInput["kind"]): Promise<DatabaseInput> {
  if (kind === "postgres") {
    const { query, settings } = await postgres.database();
    await query(sqlFor(schema.sql, kind));
    const { host, port = 0, database, user, password = null } = settings;
    return { kind, login: { host, port, database, user, password, tls: null } };
  }
  const database = `app_${schema.system.replaceAll("-", "_")}`;
  await mariadb.run(`CREATE OR REPLACE DATABASE ${database}`);
  await mariadb.run(sqlFor(schema.sql, kind), database);
  const login = { host: "127.0.0.1", port: mariadb.port, database, user: "keeper" };
  return { kind, login: { ...login, password: PASSWORD, tls: null } };
}

const LISTS = "SET group_concat_max_len = 1000000000";

/** What the servers' own programs write of the query that is printed, as PostgreSQL's JSON where that is asked for. */
async function exported(input: DatabaseInput, asJson = false): Promise<string> {
  const { host, port, user, password, database } = input.login;
  const sql = await queryIn(input, SOURCES);
  const where = ["--host", host, "--port", String(port)];
  const env = { PATH: process.env.PATH, PGPASSWORD: password ?? "", MYSQL_PWD: password ?? "" };
  const json = ["--tuples-only", "--command", `SELECT row_to_json(q) FROM (${sql}) q`];
  const [program, words, file] =
    input.kind === "postgres"
      ? [
          "psql",
          ["--username", user, ...(asJson ? json : ["--csv", "--command", sql])],
          asJson ? "users.ndjson" : "users.csv",
        ]
      : [
          "mysql",
          ["--user", user, "--init-command", LISTS, "--batch", "--execute", sql],
          "users.tsv",
        ];
  const { stdout } = await promisify(execFile)(program, [...where, ...words, database], { env });
  const path = newPath(file);
  writeFileSync(path, stdout);
  return path;
}

/** Without what MySQL's program writes its own way: backslashes, and days that are none. */
function inFile(user: string): string {
  return user.replaceAll("\\\\", "\\").replace("(joined_not_migrated) ", "");
}

describe.each(["postgres", "mysql"] as const)("on %s", (kind) => {
  const own = SCHEMAS.filter(({ on }) => on.includes(kind));

  it.each(own)("$system's users are whole", async (schema) => {
    const { source, reason, items } = await usersIn(await made(schema, kind));
    expect({
      source,
      reason,
      // Servers sort texts by rules of their own.
      users: toldOf(items).sort(),
    }).toEqual({
      source: schema.system,
      reason: sqlFor(schema.reads, kind),
      users: [...schema.users].sort(),
    });
  });

  it("a database of several realms is read of the one that is named", async () => {
    const schema = SCHEMAS.find(({ system }) => system === "keycloak");
    if (schema === undefined) throw new Error("it has none");
    const input = await made({ ...schema, system: "realms" }, kind);
    const sql = sqlFor("UPDATE {t}user_entity{t} SET realm_id = 'r2' WHERE id = 'b'", kind);
    if (kind === "postgres") await postgres.query(input.login.database, sql);
    else await mariadb.run(sql, input.login.database);
    await expect(usersIn(input)).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining('users of "acme", "empty", "master"'),
      hint: expect.stringContaining("#acme"),
    });
    await expect(usersIn({ ...input, tenant: "acne" })).rejects.toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining('"acme", "empty", "master"'),
    });
    const idsOf = async (tenant: string) => {
      const { path, items } = await usersIn({ ...input, tenant });
      expect(path).toMatch(new RegExp(`\\.user_entity#${tenant}$`, "i"));
      return toldOf(items).map((told) => told.split(" ")[0]);
    };
    expect(await idsOf("empty")).toEqual(["b"]);
    expect(await idsOf("master")).toEqual(["0"]);
    expect(await idsOf("acme")).toEqual(["a", "c", "d", "e", "f"]);
  });

  it.each(own)("$system's users are the same by the file of the same query", async (schema) => {
    const { source, items } = await usersIn(await exported(await made(schema, kind)));
    expect(source).toBe(schema.system);
    expect(toldOf(items).map(inFile).sort()).toEqual(schema.users.map(inFile).sort());
  });
});

it.each(SCHEMAS.filter(({ on }) => on.includes("postgres")))(
  "$system's users are the same by the rows of the same query as JSON",
  async (schema) => {
    const { source, items } = await usersIn(await exported(await made(schema, "postgres"), true));
    expect(source).toBe(schema.system);
    expect(toldOf(items).sort()).toEqual([...schema.users].sort());
  },
);

it("Keycloak's users are the same by a realm's file as by its database", async () => {
  const { users = [] } = SCHEMAS.find(({ system }) => system === "keycloak") ?? {};
  const argon2 = {
    type: "password",
    secretData:
      '{"value":"WmXz2WhWTGNMvbg6oYAzSVCWOrTtMYlNqXyYvC4yCUY=","salt":"c29tZXNhbHRzb21lc2FsdA==","additionalParameters":{}}',
    credentialData:
      '{"hashIterations":3,"algorithm":"argon2","additionalParameters":{"hashLength":["32"],"memory":["65536"],"type":["id"],"version":["1.3"],"parallelism":["4"]}}',
  };
  const otp = {
    type: "otp",
    secretData: '{"value":"zuRHFFEuEHInqOJBdBNC"}',
    credentialData: '{"subType":"totp","digits":6,"counter":0,"period":30,"algorithm":"HmacSHA1"}',
  };
  const user = (id: string, name: string, more: object) => ({
    id,
    username: name,
    email: `${name}@example.com`,
    emailVerified: true,
    enabled: true,
    createdTimestamp: 1577836800000,
    credentials: [],
    requiredActions: [],
    ...more,
  });
  const ann = {
    username: "ann",
    firstName: "Ann",
    lastName: "Lee",
    attributes: { locale: ["de"], phoneNumber: ["+14155550101"], team: ["red", "blue"] },
    credentials: [argon2, otp],
    realmRoles: ["editor", "offline_access"],
  };
  const bo = {
    emailVerified: false,
    firstName: "Bo",
    federatedIdentities: [{ identityProvider: "google", userId: "1082", userName: "bo" }],
    clientRoles: { account: ["manage-account"] },
    groups: ["/staff"],
  };
  const shop = { email: undefined, emailVerified: false, serviceAccountClientId: "shop" };
  const flo = {
    credentials: [{ type: "webauthn", secretData: "{}", credentialData: "{}" }],
    requiredActions: ["VERIFY_EMAIL", "UPDATE_PASSWORD"],
  };
  const file = newPath("acme-realm.json");
  writeFileSync(
    file,
    JSON.stringify({
      realm: "acme",
      users: [
        user("a", "ann.lee", ann),
        user("b", "bo", bo),
        user("c", "cy", { enabled: false, credentials: [argon2] }),
        user("d", "di", { federationLink: "ldap" }),
        user("e", "service-account-shop", shop),
        user("f", "flo", flo),
      ],
    }),
  );
  const inAnyOrder = (told: readonly string[]) => told.map((one) => one.split(" ").sort());
  expect(inAnyOrder(toldOf((await usersIn(file)).items))).toEqual(inAnyOrder(users));
});
