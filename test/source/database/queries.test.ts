/** The queries that systems' own tables are read by, where no server is needed to see them. */

import { expect, it } from "vitest";
import { usualQuery, usersOf } from "../../../src/source/database/find-users.js";
import type { Table } from "../../../src/source/database/database.js";
import { SOURCES } from "../../../src/source/registry.js";

const SYSTEMS = SOURCES.filter(({ database }) => database !== undefined);

it.each(SYSTEMS)("$name's query is one of each system of databases that it runs on", (source) => {
  const { part } = source.database ?? {};
  if (part === undefined) throw new Error("it has none");
  for (const kind of part.systems) {
    const sql = usualQuery(part, kind);
    expect(sql).toMatch(/^select u\.\*/);
    expect(
      sql.endsWith(`order by u.${kind === "mysql" ? `\`${part.key}\`` : `"${part.key}"`}`),
    ).toBe(true);
  }
});

it("lists of rows beside a user are one column of JSON each", () => {
  const { part } = SYSTEMS.find(({ name }) => name === "better-auth")?.database ?? {};
  if (part === undefined) throw new Error("it has none");
  expect(usualQuery(part, "postgres")).toBe(`select u.*,
  (select json_agg(json_build_object('providerId', b0."providerId", 'accountId', b0."accountId", 'password', b0."password")) from "account" b0 where b0."userId" = u."id") as "accounts"
from "user" u
order by u."id"`);
  expect(usualQuery(part, "mysql")).toBe(`select u.*,
  (select concat('[', group_concat(json_object('providerId', b0.\`providerId\`, 'accountId', b0.\`accountId\`, 'password', b0.\`password\`) separator ','), ']') from \`account\` b0 where b0.\`userId\` = u.\`id\`) as \`accounts\`
from \`user\` u
order by u.\`id\``);
});

function table(name: string, columns: string): Table {
  const typed = columns.split(" ").map((column) => ({ name: column, type: "text" }));
  return { schema: "public", name, columns: typed, key: ["id"], isReadable: true, isNear: true };
}

/** The systems and tables that a database is taken for. */
function takenFor(...tables: readonly Table[]): readonly string[] {
  return SYSTEMS.flatMap((source) => usersOf(source, tables)).map(
    ({ source, table: { name }, prefix }) => `${source.name} ${prefix}|${name}`,
  );
}

it("a system is known by its tables' columns, whatever stands before their names", () => {
  const wordpress = "ID user_login user_pass user_nicename user_email";
  expect(takenFor(table("wp_users", wordpress))).toEqual(["wordpress wp_|wp_users"]);
  expect(takenFor(table("blog_users", wordpress))).toEqual(["wordpress blog_|blog_users"]);
  const devise = "id email encrypted_password reset_password_token remember_created_at";
  expect(takenFor(table("members", devise), table("posts", "id title"))).toEqual([
    "devise |members",
  ]);
  expect(takenFor(table("admins", devise), table("users", devise))).toEqual(["devise |users"]);
  expect(takenFor(table("admins", devise), table("members", devise))).toHaveLength(2);
  expect(takenFor(table("users", "id email password"))).toEqual([]);
});

it("a table beside the users' may be what tells the system", () => {
  const users = table("user", "id email emailVerified name");
  expect(takenFor(users)).toEqual([]);
  const accounts = table("account", "id userId providerId accountId password");
  expect(takenFor(users, accounts)).toEqual(["better-auth |user"]);
});
