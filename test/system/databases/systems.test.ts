/** Systems' own databases, on real servers: each user comes whole, without an option. */

import { describe, expect, it } from "vitest";
import type { DatabaseInput } from "../../../src/source/database/database.js";
import { mariadbServer, PASSWORD } from "../support/mariadb.js";
import { postgresServer } from "../support/postgres.js";
import { SCHEMAS, type Schema } from "./schemas.js";
import { toldOf, usersIn } from "./users-in.js";

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
  await mariadb.run(`CREATE DATABASE ${database}`);
  await mariadb.run(sqlFor(schema, kind), database);
  const login = { host: "127.0.0.1", port: mariadb.port, database, user: "keeper" };
  return { kind, login: { ...login, password: PASSWORD, tls: null } };
}

describe.each(["postgres", "mysql"] as const)("on %s", (kind) => {
  const own = SCHEMAS.filter(({ on }) => on.includes(kind));

  it.each(own)("$system's users are whole", async (schema) => {
    const { source, reason, items } = await usersIn(await made(schema, kind));
    expect({ source, reason }).toEqual({ source: schema.system, reason: schema.reads });
    // Servers sort texts by rules of their own.
    expect(toldOf(items).sort()).toEqual([...schema.users].sort());
  });
});
