/** Requests for a fuzzed server, as bytes: right ones, nearly right ones, and what is no HTTP at all. */

import { PATHS } from "../../../../src/core/http/paths.js";
import type { Random } from "../../../support/random.js";
import { bodyOf } from "./bodies.js";

const METHODS = ["GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "PATCH", "TRACE"] as const;
const ENDPOINTS = ["/", "/nowhere", ...PATHS] as const;
const PREFIXES = [
  "",
  "",
  "",
  "/public",
  "/appid-public",
  "/appid-public/public",
  "/ghost",
] as const;

/** Each endpoint with the method it takes. */
const RIGHT = [
  ["POST", "/recipe/signinup/code"],
  ["POST", "/recipe/signinup/code/consume"],
  ["PUT", "/recipe/user"],
  ["POST", "/recipe/user/passwordhash/import"],
  ["POST", "/recipe/signin"],
  ["POST", "/recipe/userid/map"],
  ["GET", "/recipe/userid/map"],
  ["GET", "/user/id"],
  ["GET", "/users"],
  ["GET", "/users/count"],
  ["GET", "/users/by-accountinfo"],
  ["GET", "/apiversion"],
] as const;

const QUERIES = [
  "",
  "?",
  "?limit=3",
  "?limit=-1&limit=2",
  "?limit=500&timeJoinedOrder=DESC",
  "?paginationToken=%00&limit=1",
  "?paginationToken=eyJhIjoxfQ==",
  "?email=known.reader%40example.com",
  "?email=%ff%fe&phoneNumber=%2B15550100001",
  "?phoneNumber=%2B15550100001&doUnionOfAccountInfo=false",
  "?userId=%27%20OR%201%3D1",
  "?userId=x&userIdType=EXTERNAL",
  "?userId=x&userIdType=NOBODY",
  "?includeRecipeIds=emailpassword,passwordless,ghost",
  "?includeAllTenants=true&&&=&a=b=c",
  "?%E0%A4%A",
  `?${"a=1&".repeat(500)}`,
] as const;

/** What a target may be changed by. */
const BENT: readonly ((path: string) => string)[] = [
  (path) => path.toUpperCase(),
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => `${path}/../${path}`,
  (path) => `/.${path}`,
  (path) => path.replace("e", "%65"),
  (path) => `/${path.slice(1).replaceAll("/", "\\")}`,
  (path) => `http://127.0.0.1${path}`,
  (path) => `${path}#part`,
  (path) => path + "/deep".repeat(2_000),
];

const HEADERS = [
  "rid: passwordless",
  "rid: emailpassword",
  "rid: ",
  "cdi-version: 5.4",
  "cdi-version: 2.21",
  "cdi-version: 99.0",
  "cdi-version: five",
  "content-type: text/xml; charset=\xff",
  "content-encoding: gzip",
  "accept-encoding: br",
  "expect: 100-continue",
  "expect: a miracle",
  "connection: close",
  "connection: keep-alive, upgrade\r\nupgrade: websocket",
  "te: trailers",
  "cookie: a=b; __proto__=c",
  "host: other.example",
  "origin: https://evil.example",
  "x-forwarded-for: 10.0.0.1",
  "authorization: Basic YTpi",
  "__proto__: 1",
  `x-long: ${"y".repeat(3_000)}`,
  `x-many: 1\r\n`.repeat(200).trimEnd(),
] as const;

/** Bytes that are no request, or a dangerous one. */
const BROKEN = [
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "CONNECT 127.0.0.1:22 HTTP/1.1\r\nhost: a\r\n\r\n",
  "GET / HTTP/9.9\r\nhost: a\r\n\r\n",
  "GET / HTTP/1.1\nhost: a\n\n",
  "GET /hello\r\n\r\n",
  "get /hello HTTP/1.1\r\nhost: a\r\n\r\n",
  "GET /hello HTTP/1.1\r\nhost : a\r\n\r\n",
  "GET /hello HTTP/1.1\r\nhost: a\r\n folded: b\r\n\r\n",
  "GET /hello HTTP/1.1\r\nno colon\r\n\r\n",
  "GET /hello HTTP/1.1\r\nhost: a\r\nx: \x00\r\n\r\n",
  "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n",
  "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1e3\r\n\r\n",
  "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd",
  "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
  "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n",
  "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
  "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n-1\r\n",
  `POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1;${"x".repeat(20_000)}\r\n`,
  `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(20_000)}\r\n\r\n`,
  `${"x".repeat(100_000)}`,
  "GET /hello HTTP/1.1\r\nhost: a\r\nx-\u00e9: 1\r\n\r\n",
  "GET /hello HTTP/1.1\r\nhost: a\r\nx: \x01\x7f\r\n\r\n",
  "GET /hello\xff\x80 HTTP/1.1\r\nhost: a\r\n\r\n",
  "GET */hello HTTP/1.1\r\nhost: a\r\n\r\n",
  "GET http://[::1/hello HTTP/1.1\r\nhost: a\r\n\r\n",
  "GET \\hello HTTP/1.1\r\nhost: a\r\n\r\n",
  "\r\n\r\n\r\n\r\n",
  "\x00".repeat(64),
] as const;

function targetOf(random: Random, path: string): string {
  const prefixed = random.pick(PREFIXES) + path;
  const bent = random.chance(1, 4) ? random.pick(BENT)(prefixed) : prefixed;
  return bent + (random.chance(1, 2) ? random.pick(QUERIES) : "");
}

function keyHeaderOf(random: Random, apiKey: string): string[] {
  const others: readonly string[][] = [
    [],
    ["api-key: "],
    ["api-key: wrong"],
    [`api-key: ${apiKey}`, `api-key: ${apiKey}`],
    [`authorization: Bearer ${apiKey}`],
  ];
  return random.chance(9, 10) ? [`api-key: ${apiKey}`] : random.pick(others);
}

function chunked(random: Random, body: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + 1 + random.below(2_000));
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
    at += piece.length;
  }
  return Buffer.concat([...pieces, Buffer.from("0\r\n\r\n")]);
}

