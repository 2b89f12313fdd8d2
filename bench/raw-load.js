/** A client that costs next to nothing, so that the server is what is measured: sockets that send ready-made imports, each after the answer to the one before. `node bench/raw-load.js URL KEY USERS CONCURRENCY`. */

import { connect } from "node:net";
import { stopwatch } from "./frame/stopwatch.js";
import { usersFrom } from "./users.js";

const [url, key, users, concurrency] = process.argv.slice(2);
const { hostname, port, host } = new URL(url);
const requests = usersFrom(1, Number(users), Number(users)).map(({ email, passwordHash }) => {
  const body = JSON.stringify({ email, passwordHash });
  const lines = [
    "POST /recipe/user/passwordhash/import HTTP/1.1",
    `host: ${host}`,
    `api-key: ${key}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
});

/** Whether this is a whole answer; one of an import fits into a few packets. */
function isWhole(text) {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /content-length: (\d+)/i.exec(text);
  return length === null
    ? text.endsWith("\r\n0\r\n\r\n")
    : text.length >= end + 4 + Number(length[1]);
}

let next = 0;
function worker() {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    const send = () => {
      if (next === requests.length) socket.end(resolve);
      else socket.write(requests[next++]);
    };
    socket.setEncoding("latin1").setNoDelay(true);
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      text += chunk;
      if (!isWhole(text)) return;
      if (!text.includes('"status":"OK"')) reject(new Error(text));
      text = "";
      send();
    });
  });
}

const clock = stopwatch();
await clock.time(() => Promise.all(Array.from({ length: Number(concurrency) }, worker)));
clock.end(requests.length);
