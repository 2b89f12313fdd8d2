/** Reference: the script that people write for such a move, in good faith: csv-parse, p-limit, fetch. It remembers nothing of whom it has brought. `node bench/todays-script.js FILE URL KEY`. */

import { createReadStream } from "node:fs";
import { parse } from "csv-parse";
import pLimit from "p-limit";

const [file, url, key] = process.argv.slice(2);
const limit = pLimit(64);
const started = performance.now();
let imported = 0;
let failed = 0;

async function importUser({ email, password_hash: hash }) {
  try {
    const response = await fetch(`${url}/recipe/user/passwordhash/import`, {
      method: "POST",
      headers: { "api-key": key, "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify({ email, passwordHash: hash.replace(/^\$2b\$/, "$2a$") }),
    });
    const { status } = await response.json();
    if (!response.ok || status !== "OK") throw new Error(`HTTP ${response.status}, ${status}`);
    imported += 1;
  } catch (error) {
    failed += 1;
    console.error(`${email}: ${error.message}`);
  }
}

const tasks = [];
for await (const user of createReadStream(file).pipe(parse({ columns: true }))) {
  tasks.push(limit(() => importUser(user)));
}
await Promise.all(tasks);
if (failed > 0) process.exitCode = 1;
console.log(JSON.stringify({ users: imported, milliseconds: performance.now() - started }));
