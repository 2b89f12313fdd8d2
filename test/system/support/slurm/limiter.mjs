// A proxy before a core that lets so many calls through in any second, whoever makes them, and
// answers 429 with Retry-After to all others. It works on the bytes of a connection, which takes the
// machine least of its time, and expects of both sides one call at a time with its length in the head.
//
// Its log has a line of JSON for every call: at (ms), path, passed; and of those that passed and were
// answered: status, subject (whom a call that makes users was for), made (it made that user), told
// (the caller was still there when the answer came).
//
// node limiter.mjs <core's port> <own port> <calls a second> <log>

import { createWriteStream } from "node:fs";
import { connect, createServer } from "node:net";

const [corePort, ownPort, limit, logFile] = process.argv.slice(2);
const WINDOW_MS = 1000;
const HEAD_END = "\r\n\r\n";
const MAKING = new Set(["/recipe/user/passwordhash/import", "/recipe/signinup/code/consume"]);
const BUSY = `{"message":"too many calls"}`;
const REFUSAL = [
  "HTTP/1.1 429 Too Many Requests",
  "content-type: application/json",
  "retry-after: 1",
  `content-length: ${BUSY.length}`,
].join("\r\n");

const log = createWriteStream(logFile);
const note = (line) => log.write(`${JSON.stringify(line)}\n`);

// When each of the last calls passed; the next one takes the place of the oldest.
const passedAt = new Float64Array(Number(limit)).fill(Number.NEGATIVE_INFINITY);
let oldest = 0;

function mayPass(now) {
  if (now - passedAt[oldest] <= WINDOW_MS) return false;
  passedAt[oldest] = now;
  oldest = (oldest + 1) % passedAt.length;
  return true;
}

/** Hands on whole messages, each with its head as text. */
function eachMessage(socket, onMessage) {
  let waiting = Buffer.alloc(0);
  socket.on("data", (part) => {
    waiting = waiting.length === 0 ? part : Buffer.concat([waiting, part]);
    for (;;) {
      const headEnd = waiting.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = waiting.toString("latin1", 0, headEnd);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      const end = headEnd + HEAD_END.length + length;
      if (waiting.length < end) return;
      onMessage(head, waiting.subarray(0, end), headEnd + HEAD_END.length);
      waiting = waiting.subarray(end);
    }
  });
}

const server = createServer({ noDelay: true }, (caller) => {
  const toCore = connect({ host: "127.0.0.1", port: Number(corePort), noDelay: true });
  let call = null;
  eachMessage(caller, (head, bytes) => {
    const at = performance.now();
    const path = head.slice(head.indexOf(" ") + 1).split(/[? ]/, 1)[0];
    if (mayPass(at)) {
      call = { at, path, passed: true };
      toCore.write(bytes);
      return;
    }
    note({ at, path, passed: false });
    caller.write(`${REFUSAL}${HEAD_END}${BUSY}`);
  });
  eachMessage(toCore, (head, bytes, bodyStart) => {
    const status = Number(head.split(" ", 2)[1]);
    note({ ...call, status, told: !caller.destroyed, ...makingOf(call.path, bytes, bodyStart) });
    call = null;
    if (caller.destroyed) toCore.destroy();
    else caller.write(bytes);
  });
  caller.on("error", () => caller.destroy());
  // The core goes on with what it was asked, and the log is to have it.
  caller.on("close", () => call === null && toCore.destroy());
  toCore.on("error", () => toCore.destroy());
  toCore.on("close", () => {
    if (call !== null) note(call);
    caller.destroy();
  });
});

/** What the answer to a call that makes users says of them. */
function makingOf(path, bytes, bodyStart) {
  if (!MAKING.has(path)) return {};
  const { status, user, didUserAlreadyExist, createdNewUser } = JSON.parse(
    bytes.toString("utf8", bodyStart),
  );
  if (status !== "OK") return {};
  const made = createdNewUser ?? didUserAlreadyExist === false;
  return { subject: user.email ?? user.phoneNumber, made };
}

server.listen(Number(ownPort), "127.0.0.1", () => console.log("ready"));
