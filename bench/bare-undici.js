/** Reference: a bare undici loop with the same bodies and concurrency. `node bench/bare-undici.js URL KEY USERS CONCURRENCY` prints milliseconds. */

import { Pool } from "undici";
import { userNumber } from "./users.js";

const [url, key, users, concurrency] = process.argv.slice(2);
const bodies = Array.from({ length: Number(users) }, (_, index) => {
  const { email, passwordHash } = userNumber(index + 1);
  return JSON.stringify({ email, passwordHash });
});
const pool = new Pool(url, { connections: Number(concurrency), pipelining: 1 });
const headers = { "api-key": key, "content-type": "application/json; charset=utf-8" };
const path = "/recipe/user/passwordhash/import";
const start = performance.now();
let next = 0;
async function worker() {
  while (next < bodies.length) {
    const body = bodies[next++];
    const response = await pool.request({ method: "POST", path, headers, body });
    const { status } = await response.body.json();
    if (status !== "OK") throw new Error(`status ${status}`);
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, worker));
console.log(performance.now() - start);
await pool.close();
