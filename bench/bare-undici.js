/** Reference: a bare undici loop with the same bodies and concurrency, which asks of an answer that it is OK. `node bench/bare-undici.js URL KEY USERS CONCURRENCY`. Its clock stands still while bodies are made. */

import { Pool } from "undici";
import { stopwatch } from "./frame/stopwatch.js";
import { usersFrom } from "./users.js";

/** Bodies made at once: few enough for memory, so many that the loop's end of a block costs nothing. */
const BLOCK = 20_000;

const [url, key, count, concurrency] = process.argv.slice(2);
const users = Number(count);
const pool = new Pool(url, { connections: Number(concurrency), pipelining: 1 });
const headers = { "api-key": key, "content-type": "application/json; charset=utf-8" };
const path = "/recipe/user/passwordhash/import";

async function worker(bodies) {
  while (bodies.length > 0) {
    const body = bodies.pop();
    const response = await pool.request({ method: "POST", path, headers, body });
    const { status } = await response.body.json();
    if (status !== "OK") throw new Error(`status ${status}`);
  }
}

const clock = stopwatch();
for (let first = 1; first <= users; first += BLOCK) {
  const bodies = usersFrom(first, BLOCK, users).map(({ email, passwordHash }) =>
    JSON.stringify({ email, passwordHash }),
  );
  await clock.time(() =>
    Promise.all(Array.from({ length: Number(concurrency) }, () => worker(bodies))),
  );
}
clock.end(users);
await pool.close();
