/** Reference: `node:http` alone that parses each body and does the embedded core's insert in groups, into the same tables with the same durability. It checks nothing. `node bench/bare-server.js DATA` prints its URL and serves until SIGTERM. */

import { createServer } from "node:http";
import { DATA_FILE } from "../dist/core/embedded/sqlite/schema.js";
import { EMAIL_PASSWORD } from "../dist/core/embedded/user-row.js";
import { userIdGenerator } from "../dist/core/embedded/new-user.js";
import { openDatabase } from "../dist/sqlite/database.js";
import { GroupCommit } from "../dist/sqlite/group-commit.js";

const database = openDatabase(process.argv[2], DATA_FILE);
const group = new GroupCommit(database);
const newUserId = userIdGenerator();
const insert = database.prepare(
  `INSERT INTO user (user_id, recipe, email, password_hash, time_joined)
   VALUES (?, ${EMAIL_PASSWORD}, ?, ?, ?)`,
);

async function answer(text, response) {
  const { email, passwordHash } = JSON.parse(text);
  const timeJoined = Date.now();
  const userId = newUserId(timeJoined);
  await group.run(() => insert.run(userId, email, passwordHash, timeJoined));
  const body = JSON.stringify({ status: "OK", user: { userId, email, timeJoined } });
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.end(body);
}

const server = createServer((request, response) => {
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => answer(text, response));
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
});
process.once("SIGTERM", () => {
  server.close(() => {
    group.close();
    database.close();
  });
  server.closeAllConnections();
});