/** A request whose bytes are framed as HTTP wants it, whatever is in it. */
export function framedRequest(random: Random, apiKey: string): Buffer {
  const [rightMethod, path] = random.pick(RIGHT);
  const isRight = random.chance(2, 3);
  const method = isRight ? rightMethod : random.pick(METHODS);
  const target = targetOf(random, isRight ? path : random.pick(ENDPOINTS));
  const headers = ["host: 127.0.0.1", ...keyHeaderOf(random, apiKey)];
  while (random.chance(1, 3)) headers.push(random.pick(HEADERS));
  if (path === "/recipe/user") headers.push("rid: passwordless");
  let body = method === "GET" && isRight ? Buffer.alloc(0) : bodyOf(random);
  if (random.chance(1, 6)) {
    headers.push("transfer-encoding: chunked");
    body = chunked(random, body);
  } else if (body.length > 0) headers.push(`content-length: ${body.length}`);
  const head = `${method} ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), body]);
}

/** Bytes changed, taken out or put in. */
function damaged(random: Random, request: Buffer): Buffer {
  const at = random.below(request.length);
  const dropped = random.below(4);
  return Buffer.concat([
    request.subarray(0, at),
    random.bytes(random.below(4)),
    request.subarray(at + dropped),
  ]);
}

/** Bytes that are no request, or not a whole one, or one that was damaged on the way. */
export function brokenRequest(random: Random, apiKey: string): Buffer {
  const kinds = [
    () => Buffer.from(random.pick(BROKEN), "latin1"),
    () => random.bytes(random.below(300)),
    () => damaged(random, framedRequest(random, apiKey)),
    () => damaged(random, framedRequest(random, apiKey)),
    () => framedRequest(random, apiKey).subarray(0, random.below(200)),
  ];
  return random.pick(kinds)();
}
