/** Reference: a bare loop that hands ready rows to PostgreSQL, a thousand in one `unnest` statement, on as many connections as our imports use, into the core's own table. `node bench/unnest-loop.js DATABASE USERS`, the database as JSON for the driver. Its clock stands still while rows are made; it reads, checks and notes nothing. */

import pg from "pg";
import { TABLES } from "../dist/core/embedded/postgres/prepare-tables.js";
import { LANES, MOST_IN_BATCH } from "../dist/core/embedded/postgres/postgres-core.js";
import { EMAIL_PASSWORD } from "../dist/core/embedded/user-row.js";
import { userIdGenerator } from "../dist/core/embedded/new-user.js";
import { stopwatch } from "./frame/stopwatch.js";
import { usersFrom } from "./users.js";

const [database, count] = process.argv.slice(2);
const users = Number(count);
const newUserId = userIdGenerator();
const clock = stopwatch();
const clients = Array.from({ length: LANES }, () => new pg.Client(JSON.parse(database)));
await Promise.all(clients.map((client) => client.connect()));
await clients[0].query(`CREATE SCHEMA auth_core; ${TABLES}`);

const INSERT = `
  INSERT INTO auth_core.users (user_id, recipe, email, password_hash, time_joined)
  SELECT user_id, ${EMAIL_PASSWORD}, email, hash, joined
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) AS given (user_id, email, hash, joined)
  ON CONFLICT (email, recipe) WHERE email IS NOT NULL DO NOTHING`;

function insert(client, rows) {
  const now = Date.now();
  return client.query(INSERT, [
    rows.map(() => newUserId(now)),
    rows.map(({ email }) => email),
    rows.map(({ passwordHash }) => passwordHash),
    rows.map(() => now),
  ]);
}

/** Enough rows at a time that the connections are seldom waited for together. */
const CHUNK = LANES * MOST_IN_BATCH * 10;
for (let first = 1; first <= users; first += CHUNK) {
  const rows = usersFrom(first, CHUNK, users);
  const batches = [];
  for (let at = 0; at < rows.length; at += MOST_IN_BATCH) {
    batches.push(rows.slice(at, at + MOST_IN_BATCH));
  }
  const work = async (client) => {
    for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
      await insert(client, batch);
    }
  };
  await clock.time(() => Promise.all(clients.map(work)));
}
await Promise.all(clients.map((client) => client.end()));
clock.end(users);
