/** Reference: the calls of an import, a lookup and an import for each user, with so many users at once; each call is made again until it is answered, as late as its own `Retry-After` says. `node bench/plain-client.js URL KEY USERS CONCURRENCY`. */

import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { stopwatch } from "./frame/stopwatch.js";
import { usersFrom } from "./users.js";

const [url, key, count, concurrency] = process.argv.slice(2);
const total = Number(count);
const pool = new Pool(url, { connections: Number(concurrency), pipelining: 1 });
const headers = { "api-key": key, "content-type": "application/json; charset=utf-8" };

async function call(method, path, body) {
  for (;;) {
    const {
      statusCode,
      headers: answered,
      body: text,
    } = await pool.request({
      ...{ method, path, headers, body },
    });
    const answer = await text.json();
    if (statusCode === 200 && answer.status === "OK") return;
    if (statusCode !== 429 && statusCode !== 500) throw new Error(`HTTP ${statusCode}`);
    await sleep(1000 * Number(answered["retry-after"] ?? 0));
  }
}

async function worker(users) {
  while (users.length > 0) {
    const { email, passwordHash } = users.pop();
    await call("GET", `/users/by-accountinfo?email=${encodeURIComponent(email)}`);
    const body = JSON.stringify({ email, passwordHash });
    await call("POST", "/recipe/user/passwordhash/import", body);
  }
}

const users = usersFrom(1, total, total).reverse();
const clock = stopwatch();
await clock.time(() =>
  Promise.all(Array.from({ length: Number(concurrency) }, () => worker(users))),
);
clock.end(total);
await pool.close();
