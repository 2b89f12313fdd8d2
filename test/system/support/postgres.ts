/** PostgreSQL for tests: one server of its own for a test file, and as many databases in it as they ask for. */

import { Client } from "pg";
import { afterAll, beforeAll } from "vitest";
import { type Cluster, startCluster } from "../../../bench/frame/postgres-cluster.js";
import type { DatabaseSettings } from "../../../src/core/embedded/postgres/settings.js";

/** A database of its own, empty. */
export interface TestDatabase {
  readonly settings: DatabaseSettings;
  /** Without the password. */
  readonly url: string;
  /** What a process needs in its environment to log in. */
  readonly env: Readonly<Record<string, string>>;
  /** Asks as the server's superuser; rows as lists. */
  query(text: string): Promise<unknown[][]>;
  /** How many users there are; 0 while there are no tables, or nobody answers. */
  count(): Promise<number>;
  /** Everybody as the oracle of SQLite's data files tells them. */
  users(): Promise<string[]>;
}

export interface TestServer {
  /** From the first test on. */
  readonly cluster: Cluster;
  database(): Promise<TestDatabase>;
  /** Asks one of its databases as the superuser; rows as lists. */
  query(database: string, text: string): Promise<unknown[][]>;
}

/** Starts a server before the tests of a file and removes it behind them. */
export function postgresServer(
  settings: Readonly<Record<string, string | number>> = {},
): TestServer {
  let cluster: Cluster | null = null;
  let count = 0;
  beforeAll(async () => {
    cluster = await startCluster(settings);
  });
  afterAll(() => cluster?.remove());
  const running = (): Cluster => {
    if (cluster === null) throw new Error("the server starts with the first test");
    return cluster;
  };
  return {
    get cluster() {
      return running();
    },
    async database() {
      count += 1;
      const name = `auth_${count}`;
      await ask(running(), "postgres", `CREATE DATABASE ${name}`);
      return databaseOf(running(), name);
    },
    query: (database, text) => ask(running(), database, text),
  };
}

/** A database of a server that runs, be it there or not. */
export function databaseOf(cluster: Cluster, name: string): TestDatabase {
  const { port, user, password } = cluster;
  const query = (text: string): Promise<unknown[][]> => ask(cluster, name, text);
  return {
    settings: { host: "127.0.0.1", port, database: name, user, password },
    url: `postgres://${user}@127.0.0.1:${port}/${name}`,
    env: { PGPASSWORD: password },
    query,
    count: async () => {
      try {
        const [[found] = []] = await query("SELECT count(*)::int FROM auth_core.users");
        return Number(found);
      } catch {
        return 0;
      }
    },
    users: async () => {
      const rows = await query(
        "SELECT recipe, email, phone_number, password_hash, external_user_id FROM auth_core.users",
      );
      return rows.map((row) => JSON.stringify(row)).sort();
    },
  };
}

async function ask(cluster: Cluster, database: string, text: string): Promise<unknown[][]> {
  const { port, user, password } = cluster;
  const client = new Client({ host: "127.0.0.1", port, user, password, database });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: "array" });
    return rows;
  } finally {
    await client.end();
  }
}
