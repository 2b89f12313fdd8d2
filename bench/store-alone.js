/** Reference: the embedded core's store alone, fed with ready rows in groups of as many users as an import has in flight there. `node bench/store-alone.js DATA USERS`. Its clock stands still while rows are made; it reads, checks and notes nothing. */

import { openSqliteStore } from "../dist/core/embedded/sqlite/sqlite-store.js";
import { userIdGenerator } from "../dist/core/embedded/user-id.js";
import { DEFAULT_CONCURRENCY } from "../dist/run/defaults.js";
import { stopwatch } from "./frame/stopwatch.js";
import { usersFrom } from "./users.js";

const [file, count] = process.argv.slice(2);
const users = Number(count);
const group = DEFAULT_CONCURRENCY.file;
const store = openSqliteStore({ file, mustExist: false });
const newUserId = userIdGenerator();
const clock = stopwatch();

function importUser({ email, passwordHash }) {
  const timeJoined = Date.now();
  return store.importUser({ userId: newUserId(timeJoined), timeJoined }, email, passwordHash);
}

for (let first = 1; first <= users; first += group) {
  const rows = usersFrom(first, group, users);
  await clock.time(() => Promise.all(rows.map(importUser)));
}
await clock.time(() => store.close());
clock.end(users);
