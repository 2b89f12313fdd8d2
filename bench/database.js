/** Users straight from PostgreSQL beside the same table as CSV: `validate`, and an import into the embedded core. The server is one of its own. Skipped where PostgreSQL isn't installed. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import pg from "pg";
import { resultOf, takeTurns } from "./frame/compare.js";
import { check, spread } from "./frame/figures.js";
import { postgresPrograms, startCluster } from "./frame/postgres-cluster.js";
import { runCli } from "./frame/processes.js";
import { USERS, withFiles } from "./frame/settings.js";
import { JOINED, usersFrom } from "./users.js";

const TARGET = { least: 0.9 };
const MEMORY = { most: 250 };
const ROWS = 10_000;

export async function benchDatabase() {
  if (postgresPrograms() === null) {
    return [{ title: "PostgreSQL isn't installed here: its part is skipped", rows: [] }];
  }
  const cluster = await startCluster();
  try {
    return await withFiles((fresh) => measure(cluster, fresh));
  } finally {
    await cluster.remove();
  }
}

async function measure({ port, user, password }, fresh) {
  const csv = fresh("users.csv");
  await writeTable({ host: "127.0.0.1", port, user, password, database: "postgres" });
  // The commands take it from there, and argv never holds it.
  process.env.PGPASSWORD = password;
  const url = `postgres://${user}@127.0.0.1:${port}/postgres`;
  const all = ["--csv", "--command", "SELECT * FROM people ORDER BY id", "--output", csv];
  await promisify(execFile)("psql", [url, ...all]);
  const sides = {
    CSV: [csv],
    PostgreSQL: [url, "--table", "people"],
  };
  const inTurns = (run) =>
    takeTurns(
      Object.fromEntries(Object.entries(sides).map(([name, input]) => [name, () => run(input)])),
    );
  const validated = await inTurns((input) => runCli(["validate", ...input]));
  const imported = await inTurns((input) =>
    withFiles((own) =>
      runCli(["import", ...input, "--data", own("core.db"), "--checkpoint", own("checkpoint")]),
    ),
  );
  const pairs = [["PostgreSQL", "CSV", TARGET]];
  const peakOf = (measures) => [
    check("peak memory, MB", spread(measures.PostgreSQL.map(({ megabytes }) => megabytes)), MEMORY),
  ];
  return [
    resultOf(`validate of ${USERS} users`, validated, pairs, peakOf(validated)),
    resultOf(`import of ${USERS} users into the embedded core`, imported, pairs, peakOf(imported)),
  ];
}

async function writeTable(login) {
  const client = new pg.Client(login);
  await client.connect();
  try {
    await client.query(`CREATE TABLE people (id text PRIMARY KEY, email text NOT NULL,
      email_verified boolean NOT NULL, name text, password_hash text, created_at timestamptz)`);
    for (let first = 1; first <= USERS; first += ROWS) {
      const users = usersFrom(first, ROWS, USERS);
      const columns = ["id", "email", "name", "passwordHash"].map((name) =>
        users.map((one) => one[name]),
      );
      await client.query(
        `INSERT INTO people SELECT id, email, true, name, replace(hash, '$2a$', '$2b$'), '${JOINED}'
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS t (id, email, name, hash)`,
        columns,
      );
    }
    await client.query("ANALYZE people");
  } finally {
    await client.end();
  }
}
