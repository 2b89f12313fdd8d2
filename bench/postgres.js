/** An import into the embedded core on PostgreSQL, from CSV to durable users, beside a bare `unnest` loop into the same table. The server is one of its own, on the disk of `TMPDIR`. Skipped where PostgreSQL isn't installed. */

import pg from "pg";
import { resultOf, takeTurns } from "./frame/compare.js";
import { check, rateOf, spread } from "./frame/figures.js";
import { postgresPrograms, startCluster } from "./frame/postgres-cluster.js";
import { runCli, runSide } from "./frame/processes.js";
import { setting, withFiles } from "./frame/settings.js";
import { writeCsv } from "./users.js";

const USERS = setting("BENCH_POSTGRES_USERS", 300_000);
const TARGET = { least: 0.5 };
/** So that no side pays for the log of the one before. */
const SETTINGS = { max_wal_size: "8GB", checkpoint_timeout: "1h" };

export async function benchPostgres() {
  if (postgresPrograms() === null) {
    return [{ title: "PostgreSQL isn't installed here: its part is skipped", rows: [] }];
  }
  const cluster = await startCluster(SETTINGS);
  try {
    return await withFiles((fresh) => measure(cluster, fresh));
  } finally {
    await cluster.remove();
  }
}

async function measure(cluster, fresh) {
  const csv = fresh("users.csv");
  await writeCsv(csv, USERS);
  const { user, password, port } = cluster;
  // The commands take it from there, and argv never holds it.
  process.env.PGPASSWORD = password;
  const measures = await takeTurns({
    "unnest loop": () =>
      withDatabase(cluster, (database) => {
        const settings = { host: "127.0.0.1", port, user, database };
        return runSide("unnest-loop.js", JSON.stringify(settings), USERS);
      }),
    import: () =>
      withDatabase(cluster, (database) =>
        withFiles((own) => {
          const url = `postgres://${user}@127.0.0.1:${port}/${database}`;
          const place = ["--data", url, "--checkpoint", own("checkpoint")];
          return runCli(["import", csv, ...place]);
        }),
      ),
  });
  const rates = spread(measures.import.map(rateOf));
  return [
    resultOf(
      `import of ${USERS} users with passwords into the core on PostgreSQL`,
      measures,
      [["import", "unnest loop", TARGET]],
      [check("import, users a second", rates)],
    ),
  ];
}

/** A database of its own, gone afterwards; what the last one left in memory is written before. */
async function withDatabase({ user, password, port }, work) {
  const client = new pg.Client({ host: "127.0.0.1", port, user, password, database: "postgres" });
  await client.connect();
  try {
    await client.query("DROP DATABASE IF EXISTS bench");
    await client.query("CREATE DATABASE bench");
    await client.query("CHECKPOINT");
    return await work("bench");
  } finally {
    await client.end();
  }
}
