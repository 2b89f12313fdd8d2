/** Reference: the store alone, fed with ready rows in groups. `node bench/store-alone.js DATA USERS GROUP` prints milliseconds. */

import { openSqliteStore } from "../dist/core/embedded/sqlite-store.js";
import { userIdGenerator } from "../dist/core/embedded/user-id.js";
import { userNumber } from "./users.js";

const [file, users, group] = process.argv.slice(2);
const rows = Array.from({ length: Number(users) }, (_, index) => userNumber(index + 1));
const store = openSqliteStore({ file, mustExist: false });
const newUserId = userIdGenerator();
const start = performance.now();
for (let first = 0; first < rows.length; first += Number(group)) {
  await Promise.all(
    rows.slice(first, first + Number(group)).map(({ email, passwordHash }) => {
      const timeJoined = Date.now();
      return store.importUser({ userId: newUserId(timeJoined), timeJoined }, email, passwordHash);
    }),
  );
}
console.log(performance.now() - start);
await store.close();
