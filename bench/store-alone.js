/**
 * Reference: the embedded core's store alone, fed with ready users in groups of as many as an import
 * has in flight there. `node bench/store-alone.js DATA USERS WRITES`. WRITES is `accounts`: what an
 * import of the same users brings, or `passwords`: nothing but emails and hashes. Its clock stands
 * still while users are made; it reads, checks and notes nothing.
 */

import { importAccounts } from "../dist/core/embedded/parts/account.js";
import { importPasswords } from "../dist/core/embedded/users.js";
import { openSqliteStore } from "../dist/core/embedded/sqlite/sqlite-store.js";
import { userIdGenerator } from "../dist/core/embedded/new-user.js";
import { DEFAULT_CONCURRENCY } from "../dist/run/defaults.js";
import { stopwatch } from "./frame/stopwatch.js";
import { JOINED, usersFrom } from "./users.js";

const [file, count, writes] = process.argv.slice(2);
const users = Number(count);
const group = DEFAULT_CONCURRENCY.embedded;
const store = openSqliteStore({ file, mustExist: false });
const newUserId = userIdGenerator();
const clock = stopwatch();

const keep = store.batched("statement", importPasswords);

const WAYS = {
  passwords: ({ userId, nowMs, email, passwordHash }) =>
    keep({ user: { userId, timeJoined: nowMs }, email, passwordHash }),
  accounts: store.batched("change", importAccounts),
};

function accountOf({ email, name, passwordHash }) {
  const nowMs = Date.now();
  return {
    userId: newUserId(nowMs),
    timeJoined: Date.parse(JOINED),
    recipe: "emailpassword",
    email,
    phone: null,
    passwordHash,
    thirdParty: [null, null],
    isEmailVerified: true,
    externalUserId: null,
    metadata: { name },
    roles: [],
    totpDevices: [],
    nowMs,
  };
}

for (let first = 1; first <= users; first += group) {
  const accounts = usersFrom(first, group, users).map(accountOf);
  await clock.time(() => Promise.all(accounts.map(WAYS[writes])));
}
await clock.time(() => store.close());
clock.end(users);
