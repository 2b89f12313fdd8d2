/** PostgreSQL and MariaDB behind one door, for what has to hold at both. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import { Client } from "pg";
import type { DatabaseInput } from "../../../src/source/database/database.js";
import { selfSigned } from "../support/certificate.js";
import { mariadbServer, PASSWORD } from "../support/mariadb.js";
import { postgresServer } from "../support/postgres.js";
import { sqlFor } from "./dialects.js";

export const KINDS = ["postgres", "mysql"] as const;
export const HASH = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";
/** Of who reads. */
const READER = "only-reads-7";

/** A database with people in it, and who may read their table and no more, by one connection. */
export interface People {
  /** Their table. */
  readonly input: DatabaseInput;
  /** The same, by who may do anything. */
  readonly byKeeper: DatabaseInput;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs statements as the server's keeper, in its dialect. */
  query(sql: string): Promise<unknown>;
  /** Lets the reader read tables, or some columns of one. */
  grant(...tables: readonly string[]): Promise<unknown>;
  /** Runs statements in a connection of its own that stays, and gives what ends it. */
  hold(sql: string): Promise<() => Promise<void>>;
}

export interface Side {
  people(rows?: number): Promise<People>;
  /** At once, whatever is being read, and up again. */
  restart(): Promise<void>;
  /** Offers TLS with a certificate that it signs itself, for 127.0.0.1 alone; gives the certificate's path. */
  encrypt(): Promise<string>;
  /** What it was asked, a text each, of the last connection but the keeper's. */
  asked(): readonly string[];
}

/** Both, from the first test on. */
export function servers(): Readonly<Record<DatabaseInput["kind"], Side>> {
  return { postgres: postgresSide(), mysql: mysqlSide() };
}

function rowsSql(numbers: string): string {
  return `CREATE TABLE people (id bigint PRIMARY KEY, email varchar(255), password_hash varchar(255), disabled {bool});
    INSERT INTO people SELECT 9007199254740992 + seq, concat('p', seq, '@example.com'), '${HASH}', seq = 2 FROM ${numbers}`;
}

function postgresSide(): Side {
  const server = postgresServer({ log_statement: "all" });
  return {
    async people(rows = 5) {
      const { settings, query } = await server.database();
      const { database, host, port = 0, user: keeper, password = null } = settings;
      const user = `reader_of_${database}`;
      await query(sqlFor(rowsSql(`generate_series(1, ${rows}) seq`), "postgres"));
      await query(`CREATE ROLE ${user} LOGIN PASSWORD '${READER}' CONNECTION LIMIT 1`);
      const grant = (...tables: readonly string[]): Promise<unknown> =>
        query(tables.map((table) => `GRANT SELECT ON ${table} TO ${user}`).join(";"));
      await grant("people");
      const login = { host, port, database, user, password: READER, tls: null };
      const input = { kind: "postgres", login, table: "people" } as const;
      return {
        input,
        byKeeper: { ...input, login: { ...login, user: keeper, password } },
        url: `postgres://${user}@${host}:${port}/${database}`,
        env: { PGPASSWORD: READER },
        query: (sql) => query(sqlFor(sql, "postgres")),
        grant,
        async hold(sql) {
          const client = new Client({
            host,
            port,
            database,
            user: keeper,
            password: password ?? "",
          });
          await client.connect();
          await client.query(sqlFor(sql, "postgres"));
          return () => client.end();
        },
      };
    },
    restart: () => server.cluster.restart("immediate"),
    async encrypt() {
      const certificate = await selfSigned(server.cluster.folder);
      server.cluster.configure({ ssl: "on" });
      await server.cluster.restart();
      return certificate;
    },
    asked() {
      const log = readFileSync(join(server.cluster.home, "log"), "utf8").split("\n");
      const all = log.flatMap((line) => /LOG: {2}statement: (.*)/.exec(line)?.[1] ?? []);
      return all.slice(all.findLastIndex((sql) => sql.includes("default_transaction_read_only")));
    },
  };
}

function mysqlSide(): Side {
  const server = mariadbServer("--general-log=1", "--general-log-file=../general.log");
  const host = "127.0.0.1";
  let count = 0;
  return {
    async people(rows = 5) {
      count += 1;
      const [database, user] = [`app_${count}`, `reader_${count}`];
      const query = (sql: string): Promise<unknown> => server.run(sqlFor(sql, "mysql"), database);
      await server.run(`CREATE DATABASE ${database}`);
      await query(rowsSql(`seq_1_to_${rows}`));
      await query(
        `CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY '${READER}' WITH MAX_USER_CONNECTIONS 1`,
      );
      const grant = (...tables: readonly string[]): Promise<unknown> =>
        query(tables.map((table) => `GRANT SELECT ON ${table} TO ${user}@'127.0.0.1'`).join(";"));
      await grant("people");
      const { port } = server;
      const login = { host, port, database, user, password: READER, tls: null };
      const input = { kind: "mysql", login, table: "people" } as const;
      const keeper = { user: "keeper", password: PASSWORD };
      return {
        input,
        byKeeper: { ...input, login: { ...login, ...keeper } },
        url: `mysql://${user}@${host}:${port}/${database}`,
        env: { MYSQL_PWD: READER },
        query,
        grant,
        async hold(sql) {
          const connection = await createConnection({ host, port, database, ...keeper });
          await connection.query(sqlFor(sql, "mysql"));
          return () => connection.end();
        },
      };
    },
    restart: () => server.restart(),
    async encrypt() {
      const certificate = await selfSigned(join(server.home, "data"));
      const key = certificate.replace(".crt", ".key");
      await server.restart(`--ssl-cert=${certificate}`, `--ssl-key=${key}`);
      return certificate;
    },
    asked() {
      const log = readFileSync(join(server.home, "general.log"), "utf8").split("\n");
      const lines = log.flatMap((line) => {
        const found = /^(?:\d{6} [\d: ]{8})?\t+ *(\d+) (Connect|Query|Init DB)\t(.*)/.exec(line);
        return found === null ? [] : [found.slice(1)];
      });
      const [own] =
        lines.findLast(([, verb, text]) => verb === "Connect" && /^reader_/.test(text ?? "")) ?? [];
      return lines.flatMap(([id, verb, text = ""]) =>
        id === own && verb === "Query" ? [text] : [],
      );
    },
  };
}
