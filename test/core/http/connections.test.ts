import { setImmediate } from "node:timers/promises";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { Core } from "../../../src/core/core.js";
import type { CoreUser } from "../../../src/core/user.js";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import {
  type CoreServer,
  type CoreServerOptions,
  startCoreServer,
} from "../../../src/core/http/server.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import {
  type RawConnection,
  rawConnection,
  requestText,
  statusesIn,
} from "../../support/raw-connection.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

const path = temporaryPaths();
const KEY = "rude-clients-key-0001";
const core = openEmbeddedCore({ file: path("core.db") });
afterAll(() => core.close());

async function serve(
  options: Partial<CoreServerOptions> = {},
  served: Core = core,
): Promise<CoreServer> {
  const server = await startCoreServer(served, {
    ...{ host: "127.0.0.1", port: 0, apiKeys: [KEY], closeGraceMs: 0 },
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

const HELLO = requestText("GET /hello");
const COUNT = requestText("GET /users/count", { "api-key": KEY });
const LIST = requestText("GET /users", { "api-key": KEY });
const importOf = (email: string, headers: Record<string, string> = {}): string =>
  requestText(
    "POST /recipe/user/passwordhash/import",
    { "api-key": KEY, ...headers },
    { email, passwordHash: KNOWN_HASHES.bcrypt.passwordHash },
  );
const isThere = async (email: string): Promise<boolean> =>
  (await core.findUsers({ email })).length > 0;

/** A core whose count waits until it is let go. */
function heldCore() {
  let asked = 0;
  let letGo: (count: number) => void = () => {};
  let onAsked: () => void = () => {};
  const held: Core = {
    ...core,
    countUsers() {
      asked += 1;
      onAsked();
      return new Promise((resolve) => {
        letGo = resolve;
      });
    },
  };
  return {
    core: held,
    timesAsked: () => asked,
    /** Resolves when the count is asked for. */
    nextAsked: () =>
      new Promise<void>((resolve) => {
        onAsked = resolve;
      }),
    letGo: (count: number) => letGo(count),
  };
}

/** Ends its side once the server has ended its own, as clients do: the server needn't wait for it. */
async function politeConnection(url: string): Promise<RawConnection> {
  const connection = await rawConnection(url);
  void connection.closed.then(() => connection.endSending());
  return connection;
}

/** A call that the core was asked for and hasn't answered, with what else was sent in one piece. */
async function callInFlight(sent: string, options: Partial<CoreServerOptions> = {}) {
  const held = heldCore();
  const server = await serve(options, held.core);
  const connection = await politeConnection(server.url);
  const asked = held.nextAsked();
  await connection.send(sent);
  await asked;
  return { server, connection, letGo: held.letGo };
}

/** Time for the server to do what it does on other connections. */
async function severalRoundTrips(url: string): Promise<void> {
  for (let times = 0; times < 20; times += 1) await (await fetch(`${url}/hello`)).text();
}

/** A core whose page of users fills far more than a socket's buffers. */
function coreWithLongPages(length = 40_000) {
  const user: CoreUser = { userId: "u-1", email: "ada@example.com", recipe: "emailpassword" };
  const users = Array.from({ length }, () => user);
  let pages = 0;
  let onAsked: () => void = () => {};
  const long: Core = {
    ...core,
    async listUsers() {
      pages += 1;
      onAsked();
      return { users };
    },
  };
  return {
    core: long,
    pages: () => pages,
    /** Resolves when the first page is asked for. */
    asked: new Promise<void>((resolve) => {
      onAsked = resolve;
    }),
  };
}

describe("clients that are slow", () => {
  it("get 408 for a body that trickles, and it never becomes a call", async () => {
    const { url } = await serve({ limits: { headersMs: 400, requestMs: 500 } });
    const connection = await rawConnection(url);
    const request = importOf("trickle@example.com");
    await connection.send(request.slice(0, -20));
    await connection.until("408");
    // Too late: it has its answer.
    await connection.send(request.slice(-20));
    const answer = await connection.closed;
    expect(statusesIn(answer)).toEqual([408]);
    expect(answer).toMatch(
      /content-type: application\/json.*connection: close.*\{"message":".+"\}$/is,
    );
    await severalRoundTrips(url);
    expect(await isThere("trickle@example.com")).toBe(false);
  });

  it("get 408 for headers without an end", async () => {
    const { url } = await serve({ limits: { headersMs: 400 } });
    const connection = await rawConnection(url);
    await connection.send("GET /hello HTTP/1.1\r\nhost: 127.0.0.1\r\nx-");
    expect(statusesIn(await connection.closed)).toEqual([408]);
  });

  it("lose a connection on which they ask nothing, without a word", async () => {
    const { url } = await serve({ limits: { headersMs: 400 } });
    const connection = await rawConnection(url);
    expect(await connection.closed).toBe("");
  });

  it("keep a connection between requests for as long as it is offered", async () => {
    const { url } = await serve({ limits: { headersMs: 400, keepAliveMs: 3000 } });
    const connection = await rawConnection(url);
    await connection.send(HELLO);
    await connection.until("Hello");
    await connection.send(COUNT);
    // Longer than headers may take: a later connection that asks nothing is lost before it.
    const silent = await rawConnection(url);
    expect(await Promise.race([connection.closed, silent.closed])).toBe("");
    expect(statusesIn(await connection.closed)).toEqual([200, 200]);
  });

  it("lose a connection whose answer they don't take", async () => {
    const options = { limits: { stallMs: 500 }, closeGraceMs: 600_000 };
    const long = coreWithLongPages();
    const server = await serve(options, long.core);
    const connection = await rawConnection(server.url);
    connection.stopReading();
    await connection.send(LIST);
    await long.asked;
    // It waits for connections with a call in flight.
    await server.close();
    connection.readOn();
    expect(await connection.closed).not.toMatch(/\}$/);
  });
});

describe("requests one behind the other on a connection", () => {
  it("are answered in order", async () => {
    const { url } = await serve();
    const connection = await rawConnection(url);
    const unknown = requestText("GET /nowhere");
    const last = requestText("GET /hello", { connection: "close" });
    await connection.send(importOf("in-order@example.com") + unknown + COUNT + last);
    expect(statusesIn(await connection.closed)).toEqual([200, 404, 200, 200]);
  });

  it("may arrive in pieces of any size", async () => {
    const { url } = await serve();
    const connection = await rawConnection(url);
    const email = "one-byte-at-a-time@example.com";
    for (const byte of importOf(email) + COUNT) await connection.send(byte);
    await connection.until('"count"');
    expect(statusesIn(connection.received())).toEqual([200, 200]);
    expect(await isThere(email)).toBe(true);
  });

  it("are cut off where too many come before an answer", async () => {
    const held = heldCore();
    const { url } = await serve({}, held.core);
    const connection = await rawConnection(url);
    await connection.send(COUNT.repeat(33));
    expect(await connection.closed).toBe("");
    expect(held.timesAsked()).toBe(32);
  });

  it("don't fill the memory while no answer is read", async () => {
    const long = coreWithLongPages(4_000);
    const { url } = await serve({}, long.core);
    const connection = await rawConnection(url);
    connection.stopReading();
    for (let times = 0; times < 20; times += 1) void connection.send(LIST.repeat(50));
    await severalRoundTrips(url);
    expect(long.pages()).toBeLessThanOrEqual(32);
  });
});

describe("broken HTTP", () => {
  it.each([
    ["bytes that aren't HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
    [
      "two lengths that differ",
      "POST /hello HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
      400,
    ],
    [
      "a length beside chunks",
      "POST /hello HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
      400,
    ],
    [
      "a chunk without a size",
      `POST /recipe/signin HTTP/1.1\r\nhost: a\r\napi-key: ${KEY}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
      400,
    ],
    ["no Host", `GET /users/count HTTP/1.1\r\napi-key: ${KEY}\r\nconnection: close\r\n\r\n`, 400],
    [
      "headers of more than 16 KiB",
      `GET /hello HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(17_000)}\r\n\r\n`,
      431,
    ],
    ["a target of more than 16 KiB", `GET /${"y".repeat(17_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431],
  ])("(%s) is told so in JSON, and the connection ends", async (_, bytes, status) => {
    const { url } = await serve();
    const connection = await rawConnection(url);
    await connection.send(Buffer.from(bytes, "latin1"));
    const answer = await connection.closed;
    expect(statusesIn(answer)).toEqual([status]);
    const body = answer.slice(answer.indexOf("\r\n\r\n") + 4);
    expect(JSON.parse(body)).toEqual({ message: expect.any(String) });
    expect(answer).toMatch(/^connection: close\r$/im);
  });

  it("behind a call doesn't take the call's answer away", async () => {
    const { connection, letGo } = await callInFlight(`${COUNT}no HTTP at all\r\n\r\n`);
    letGo(17);
    const answer = await connection.closed;
    expect(statusesIn(answer)).toEqual([200]);
    expect(answer).toContain('"count":17');
  });

  it("behind an answer that waits for the one in front ends the connection after both", async () => {
    const { server, connection, letGo } = await callInFlight(
      COUNT + requestText("GET /no-such-page"),
    );
    await severalRoundTrips(server.url);
    await connection.send("no HTTP at all\r\n\r\n");
    await severalRoundTrips(server.url);
    letGo(17);
    expect(statusesIn(await connection.closed)).toEqual([200, 404]);
  });

  it("behind calls in one piece ends the connection after their answers", async () => {
    const { url } = await serve();
    const connection = await rawConnection(url);
    const large = requestText("GET /hello", { x: "y".repeat(17_000) });
    await connection.send(HELLO + COUNT + large + "z".repeat(70_000));
    expect(statusesIn(await connection.closed)).toEqual([200, 200]);
  });

  it("behind the last call of a connection is dropped", async () => {
    const { url } = await serve();
    const connection = await rawConnection(url);
    const last = requestText("GET /hello", { connection: "close" });
    await connection.send(
      COUNT + last + importOf("too-late@example.com") + "no HTTP".repeat(9_000),
    );
    expect(statusesIn(await connection.closed)).toEqual([200, 200]);
    expect(await isThere("too-late@example.com")).toBe(false);
  });

  it("in the body of a waiting request ends the connection after the answers in front", async () => {
    const chunked = requestText("POST /recipe/signin", { "transfer-encoding": "chunked" });
    const { connection, letGo } = await callInFlight(`${COUNT}${chunked}zz\r\n`);
    letGo(3);
    expect(statusesIn(await connection.closed)).toEqual([200]);
  });
});

describe("clients that end sending", () => {
  it("get the answer to a whole request", async () => {
    const { url } = await serve();
    const connection = await rawConnection(url);
    await connection.send(importOf("half-closed@example.com"));
    connection.endSending();
    expect(statusesIn(await connection.closed)).toEqual([200]);
    expect(await isThere("half-closed@example.com")).toBe(true);
  });

  it("in the middle of a request get 400, and it never becomes a call", async () => {
    const { url } = await serve();
    const connection = await rawConnection(url);
    await connection.send(importOf("cut-off@example.com").slice(0, -1));
    connection.endSending();
    expect(statusesIn(await connection.closed)).toEqual([400]);
    expect(await isThere("cut-off@example.com")).toBe(false);
  });
});

it("a request for an upgrade is answered like any other", async () => {
  const { url } = await serve();
  const connection = await rawConnection(url);
  const upgrade = { connection: "upgrade", upgrade: "h2c" };
  await connection.send(importOf("upgrade@example.com", upgrade));
  expect(statusesIn(await connection.until("didUserAlreadyExist"))).toEqual([200]);
  expect(await isThere("upgrade@example.com")).toBe(true);
});

describe("bodies that aren't wanted", () => {
  it.each([
    ["too large", KEY, 413],
    ["without a key", "another-key", 401],
  ])("(%s) don't keep the client from the answer", async (_, key, status) => {
    const { url } = await serve();
    const connection = await rawConnection(url);
    const size = 20_000_000;
    const headers = { "api-key": key, "content-length": String(size) };
    void connection.send(requestText("POST /recipe/signin", headers) + "x".repeat(size));
    expect(statusesIn(await connection.until("message"))).toEqual([status]);
  });
});

describe("a connection that the server ends", () => {
  it("isn't broken off under a client that still sends", async () => {
    const { url } = await serve();
    const connection = await rawConnection(url);
    const headers = { "api-key": KEY, "content-length": "20000000" };
    await connection.send(requestText("POST /recipe/signin", headers));
    await connection.until("message");
    for (let times = 0; times < 3; times += 1) {
      await connection.send("x".repeat(100_000));
      await (await fetch(`${url}/hello`)).text();
    }
    expect(connection.wasBrokenOff()).toBe(false);
  });
});

describe("more connections than are offered", () => {
  it("are closed, and those that are there go on", async () => {
    const { url } = await serve({ limits: { connections: 2 } });
    const [first, second] = [await rawConnection(url), await rawConnection(url)];
    await second.send(HELLO);
    await second.until("Hello");
    const third = await rawConnection(url);
    expect(await third.closed).toBe("");
    await first.send(HELLO);
    expect(statusesIn(await first.until("Hello"))).toEqual([200]);
  });
});

describe("closing", () => {
  it("ends idle and unused connections at once", async () => {
    const server = await serve({ closeGraceMs: 60_000 });
    const [used, unused] = [await politeConnection(server.url), await politeConnection(server.url)];
    await used.send(HELLO);
    await used.until("Hello");
    await server.close();
    expect(statusesIn(await used.closed)).toEqual([200]);
    expect(await unused.closed).toBe("");
  });

  it("says connection: close with the answer in flight and refuses new connections", async () => {
    const { server, connection, letGo } = await callInFlight(COUNT, { closeGraceMs: 60_000 });
    const closed = server.close();
    await expect(fetch(`${server.url}/hello`)).rejects.toThrow();
    letGo(5);
    const answer = await connection.closed;
    expect(answer).toContain('"count":5');
    expect(answer).toMatch(/^connection: close\r$/im);
    await closed;
  });

  it("answers calls that wait behind the one in flight", async () => {
    const sent = COUNT + importOf("last-one@example.com");
    const { server, connection, letGo } = await callInFlight(sent, { closeGraceMs: 60_000 });
    const closed = server.close();
    letGo(5);
    expect(statusesIn(await connection.closed)).toEqual([200, 200]);
    expect(await isThere("last-one@example.com")).toBe(true);
    await closed;
  });

  it("takes no call that comes behind the last answer", async () => {
    const { server, connection, letGo } = await callInFlight(COUNT, { closeGraceMs: 60_000 });
    const closed = server.close();
    await connection.send(importOf("after-hours@example.com"));
    for (let turns = 0; turns < 20; turns += 1) await setImmediate();
    letGo(5);
    expect(statusesIn(await connection.closed)).toEqual([200]);
    await closed;
    expect(await isThere("after-hours@example.com")).toBe(false);
  });

  it("lets a slow client have the rest of its answer", async () => {
    const server = await serve({ closeGraceMs: 60_000 }, coreWithLongPages().core);
    const connection = await politeConnection(server.url);
    connection.stopReading();
    await connection.send(LIST);
    await severalRoundTrips(server.url);
    const closed = server.close();
    connection.readOn();
    expect(await connection.closed).toMatch(/"status":"OK".*\}$/s);
    await closed;
  });

  it("doesn't wait forever for a client that never reads", async () => {
    const server = await serve({ closeGraceMs: 100 }, coreWithLongPages().core);
    const connection = await rawConnection(server.url);
    connection.stopReading();
    await connection.send(LIST);
    await severalRoundTrips(server.url);
    await server.close();
  });
});
