/**
 * A core that takes whole accounts into its queue and has written them at once, so that the client
 * is what takes the time: `node bench/queue-core.js` prints its URL as JSON and serves until SIGTERM.
 * It keeps no more of its users than their emails.
 */

import { createServer } from "node:http";
import { randomBytes } from "node:crypto";

/** The core's own ids are not the client's: random, as elsewhere. */
const users = [];

function uuid(bytes) {
  const hex = bytes.toString("hex");
  const cuts = [0, 8, 12, 16, 20, 32];
  return cuts
    .slice(1)
    .map((end, index) => hex.slice(cuts[index], end))
    .join("-");
}

function queued(body) {
  const added = [...body.matchAll(/"email":"([^"]*)"/g)].map(([, email]) => {
    const id = uuid(randomBytes(16));
    users.push({ id, email });
    return { userId: id, loginMethods: [{ userId: id }] };
  });
  return [200, { status: "OK", users: added }];
}

function listed(query) {
  const start = Number(query.get("paginationToken") ?? 0);
  const limit = Number(query.get("limit") ?? 100);
  const page = users.slice(start, start + limit).map(({ id, email }) => ({
    id,
    emails: [email],
    loginMethods: [{ recipeId: "emailpassword", recipeUserId: id, email }],
  }));
  const next = start + limit < users.length ? { nextPaginationToken: String(start + limit) } : {};
  return [200, { status: "OK", users: page, ...next }];
}

const NONE = [200, { status: "OK", users: [] }];

const ANSWERS = {
  "GET /apiversion": () => [200, { versions: ["5.3"], dialects: ["interface"] }],
  "GET /users/by-accountinfo": () => NONE,
  "GET /users/count": () => [200, { status: "OK", count: users.length }],
  "GET /users": ({ query }) => listed(query),
  "GET /recipe/user/email/verify": () => [200, { status: "OK", isVerified: false }],
  "GET /recipe/user/metadata": () => [200, { status: "OK", metadata: {} }],
  "GET /bulk-import/users": () => NONE,
  "GET /bulk-import/users/count": () => [200, { status: "OK", count: 0 }],
  "POST /bulk-import/users": ({ body }) => queued(body),
  "POST /recipe/signinup/code": () => [400, { message: "not like this" }],
};

const server = createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const { pathname, searchParams: query } = new URL(request.url, "http://core");
  const body = Buffer.concat(pieces).toString("latin1");
  const answer = ANSWERS[`${request.method} ${pathname}`];
  const [status, json] = answer?.({ query, body }) ?? [404, { message: "no such path" }];
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(json));
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
});
process.once("SIGTERM", () => process.exit());
