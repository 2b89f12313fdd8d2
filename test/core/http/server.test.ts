import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import type { Core } from "../../../src/core/core.js";
import { CoreFailure, type CoreFailureKind } from "../../../src/core/core-failure.js";
import { startCoreServer } from "../../../src/core/http/server.js";
import { sendBytes } from "./send-request.js";
import { asker, CODE, IMPORT, KEY, OTHER_KEY, serveCore } from "./served-core.js";

const LOOPBACK = { host: "127.0.0.1", port: 0 };
const { ask, core, url } = await serveCore();

describe("the key", () => {
  it.each([
    ["no key", {}],
    ["a wrong key", { "api-key": "server-suite-key-0003" }],
    ["an empty key", { "api-key": "" }],
    ["another scheme", { authorization: `Basic ${KEY}` }],
  ])("answers %s with the same 401", async (_, headers) => {
    const answer = await ask("POST", CODE, {}, headers as Record<string, string>);
    expect({ status: answer.status, json: answer.json }).toEqual({
      status: 401,
      json: { message: "the API key is missing or wrong" },
    });
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  it.each([
    ["in api-key", { "api-key": KEY }],
    ["in api-key with spaces around it", { "api-key": `  ${KEY} ` }],
    ["as a bearer token", { authorization: `Bearer ${KEY}` }],
    ["of several configured ones", { "api-key": OTHER_KEY }],
  ])("is taken %s", async (_, headers) => {
    const { status } = await ask(
      "GET",
      "/users/count",
      undefined,
      headers as Record<string, string>,
    );
    expect(status).toBe(200);
  });

  it.each(["/", "/hello", "/Hello/"])("isn't needed for %s", async (target) => {
    expect((await ask("GET", target, undefined, {})).status).toBe(200);
  });

  it("isn't asked for when none is configured", async () => {
    const open = await startCoreServer(core, { ...LOOPBACK, apiKeys: [] });
    expect((await asker(open.url)("GET", "/users/count", undefined, {})).status).toBe(200);
    await open.close();
  });
});

describe("Host", () => {
  const request = (version: string, host: string) =>
    sendBytes(
      url,
      `GET /users/count HTTP/${version}\r\n${host}api-key: ${KEY}\r\nconnection: close\r\n\r\n`,
    );

  it("is required of HTTP/1.1 and missed with JSON", async () => {
    expect(await request("1.1", "")).toMatch(/^HTTP\/1\.1 400 [\s\S]*"message":"host: missing"/);
  });

  it("of which there are two is refused, with a key and without: RFC 9112 section 3.2", async () => {
    const keyless = await startCoreServer(core, { ...LOOPBACK, apiKeys: [] });
    for (const at of [url, keyless.url]) {
      for (const path of ["/users/count", "/hello", "/nothing"]) {
        const two = "host: localhost\r\nhost: evil.example\r\n";
        const answer = await sendBytes(
          at,
          `GET ${path} HTTP/1.1\r\n${two}connection: close\r\n\r\n`,
        );
        expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"message":"host: more than one"/);
      }
    }
    await keyless.close();
  });

  it("isn't required of HTTP/1.0", async () => {
    expect(await request("1.0", "")).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each(["core.internal:3567", "[::1]", "a b", "<core>", ""])(
    "decides nothing where a key is configured: %j",
    async (host) => {
      expect(await request("1.1", `host: ${host}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );
});

describe("failures of the core behind the server", () => {
  /** What a server answers whose core rejects with this. */
  async function answerTo(error: unknown) {
    const failing: Core = { ...core, countUsers: () => Promise.reject(error) };
    const own = await startCoreServer(failing, { ...LOOPBACK, apiKeys: [] });
    const answer = await asker(own.url)("GET", "/users/count", undefined, {});
    await own.close();
    return answer;
  }

  it.each<[CoreFailureKind, number]>([
    ["disk", 507],
    ["busy", 503],
    ["broken", 500],
    ["unreachable", 502],
    ["incompatible", 502],
    ["key_refused", 502],
  ])("%s is an HTTP error that says no more than that", async (kind, expected) => {
    const error = new CoreFailure(kind, "/secret/core.db, line 7", { reached: "unknown" });
    const { status, json, headers } = await answerTo(error);
    expect(status).toBe(expected);
    expect(json).toEqual({ message: expect.not.stringContaining("secret") });
    expect(headers["retry-after"]).toBe(kind === "busy" ? "1" : undefined);
  });

  it.each<[CoreFailureKind, number]>([
    ["refused", 400],
    ["signer_key_missing", 400],
    ["disabled", 403],
    ["not_offered", 404],
  ])("%s is an HTTP error with the core's own reason", async (kind, expected) => {
    const error = new CoreFailure(kind, "no such thing here", { reached: "yes" });
    const { status, json } = await answerTo(error);
    expect({ status, json }).toEqual({ status: expected, json: { message: "no such thing here" } });
  });

  it("busy says how long the core asks to wait, in whole seconds", async () => {
    const error = new CoreFailure("busy", "later", { reached: "no", retryAfterMs: 2001 });
    expect((await answerTo(error)).headers["retry-after"]).toBe("3");
  });

  it.each([
    [new TypeError("secret is not a function")],
    [Object.assign(new Error("secret"), { status: 200, kind: "refused" })],
    ["secret"],
    [undefined],
    [null],
    [{ message: "secret", toString: null }],
    [Symbol("secret")],
    [Object.assign(new CoreFailure("broken", "secret", { reached: "no" }), { kind: "secret" })],
    [
      new Proxy(
        {},
        {
          getPrototypeOf() {
            throw new Error("secret");
          },
        },
      ),
    ],
  ])("of any other kind are 500 and nothing else (%#)", async (thrown) => {
    const { status, json } = await answerTo(thrown);
    expect({ status, json }).toEqual({ status: 500, json: { message: "the core failed" } });
  });

  it("are 500 where a core throws at once, or answers what is no JSON", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const odd: Core = {
      ...core,
      countUsers() {
        throw new Error("secret");
      },
      findUsers: () => Promise.resolve(JSON.parse('[{"userId":1},null]')),
      importUser: () => Promise.resolve(Object.assign(JSON.parse("{}"), { size: 10n })),
      getUser: () => Promise.resolve(Object.assign(JSON.parse("{}"), { timeJoined: cyclic })),
    };
    const own = await startCoreServer(odd, { ...LOOPBACK, apiKeys: [] });
    const askOdd = asker(own.url);
    const broken = { message: "the core failed" };
    const email = "ana@example.com";
    expect((await askOdd("GET", "/users/count", undefined, {})).json).toEqual(broken);
    expect(
      (await askOdd("GET", `/users/by-accountinfo?email=${email}`, undefined, {})).json,
    ).toEqual(broken);
    expect((await askOdd("GET", "/user/id?userId=1", undefined, {})).json).toEqual(broken);
    const body = { email, passwordHash: "$2a$10$" };
    expect((await askOdd("POST", IMPORT, body, {})).json).toEqual(broken);
    await own.close();
  });
});

describe("starting and closing", () => {
  it("says that a port is in use", async () => {
    const port = Number(new URL(url).port);
    await expect(
      startCoreServer(core, { host: "127.0.0.1", port, apiKeys: [] }),
    ).rejects.toMatchObject({ name: "RunError", code: "port_unusable" });
  });

  it("lets a call in flight end, then stops at once", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived = () => {};
    const asked = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const slow: Core = {
      ...core,
      async countUsers() {
        arrived();
        await held;
        return 42;
      },
    };
    const own = await startCoreServer(slow, { ...LOOPBACK, apiKeys: [] });
    const answer = asker(own.url)("GET", "/users/count", undefined, {});
    await asked;
    const closed = own.close();
    await expect(asker(own.url)("GET", "/hello", undefined, {})).rejects.toThrow();
    release();
    expect((await answer).json).toEqual({ status: "OK", count: 42 });
    await closed;
  });

  it("doesn't wait forever for a client that never finishes its request", async () => {
    const own = await startCoreServer(core, { ...LOOPBACK, apiKeys: [], closeGraceMs: 50 });
    const socket = connect(Number(new URL(own.url).port), "127.0.0.1");
    socket.on("error", () => {});
    const cut = new Promise((resolve) => socket.once("close", resolve));
    await new Promise<void>((resolve) => {
      socket.write(`POST ${CODE} HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{`, () =>
        resolve(),
      );
    });
    await own.close();
    await cut;
  });
});
