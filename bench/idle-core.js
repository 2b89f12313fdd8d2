/**
 * A core that keeps nobody and says OK to every import, on bare sockets, so that the client is what
 * takes the time: `node bench/idle-core.js [MILLISECONDS SLOTS]` prints its URL as JSON and serves
 * until SIGTERM. With both, every import takes so long and only so many are worked on at once: then
 * the core is the limit. That work is waiting, which takes no processor from the client.
 * `node bench/idle-core.js MANNER` turns calls away as `bench/manners.js` says, and
 * `node bench/idle-core.js accounts` takes verified emails and metadata, too, as `queue-core.js` does.
 *
 * It reads one request at a time a connection, with a content-length or without a body.
 */

import { createServer } from "node:net";
import { mannered } from "./manners.js";

const [what] = process.argv.slice(2);
const takesAccounts = what === "accounts";
const [milliseconds, slots] = takesAccounts ? [] : process.argv.slice(2).map(Number);
const manner = Number.isNaN(milliseconds) ? mannered(what) : null;

/** A UUID that the email of a benchmark's user can be read from again: their number and ten digits. */
function idOf(email) {
  const digits = email.slice(11, email.indexOf("@")).padStart(22, "0") + email.slice(0, 10);
  const cuts = [0, 8, 12, 16, 20, 32];
  return cuts
    .slice(1)
    .map((end, index) => digits.slice(cuts[index], end))
    .join("-");
}

function emailOf(id) {
  const digits = id.replaceAll("-", "");
  return `${digits.slice(22)}.${Number(digits.slice(0, 22))}@example.com`;
}

function userOf(id) {
  const email = emailOf(id);
  const method = { recipeId: "emailpassword", recipeUserId: id, email };
  return { status: "OK", user: { id, emails: [email], loginMethods: [method] } };
}

/** The text of a body's field; no field of a benchmark's has a quote in it. */
function textOf(body, field) {
  const start = body.indexOf(`"${field}":"`) + field.length + 4;
  return body.slice(start, body.indexOf('"', start));
}

function imported(body) {
  const email = textOf(body, "email");
  return `{"status":"OK","didUserAlreadyExist":false,"user":{"userId":"${idOf(email)}","email":"${email}"}}`;
}

const IMPORT = "POST /recipe/user/passwordhash/import ";

/** Answers to what brings the parts of an account, by the line that a request begins with. A token is its user's id. */
const PARTS = [
  [
    "POST /recipe/user/email/verify/token ",
    (body) => `{"status":"OK","token":"${textOf(body, "userId")}"}`,
  ],
  [
    "POST /recipe/user/email/verify ",
    (body) => {
      const userId = textOf(body, "token");
      return `{"status":"OK","userId":"${userId}","email":"${emailOf(userId)}"}`;
    },
  ],
  [
    "PUT /recipe/user/metadata ",
    (body) => `{"status":"OK","metadata":${body.slice(body.indexOf(":{") + 1)}`,
  ],
];
const OFFERED = {
  "/recipe/user/email/verify": { status: "OK", isVerified: false },
  "/recipe/user/metadata": { status: "OK", metadata: {} },
};

/** What is asked but for imports; the probe asks for no code at all, which is refused. */
function answerTo(head) {
  const [, path] = head.split(" ", 2);
  const { pathname, searchParams } = new URL(path, "http://core");
  if (pathname === "/log") return [200, manner.log()];
  if (pathname === "/apiversion") return [200, { versions: ["5.3"], dialects: ["interface"] }];
  if (pathname === "/users/by-accountinfo") return [200, { status: "OK", users: [] }];
  if (pathname === "/user/id") return [200, userOf(searchParams.get("userId"))];
  if (takesAccounts && pathname in OFFERED) return [200, OFFERED[pathname]];
  return [pathname === "/recipe/signinup/code" ? 400 : 404, { message: "not like this" }];
}

function send(socket, status, body, retryAfter = "") {
  socket.write(
    `HTTP/1.1 ${status} -\r\n${retryAfter}content-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

/** When each slot is free again; a timer's rounding makes no call wait for another one's. */
const free = new Array(slots || 1).fill(0);

/** Does its work on an import, then answers it. */
function work(answer) {
  if (!milliseconds) return answer();
  const now = performance.now();
  const slot = free.indexOf(Math.min(...free));
  free[slot] = Math.max(now, free[slot]) + milliseconds;
  setTimeout(answer, free[slot] - now);
}

function take(socket, head, body) {
  const call = manner?.callOf(head, body);
  if (call) manner.take(call, (...refusal) => answer(socket, head, body, ...refusal));
  else answer(socket, head, body);
}

function answer(socket, head, body, refusal, retryAfter) {
  if (refusal) return send(socket, refusal, '{"message":"not now"}', retryAfter);
  if (head.startsWith(IMPORT)) return work(() => send(socket, 200, imported(body)));
  const part = takesAccounts && PARTS.find(([start]) => head.startsWith(start));
  if (part) return send(socket, 200, part[1](body));
  const [status, answer] = answerTo(head);
  send(socket, status, JSON.stringify(answer));
}

const server = createServer((socket) => {
  let text = "";
  socket.setNoDelay(true).setEncoding("latin1");
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    text += chunk;
    const end = text.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = text.slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (text.length < end + 4 + length) return;
    const body = text.slice(end + 4);
    text = "";
    take(socket, head, body);
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
});
process.once("SIGTERM", () => process.exit());
