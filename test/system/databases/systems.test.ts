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
import { SCHEMAS, type Schema } from "./schemas.js";
import { toldOf, usersIn } from "./users-in.js";

const newPath = temporaryPaths();
const postgres = postgresServer();
const mariadb = mariadbServer();

const WORDS = {
  postgres: {
    ...{ serial: "serial PRIMARY KEY", bool: "boolean", json: "jsonb", time: "timestamptz" },
    ...{ stamp: "timestamp", bs: "\\" },
    ...{ yes: "true", no: "false", q: '"' },
  },
  mysql: {
    ...{ serial: "int AUTO_INCREMENT PRIMARY KEY", bool: "tinyint(1)", json: "longtext" },
    ...{ stamp: "datetime", bs: "\\\\" },
    ...{ time: "datetime(6)", yes: "1", no: "0", q: "`" },
  },
} as const;

function sqlFor({ sql }: Schema, kind: DatabaseInput["kind"]): string {
  const words: Readonly<Record<string, string>> = WORDS[kind];
  return sql.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? "");
}

async function made(schema: Schema, kind: DatabaseInput["kind"]): Promise<DatabaseInput> {
  if (kind === "postgres") {
    const { query, settings } = await postgres.database();
    await query(sqlFor(schema, kind));
    const { host, port = 0, database, user, password = null } = settings;
    return { kind, login: { host, port, database, user, password, tls: null } };
  }
  const database = `app_${schema.system.replaceAll("-", "_")}`;
  await mariadb.run(`CREATE OR REPLACE DATABASE ${database}`);
  await mariadb.run(sqlFor(schema, kind), database);
  const login = { host: "127.0.0.1", port: mariadb.port, database, user: "keeper" };
  return { kind, login: { ...login, password: PASSWORD, tls: null } };
}

const LISTS = "SET group_concat_max_len = 1000000000";

/** What the servers' own programs write of the query that is printed. */
async function exported(input: DatabaseInput): Promise<string> {
  const { host, port, user, password, database } = input.login;
  const sql = await queryIn(input, SOURCES);
  const where = ["--host", host, "--port", String(port), "--user", user];
  const env = { PATH: process.env.PATH, PGPASSWORD: password ?? "", MYSQL_PWD: password ?? "" };
  const [program, words, file] =
    input.kind === "postgres"
      ? ["psql", [...where.with(4, "--username"), "--csv", "--command", sql], "users.csv"]
      : ["mysql", [...where, "--init-command", LISTS, "--batch", "--execute", sql], "users.tsv"];
  const { stdout } = await promisify(execFile)(program, [...words, database], { env });
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
    expect({ source, reason }).toEqual({ source: schema.system, reason: schema.reads });
    // Servers sort texts by rules of their own.
    expect(toldOf(items).sort()).toEqual([...schema.users].sort());
  });

  it.each(own)("$system's users are the same by the file of the same query", async (schema) => {
    const { source, items } = await usersIn(await exported(await made(schema, kind)));
    expect(source).toBe(schema.system);
    expect(toldOf(items).map(inFile).sort()).toEqual(schema.users.map(inFile).sort());
  });
});
